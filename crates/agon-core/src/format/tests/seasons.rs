//! Whole seasons of every format, on paper or not, round by round.

use std::collections::BTreeSet;

use agon_proto::{AgentId, MatchId, PlayerId, RefereeId};
use proptest::prelude::*;

use crate::Season;
use crate::format::{Fixture, FormatKind, Lineup};
use crate::testing::{TIE_BREAKERS, at, player, record, referee};
use crate::verdict::{Outcome, Seat};

const ROUNDS_MAX: u32 = 1_000;

fn kinds() -> impl Strategy<Value = FormatKind> {
    prop::sample::select([&FormatKind::ALL[..], &[FormatKind::Winners]].concat())
}

/// Who takes part: not everybody who is in.
fn lineup(players: u32) -> Lineup {
    let players: Vec<_> = (1..=players).map(|number| player(2 * number + number / 3)).collect();
    let referees = (1..=players.len() as u32).map(|number| referee(3 * number)).collect();
    Lineup::Listed { players, referees, referees_later: false }
}

fn outcome(id: MatchId, seed: u64) -> Outcome {
    let mixed = (seed ^ u64::from(id.round) << 32 ^ u64::from(id.number))
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(23);
    let any = [
        Outcome::Won(Seat::A),
        Outcome::Won(Seat::B),
        Outcome::Drawn,
        Outcome::Forfeited(Seat::A),
        Outcome::BothForfeited,
        Outcome::Cancelled,
    ];
    any[(mixed % 6) as usize]
}

/// Plays a season to its end, and looks at each round when it is announced.
fn play(kind: FormatKind, lineup: &Lineup, seed: u64, mut look: impl FnMut(&Season)) -> Season {
    let mut season = Season::default();
    season.start(kind.paper(lineup, 0), lineup.clone(), &TIE_BREAKERS);
    while let Some(fixtures) = kind.next(&season) {
        let referees = vec![Some(RefereeId::new(1)); season.size_of(&fixtures) as usize];
        season.announce(&fixtures, &referees, at(0));
        look(&season);
        for id in season.matches_in(season.round()) {
            season.accept(id, record(outcome(id, seed)));
        }
        season.complete_round(at(0));
        assert!(season.round() < ROUNDS_MAX, "{kind:?} never ends");
    }
    season
}

/// Nobody is asked for twice in the round under way, and everybody in it takes part.
#[track_caller]
fn check_round(season: &Season) {
    let round = season.round();
    let mut seen = BTreeSet::new();
    for id in season.matches_in(round) {
        let Fixture { a, b } = season.fixture(id).unwrap();
        for player in [a, b] {
            assert!(seen.insert(player), "{player} is twice in round {round}");
            assert!(season.lineup.place(player).is_some(), "{player} takes no part");
            assert_eq!(season.match_of(player, round), Some(id));
        }
        if let Some(referee) = season.referee_of(id) {
            assert!(season.lineup.holds(AgentId::Referee(referee)), "{referee} takes no part");
        }
    }
    let idle = (1..=100).map(player).filter(|player| !seen.contains(player));
    assert!(idle.into_iter().all(|player| season.match_of(player, round).is_none()));
    let past = MatchId::new(round, season.size(round) + 1);
    assert_eq!((season.fixture(past), season.attempt(past)), (None, None));
    assert_eq!(season.open() as usize, season.matches_in(round).len());
}

/// What everybody of a group has from the matches in it, added up match by match.
fn added_up(season: &Season, group: &[PlayerId]) -> Vec<u32> {
    let mut points = vec![0; group.len()];
    for id in season.ids() {
        let Fixture { a, b } = season.fixture(id).unwrap();
        let places = [a, b].map(|player| group.iter().position(|one| *one == player));
        if let [Some(one), Some(other)] = places {
            let scores = season.result(id).unwrap().verdict.points;
            points[one] += scores[0];
            points[other] += scores[1];
        }
    }
    points
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nobody_plays_twice_in_a_round_and_the_table_adds_up(
        kind in kinds(),
        players in 3u32..=24,
        group in prop::collection::btree_set(0usize..24, 1..=24),
        seed in any::<u64>(),
    ) {
        let lineup = lineup(players);
        let season = play(kind, &lineup, seed, check_round);
        prop_assert_eq!(season.round(), season.rounds());
        prop_assert_eq!((season.open(), season.completed), (0, season.matches()));
        prop_assert_eq!(season.ids().count() as u64, season.matches());
        let everybody: Vec<_> =
            (1..=players).map(|place| lineup.player(PlayerId::new(place))).collect();
        let rows: Vec<_> =
            everybody.iter().map(|player| season.standings.row(*player).points).collect();
        prop_assert_eq!(rows, added_up(&season, &everybody));
        let group: Vec<_> =
            group.iter().filter_map(|place| everybody.get(*place)).copied().collect();
        prop_assert_eq!(season.points_among(&group), added_up(&season, &group));
        prop_assert_eq!(season.points_among(&everybody), added_up(&season, &everybody));
    }

    #[test]
    fn winners_meet_winners(players in 3u32..=24, seed in any::<u64>()) {
        let mut sizes = Vec::new();
        let lineup = lineup(players);
        play(FormatKind::Winners, &lineup, seed, |season| {
            sizes.push(season.size(season.round()));
            for id in season.matches_in(season.round()) {
                let Fixture { a, b } = season.fixture(id).unwrap();
                let earlier = season.ids().filter(|it| it.round < id.round);
                for id in earlier {
                    let before = season.fixture(id).unwrap();
                    let b_won = season.result(id).unwrap().verdict.winner() == Some(Seat::B);
                    let out = if b_won { before.a } else { before.b };
                    assert!(![a, b].contains(&out), "{out} was out after {id}");
                }
            }
        });
        prop_assert_eq!(sizes.iter().sum::<u32>(), players - 1);
        prop_assert!(sizes.is_sorted_by(|one, other| one >= other), "{:?}", sizes);
    }
}

#[test]
fn a_hundred_thousand_on_paper_are_only_counted() {
    let lineup = Lineup::All { players: 100_000, referees: 8 };
    let mut season = Season::default();
    season.start(FormatKind::DoubleRoundRobin.paper(&lineup, 0), lineup, &TIE_BREAKERS);
    assert_eq!((season.rounds(), season.matches()), (199_998, 9_999_900_000));
    let last = MatchId::new(199_998, 50_000);
    let Fixture { a, b } = season.fixture(last).unwrap();
    assert_eq!([a, b].map(|player| season.match_of(player, last.round)), [Some(last); 2]);
    let first = MatchId::new(99_999, 50_000);
    assert_eq!(season.fixture(first), Some(Fixture { a: b, b: a }));
}
