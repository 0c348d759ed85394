//! Rounds and their games, without letters.

use agon_proto::MessageId;
use agon_proto::act::{Act, Progress};

use super::super::tests::by_letter::{
    ME, NEXT, ONE, OPPONENT, REFEREE, STRANGER, TWO, address, game, profile, rows, score, warmup,
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
    rounds.start_round(1, (Some("S1_R1"), None));
    rounds
}

fn phase(rounds: &RoundLifecycle, id: &str) -> Option<Progress> {
    rounds.game(&game(id)).map(Controller::phase)
}

fn parameters(rounds: &RoundLifecycle) -> Vec<&GameParameters> {
    rounds.under_way().filter_map(|live| live.parameters.as_deref()).collect()
}

fn under_way(rounds: &RoundLifecycle) -> Vec<&str> {
    parameters(rounds).iter().map(|one| one.assignment.game.as_str()).collect()
}

/// What is reported, and how it stands then.
fn stop(rounds: &mut RoundLifecycle, reason: StopReason, at: Timestamp) -> Vec<StatusReport> {
    let reports = rounds.reports(&address(ME), reason, at);
    rounds.stop_current_round(reason);
    reports
}

fn heard(act: &Act) -> Heard {
    Heard::of(act).expect("a referee's letter")
}

fn receive(rounds: &mut RoundLifecycle, id: &str, act: &Act) {
    let match_id = rounds.match_of(&game(id)).expect("a row");
    let controller = rounds.active.get_mut(&match_id).expect("a game");
    controller.receive(&MessageId::new("m"), &heard(act), None);
}

#[test]
fn start_round_creates_controllers() {
    let mut rounds = assigned();
    assert_eq!(rounds.current_round(), 0);
    assert_eq!(rounds.reports(&address(ME), StopReason::NewRoundStarted, at(1)), []);
    rounds.start_round(1, (Some("S1_R1"), None));
    assert_eq!(under_way(&rounds), [ONE, TWO]);
    let parameters = parameters(&rounds);
    assert_eq!(parameters[0].season, Some(SeasonId::new("S1")));
    assert_eq!(parameters[1].assignment.match_id, MatchId::new(1, 2));
    assert_eq!(rounds.current_round(), 1);
    assert_eq!(phase(&rounds, ONE), Some(Progress::Answered(0)));
    assert_eq!(phase(&rounds, NEXT), None);
}

#[test]
fn stop_current_round_returns_reports() {
    let mut rounds = started();
    receive(&mut rounds, ONE, &warmup(ONE));
    let reports = stop(&mut rounds, StopReason::LeagueCompleted, at(5));
    let told: Vec<_> = reports.iter().map(|one| (one.game.as_str(), one.reason)).collect();
    let reason = StopReason::LeagueCompleted;
    assert_eq!(told, [(ONE, reason), (TWO, reason)]);
    assert_eq!(reports[0].last_received.as_deref(), Some("Q21WARMUPCALL"));
    assert_eq!(rounds.games().count(), 0);
    assert_eq!(phase(&rounds, ONE), Some(Progress::Terminated));
    assert_eq!(under_way(&rounds), [""; 0]);
    assert_eq!(stop(&mut rounds, reason, at(6)), []);
}

#[test]
fn stop_skips_completed_games() {
    let mut rounds = started();
    receive(&mut rounds, ONE, &score(ONE));
    let reports = stop(&mut rounds, StopReason::NewRoundStarted, at(5));
    let told: Vec<_> = reports.iter().map(|one| one.game.as_str()).collect();
    assert_eq!(told, [TWO]);
    assert_eq!(phase(&rounds, ONE), Some(Progress::Completed));
    let [one, two] = [ONE, TWO].map(|id| rounds.game(&game(id)).expect("a game"));
    assert_eq!(one.score.as_ref().map(|score| score.league_points), Some(2));
    assert_eq!(two.terminated, Some(StopReason::NewRoundStarted));
}

#[test]
fn start_round_stops_previous() {
    let mut rounds = started();
    let reports = rounds.reports(&address(ME), StopReason::NewRoundStarted, at(9));
    rounds.start_round(2, (None, None));
    let told: Vec<_> = reports.iter().map(|one| (one.game.as_str(), one.reason)).collect();
    let reason = StopReason::NewRoundStarted;
    assert_eq!(told, [(ONE, reason), (TWO, reason)]);
    assert_eq!(under_way(&rounds), [NEXT]);
    let stopped = [ONE, TWO].map(|id| rounds.game(&game(id)).and_then(|one| one.terminated));
    assert_eq!(stopped, [Some(reason); 2]);
}

#[test]
fn route_q21_by_match_id() {
    let mut rounds = started();
    assert_eq!(rounds.is_new(&game(TWO), &heard(&warmup(TWO))), Ok(true));
    receive(&mut rounds, TWO, &warmup(TWO));
    assert_eq!(rounds.is_new(&game(TWO), &heard(&warmup(TWO))), Ok(false));
    assert_eq!(rounds.is_new(&game(ONE), &heard(&warmup(ONE))), Ok(true));
    let one = rounds.game(&game(ONE)).expect("a game");
    assert_eq!(one.last_received(), None);
}

#[test]
fn route_unknown_match_id() {
    let mut rounds = started();
    let route = |rounds: &RoundLifecycle, id| rounds.is_new(&game(id), &heard(&warmup(id)));
    assert_eq!(route(&rounds, "0101099"), Err(Refusal::NoSuchMatch));
    let not_now = Refusal::OutOfTurn("this game is not of the current round");
    assert_eq!(route(&rounds, NEXT), Err(not_now));
    rounds.start_round(2, (None, None));
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
