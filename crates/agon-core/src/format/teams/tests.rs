//! Everybody has one role a round, everybody has each role equally often, and nobody meets the
//! same team again before it must.

use std::collections::{BTreeMap, BTreeSet};

use agon_proto::{MatchId, PlayerId};
use proptest::prelude::*;

use crate::format::{Fixture, Paper};

/// First player, second player and referee of each match of a round.
fn round(format: Paper, round: u32) -> Vec<[u32; 3]> {
    let ids = (1..=format.size(1)).map(|number| MatchId::new(round, number));
    ids.map(|id| {
        let Fixture { a, b } = format.fixture(id).unwrap();
        [a.number(), b.number(), format.referee_of(id).unwrap().number()]
    })
    .collect()
}

fn pair([a, b, _]: [u32; 3]) -> (u32, u32) {
    (a.min(b), a.max(b))
}

#[test]
fn six_teams_play_six_rounds() {
    let format = Paper::teams(6, 0);
    let first = [[1, 2, 4], [3, 5, 6]];
    assert_eq!(round(format, 1), first);
    assert_eq!(round(format, 2), first.map(|game| game.map(|team| team % 6 + 1)));
    assert_eq!((format.rounds(), format.size(1)), (6, 2));
}

#[test]
fn in_every_round_each_team_has_one_role_at_most() {
    for teams in 3..=120 {
        let format = Paper::teams(teams, 0);
        for number in 1..=format.rounds() {
            let games = round(format, number);
            assert_eq!(games.len() as u32, teams / 3);
            let busy: BTreeSet<u32> = games.iter().flatten().copied().collect();
            assert_eq!(busy.len() as u32, teams - teams % 3, "{teams} teams, round {number}");
            assert!(busy.iter().all(|team| (1..=teams).contains(team)));
        }
    }
}

#[test]
fn once_around_everybody_has_each_role_equally_often() {
    for teams in 3..=120 {
        let format = Paper::teams(teams, 0);
        let mut turns = BTreeMap::<(u32, usize), u32>::new();
        for game in (1..=teams).flat_map(|number| round(format, number)) {
            for (role, team) in game.into_iter().enumerate() {
                *turns.entry((team, role)).or_default() += 1;
            }
        }
        assert_eq!(turns.len() as u32, teams * 3);
        assert!(turns.values().all(|times| *times == teams / 3), "{teams} teams");
    }
}

#[test]
fn once_around_nobody_meets_the_same_team_twice() {
    for teams in 3..=120 {
        let format = Paper::teams(teams, 0);
        let games = (1..=teams).flat_map(|number| round(format, number));
        let pairs: BTreeSet<_> = games.map(pair).collect();
        assert_eq!(pairs.len() as u32, teams * (teams / 3), "{teams} teams");
    }
}

#[test]
fn a_second_time_around_the_seats_are_swapped() {
    for teams in [3, 4, 6, 7, 11, 12, 30] {
        let format = Paper::teams(teams, 3 * teams);
        for number in 1..=teams {
            let once = round(format, number);
            let again = round(format, number + teams);
            let swapped: Vec<_> = once.iter().map(|&[a, b, referee]| [b, a, referee]).collect();
            assert_eq!(again, swapped);
            assert_eq!(round(format, number + 2 * teams), once);
        }
    }
}

#[test]
fn five_teams_meet_everybody_before_anybody_twice() {
    let format = Paper::teams(5, 20);
    let pairs: BTreeSet<_> = (1..=10).flat_map(|number| round(format, number)).map(pair).collect();
    assert_eq!(pairs.len(), 10);
    for number in 1..=10 {
        let [[a, b, referee]] = round(format, number)[..] else { panic!("one game a round") };
        assert_eq!(round(format, number + 10), [[b, a, referee]]);
        assert_eq!(BTreeSet::from([a, b, referee]).len(), 3);
    }
}

#[test]
fn two_teams_are_no_season() {
    assert_eq!(Paper::teams(2, 0).rounds(), 0);
    assert_eq!(Paper::teams(2, 7).fixture(MatchId::new(1, 1)), None);
    assert_eq!(Paper::teams(0, 0).meetings(PlayerId::new(1), PlayerId::new(2)).next(), None);
}

proptest! {
    /// `match_of` is the way back from `fixture`, and `meeting` finds the first match of two.
    #[test]
    fn the_inverse_agrees(teams in 3u32..=300, laps in 1u32..=3, pick in any::<u32>()) {
        let format = Paper::teams(teams, laps * teams);
        let number = pick % format.rounds() + 1;
        let mut playing = BTreeSet::new();
        for game in 1..=format.size(1) {
            let id = MatchId::new(number, game);
            let Fixture { a, b } = format.fixture(id).unwrap();
            for player in [a, b] {
                prop_assert_eq!(format.match_of(player, number), Some(id));
                playing.insert(player);
            }
            let met = format.meetings(a, b).next().unwrap();
            prop_assert_eq!(format.meetings(b, a).next(), Some(met));
            prop_assert!(met.round <= number);
            prop_assert_eq!((number - met.round) % format.lap(), 0);
            let first = format.fixture(met).unwrap();
            let swapped = Fixture { a: b, b: a };
            let straight = Fixture { a, b };
            prop_assert!([straight, swapped].contains(&first));
        }
        for team in (1..=teams).map(PlayerId::new).filter(|team| !playing.contains(team)) {
            prop_assert_eq!(format.match_of(team, number), None);
        }
        prop_assert_eq!(format.fixture(MatchId::new(number, teams / 3 + 1)), None);
        prop_assert_eq!(format.fixture(MatchId::new(laps * teams + 1, 1)), None);
        prop_assert_eq!(format.match_of(PlayerId::new(teams + 1), number), None);
    }

    /// Who does not meet on the way around is not said to.
    #[test]
    fn who_never_meets_has_no_meeting(teams in 3u32..=60, rounds in 1u32..=60) {
        let format = Paper::teams(teams, rounds);
        let pairs: BTreeSet<_> =
            (1..=rounds).flat_map(|number| round(format, number)).map(pair).collect();
        for one in 1..=teams {
            for other in one + 1..=teams {
                let met = format.meetings(PlayerId::new(one), PlayerId::new(other)).next();
                prop_assert_eq!(met.is_some(), pairs.contains(&(one, other)));
            }
        }
    }
}
