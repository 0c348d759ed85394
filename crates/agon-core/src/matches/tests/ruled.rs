//! Any game of the list is played by the same match: turn after turn, whatever is chosen in it.

use super::*;

fn table(name: &str) -> Table {
    let rules = Rules::new(name, "{}").unwrap();
    let mut table = Table::of(Game::new(Arc::new(rules), LIMITS));
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
        Some((_, Effect::Report(verdict, details))) => (*verdict, details.as_str()),
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
    let shown = r#"{"round":4,"rounds":3,"last":["paper","scissors"],"totals":[-1,1]}"#;
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
    assert!(details.starts_with(r#"{"round":2,"rounds":3,"last":["rock","paper"]"#), "{details}");
}
