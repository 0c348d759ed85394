//! The strategies of repeated games with a matrix.

use agon_games::matrix::{Action, Matrix};

use crate::{Decision, Situation, Strategy};

/// First the first option, then whatever the other one chose last.
pub(crate) struct TitForTat;

impl<A: Action> Strategy<Matrix<A>> for TitForTat {
    fn choose(&mut self, now: &Situation<'_, Matrix<A>>) -> Decision<A> {
        let (_, first) = A::ALL[0];
        let theirs = match (now.view.last, now.said.last()) {
            // Of the two choices of the last round the other's is the one that is not ours.
            ([Some(a), Some(b)], Some(ours)) if a == *ours => b,
            ([Some(a), Some(_)], Some(_)) => a,
            ([_, _], _) => first,
        };
        Decision::Now(theirs)
    }
}
