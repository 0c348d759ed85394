//! Letters that came too early: mails overtake each other.
//!
//! A letter of a round that has not begun, of a game that is in no table yet, or whose sender can
//! only be proved once we are registered, is kept and looked at again when that changes. It counts
//! as dealt with only then.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::dialect::q21::Letter;
use agon_proto::{Address, Timestamp};

use super::fact::Fact;
use super::gatekeeper::Objection;
use super::{Out, Player};
use crate::Refusal;
use crate::effect::Proof;

/// So many letters are kept at most: more do not overtake each other in a season that is honest.
pub(super) const KEPT_MAX: usize = 16;

/// A letter that came too early, and who vouches for its sender.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Kept {
    /// The mail's sender; by call nobody vouches but the token in the letter.
    pub(super) from: Option<Address>,
    pub(super) letter: Box<Letter>,
}

impl Player {
    /// Keeps a letter, or says why not.
    pub(super) fn keep(
        &mut self,
        proof: Proof,
        letter: Box<Letter>,
        refusal: Refusal,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        let kept = Kept { from: voucher(proof), letter };
        if self.kept.contains(&kept) {
            return Ok(());
        }
        if self.kept.len() >= KEPT_MAX {
            return Err(refusal);
        }
        self.record(Fact::Kept { from: kept.from, letter: kept.letter }, out);
        Ok(())
    }

    /// Looks again at everything that came too early. What is refused now was never good.
    pub(super) fn reconsider(&mut self, now: Timestamp, out: &mut Out) {
        if self.kept.is_empty() {
            return;
        }
        let kept = self.kept.clone();
        self.record(Fact::Reconsidered, out);
        for Kept { from, letter } in kept {
            let proof = from.map_or(Proof::Token, Proof::Mail);
            if let Err(Objection::TooEarly(_)) = self.consider(&proof, &letter, now, out) {
                self.record(Fact::Kept { from: voucher(proof), letter }, out);
            }
        }
    }
}

/// The address that a mail server vouches for.
fn voucher(proof: Proof) -> Option<Address> {
    match proof {
        Proof::Mail(from) => Some(from),
        Proof::Token => None,
    }
}
