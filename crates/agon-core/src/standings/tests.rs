//! Tables from results, and a slow table that sorts everything anew to compare with.

use std::collections::BTreeMap;

use agon_proto::MatchId;
use proptest::prelude::*;

use super::*;
use crate::Season;
use crate::format::{Fixtures, Paper};
use crate::testing::{SCORING, TIE_BREAKERS, at, in_match, player, record, referee};
use Outcome::{BothForfeited, Cancelled, Drawn, Forfeited, Won};
use Seat::{A, B};

type Results<'a> = &'a [(MatchId, Outcome)];

fn season(players: u32, criteria: &[TieBreaker], results: Results) -> Season {
    let mut season = Season::default();
    season.open_registration();
    let lineup = Lineup::All { players, referees: 1 };
    season.start(Some(paper(players)), lineup, criteria);
    for round in 1..=season.rounds() {
        let holders = vec![Some(referee(1)); season.size(round) as usize];
        season.announce(&Fixtures::OnPaper, &holders, at(0));
        for (id, outcome) in results.iter().filter(|(id, _)| id.round == round) {
            season.accept(*id, record(*outcome));
        }
    }
    season
}

fn paper(players: u32) -> Paper {
    Paper::round_robin(players, 1)
}

/// The ranks and numbers of the players, best first. `rank` must say the same of each.
#[track_caller]
fn check(players: u32, results: Results, expected: &[(u32, u32)]) {
    let season = season(players, &TIE_BREAKERS, results);
    let top = season.standings.top(usize::MAX, &season);
    let numbers: Vec<_> = top.iter().map(|(rank, id)| (*rank, id.number())).collect();
    assert_eq!(numbers, expected);
    for (rank, id) in top {
        assert_eq!(season.standings.rank(id, &season), rank, "{id}");
    }
}

#[test]
fn before_the_first_result_everybody_is_first() {
    check(3, &[], &[(1, 1), (1, 2), (1, 3)]);
}

#[test]
fn points_come_first() {
    // R1M1 P01-P02, R1M2 P03-P04.
    let results = [(in_match(1, 1), Won(B)), (in_match(1, 2), Drawn)];
    check(4, &results, &[(1, 2), (2, 3), (2, 4), (4, 1)]);
}

#[test]
fn wins_come_before_the_direct_meeting() {
    // Three points each: P01 by one win, P03 by three draws.
    let results = [
        (in_match(1, 1), Won(A)),
        (in_match(1, 2), Drawn),
        (in_match(2, 1), Cancelled),
        (in_match(2, 2), Cancelled),
        (in_match(3, 1), Won(A)),
        (in_match(3, 2), Drawn),
    ];
    // P04 beat P01 and drew once: four points.
    check(4, &results, &[(1, 4), (2, 1), (3, 3), (4, 2)]);
}

#[test]
fn the_direct_meeting_separates_two() {
    // R2M1 P03-P01: P03 beat P01, and both have one win and one loss.
    let results = [
        (in_match(1, 1), Won(A)),
        (in_match(1, 2), Won(B)),
        (in_match(2, 1), Won(A)),
        (in_match(2, 2), Drawn),
    ];
    check(4, &results, &[(1, 4), (2, 3), (3, 1), (4, 2)]);
}

#[test]
fn fewer_technical_losses_separate_a_circle() {
    // Three players beat each other in a circle, one of the losses was a technical one.
    let format = paper(3);
    let mut results = Vec::new();
    for round in 1..=3 {
        let id = in_match(round, 1);
        let fixture = format.fixture(id).unwrap();
        // P01 beats P02, P02 beats P03, P03 beats P01.
        let next = fixture.a.number() % 3 + 1 == fixture.b.number();
        let (winner, loser) = if next { (A, B) } else { (B, A) };
        let players = [fixture.a, fixture.b];
        let technical = players[loser.index()] == player(2);
        let outcome = if technical { Forfeited(loser) } else { Won(winner) };
        results.push((id, outcome));
    }
    check(3, &results, &[(1, 1), (1, 3), (3, 2)]);
}

