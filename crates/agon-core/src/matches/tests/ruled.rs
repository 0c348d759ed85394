//! Any game of the list is played by the same match: turn after turn, whatever is chosen in it.

use agon_proto::message::{MoveRequest, RoleInMatch};

use super::*;

fn table(name: &str) -> Table {
    let rules = Rules::new(name, "{}").unwrap();
    let mut table = Table::of(MatchTerms::attempted(rules, &LIMITS));
    table.handle(0, joined(A));
    table.handle(0, joined(B));
    table
}

/// Both choose in that round.
fn choose(table: &mut Table, round: u16, choices: [&str; 2]) {
    for seat in Seat::BOTH {
        let payload = Payload::new(&format!("\"{}\"", choices[seat.index()])).unwrap();
        table.handle(u64::from(round), moved(seat, round, Move::Chosen(payload)));
    }
}

fn end(table: &Table) -> (Verdict, &str) {
    match table.told.last() {
        Some((_, MatchEffect::Report(verdict, details))) => (*verdict, details.as_str()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_repeated_game_is_played_round_after_round() {
    let mut table = table("rock-paper-scissors");
    choose(&mut table, 1, ["rock", "paper"]);
    let asked = [A, B].map(|seat| (1, ask(seat, 2, 1, 31_000)));
    assert_eq!(table.told[4..], asked);
    choose(&mut table, 2, ["scissors", "paper"]);
    choose(&mut table, 3, ["paper", "scissors"]);
    let (verdict, details) = end(&table);
    assert_eq!((verdict.outcome, verdict.cause), (Outcome::Won(B), Cause::Played));
    assert_eq!((verdict.gains, verdict.points), (Some([-1, 1]), [0, 3]));
    let shown = r#"{"last":["paper","scissors"],"round":4,"rounds":3,"totals":[-1,1]}"#;
    assert_eq!(details, shown);
}

#[test]
fn two_hundred_rounds_are_two_hundred_steps() {
    let mut table = table("prisoners_dilemma");
    for round in 1..=200 {
        choose(&mut table, round, ["defect", "cooperate"]);
    }
    let (verdict, _) = end(&table);
    assert_eq!((verdict.outcome, verdict.gains), (Outcome::Won(A), Some([1_000, 0])));
}

#[test]
fn who_chooses_what_another_game_has_loses_and_what_was_played_is_told() {
    let mut table = table("rock_paper_scissors");
    choose(&mut table, 1, ["rock", "paper"]);
    choose(&mut table, 2, ["even", "paper"]);
    let (verdict, details) = end(&table);
    let expected = (Outcome::Forfeited(A), Cause::InvalidMove, Some(Blame::PlayerA));
    assert_eq!((verdict.outcome, verdict.cause, verdict.blame), expected);
    assert_eq!((verdict.gains, verdict.points), (None, [0, 3]));
    assert!(details.starts_with(r#"{"last":["rock","paper"],"round":2,"rounds":3"#), "{details}");
    let [lapsed] = &table.lapsed[..] else { panic!("{:?}", table.lapsed) };
    assert_eq!((lapsed.seat, lapsed.step, lapsed.failure), (A, 2, Failure::Invalid));
    let objection = lapsed.objection.as_ref().unwrap();
    let problem = objection.problem.as_str();
    assert!(problem.starts_with("GAME_MOVE_RESPONSE: field move_data.choice: "), "{problem}");
    assert_eq!(objection.received.as_ref().unwrap().as_str(), "\"even\"");
}

#[test]
fn each_is_asked_with_what_it_may_know_and_the_league_may_tell_what_it_may_answer() {
    let mut table = table("rock_paper_scissors");
    choose(&mut table, 1, ["rock", "paper"]);
    table.handle(2, moved(A, 2, Move::Chosen(Payload::new("\"scissors\"").unwrap())));
    // B is asked, and does not see what A has chosen meanwhile.
    let MoveRequest { move_type, schema, context, valid_options } = table.live.request(B, 2, true);
    let (view, hands) = (context.view.as_str(), ["\"rock\"", "\"paper\"", "\"scissors\""]);
    assert_eq!(view, r#"{"last":["rock","paper"],"round":2,"rounds":3,"totals":[-1,1]}"#);
    assert_eq!((context.step, context.seat), (2, Some(RoleInMatch::PlayerB)));
    assert_eq!(move_type.as_str(), "choose_hand");
    assert_eq!(schema.unwrap().as_str(), r#"{"enum":["rock","paper","scissors"]}"#);
    assert_eq!(valid_options.unwrap(), hands.map(|hand| Payload::new(hand).unwrap()));
    assert_eq!(table.live.request(B, 2, false).valid_options, None);
}

#[test]
fn all_that_was_played_is_told_in_order() {
    let mut table = table("rock_paper_scissors");
    choose(&mut table, 1, ["rock", "paper"]);
    choose(&mut table, 2, ["even", "paper"]);
    assert_eq!(table.live.take_acts().as_str(), r#"[["rock","paper"],[null,"paper"]]"#);
    let mut table = Table::play(LIMITS, &[]);
    assert!(table.live.take_acts().is_null(), "Even/Odd shows all of it");
}

#[test]
fn a_transcript_tells_which_question_was_answered_how() {
    let mut table = table("rock_paper_scissors");
    choose(&mut table, 1, ["rock", "paper"]);
    choose(&mut table, 2, ["even", "paper"]);
    let lines: Vec<String> = table.live.take_transcript().0.iter().map(line).collect();
    let expected = [
        "GAME_INVITATION",
        "GAME_INVITATION",
        "GAME_JOIN_ACK",
        "GAME_JOIN_ACK",
        "GAME_MOVE_CALL 1",
        "GAME_MOVE_CALL 1",
        "GAME_MOVE_RESPONSE 1 \"rock\"",
        "GAME_MOVE_RESPONSE 1 \"paper\"",
        "GAME_MOVE_CALL 2",
        "GAME_MOVE_CALL 2",
        "BAD_ANSWER",
        "GAME_MOVE_RESPONSE 2 \"paper\"",
        "VERDICT",
    ];
    assert_eq!(lines, expected);
}

fn line(entry: &TranscriptEntry) -> String {
    let step = entry.step.map(|step| format!(" {step}")).unwrap_or_default();
    let choice = entry.choice.as_ref().map(|choice| format!(" {}", choice.as_str()));
    format!("{}{step}{}", entry.message_type.as_str(), choice.unwrap_or_default())
}

/// Only who is asked is waited for, and who is silent has lost, whichever round it is.
#[test]
fn who_falls_silent_in_a_later_round_has_lost_the_match() {
    let mut table = table("rock_paper_scissors");
    choose(&mut table, 1, ["rock", "paper"]);
    table.handle(2, moved(A, 2, Move::Chosen(Payload::new("\"rock\"").unwrap())));
    table.wait_until(u64::MAX);
    let (verdict, details) = end(&table);
    let expected = (Outcome::Forfeited(B), Cause::TimedOut, Some(Blame::PlayerB));
    assert_eq!((verdict.outcome, verdict.cause, verdict.blame), expected);
    // What A had chosen in that round is not told: the round did not count.
    assert!(details.starts_with(r#"{"last":["rock","paper"],"round":2"#), "{details}");
}
