//! Getting in, being told the table, and leaving.

use agon_proto::act::{RoundResults, RoundWinner, StandingRow};

use super::*;
use crate::agent::Membership;

fn row(rank: u32, participant: &str, points: u32) -> StandingRow {
    StandingRow {
        rank,
        participant: GroupId::new(participant),
        address: None,
        name: None,
        points,
        played: 1,
        won: 1,
        drawn: 0,
        lost: 0,
        average: None,
    }
}

#[test]
fn a_season_that_opens_is_registered_for() {
    let mut stage = Stage::new();
    assert_eq!(stage.player().season_state(), SeasonState::InitStart);
    let mut opening = letter("bc-1", MANAGER, Role::Manager, start_season("S1"));
    opening.head.context.league = Some(league());
    opening.head.context.broadcast = Some(agon_proto::BroadcastId::new("bc-startseason-1"));
    let effects = stage.post(Proof::Vouched(address(MANAGER)), opening);
    check(
        &effects,
        &["SEASON_REGISTRATION_REQUEST to manager@league.test", "reply 1: Acknowledged"],
    );
    let sent = stage.posted[0].letter.read().unwrap();
    assert_eq!(sent.head.id.as_str(), "sreg-ada@league.test-S1");
    assert_eq!(sent.head.answers, Some(MessageId::new("bc-1")));
    assert_eq!(&*sent.head.recipient, "LEAGUEMANAGER");
    assert_eq!(sent.head.context.league, Some(league()));
    assert_eq!(sent.head.context.season, Some(SeasonId::new("S1")));
    assert_eq!(
        sent.head.context.broadcast.as_ref().map(|id| id.as_str()),
        Some("bc-startseason-1")
    );
    assert_eq!(sent.auth_token, None);
    let Act::Apply(said) = &sent.act else { panic!("a request") };
    assert_eq!(said.group, Some(GroupId::new("adateam1")));
    assert_eq!(said.role, Some(Role::Player));
    assert_eq!(stage.player().season_state(), SeasonState::WaitingForConfirmation);
    stage.manager("answer", registration(Approval::Accepted, None));
    assert_eq!(stage.player().season_state(), SeasonState::AwaitingAssignment);
}

#[test]
fn asked_again_it_sends_the_same_request_again() {
    let mut stage = Stage::new();
    stage.manager("bc-1", start_season("S1"));
    // It still waits: nothing more is needed.
    check(&stage.manager("bc-2", start_season("S1")), &["reply 1: Acknowledged"]);
    stage.dispatch_all();
    stage.manager("bc-3", start_season("S1"));
    let ids: Vec<_> = stage.posted.iter().map(|parcel| parcel.letter.head.id.as_str()).collect();
    assert_eq!(ids, ["sreg-ada@league.test-S1"; 2]);
    // Whoever is in is in, although it asks again.
    stage.manager("answer", registration(Approval::Accepted, None));
    stage.dispatch_all();
    stage.manager("bc-4", start_season("S1"));
    assert_eq!(stage.posted.len(), 3);
    assert_eq!(stage.player().season_state(), SeasonState::AwaitingAssignment);
}

#[test]
fn a_rejection_is_remembered_and_another_season_asked_for() {
    let mut stage = Stage::new();
    stage.manager("bc-1", start_season("S1"));
    stage.manager("no", registration(Approval::Rejected, Some("registration_closed")));
    assert_eq!(stage.player().season_state(), SeasonState::SeasonRejected);
    assert!(stage.player().in_a_line().contains("not admitted: registration_closed"));
    stage.manager("bc-2", start_season("S2"));
    assert_eq!(stage.player().season_state(), SeasonState::WaitingForConfirmation);
    // The answer for the old season changes nothing.
    let late = registration(Approval::Accepted, None);
    assert_eq!(why(&stage.manager("late", late)), "out of turn: it is about another season");
}

#[test]
fn whoever_is_in_stays_in() {
    let mut stage = Stage::enrolled();
    stage.manager("no", registration(Approval::Rejected, Some("registration_closed")));
    assert_eq!(stage.player().me.season.membership, Membership::In);
}

/// By mail there will be another season.
#[test]
fn whose_team_is_incomplete_waits_for_another_season() {
    let mut stage = Stage::new();
    stage.manager("open", start_season("S1"));
    stage.manager("answer", registration(Approval::Accepted, None));
    let left_out = registration(Approval::Rejected, Some("incomplete_team"));
    check(&stage.manager("no", left_out), &["reply 1: Acknowledged"]);
    assert_eq!(stage.player().season_state(), SeasonState::SeasonRejected);
    assert!(stage.player().in_a_line().contains("not admitted: incomplete_team"));
    stage.manager("open-2", start_season("S2"));
    assert_eq!(stage.player().season_state(), SeasonState::WaitingForConfirmation);
}

#[test]
fn the_table_is_acknowledged_with_the_number_of_our_games() {
    let stage = Stage::enrolled();
    let sent = stage.posted.last().unwrap().letter.read().unwrap();
    let Act::PlayerAck(ack) = &sent.act else { panic!("an acknowledgement") };
    assert_eq!(ack.received, 3);
    assert_eq!(sent.head.id.as_str(), "assign-ack-ada@league.test-table");
    assert_eq!(sent.head.answers, Some(MessageId::new("table")));
    assert_eq!(stage.player().season_state(), SeasonState::AssignmentsReceived);
}

