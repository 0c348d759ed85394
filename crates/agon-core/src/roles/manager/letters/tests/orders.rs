//! The operator's hand: pause, void, withdraw, reset.

use agon_proto::PlayerId;
use agon_proto::message::{Blame, Cause};

use super::*;
use crate::verdict::{Outcome, Seat};

#[test]
fn while_the_league_is_paused_the_clock_stands_still() {
    let mut league = League::started(terms(3));
    league.take_sent();
    league.at(100).command(Command::PauseLeague);
    assert_eq!(league.take_names(), ["BROADCAST_CRITICAL_PAUSE"]);
    assert_eq!(league.role().deadline(), None);
    league.at(5_000);
    assert_eq!(league.season().rounds_completed(), 0);
    league.command(Command::ResumeLeague);
    assert_eq!(league.take_names(), ["BROADCAST_CRITICAL_CONTINUE"]);
    assert_eq!(league.role().deadline(), Some(at(5_500)));
    league.at(5_500);
    assert_eq!(league.season().round(), 2);
    assert_eq!(league.role().deadline(), Some(at(6_100)), "the next one is as long as any");
}

#[test]
fn a_pause_moves_every_later_round() {
    let pace = Pace::Clock { every_ms: 300_000, first_at_ms: None };
    let mut league = League::started(SeasonSettings { pace, ..terms(3) });
    league.bench.at(10);
    league.report(MatchId::new(1, 1), [90, 80]);
    league.tick();
    league.at(100).command(Command::PauseLeague);
    league.at(150).command(Command::ResumeLeague);
    assert_eq!(league.role().deadline(), Some(at(350)));
    league.at(350);
    assert_eq!(league.season().round(), 2);
    assert_eq!(league.role().deadline(), Some(at(650)));
}

#[test]
fn each_pause_is_told_by_a_letter_of_its_own() {
    let mut league = League::started(terms(3));
    league.take_sent();
    for _ in 0..2 {
        league.command(Command::PauseLeague);
        league.command(Command::PauseLeague);
        league.command(Command::ResumeLeague);
    }
    let ids: Vec<_> = league.take_sent().iter().map(|(_, one)| one.head.id.to_string()).collect();
    let expected = ["bc-pause-S01-1", "bc-continue-S01-1", "bc-pause-S01-2", "bc-continue-S01-2"];
    assert_eq!(ids, expected);
}

#[test]
fn results_that_come_in_a_pause_count() {
    let mut league = League::started(terms(3));
    league.command(Command::PauseLeague);
    league.report(MatchId::new(1, 1), [90, 80]);
    league.tick();
    assert_eq!(league.season().completed, 1);
    assert_eq!(league.season().round(), 1);
    league.command(Command::ResumeLeague);
    assert_eq!(league.season().round(), 2);
}

#[test]
fn a_season_that_begins_in_a_pause_waits_for_its_end() {
    let mut league = League::open(terms(3));
    league.enrol_all(3);
    league.command(Command::PauseLeague);
    league.at(500).command(Command::StartLeague);
    assert_eq!(league.season().round(), 0);
    league.at(700).command(Command::ResumeLeague);
    assert_eq!(league.season().round(), 1);
}

#[test]
fn a_game_that_the_operator_voids_counts_for_nobody() {
    let mut league = League::started(terms(6));
    let params = |id| ToolParams { match_id: Some(id), ..ToolParams::default() };
    let [first, second] = [MatchId::new(1, 1), MatchId::new(1, 2)];
    league.report(first, [90, 80]);
    league.take_sent();
    league.order(Command::VoidMatch, params(first));
    let sent = league.take_sent();
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0].0.len(), 3, "whoever it concerns is told");
    assert_eq!(league.points().values().sum::<u32>(), 0);
    assert_eq!(league.season().round(), 1);
    league.order(Command::VoidMatch, params(second));
    assert_eq!(league.season().round(), 2, "nothing is open any more");
    let effects = league.report(second, [90, 80]);
    assert!(matches!(refused(&effects), Refusal::Conflict(_)));
}

#[test]
fn a_game_is_not_played_again() {
    let mut league = League::started(terms(3));
    let id = MatchId::new(1, 1);
    league.report(id, [90, 80]);
    let params = ToolParams { match_id: Some(id), ..ToolParams::default() };
    let effects = league.order(Command::RerunMatch, params);
    assert!(
        effects.iter().any(|effect| matches!(
            effect,
            Effect::Refuse { refusal: Refusal::Unsupported(_), .. }
        ))
    );
    assert!(league.season().result(id).is_some());
}

#[test]
fn who_was_withdrawn_loses_and_its_opponent_plays_on() {
    let mut league = League::started(terms(3));
    let id = MatchId::new(1, 1);
    let player = league.season().fixture(id).unwrap().a;
    let params = ToolParams { player_id: Some(player), ..ToolParams::default() };
    league.order(Command::WithdrawPlayer, params.clone());
    assert_eq!(league.season().round(), 1);
    league.report(id, [90, 80]);
    league.report(id, [90, 80]);
    let record = league.season().result(id).unwrap();
    assert_eq!(record.verdict.outcome, Outcome::Forfeited(Seat::A));
    assert_eq!(
        (record.verdict.cause, record.verdict.blame),
        (Cause::Withdrawn, Some(Blame::PlayerA))
    );
    assert_eq!(record.verdict.points, [0, 2]);
    league.tick();
    let facts = league.bench.facts.len();
    league.order(Command::WithdrawPlayer, params);
    assert_eq!(league.bench.facts.len(), facts, "saying so twice changes nothing");
}

#[test]
fn with_both_players_gone_there_is_no_game() {
    let mut league = League::started(terms(3));
    for number in 1..=3 {
        let player_id = Some(PlayerId::new(number));
        league.order(Command::WithdrawPlayer, ToolParams { player_id, ..ToolParams::default() });
    }
    league.at(600);
    assert_eq!(league.role().state().phase, LeaguePhase::Completed);
    let record = league.season().result(MatchId::new(2, 1)).unwrap();
    let verdict = record.verdict;
    assert_eq!((verdict.outcome, verdict.cause), (Outcome::Cancelled, Cause::Withdrawn));
}
