//! The strategies of Even/Odd. The simple ones do not look at the opponent.

mod adaptive;

use agon_games::even_odd::{EvenOdd, EvenOddMove};

use crate::{Decision, Situation, Strategy};
pub(crate) use adaptive::Adaptive;

/// Always the same.
pub(crate) struct Always(pub(crate) EvenOddMove);

impl Strategy<EvenOdd> for Always {
    fn choose(&mut self, _: &Situation<'_, EvenOdd>) -> Decision<EvenOddMove> {
        Decision::Now(self.0)
    }
}

/// Even, odd, even … Counted by the matches behind us and not by the questions, so that a match
/// that is tried again gets the same choice, and so does a player after a restart.
pub(crate) struct Alternate;

impl Strategy<EvenOdd> for Alternate {
    fn choose(&mut self, now: &Situation<'_, EvenOdd>) -> Decision<EvenOddMove> {
        Decision::Now(if now.known.history.len().is_multiple_of(2) {
            EvenOddMove::Even
        } else {
            EvenOddMove::Odd
        })
    }
}