#[test]
fn another_season_stops_the_one_before_and_forgets_it() {
    let mut stage = Stage::advanced(1);
    let effects = stage.manager("bc-2", start_season("S2"));
    assert_eq!(
        lines(&effects),
        [
            "MATCH_RESULT_REPORT to manager@league.test",
            "MATCH_RESULT_REPORT to manager@league.test",
            "SEASON_REGISTRATION_REQUEST to manager@league.test",
            "reply 1: Acknowledged",
        ]
    );
    assert_eq!((stage.player().rounds().current_round(), stage.phase(ONE)), (0, None));
    assert_eq!(stage.player().rounds().assignments().count(), 0);
}

#[test]
fn what_is_about_another_season_is_refused() {
    let mut stage = Stage::playing();
    let mut about_another = letter("r", MANAGER, Role::Manager, new_round(2));
    about_another.head.context.season = Some(SeasonId::new("S0"));
    let effects = stage.post(Proof::Vouched(address(MANAGER)), about_another);
    assert_eq!(why(&effects), "out of turn: it is about another season");
    assert_eq!(stage.player().rounds().current_round(), 1);
}

#[test]
fn results_become_standings_for_our_program() {
    let mut stage = Stage::advanced(4);
    let results = RoundResults {
        number: 1,
        standings: vec![row(1, "ADATEAM1", 3), row(2, "bobteam1", 0)],
        results: vec![RoundWinner { game: game(ONE), winner: Some(GroupId::new("AdaTeam1")) }],
    };
    stage.manager("results", Act::RoundResults(results));
    let standings = standings(&stage);
    assert_eq!(standings.season, Some(SeasonId::new("S1")));
    assert_eq!((standings.rank, standings.round_number), (1, 1));
    assert_eq!((standings.games_played, standings.games_won), (1, 1));
    assert_eq!(standings.total_hundredths, 7_250);
    // The league's own count comes before the referee's.
    assert_eq!(standings.league_points, 3);
    assert_eq!(standings.history.len(), 1);
    assert_eq!(standings.history[0].won, Some(true));
    // And the program sees them.
    stage.manager("round-2", new_round(2));
    stage.referee("w", warmup(NEXT));
    let shown = context(&stage).standings;
    assert_eq!((shown.rank, shown.round_number), (1, 2));
    assert!(stage.player().in_a_line().contains("rank 1"));
}

/// Somebody who has lost everything gets its games back.
#[test]
fn a_table_that_was_asked_for_is_taken() {
    let mut stage = Stage::new();
    stage.manager("round-1", new_round(1));
    let asked = &stage.posted[0].letter;
    assert_eq!(asked.head.id.as_str(), "table-ada@league.test-round-1");
    let Act::AssignmentTable(again) = table() else { panic!("a table") };
    stage.manager("again", Act::TableAnswer(again));
    assert_eq!(stage.phase(ONE), Some(Progress::Answered(0)));
    assert_eq!(standings(&stage).season, Some(SeasonId::new("S1")));
}

#[test]
fn a_table_of_standings_without_a_round_is_of_this_one() {
    let mut stage = Stage::advanced(4);
    let standings_now = vec![row(1, "adateam1", 3)];
    let results = RoundResults { number: 0, standings: standings_now, results: Vec::new() };
    stage.manager("results", Act::RoundResults(results));
    assert_eq!(standings(&stage).league_points, 3, "nothing is counted twice");
}

#[test]
fn it_leaves_a_league_that_is_complete_once_its_letters_are_taken() {
    let mut stage = Stage::advanced(1);
    stage.dispatch_all();
    let mut end = completed();
    if let Act::SeasonCompleted(said) = &mut end {
        said.standings = vec![row(4, ME, 1)];
    }
    let effects = stage.manager("end", end);
    check(
        &effects,
        &[
            "MATCH_RESULT_REPORT to manager@league.test",
            "MATCH_RESULT_REPORT to manager@league.test",
            "reply 1: Acknowledged",
        ],
    );
    let Act::StatusReport(report) = stage.said(stage.posted.len() - 1) else { panic!("a report") };
    assert_eq!(report.reason, agon_proto::act::StopReason::LeagueCompleted);
    assert_eq!(
        (stage.player().season_state(), standings(&stage).rank),
        (SeasonState::SeasonCompleted, 4)
    );
    assert_eq!(why(&stage.manager("r2", new_round(2))), "out of turn: the league is complete");
    check(&stage.dispatch_all(), &["finish: LeagueCompleted"]);
    // Once.
    check(&stage.tick(60), &[]);
    // After a restart there is nothing left to do but to leave.
    let mut stage = stage.restarted();
    check(&stage.resume(), &["finish: LeagueCompleted"]);
}

#[test]
fn it_does_not_wait_for_ever_for_letters_that_nobody_takes() {
    let mut stage = Stage::playing();
    stage.bench.at(10);
    stage.manager("end", completed());
    assert_eq!(stage.player().deadline(), Some(at(40)));
    check(&stage.tick(39), &[]);
    check(&stage.tick(40), &["finish: LeagueCompleted"]);
    assert_eq!(stage.player().deadline(), None);
}

#[test]
fn it_does_not_leave_before_its_program_knows_the_score() {
    let mut stage = Stage::advanced(3);
    stage.referee("p", score(ONE));
    stage.manager("end", completed());
    check(&stage.dispatch_all(), &[]);
    check(&stage.advise_all(), &["finish: LeagueCompleted"]);
}

#[test]
fn a_call_is_refused() {
    let mut stage = Stage::new();
    let call = agon_proto::Call::Tool(
        agon_proto::tool::Tool::GetPlayerState,
        agon_proto::tool::ToolParams::default().into(),
    );
    let caller = crate::Caller::at_home(crate::Origin::Elsewhere);
    let effects = stage.tell(Event::Called { request: RequestId(1), caller, call });
    assert_eq!(why(&effects), "not supported here: this player is reached by letters");
}
