//! Dedicated referees, and what all formats have in common.

mod lineup;
mod seasons;
pub(super) mod winners;

use std::collections::BTreeMap;

use agon_proto::{MatchId, PlayerId};

use super::{Fixture, Paper};

impl Paper {
    /// Every match of the season, in order.
    pub(crate) fn ids(self) -> impl Iterator<Item = MatchId> {
        (1..=self.rounds()).flat_map(move |round| self.matches_in(round))
    }
}

#[test]
fn dedicated_referees_get_as_many_matches_as_each_other() {
    for players in 2..=20 {
        for referees in 1..=8 {
            let format = Paper::refereed(players, referees, 0);
            let mut turns = BTreeMap::<u32, u32>::new();
            for id in format.ids() {
                *turns.entry(format.referee_of(id).unwrap().number()).or_default() += 1;
            }
            let (most, least) = (turns.values().max().unwrap(), turns.values().min().unwrap());
            assert!(most - least <= 1, "{players} players, {referees} referees: {turns:?}");
            assert!(turns.keys().all(|referee| (1..=referees).contains(referee)));
        }
    }
}

#[test]
fn no_dedicated_referee_follows_one_player_for_ever() {
    let format = Paper::refereed(6, 3, 0);
    let of_first = (1..=format.rounds())
        .filter_map(|round| format.referee_of(format.match_of(PlayerId::new(1), round)?))
        .collect::<std::collections::BTreeSet<_>>();
    assert_eq!(of_first.len(), 3);
}

#[test]
fn a_season_may_be_longer_or_shorter_than_a_round_robin() {
    let once = Paper::round_robin(4, 1);
    let longer = Paper::refereed(4, 2, 7);
    assert_eq!((once.rounds(), longer.rounds(), longer.matches()), (3, 7, 14));
    for id in once.ids() {
        let Fixture { a, b } = once.fixture(id).unwrap();
        assert_eq!(longer.fixture(id), Some(Fixture { a, b }));
        let again = MatchId::new(id.round + 3, id.number);
        assert_eq!(longer.fixture(again), Some(Fixture { a: b, b: a }));
        assert_eq!(longer.match_of(a, again.round), Some(again));
    }
    let shorter = Paper::refereed(4, 2, 1);
    assert_eq!(shorter.fixture(MatchId::new(2, 1)), None);
    assert_eq!(shorter.meetings(PlayerId::new(1), PlayerId::new(3)).count(), 0);
}

#[test]
fn free_referees_are_on_no_paper() {
    assert_eq!(Paper::round_robin(4, 1).referee_of(MatchId::new(1, 1)), None);
}

#[test]
fn all_meetings_of_two_are_found() {
    let formats = [
        Paper::round_robin(5, 1),
        Paper::refereed(5, 2, 12),
        Paper::teams(5, 23),
        Paper::teams(7, 20),
    ];
    for format in formats {
        for one in (1..=format.players()).map(PlayerId::new) {
            for other in (1..=format.players()).map(PlayerId::new).filter(|other| *other != one) {
                let met = |id: &MatchId| {
                    let Fixture { a, b } = format.fixture(*id).unwrap();
                    [a, b] == [one, other] || [a, b] == [other, one]
                };
                let expected: Vec<_> = format.ids().filter(met).collect();
                let mut found: Vec<_> = format.meetings(one, other).collect();
                found.sort_unstable();
                assert_eq!(found, expected, "{format:?}: {one} and {other}");
            }
        }
    }
}

#[test]
fn in_a_double_round_robin_each_pair_meets_twice_with_the_seats_swapped() {
    for players in 2..=13 {
        let format = Paper::round_robin(players, 2);
        assert_eq!(format.rounds(), 2 * Paper::round_robin(players, 1).rounds());
        let mut meetings = BTreeMap::<(PlayerId, PlayerId), u32>::new();
        for id in format.ids() {
            let Fixture { a, b } = format.fixture(id).unwrap();
            assert_eq!(format.match_of(a, id.round), Some(id));
            assert_eq!(format.match_of(b, id.round), Some(id));
            assert!(format.meetings(a, b).any(|meeting| meeting == id));
            *meetings.entry((a, b)).or_default() += 1;
        }
        assert_eq!(meetings.len(), (players * (players - 1)) as usize);
        assert!(meetings.values().all(|times| *times == 1), "{meetings:?}");
    }
}

#[test]
fn a_season_of_nobody_has_no_rounds() {
    for players in 0..2 {
        for format in [Paper::round_robin(players, 2), Paper::refereed(players, 1, 9)] {
            assert_eq!((format.rounds(), format.matches(), format.ids().count()), (0, 0, 0));
            assert_eq!(format.fixture(MatchId::new(1, 1)), None);
            assert_eq!(format.match_of(PlayerId::new(1), 1), None);
        }
    }
}
