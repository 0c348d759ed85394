//! The simple strategies. None of them looks at the opponent.

use agon_proto::message::Parity;

use crate::{Chance, Decision, Situation, Strategy};

/// A fair coin. Against a fair draw nothing does better on average, and nobody can read it.
pub(crate) struct Random(pub(crate) Chance);

impl Strategy for Random {
    fn choose(&mut self, situation: &Situation<'_>) -> Decision {
        Decision::Now(self.0.parity(situation.question))
    }
}

/// Always the same.
pub(crate) struct Always(pub(crate) Parity);

impl Strategy for Always {
    fn choose(&mut self, _: &Situation<'_>) -> Decision {
        Decision::Now(self.0)
    }
}

/// Even, odd, even … Counted by the matches behind us and not by the questions, so that a match
/// that is tried again gets the same choice, and so does a player after a restart.
pub(crate) struct Alternate;

impl Strategy for Alternate {
    fn choose(&mut self, situation: &Situation<'_>) -> Decision {
        Decision::Now(if situation.history.len().is_multiple_of(2) {
            Parity::Even
        } else {
            Parity::Odd
        })
    }
}