#[test]
fn who_cannot_be_separated_shares_a_rank() {
    let results = [(in_match(1, 1), Won(A)), (in_match(1, 2), Won(A))];
    check(4, &results, &[(1, 1), (1, 3), (3, 2), (3, 4)]);
}

#[test]
fn every_end_counts_as_it_should() {
    let rows = |outcome| {
        let season = season(2, &TIE_BREAKERS, &[(in_match(1, 1), outcome)]);
        [player(1), player(2)].map(|id| season.standings.row(id))
    };
    let row = |played, wins, draws, losses, technical_losses, points| Row {
        played,
        wins,
        draws,
        losses,
        technical_losses,
        points,
    };
    let (won, lost) = (row(1, 1, 0, 0, 0, 3), row(1, 0, 0, 1, 0, 0));
    let (drawn, failed) = (row(1, 0, 1, 0, 0, 1), row(1, 0, 0, 1, 1, 0));
    assert_eq!(rows(Won(A)), [won, lost]);
    assert_eq!(rows(Won(B)), [lost, won]);
    assert_eq!(rows(Drawn), [drawn, drawn]);
    assert_eq!(rows(Forfeited(A)), [failed, won]);
    assert_eq!(rows(Forfeited(B)), [won, failed]);
    assert_eq!(rows(BothForfeited), [failed, failed]);
    assert_eq!(rows(Cancelled), [Row::default(); 2]);
}

#[test]
fn a_result_is_counted_once() {
    let mut season = season(2, &TIE_BREAKERS, &[(in_match(1, 1), Won(A))]);
    season.accept(in_match(1, 1), record(Won(A)));
    assert_eq!(season.standings.row(player(1)).points, 3);
    assert_eq!((season.completed, season.open()), (1, 0));
}

#[test]
#[should_panic(expected = "nothing is taken back that was not counted")]
fn what_was_not_counted_cannot_be_taken_back() {
    let mut table = Standings::new(&Lineup::All { players: 2, referees: 1 }, &TIE_BREAKERS);
    table.discount([player(1), player(2)], &record(Drawn).verdict);
}

#[test]
fn nobody_outside_the_league_has_a_row() {
    let season = season(2, &TIE_BREAKERS, &[(in_match(1, 1), Won(A))]);
    assert_eq!(season.standings.row(player(0)), Row::default());
    assert_eq!(season.standings.row(player(3)), Row::default());
}

/// Everything from the beginning: the rows by adding up, the order by sorting groups.
fn naive(players: u32, criteria: &[TieBreaker], results: Results) -> Vec<(u32, PlayerId)> {
    let mut groups = vec![(1..=players).map(player).collect::<Vec<_>>()];
    for criterion in criteria {
        let mut next = Vec::new();
        for group in groups {
            let mut keyed: Vec<(i64, PlayerId)> = group
                .iter()
                .map(|id| (-worth(*id, &group, *criterion, players, results), *id))
                .collect();
            keyed.sort();
            for same in keyed.chunk_by(|one, other| one.0 == other.0) {
                next.push(same.iter().map(|(_, id)| *id).collect());
            }
        }
        groups = next;
    }
    let mut ranked = Vec::new();
    for group in groups {
        let rank = ranked.len() as u32 + 1;
        ranked.extend(group.into_iter().map(|id| (rank, id)));
    }
    ranked
}

