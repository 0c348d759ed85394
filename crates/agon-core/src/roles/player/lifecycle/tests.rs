//! Rounds and their games, without letters.

use agon_proto::MessageId;
use agon_proto::act::{Act, ActKind};

use super::super::tests::by_letter::{
    ME, NEXT, ONE, OPPONENT, REFEREE, STRANGER, TWO, game, profile, rows, score, warmup,
};
use super::*;
use crate::agent::Agent;
use crate::testing::at;

fn assigned() -> RoundLifecycle {
    let mut all = rows(ONE, REFEREE, [ME, OPPONENT]);
    all.extend(rows(TWO, STRANGER, [OPPONENT, ME]));
    all.extend(rows(NEXT, REFEREE, [ME, OPPONENT]));
    let games = Assignment::ours(&Agent::new(profile()), &all);
    let mut rounds = RoundLifecycle::default();
    rounds.set_assignments(Some(&SeasonId::new("S1")), &games);
    rounds
}

fn started() -> RoundLifecycle {
    let mut rounds = assigned();
    rounds.start_round(1, Some("S1_R1"), at(1));
    rounds
}

fn heard(act: &Act) -> Heard {
    Heard::of(act).expect("a referee's letter")
}

fn receive(rounds: &mut RoundLifecycle, id: &str, act: &Act) {
    let match_id = rounds.match_of(&game(id)).expect("a row");
    let controller = rounds.live_mut(match_id).expect("a game");
    controller.receive(&MessageId::new("m"), &heard(act), None);
}

#[test]
fn start_round_creates_controllers() {
    let mut rounds = assigned();
    assert_eq!(rounds.current_round(), 0);
    let (parameters, reports) = rounds.start_round(1, Some("S1_R1"), at(1));
    assert_eq!(reports, []);
    let ids: Vec<_> = parameters.iter().map(|one| one.assignment.game.as_str()).collect();
    assert_eq!(ids, [ONE, TWO]);
    assert_eq!(parameters[0].season, Some(SeasonId::new("S1")));
    assert_eq!((parameters[1].round_number(), parameters[1].game_number()), (1, 2));
    assert_eq!(rounds.current_round(), 1);
    assert_eq!(rounds.active_match_ids(), [&game(ONE), &game(TWO)]);
    assert_eq!(rounds.phase(&game(ONE)), Some(Progress::Answered(0)));
    assert_eq!(rounds.phase(&game(NEXT)), None);
}

#[test]
fn stop_current_round_returns_reports() {
    let mut rounds = started();
    receive(&mut rounds, ONE, &warmup(ONE));
    let reports = rounds.stop_current_round(StopReason::LeagueCompleted, at(5));
    let told: Vec<_> = reports.iter().map(|one| (one.game.as_str(), one.reason)).collect();
    let reason = StopReason::LeagueCompleted;
    assert_eq!(told, [(ONE, reason), (TWO, reason)]);
    assert_eq!(reports[0].last_message_received, Some(ActKind::Ask(0)));
    assert_eq!(rounds.games().count(), 0);
    assert_eq!(rounds.phase(&game(ONE)), Some(Progress::Terminated));
    assert!(rounds.is_round_complete());
    assert_eq!(rounds.stop_current_round(reason, at(6)), []);
}

#[test]
fn stop_skips_completed_games() {
    let mut rounds = started();
    receive(&mut rounds, ONE, &score(ONE));
    let reports = rounds.stop_current_round(StopReason::NewRoundStarted, at(5));
    let told: Vec<_> = reports.iter().map(|one| one.game.as_str()).collect();
    assert_eq!(told, [TWO]);
    assert_eq!(rounds.phase(&game(ONE)), Some(Progress::Completed));
    assert_eq!(rounds.result(&game(ONE)).map(|result| result.league_points), Some(2));
    let stopped = GameStatus::Terminated(StopReason::NewRoundStarted);
    assert_eq!(rounds.result(&game(TWO)).map(|result| result.status), Some(stopped));
}

#[test]
fn start_round_stops_previous() {
    let mut rounds = started();
    let (parameters, reports) = rounds.start_round(2, None, at(9));
    let told: Vec<_> = reports.iter().map(|one| (one.game.as_str(), one.reason)).collect();
    let reason = StopReason::NewRoundStarted;
    assert_eq!(told, [(ONE, reason), (TWO, reason)]);
    assert_eq!(parameters.len(), 1);
    assert_eq!(rounds.active_match_ids(), [&game(NEXT)]);
}

#[test]
fn route_q21_by_match_id() {
    let mut rounds = started();
    assert_eq!(rounds.route(&game(TWO), &heard(&warmup(TWO))), Ok(Route::New));
    receive(&mut rounds, TWO, &warmup(TWO));
    assert_eq!(rounds.route(&game(TWO), &heard(&warmup(TWO))), Ok(Route::Repeat));
    assert_eq!(rounds.route(&game(ONE), &heard(&warmup(ONE))), Ok(Route::New));
    let one = rounds.game(&game(ONE)).expect("a game");
    assert_eq!(one.last_received(), None);
}

#[test]
fn route_unknown_match_id() {
    let mut rounds = started();
    let route = |rounds: &RoundLifecycle, id| rounds.route(&game(id), &heard(&warmup(id)));
    assert_eq!(route(&rounds, "0101099"), Err(Refusal::NoSuchMatch));
    let not_now = Refusal::OutOfTurn("this game is not of the current round");
    assert_eq!(route(&rounds, NEXT), Err(not_now));
    rounds.start_round(2, None, at(9));
    let over = Refusal::OutOfTurn("the round of this game is over");
    assert_eq!(route(&rounds, ONE), Err(over));
    receive(&mut rounds, NEXT, &score(NEXT));
    assert_eq!(route(&rounds, NEXT), Err(Refusal::OutOfTurn("this game is over")));
}

#[test]
fn a_game_is_found_however_its_id_is_spelled() {
    let rounds = assigned();
    let found = |id| rounds.assignment(&game(id)).map(|row| row.game.as_str());
    assert_eq!(found(NEXT), Some(NEXT));
    assert_eq!(found("R2M1"), Some(NEXT));
    assert_eq!(found("TRAIN_2026-02-11_0900_0102001"), Some(NEXT));
    assert_eq!(found("0202001"), None, "another season");
    assert_eq!(found("no game"), None);
}
