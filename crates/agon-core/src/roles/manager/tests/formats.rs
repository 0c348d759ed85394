//! A format whose rounds depend on results: they are written down when they are announced, and stay
//! as they are whatever becomes of those results.

use agon_proto::message::RoundCompleted;

use super::*;
use crate::format::{Fixture, Fixtures};
use crate::testing::{in_match, player};

fn started(players: u32) -> (League, Vec<Effect>) {
    League::started_as(FormatKind::Winners, players, &[9])
}

/// Plays what is given out; the player with the lower number wins.
fn play_round(league: &mut League, effects: &[Effect]) -> Vec<Effect> {
    let mut last = Vec::new();
    for given in assignments(effects) {
        let winner = given.player_a_id.min(given.player_b_id);
        last = league.report(given.referee_id.number(), result(&given, Some(winner)));
    }
    last
}

/// Who meets whom in each round that was announced, as the journal has it.
fn announced(league: &League) -> Vec<Vec<[u32; 2]>> {
    let rounds = league.bench.facts.iter().filter_map(|fact| {
        let LeagueFact::RoundAnnounced { fixtures, .. } = fact else { return None };
        let Fixtures::Listed(fixtures) = fixtures else { panic!("there is no paper") };
        let numbers = |Fixture { a, b }: &Fixture| [a.number(), b.number()];
        Some(fixtures.iter().map(numbers).collect())
    });
    rounds.collect()
}

/// The same journal makes the same league.
#[track_caller]
fn check_replay(league: &League) {
    let mut again = crate::League::new(settings());
    league.bench.facts.iter().for_each(|fact| again.apply(fact));
    let live = league.bench.role.league();
    assert_eq!(again.state(), live.state());
    assert_eq!(again.table(usize::MAX), live.table(usize::MAX));
    for id in live.season().ids() {
        assert_eq!(again.match_state(id), live.match_state(id));
    }
}

#[test]
fn rounds_follow_from_results_and_are_of_different_sizes() {
    let (mut league, mut effects) = started(6);
    let mut next = Vec::new();
    for _ in 1..=3 {
        effects = play_round(&mut league, &effects);
        next.extend(effects.iter().filter_map(|effect| {
            let Effect::Broadcast(news) = effect else { return None };
            let Act::RoundCompleted(said) = &news.act else { return None };
            let RoundCompleted { round_id, matches_played, next_round_id, .. } = said;
            Some((*round_id, *matches_played, *next_round_id))
        }));
    }
    let rounds = [vec![[1, 2], [3, 4], [5, 6]], vec![[1, 3]], vec![[1, 5]]];
    assert_eq!(announced(&league), rounds);
    assert_eq!(next, [(1, 3, Some(2)), (2, 1, Some(3)), (3, 1, None)]);
    let state = league.bench.role.state();
    assert_eq!((state.phase, state.rounds), (LeaguePhase::Completed, 3));
    assert_eq!((state.matches_completed, state.matches), (5, 5));
    assert_eq!(state.champion, Some(player(1)));
    let table = league.bench.role.league().table(usize::MAX);
    let rows: Vec<_> = table.iter().map(|row| (row.player_id.number(), row.played)).collect();
    assert_eq!(rows, [(1, 3), (3, 2), (5, 2), (2, 1), (4, 1), (6, 1)]);
    check_replay(&league);
}

#[test]
fn a_result_that_is_taken_back_changes_the_rounds_to_come_and_none_before() {
    let (mut league, effects) = started(8);
    let effects = play_round(&mut league, &effects);
    assert_eq!(announced(&league)[1], [[1, 3], [5, 7]]);
    // Nobody has won R1M1 any more; P01 and P03 are in the second round all the same.
    league.void(in_match(1, 1));
    assert_eq!((league.points(1), league.points(2)), ((0, 0), (0, 0)));
    let season = league.bench.role.league().season();
    let [first, second] = [1, 3].map(|number| season.match_of(player(number), 2));
    assert_eq!((first, second), (Some(in_match(2, 1)), Some(in_match(2, 1))));
    check_replay(&league);
    // R2M1 is played again before its round is over, and ends otherwise.
    let given = assignments(&effects);
    league.report(1, result(&given[0], Some(player(1))));
    let effects = league.rerun(in_match(2, 1));
    let again = assignments(&effects).remove(0);
    assert_eq!((again.match_id, again.attempt), (in_match(2, 1), 2));
    league.report(1, result(&given[1], Some(player(5))));
    assert_eq!(announced(&league).len(), 2, "a match is open");
    let effects = league.report(1, result(&again, Some(player(3))));
    assert_eq!(announced(&league)[2], [[3, 5]]);
    play_round(&mut league, &effects);
    let state = league.bench.role.state();
    assert_eq!((state.phase, state.champion), (LeaguePhase::Completed, Some(player(3))));
    check_replay(&league);
}

#[test]
fn a_round_in_which_nobody_can_play_is_over_at_once() {
    let (mut league, effects) = started(4);
    // R1M1 is with its referee and is played to its end.
    league.withdraw(1);
    play_round(&mut league, &effects);
    assert_eq!(announced(&league), [vec![[1, 2], [3, 4]], vec![[1, 3]]]);
    let state = league.bench.role.state();
    assert_eq!((state.phase, state.champion), (LeaguePhase::Completed, Some(player(3))));
    check_replay(&league);
}
