//! The manager hears first, then the players; and a restart forgets no debt.

use agon_proto::message::{Blame, Cause, EntryKind, MatchResultReport, Parity, ResultStatus};
use agon_proto::{Fault, ShortText};

use super::*;
use crate::effect::Lane;
use crate::verdict::Outcome;

/// The report among the effects.
#[track_caller]
fn reported(effects: &[Effect]) -> (MatchResultReport, Option<AuthToken>) {
    let [Effect::Send(sent)] = effects else {
        panic!("one report, not {:?}", crate::testing::lines(effects));
    };
    assert_eq!((sent.to.as_str(), sent.lane), ("manager", Lane::Report));
    let Act::MatchResultReport(report) = &sent.letter.act else {
        panic!("a report");
    };
    (MatchResultReport::clone(report), sent.letter.auth_token.clone())
}

/// Both players hear the end, and the manager hears that they have.
const TOLD: [&str; 3] = ["GAME_OVER to p1", "GAME_OVER to p2", "HEARTBEAT to manager"];

/// The reasons that the two players are told.
fn reasons(effects: &[Effect]) -> Vec<&str> {
    let told = sent(effects).filter_map(|(_, letter)| {
        if let Act::GameOver(over) = &letter.act { Some(&*over.game_result.reason) } else { None }
    });
    told.collect()
}

#[test]
fn who_chose_what_cannot_be_chosen_alone_hears_the_word() {
    let mut bench = enrolled(1);
    let given = assignment(1, 1, 1);
    assign(&mut bench, given.clone());
    for seat in Seat::BOTH {
        join(&mut bench, &given, seat);
    }
    choose(&mut bench, &given, Seat::A, "odd");
    let effects = choose(&mut bench, &given, Seat::B, "maybe");
    let (report, _) = reported(&effects);
    let problem = "CHOOSE_PARITY_RESPONSE: field parity_choice must be even or odd";
    let lapse = report.transcript.0.iter().find(|entry| entry.problem.is_some()).unwrap();
    assert_eq!(lapse.problem, Some(ShortText::new(problem)));
    assert_eq!(lapse.received, Some(ShortText::new("maybe")));
    let told = format!("technical loss of P02: INVALID_MOVE; P02: {problem}");
    let effects = recorded(&mut bench, &given);
    assert_eq!(reasons(&effects), [told.clone(), format!("{told}; received: maybe")]);

    // After a restart it is told all the same.
    let mut facts = bench.facts;
    assert!(matches!(facts.pop(), Some(RefereeFact::Settled { .. })));
    let mut bench = restarted(facts);
    bench.resume();
    let again = admit(&mut bench);
    assert_eq!(reasons(&again), reasons(&effects));
}

#[test]
fn a_played_match_is_reported_first_and_told_after_the_receipt() {
    let mut bench = enrolled(1);
    let given = assignment(1, 1, 1);
    let effects = play(&mut bench, &given);
    check(&effects, &["MATCH_RESULT_REPORT to manager"]);
    let (report, shown) = reported(&effects);
    assert_eq!(shown, Some(token()));
    assert_eq!((report.match_id, report.round_id), (given.match_id, 1));
    let result = &report.result;
    assert_eq!((result.winner, result.attempt), (Some(given.player_a_id), Some(1)));
    assert_eq!((result.status, result.reason), (Some(ResultStatus::Win), Some(Cause::Played)));
    assert_eq!(result.details.drawn_number, Some(8));
    assert_eq!(result.details.choices.get(given.player_b_id), Some(Parity::Odd));
    assert_eq!(result.score.get(given.player_a_id), Some(3));
    let last = report.transcript.0.last().map(|entry| entry.message_type);
    assert_eq!(last, Some(EntryKind::Verdict));
    assert!(matches!(bench.facts.last(), Some(RefereeFact::Judged { attempt: 1, .. })));

    let told = recorded(&mut bench, &given);
    check(&told, &TOLD);
    let (_, letter) = sent(&told).next().unwrap();
    assert_eq!(letter.auth_token, Some(given.player_a_token.clone()));
    let Act::GameOver(over) = &letter.act else {
        panic!("the end");
    };
    let over = &over.game_result;
    assert_eq!((over.status, over.winner_player_id), (ResultStatus::Win, result.winner));
    assert_eq!((over.drawn_number, over.number_parity), (Some(8), Some(Parity::Even)));
    assert_eq!(&*over.reason, "P01 chose even, number was 8 (even)");
    let (match_id, attempt) = (given.match_id, 1);
    assert_eq!(bench.facts.last(), Some(&RefereeFact::Settled { match_id, attempt }));
    // A second receipt is no news.
    check(&recorded(&mut bench, &given), &[]);
}

#[test]
fn a_refused_report_is_never_told() {
    let fault = Answer::Fault(Fault {
        code: -32_600,
        message: "no".into(),
        league_code: Some(ErrorCode::ResultConflict),
    });
    let given = assignment(1, 1, 1);
    let refused =
        Answer::Receipt(Receipt { status: ReceiptStatus::Refused, match_id: None, played: None });
    for answer in [league_error(ErrorCode::StaleAttempt), fault, refused] {
        let mut bench = enrolled(1);
        play(&mut bench, &given);
        check(&answered(&mut bench, report(&given), answer), &[]);
        assert!(matches!(bench.facts.last(), Some(RefereeFact::Settled { .. })));
        assert_eq!(bench.role.deadline(), None);
    }
}

