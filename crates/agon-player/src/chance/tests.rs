//! Luck that can be repeated, and luck that is fair.

use agon_proto::message::Parity;
use agon_proto::{AsPayload, MatchId, PlayerId};

use super::*;
use crate::tests::{EVEN, ODD, question};

fn parity(chance: Chance, question: &Question, player: PlayerId) -> Parity {
    let known = Known { player: Some(player), ..Known::default() };
    *chance.pick(question, &known, &[EVEN, ODD]).unwrap()
}

/// Every player of a small league in every match, as `ask` orders them.
fn all(
    seed: u64,
    ask: impl Fn(&mut Vec<(Question, PlayerId)>),
) -> Vec<(MatchId, PlayerId, Parity)> {
    let mut questions = Vec::new();
    for (round, player) in (1..=40).flat_map(|round| (1..=25).map(move |player| (round, player))) {
        questions.push((question(round), PlayerId::new(player)));
    }
    ask(&mut questions);
    let chance = Chance::Seeded(seed);
    let mut luck: Vec<_> = questions
        .iter()
        .map(|(it, player)| (it.match_id, *player, parity(chance, it, *player)))
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
    let again = |questions: &mut Vec<(Question, PlayerId)>| {
        for (it, _) in questions {
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
    let (one, player) = (question(1), PlayerId::new(1));
    let evens = (0..1000).filter(|_| parity(Chance::Fair, &one, player) == Parity::Even);
    // Ten standard deviations to each side.
    assert!((342..=658).contains(&evens.count()));
}

#[test]
fn of_nothing_nothing_can_be_picked() {
    let picked = Chance::Fair.pick::<Parity>(&question(1), &Known::default(), &[]);
    assert_eq!(picked, None);
}

#[test]
fn a_seed_plays_every_step_of_a_match_anew() {
    let picked = |moved: usize| {
        let mut question = question(3);
        let agon_core::What::Move { said, .. } = &mut question.what else {
            panic!("a move is asked for")
        };
        said.resize(moved, EVEN.payload());
        parity(Chance::Seeded(7), &question, PlayerId::new(1))
    };
    let all: Vec<_> = (0..32).map(picked).collect();
    assert_eq!(all, (0..32).map(picked).collect::<Vec<_>>(), "asked again it says the same");
    let even = all.iter().filter(|choice| **choice == EVEN).count();
    assert!((8..=24).contains(&even), "{even} of 32 are even");
}
