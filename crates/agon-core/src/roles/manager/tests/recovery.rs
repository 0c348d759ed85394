//! A manager that died at any point of its journal goes on, and no result is lost or doubled.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::testing::check;

/// What becomes of each call, spread by a seed. Refusals and losses end after a while.
fn fate(seed: u64, id: MatchId, attempt: u32, call: u32) -> Fate {
    let parts = [id.round, id.number, attempt, call].map(u64::from);
    let mixed = parts.iter().fold(seed, |mixed, part| {
        (mixed ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
    });
    match mixed % 11 {
        0 => Fate::Aborted,
        1 => Fate::Undelivered,
        2 if call < 4 => Fate::Refused,
        3 => Fate::Lost,
        _ => Fate::Played,
    }
}

/// A whole season, with a pause and a dispute in it.
fn season(format: FormatKind, players: u32, capacities: &[u32], seed: u64) -> League {
    let (mut league, effects) = League::started_as(format, players, capacities);
    league.command(Command::PauseLeague);
    league.command(Command::ResumeLeague);
    let first = assignments(&effects).remove(0);
    league.play_on(&effects, |id, attempt, call| fate(seed, id, attempt, call));
    let disputed = result(&first, Some(first.player_a_id));
    league.report(first.referee_id.number(), disputed);
    league
}

/// A manager that reads these facts, and everybody else as they were.
pub(super) fn restart(facts: &[LeagueFact], before: &League) -> League {
    let settings = before.bench.role.league().settings().clone();
    let mut bench = Bench::new(Manager::new(settings, options(None)), facts.to_vec());
    bench.now = at(100_000);
    League { bench, tokens: before.tokens.clone() }
}

/// Goes on from these facts to the champion.
fn complete(facts: &[LeagueFact], whole: &League, (players, capacities): (u32, &[u32])) -> League {
    let mut league = restart(facts, whole);
    let mut effects = league.bench.resume();
    league.register_all(players, capacities);
    effects.extend(league.command(Command::ResumeLeague));
    effects.extend(league.command(Command::StartLeague));
    league.play_on(&effects, |_, _, _| Fate::Played);
    league
}

/// Every match of the season that was accepted, as often as it was.
fn accepted(league: &League) -> Vec<MatchId> {
    let accepted = league.bench.facts.iter().filter_map(|fact| {
        if let LeagueFact::ResultAccepted { match_id, .. } = fact { Some(*match_id) } else { None }
    });
    accepted.collect()
}

fn milestones(league: &League) -> usize {
    let milestone = |fact: &&LeagueFact| {
        matches!(
            fact,
            LeagueFact::RoundAnnounced { .. }
                | LeagueFact::RoundCompleted { .. }
                | LeagueFact::LeagueCompleted { .. }
                | LeagueFact::SeasonStarted { .. }
                | LeagueFact::Opened { .. }
        )
    };
    league.bench.facts.iter().filter(milestone).count()
}

/// Those in which whoever has room referees; in the last one who meets whom depends on results.
fn formats() -> impl Strategy<Value = FormatKind> {
    use FormatKind::{DoubleRoundRobin, RoundRobin, Winners};
    prop_oneof![2 => Just(RoundRobin), 1 => Just(DoubleRoundRobin), 2 => Just(Winners)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn from_any_point_the_season_comes_to_its_end(
        format in formats(),
        players in 2u32..=6,
        capacities in prop::collection::vec(1u32..=2, 1..=3),
        seed in any::<u64>(),
    ) {
        let whole = season(format, players, &capacities, seed);
        prop_assert_eq!(whole.bench.role.state().phase, LeaguePhase::Completed);
        for length in 0..=whole.bench.facts.len() {
            let league = complete(&whole.bench.facts[..length], &whole, (players, &capacities));
            let state = league.bench.role.state();
            prop_assert_eq!(state.phase, LeaguePhase::Completed);
            prop_assert_eq!(state.matches_completed, state.matches);
            let accepted = accepted(&league);
            prop_assert_eq!(accepted.len() as u64, state.matches);
            let distinct: BTreeSet<_> = accepted.iter().collect();
            prop_assert_eq!(distinct.len(), accepted.len());
            prop_assert_eq!(milestones(&league) as u32, 3 + 2 * state.rounds);
        }
    }

    #[test]
    fn a_journal_read_again_gives_the_same_league(
        format in formats(),
        players in 2u32..=6,
        capacities in prop::collection::vec(1u32..=2, 1..=3),
        seed in any::<u64>(),
    ) {
        let whole = season(format, players, &capacities, seed);
        let again = restart(&whole.bench.facts, &whole);
        prop_assert_eq!(again.bench.role.state(), whole.bench.role.state());
        let table = |league: &League| league.bench.role.league().table(usize::MAX);
        prop_assert_eq!(table(&again), table(&whole));
        let season = again.bench.role.league().season();
        let whole = whole.bench.role.league().season();
        for id in whole.ids() {
            prop_assert_eq!(season.fixture(id), whole.fixture(id));
            prop_assert_eq!(season.result(id), whole.result(id));
            prop_assert_eq!(season.attempt(id), whole.attempt(id));
        }
    }
}

#[test]
fn what_is_owed_is_said_again() {
    let (mut league, effects) = League::started(4, &[2]);
    league.play(&assignments(&effects)[0]);
    let mut again = restart(&league.bench.facts, &league);
    let facts = again.bench.facts.len();
    check(
        &again.bench.resume(),
        &["ROUND_ANNOUNCEMENT to p1 p2 p3 p4 ref1", "MATCH_ASSIGNMENT to ref1"],
    );
    assert_eq!(again.bench.facts.len(), facts);
    // The lease starts anew.
    assert_eq!(again.bench.role.deadline(), Some(at(100_240)));
}

#[test]
fn in_a_later_round_the_table_is_said_again_too() {
    let (mut league, effects) = League::started(4, &[2]);
    for given in assignments(&effects) {
        league.play(&given);
    }
    let mut again = restart(&league.bench.facts, &league);
    check(
        &again.bench.resume(),
        &[
            "LEAGUE_STANDINGS_UPDATE to p1 p2 p3 p4 ref1",
            "ROUND_COMPLETED to p1 p2 p3 p4 ref1",
            "ROUND_ANNOUNCEMENT to p1 p2 p3 p4 ref1",
            "MATCH_ASSIGNMENT to ref1",
            "MATCH_ASSIGNMENT to ref1",
        ],
    );
}

#[test]
fn after_the_end_the_end_is_said_again() {
    let (mut league, effects) = League::started(2, &[1]);
    league.play_on(&effects, |_, _, _| Fate::Played);
    let mut again = restart(&league.bench.facts, &league);
    check(
        &again.bench.resume(),
        &[
            "LEAGUE_STANDINGS_UPDATE to p1 p2 ref1",
            "ROUND_COMPLETED to p1 p2 ref1",
            "LEAGUE_COMPLETED to p1 p2 ref1",
        ],
    );
}

#[test]
fn a_restart_may_be_what_begins_the_season_and_begins_it_once() {
    let league = League::with(settings(), 2, &[1]);
    let manager = Manager::new(settings(), options(Some(2)));
    let mut bench = Bench::new(manager, league.bench.facts.clone());
    check(&bench.resume(), &["ROUND_ANNOUNCEMENT to p1 p2 ref1", "MATCH_ASSIGNMENT to ref1"]);
}

#[test]
fn a_paused_league_stays_paused_after_a_restart() {
    let (mut league, _) = League::started(2, &[1]);
    league.command(Command::PauseLeague);
    let mut again = restart(&league.bench.facts, &league);
    check(&again.bench.resume(), &["ROUND_ANNOUNCEMENT to p1 p2 ref1"]);
    let resumed = again.command(Command::ResumeLeague);
    assert_eq!(given_to(&resumed), ["R1M1 to REF01"]);
}

#[test]
fn the_league_keeps_the_rules_that_it_was_opened_with() {
    let league = League::with(Settings { attempts_max: 9, ..settings() }, 1, &[]);
    let again = restart(&league.bench.facts, &league);
    assert_eq!(again.bench.role.league().settings().attempts_max, 9);
}