#[test]
fn a_manager_that_cannot_write_now_hears_the_report_again() {
    let fault = Answer::Fault(Fault {
        code: -32_000,
        message: "not now".into(),
        league_code: Some(ErrorCode::Unavailable),
    });
    let given = assignment(1, 1, 1);
    for answer in [league_error(ErrorCode::Unavailable), fault] {
        let mut bench = enrolled(1);
        let first = reported(&play(&mut bench, &given)).0;
        check(&answered(&mut bench, report(&given), answer), &[]);
        assert_eq!(bench.role.deadline(), Some(at(2)));
        let again = reported(&bench.at(2).tick()).0;
        assert_eq!(again, first);
        check(&recorded(&mut bench, &given), &TOLD);
    }
}

#[test]
fn a_receipt_for_another_attempt_settles_nothing() {
    let mut bench = enrolled(1);
    let given = assignment(1, 1, 2);
    play(&mut bench, &given);
    check(&recorded(&mut bench, &assignment(1, 1, 1)), &[]);
    check(&recorded(&mut bench, &given), &TOLD);
}

#[test]
fn what_was_under_way_when_it_died_is_reported_as_void() {
    let mut bench = enrolled(2);
    let given = assignment(1, 1, 1);
    assign(&mut bench, given.clone());
    join(&mut bench, &given, Seat::A);
    let mut again = restarted(bench.facts);
    assert_eq!(again.role.live(), 0);
    let registered = again.resume();
    // It shows its old token, so that it keeps its id.
    let (_, letter) = sent(&registered).next().unwrap();
    assert_eq!(
        (&letter.head.sender, &letter.auth_token),
        (&Sender::Referee(referee(1)), &Some(token()))
    );
    let (report, _) = reported(&admit(&mut again));
    let result = &report.result;
    assert_eq!((result.status, result.winner), (Some(ResultStatus::Aborted), None));
    assert_eq!(result.reason, Some(Cause::RefereeLost));
    assert_eq!((result.blame, result.attempt), (Some(Blame::Referee), Some(1)));
    // Nobody hears of an attempt that does not count.
    check(&recorded(&mut again, &given), &[]);
    assert!(matches!(again.facts.last(), Some(RefereeFact::Settled { .. })));
}

#[test]
fn what_was_judged_when_it_died_is_reported_again() {
    let mut bench = enrolled(2);
    let given = assignment(1, 1, 1);
    let first = reported(&play(&mut bench, &given)).0;
    let mut again = restarted(bench.facts);
    again.resume();
    assert_eq!(reported(&admit(&mut again)).0, first);
    check(&recorded(&mut again, &given), &TOLD);
    // What is settled is settled.
    let mut third = restarted(again.facts);
    third.resume();
    // The manager may not know yet that its players were told.
    check(&admit(&mut third), &["HEARTBEAT to manager"]);
}

#[test]
fn it_knows_old_attempts_after_a_restart() {
    let mut bench = enrolled(2);
    let given = assignment(1, 1, 2);
    play(&mut bench, &given);
    recorded(&mut bench, &given);
    let mut again = restarted(bench.facts);
    again.resume();
    admit(&mut again);
    let effects = assign(&mut again, assignment(1, 1, 1));
    assert_eq!(*refusal(&effects), Refusal::StaleAttempt { current: 2 });
}

#[test]
fn a_no_show_is_told_in_words() {
    let mut bench = enrolled(1);
    let given = assignment(1, 1, 1);
    assign(&mut bench, given.clone());
    join(&mut bench, &given, Seat::A);
    for second in [5, 7, 12, 16, 21, 29] {
        bench.at(second).tick();
    }
    let (report, _) = reported(&bench.at(34).tick());
    assert_eq!(report.result.status, Some(ResultStatus::TechnicalLoss));
    assert_eq!(report.result.blame, Some(Blame::PlayerB));
    let told = recorded(&mut bench, &given);
    let Some(Act::GameOver(over)) = sent(&told).next().map(|(_, letter)| &letter.act) else {
        panic!("the end");
    };
    assert_eq!(
        &*over.game_result.reason,
        "technical loss of P02: NO_SHOW; P02: no answer within 5 s"
    );
    assert_eq!(over.game_result.winner_player_id, Some(given.player_a_id));
}

#[test]
fn two_unreachable_players_make_a_void_attempt_that_nobody_is_told() {
    let mut bench = enrolled(1);
    let given = assignment(1, 1, 1);
    assign(&mut bench, given.clone());
    let mut effects = Vec::new();
    for (second, number) in [(0, 1), (2, 2), (6, 3), (14, 4)] {
        bench.at(second).tick();
        for seat in Seat::BOTH {
            let tag = ask(&given, seat, JOIN, number);
            let why = Setback::Unreachable;
            effects = bench.tell(Event::Undelivered { tag, why, objection: None });
        }
    }
    assert_eq!(reported(&effects).0.result.status, Some(ResultStatus::Aborted));
    assert!(matches!(
        bench.facts.last(),
        Some(RefereeFact::Judged { verdict, .. }) if verdict.outcome == Outcome::Void
    ));
    check(&recorded(&mut bench, &given), &[]);
}

#[test]
fn the_end_of_the_league_is_the_end_of_its_work() {
    let mut bench = enrolled(1);
    check(
        &call(&mut bench, Some(manager_token()), completed()),
        &["reply 1: Acknowledged", "finish: LeagueCompleted"],
    );
}
