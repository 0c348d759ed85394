//! What came too early: mails overtake each other, and so do calls.
//!
//! A letter of a round that has not begun, of a game that is in no table yet, or whose sender can
//! only be proved once we are registered, is kept and looked at again when that changes. It counts
//! as dealt with only then. A call waits for its answer meanwhile.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::tool::Lifecycle;
use agon_proto::{Address, Envelope, Letter, Timestamp};

use super::{AgentFact, Correspondent, Member, Times};
use crate::effect::{Effects, Proof, RequestId};
use crate::gate::{self, Admitted, Doubt};
use crate::letterbox::LetterboxFact;
use crate::{Machine, Refusal};

type Out<M> = Effects<<M as Machine>::Fact>;

/// So many letters are kept at most: more do not overtake each other in a season that is honest.
pub(crate) const KEPT_MAX: usize = 16;

/// So many calls wait for our admission; it is the answer to one call, so few can come.
const EARLY_MAX: usize = 64;

/// A letter that came too early, and who vouches for its sender.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Kept {
    /// The mail's sender; by call nobody vouches but the token in the letter.
    pub(super) from: Option<Address>,
    pub(super) letter: Box<Letter>,
}

/// A call that came too early.
pub(super) type EarlyCall = (RequestId, Box<Envelope>);

/// What the gate lets in. Any other call is kept until we are let in ourselves, or refused.
#[inline]
pub(crate) fn admitted<M: Member>(
    role: &mut M,
    request: RequestId,
    letter: Box<Envelope>,
    out: &mut Out<M>,
) -> Option<Admitted> {
    let me = role.agent_mut();
    match gate::at_agent(me, letter) {
        Ok(admitted) => return Some(admitted),
        Err((_, letter))
            if me.lifecycle() == Lifecycle::Registering && me.early.len() < EARLY_MAX =>
        {
            me.early.push((request, letter));
        }
        Err((refusal, _)) => out.refuse(request, refusal),
    }
    None
}

/// A letter came: exactly one answer goes back.
pub(crate) fn open<M: Correspondent>(
    role: &mut M,
    request: RequestId,
    (proof, letter): (Proof, Box<Letter>),
    times: Times,
    out: &mut Out<M>,
) {
    let answer = match consider(role, &proof, &letter, times, out) {
        Ok(()) => Ok(()),
        Err(Doubt::Never(refusal)) => Err(refusal),
        Err(Doubt::Early(refusal)) => keep(role, (proof, letter), refusal, out),
    };
    match answer {
        Ok(()) => out.acknowledge(request),
        Err(refusal) => out.refuse(request, refusal),
    }
}

/// Judges a letter and does what it asks for, once.
fn consider<M: Correspondent>(
    role: &mut M,
    proof: &Proof,
    letter: &Letter,
    times: Times,
    out: &mut Out<M>,
) -> Result<(), Doubt> {
    let ((from, speaker), id) = (role.admit(proof, letter)?, letter.head.id.clone());
    if !id.is_empty() && role.agent().letterbox.knows(&from, &id) {
        return Ok(());
    }
    role.hear(speaker, letter, times, out).map_err(Doubt::Never)?;
    if !id.is_empty() {
        role.note(LetterboxFact::Handled { from, id }, out);
    }
    Ok(())
}

/// Keeps a letter, or says why not.
fn keep<M: Correspondent>(
    role: &mut M,
    (proof, letter): (Proof, Box<Letter>),
    refusal: Refusal,
    out: &mut Out<M>,
) -> Result<(), Refusal> {
    let early = Kept { from: proof.voucher(), letter };
    let kept = &role.agent().kept;
    if kept.contains(&early) {
        return Ok(());
    }
    if kept.len() >= KEPT_MAX {
        return Err(refusal);
    }
    role.note(AgentFact::Kept { from: early.from, letter: early.letter }, out);
    Ok(())
}

/// Looks again at everything that came too early. What is refused now was never good.
pub(crate) fn reconsider<M: Correspondent>(role: &mut M, now: Timestamp, out: &mut Out<M>) {
    if role.agent().kept.is_empty() {
        return;
    }
    let kept = role.agent().kept.clone();
    role.note(AgentFact::Reconsidered, out);
    for Kept { from, letter } in kept {
        let proof = Proof::by(from);
        let times = Times { arrived: now, now };
        if let Err(Doubt::Early(_)) = consider(role, &proof, &letter, times, out) {
            role.note(AgentFact::Kept { from: proof.voucher(), letter }, out);
        }
    }
}
