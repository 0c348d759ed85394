//! Whom a league that is played by letters has answered, and who has answered it.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::Address;
use std::collections::BTreeSet;

use crate::fact::SeasonFact;

/// So many strangers get an answer; anybody could fill the journal otherwise.
const STRANGERS_MAX: usize = 1_000;

#[derive(Debug, Default)]
pub(crate) struct Correspondence {
    /// Who is not in the league, and had an answer.
    strangers: BTreeSet<Address>,
    /// Who has the season's table.
    acknowledged: BTreeSet<Address>,
}

impl Correspondence {
    /// Whether that stranger may have an answer: each gets one, and not the whole world does.
    pub(crate) fn may_answer(&self, address: &Address) -> bool {
        self.strangers.len() < STRANGERS_MAX && !self.strangers.contains(address)
    }

    pub(crate) fn has_acknowledged(&self, address: &Address) -> bool {
        self.acknowledged.contains(address)
    }

    /// Whom that concerns, of everything that becomes true.
    pub(super) fn apply(&mut self, fact: &SeasonFact) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest answers nobody")]
        match fact {
            SeasonFact::TurnedAway { address, .. } | SeasonFact::Introduced { address, .. } => {
                self.strangers.insert(address.clone());
            }
            SeasonFact::Acknowledged { address, .. } => {
                self.acknowledged.insert(address.clone());
            }
            _ => {}
        }
    }
}
