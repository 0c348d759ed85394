//! Every pair meets once; nobody plays twice in a round; the inverse agrees.

use std::collections::BTreeSet;

use agon_proto::{MatchId, PlayerId};
use proptest::prelude::*;

use crate::format::{Fixture, Paper};

fn table(players: u32) -> Vec<(String, String, String)> {
    let format = Paper::round_robin(players, 1);
    let mut rows = Vec::new();
    for round in 1..=format.rounds() {
        for number in 1..=format.size(1) {
            let id = MatchId::new(round, number);
            let Fixture { a, b } = format.fixture(id).unwrap();
            rows.push((id.to_string(), a.to_string(), b.to_string()));
        }
    }
    rows
}

#[test]
fn four_players_give_the_courses_table() {
    let expected = [
        ("R1M1", "P01", "P02"),
        ("R1M2", "P03", "P04"),
        ("R2M1", "P03", "P01"),
        ("R2M2", "P04", "P02"),
        ("R3M1", "P04", "P01"),
        ("R3M2", "P03", "P02"),
    ];
    let expected = expected.map(|(id, a, b)| (id.to_owned(), a.to_owned(), b.to_owned()));
    assert_eq!(table(4), expected);
}

#[test]
fn small_leagues_are_complete() {
    for players in 2..=33 {
        let mut pairs = BTreeSet::new();
        for (_, a, b) in table(players) {
            assert_ne!(a, b);
            assert!(pairs.insert((a.clone().min(b.clone()), a.max(b))), "{players}: met twice");
        }
        assert_eq!(pairs.len() as u32, players * (players - 1) / 2);
    }
}

#[test]
fn one_player_has_nobody_to_meet() {
    assert_eq!(Paper::round_robin(1, 1).rounds(), 0);
    assert_eq!(Paper::round_robin(0, 1).rounds(), 0);
    assert_eq!(Paper::round_robin(1, 1).fixture(MatchId::new(1, 1)), None);
}

proptest! {
    /// In one round of any league nobody is asked for twice, and `match_of` is the way back.
    #[test]
    fn a_round_seats_everybody_once(players in 2u32..=2000, round in 1u32..=2000) {
        let format = Paper::round_robin(players, 1);
        let round = (round - 1) % format.rounds() + 1;
        let mut seen = BTreeSet::new();
        for number in 1..=format.size(1) {
            let id = MatchId::new(round, number);
            let Fixture { a, b } = format.fixture(id).unwrap();
            prop_assert!(seen.insert(a) && seen.insert(b));
            prop_assert_eq!(format.match_of(a, round), Some(id));
            prop_assert_eq!(format.match_of(b, round), Some(id));
        }
        let byes = (1..=players).map(PlayerId::new).filter(|p| !seen.contains(p));
        for player in byes {
            prop_assert_eq!(format.match_of(player, round), None);
        }
        prop_assert_eq!(seen.len() as u32, players / 2 * 2);
    }

    /// Any two players of a league of up to 100,000 meet in exactly one round.
    #[test]
    fn any_two_meet_exactly_once(
        players in 2u32..=100_000,
        one in 0u32..100_000,
        other in 0u32..100_000,
    ) {
        let one = PlayerId::new(one % players + 1);
        let other = PlayerId::new(other % players + 1);
        prop_assume!(one != other);
        let format = Paper::round_robin(players, 1);
        let meetings = (1..=format.rounds())
            .filter_map(|round| format.match_of(one, round))
            .filter_map(|id| format.fixture(id))
            .filter(|fixture| fixture.a == other || fixture.b == other);
        prop_assert_eq!(meetings.count(), 1);
    }

    #[test]
    fn nothing_beyond_the_season(
        players in 2u32..=100_000,
        round in 0u32..200_000,
        number in 0u32..200_000,
    ) {
        let format = Paper::round_robin(players, 1);
        let inside = (1..=format.rounds()).contains(&round)
            && (1..=format.size(1)).contains(&number);
        let fixture = format.fixture(MatchId::new(round, number));
        prop_assert_eq!(fixture.is_some(), inside);
    }
}

#[test]
fn everybody_finds_the_match_against_everybody() {
    for players in 2..=33 {
        let format = Paper::round_robin(players, 1);
        for round in 1..=format.rounds() {
            for number in 1..=format.size(1) {
                let id = MatchId::new(round, number);
                let Fixture { a, b } = format.fixture(id).unwrap();
                assert_eq!(format.meetings(a, b).next(), Some(id), "{players}: {a} {b}");
                assert_eq!(format.meetings(b, a).next(), Some(id), "{players}: {b} {a}");
            }
        }
        let stranger = PlayerId::new(players + 1);
        assert_eq!(format.meetings(PlayerId::new(1), stranger).next(), None);
        assert_eq!(format.meetings(PlayerId::new(1), PlayerId::new(1)).next(), None);
    }
}