/// What a player has by one criterion, added up over all results.
fn worth(id: PlayerId, group: &[PlayerId], by: TieBreaker, players: u32, results: Results) -> i64 {
    let mut sum = 0;
    for (match_id, outcome) in results {
        let fixture = paper(players).fixture(*match_id).unwrap();
        let Some(seat) =
            Seat::BOTH.into_iter().find(|seat| [fixture.a, fixture.b][seat.index()] == id)
        else {
            continue;
        };
        let points = i64::from(SCORING.of(*outcome)[seat.index()]);
        let other = [fixture.a, fixture.b][seat.other().index()];
        let won = *outcome == Won(seat) || *outcome == Forfeited(seat.other());
        let technical = *outcome == Forfeited(seat) || *outcome == BothForfeited;
        sum += match by {
            TieBreaker::Points => points,
            TieBreaker::Wins => i64::from(won),
            TieBreaker::Draws => i64::from(*outcome == Drawn),
            TieBreaker::HeadToHead if group.contains(&other) => points,
            TieBreaker::HeadToHead => 0,
            TieBreaker::FewerTechnicalLosses => -i64::from(technical),
        };
    }
    sum
}

fn outcomes() -> impl Strategy<Value = Option<Outcome>> {
    let any = [Won(A), Won(B), Drawn, Forfeited(A), Forfeited(B), BothForfeited, Cancelled];
    prop_oneof![1 => Just(None), 9 => prop::sample::select(any.to_vec()).prop_map(Some)]
}

/// A league, some of whose matches have results.
fn leagues() -> impl Strategy<Value = (u32, Vec<(MatchId, Outcome)>)> {
    (2u32..=9).prop_flat_map(|players| {
        let ids: Vec<MatchId> = paper(players).ids().collect();
        prop::collection::vec(outcomes(), ids.len()).prop_map(move |outcomes| {
            let results = ids.iter().zip(outcomes);
            let results = results.filter_map(|(id, outcome)| outcome.map(|outcome| (*id, outcome)));
            (players, results.collect())
        })
    })
}

fn criteria() -> impl Strategy<Value = Vec<TieBreaker>> {
    use TieBreaker::{Draws, FewerTechnicalLosses, HeadToHead, Points, Wins};
    prop::sample::select(vec![
        TIE_BREAKERS.to_vec(),
        vec![Points],
        vec![Wins, Points, HeadToHead],
        vec![Points, HeadToHead, Wins, Draws],
        vec![FewerTechnicalLosses, Points],
        vec![HeadToHead, Wins],
        vec![Draws],
    ])
}

proptest! {
    #[test]
    fn the_table_is_what_sorting_gives(
        (players, results) in leagues(),
        criteria in criteria(),
        limit in 0usize..12,
    ) {
        let season = season(players, &criteria, &results);
        let expected = naive(players, &criteria, &results);
        prop_assert_eq!(&season.standings.top(usize::MAX, &season), &expected);
        let first: Vec<_> = expected.iter().take(limit).copied().collect();
        prop_assert_eq!(season.standings.top(limit, &season), first);
        for (rank, id) in expected {
            prop_assert_eq!(season.standings.rank(id, &season), rank);
        }
    }

    #[test]
    fn points_and_matches_add_up((players, results) in leagues()) {
        let season = season(players, &TIE_BREAKERS, &results);
        let rows: BTreeMap<_, _> =
            (1..=players).map(|number| (number, season.standings.row(player(number)))).collect();
        let points: u32 = rows.values().map(|row| row.points).sum();
        let given: u32 = results.iter().flat_map(|(_, outcome)| SCORING.of(*outcome)).sum();
        prop_assert_eq!(points, given);
        let played: u32 = rows.values().map(|row| row.played).sum();
        let counted = results.iter().filter(|(_, outcome)| *outcome != Cancelled).count();
        prop_assert_eq!(played as usize, 2 * counted);
        prop_assert_eq!(season.completed as usize, results.len());
        for row in rows.values() {
            prop_assert_eq!(row.played, row.wins + row.draws + row.losses);
            prop_assert!(row.technical_losses <= row.losses);
        }
    }

    #[test]
    fn the_order_of_results_does_not_matter((players, mut results) in leagues()) {
        let one = season(players, &TIE_BREAKERS, &results);
        results.reverse();
        let other = season(players, &TIE_BREAKERS, &results);
        let table = |season: &Season| season.standings.top(usize::MAX, season);
        prop_assert_eq!(table(&one), table(&other));
    }
}
