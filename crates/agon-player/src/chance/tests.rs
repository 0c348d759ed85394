//! Luck that can be repeated, and luck that is fair.

use agon_proto::{MatchId, PlayerId};

use super::*;
use crate::testing::question;

/// Every player of a small league in every match, as `ask` orders them.
fn all(seed: u64, ask: impl Fn(&mut Vec<Question>)) -> Vec<(MatchId, PlayerId, Parity)> {
    let mut questions = Vec::new();
    for (round, player) in (1..=40).flat_map(|round| (1..=25).map(move |player| (round, player))) {
        questions.push(Question { player: PlayerId::new(player), ..question(round, 99) });
    }
    ask(&mut questions);
    let mut luck: Vec<_> = questions
        .iter()
        .map(|it| (it.match_id, it.player, Chance::Seeded(seed).parity(it)))
        .collect();
    luck.sort_by_key(|(match_id, player, _)| (*match_id, *player));
    luck
}

fn evens(luck: &[(MatchId, PlayerId, Parity)]) -> usize {
    luck.iter().filter(|it| it.2 == Parity::Even).count()
}

#[test]
fn the_order_of_questions_changes_nothing() {
    assert_eq!(all(1, |_| {}), all(1, |questions| questions.reverse()));
}

#[test]
fn another_attempt_changes_nothing() {
    let again = |questions: &mut Vec<Question>| {
        for it in questions {
            it.attempt += 1;
        }
    };
    assert_eq!(all(1, |_| {}), all(1, again));
}

#[test]
fn seed_player_and_match_all_matter_and_no_side_is_favoured() {
    let luck = all(1, |_| {});
    assert!((430..=570).contains(&evens(&luck)), "{} of 1000", evens(&luck));
    let first_match: Vec<_> = luck.iter().take(25).copied().collect();
    assert!((4..=21).contains(&evens(&first_match)));
    let first_player: Vec<_> = luck.iter().step_by(25).copied().collect();
    assert!((8..=32).contains(&evens(&first_player)));
    let other = all(2, |_| {});
    let same = luck.iter().zip(&other).filter(|(a, b)| a == b).count();
    assert!((430..=570).contains(&same), "{same} of 1000");
}

#[test]
fn fair_luck_has_two_sides() {
    let one = question(1, 2);
    let evens = (0..1000).filter(|_| Chance::Fair.parity(&one) == Parity::Even);
    // Ten standard deviations to each side.
    assert!((342..=658).contains(&evens.count()));
}
