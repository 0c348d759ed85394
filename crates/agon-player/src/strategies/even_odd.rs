//! The strategies of Even/Odd: one that does not look at the opponent, and one that watches it.

use agon_core::Known;
use agon_games::even_odd::{EvenOdd, Parity};
use agon_proto::PlayerId;
use agon_proto::tool::{PlayedMatch, PlayedResult};

use super::Random;
use crate::{Chance, Decision, Situation, Strategy};

/// Even, odd, even … Counted by the matches behind us and not by the questions, so that a match
/// that is tried again gets the same choice, and so does a player after a restart.
pub(crate) struct Alternate;

impl Strategy<EvenOdd> for Alternate {
    fn choose(&mut self, now: &Situation<'_, EvenOdd>) -> Decision<Parity> {
        Decision::Now(if now.known.history.len().is_multiple_of(2) {
            Parity::Even
        } else {
            Parity::Odd
        })
    }
}

/// Predicts the opponent's choice, and then avoids it or copies it.
///
/// What cannot be learned: the drawn number. It is a fair coin whose past says nothing, so no
/// strategy wins more of the decided matches than it loses, in the long run.
///
/// What can be learned: whether the match will be decided at all. Two equal choices are a draw for
/// certain (with the usual points, 1 each); two different ones are a coin toss for the win (3 or 0,
/// so 1.5 on average). Who is behind or level wants the toss: it pays more, and it moves the
/// table. Who leads alone gives up half a point on average and gets certainty for it: a draw costs
/// no lead against this opponent. Against an opponent that tosses coins itself all of this is
/// idle, and harmless.
///
/// The prediction is a frequency with Laplace's correction: the choices of all opponents so far,
/// as if one even and one odd had been seen before, and that rate in turn counts like two matches
/// on top of what this opponent chose. So its own habits outweigh the crowd's as soon as there are
/// some. If nothing speaks for either side, chance decides.
pub(crate) struct Adaptive(pub(crate) Chance);

impl Strategy<EvenOdd> for Adaptive {
    fn choose(&mut self, now: &Situation<'_, EvenOdd>) -> Decision<Parity> {
        let known = now.known;
        Decision::Now(match (expected(known.history, known.opponent), leads(known)) {
            (None, _) => return Random(self.0).choose(now),
            (Some(Parity::Even), true) | (Some(Parity::Odd), false) => Parity::Even,
            (Some(Parity::Odd), true) | (Some(Parity::Even), false) => Parity::Odd,
        })
    }
}

/// How often opponents chose even in these matches, as far as that is known, and how often at all.
fn tally<'a>(past: impl Iterator<Item = &'a PlayedMatch>) -> (usize, usize) {
    let chosen: Vec<Parity> = past.filter_map(opponents_choice).collect();
    (chosen.iter().filter(|it| **it == Parity::Even).count(), chosen.len())
}

/// What the opponent will choose rather than the other thing, if the history speaks for either.
fn expected(history: &[PlayedMatch], opponent: Option<PlayerId>) -> Option<Parity> {
    let (crowd_even, crowd_all) = tally(history.iter());
    let met = history.iter().filter(|past| Some(past.opponent_id) == opponent);
    let (own_even, own_all) = tally(met);
    // P(even) = (own_even + 2 * rate) / (own_all + 2), where rate = (crowd_even + 1) /
    // (crowd_all + 2), is compared with a half. In whole numbers, so that a tie is a tie.
    let even = 2 * (own_even * (crowd_all + 2) + 2 * (crowd_even + 1));
    let half = (own_all + 2) * (crowd_all + 2);
    match even.cmp(&half) {
        std::cmp::Ordering::Less => Some(Parity::Odd),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(Parity::Even),
    }
}

/// What the opponent chose: as we were told, or as our own result betrays it. A draw means that it
/// chose the same; a match decided by a number means that it did not.
fn opponents_choice(past: &PlayedMatch) -> Option<Parity> {
    let betrayed = || {
        let (mine, _drawn) = (past.my_choice?, past.drawn_number?);
        match (past.result, mine) {
            (PlayedResult::Draw, same) => Some(same),
            (PlayedResult::Win | PlayedResult::Loss, Parity::Even) => Some(Parity::Odd),
            (PlayedResult::Win | PlayedResult::Loss, Parity::Odd) => Some(Parity::Even),
            (PlayedResult::Cancelled, _) => None,
        }
    };
    past.opponent_choice.or_else(betrayed)
}

/// Whether we have more points than everybody else.
fn leads(known: &Known<'_>) -> bool {
    let (mut ours, mut theirs) = (None, None);
    for row in known.table() {
        let best = if Some(row.player_id) == known.player { &mut ours } else { &mut theirs };
        *best = (*best).max(Some(row.points));
    }
    ours.is_some() && ours > theirs
}

#[cfg(test)]
mod tests;
