//! Every end that a match can have, with who is to blame and what it is worth.

use super::apart::{
    ANSWERS, BOOK, GUESS, QUESTIONS, WARMUP, WARMUP_QUESTION, given, lost, minutes, scored_exactly,
    told,
};
use super::*;

/// How a player's own game ends.
#[derive(Debug, Clone, Copy)]
enum Way {
    Scored(u32),
    Fails(u16, Failure),
    /// It waits for the referee's judgement of its questions.
    Open,
}
use Way::{Fails, Open, Scored};

/// The step of one player, if its way goes so far.
fn step(table: &mut Table, (seat, way): (Seat, Way), number: u16) {
    match way {
        Fails(at, failure) if at == number => table.handle(1, failed(seat, number, 1, failure)),
        Fails(at, _) if at < number => {}
        Fails(..) | Scored(_) | Open => table.handle(1, given(seat, number)),
    }
}

/// Plays each to its end, or until its game waits.
fn play(ways: [Way; 2]) -> Table {
    let mut table = Table::of(MatchTerms::once(&minutes()));
    let both = [(A, ways[0]), (B, ways[1])];
    table.handle(0, told(None, WARMUP_QUESTION));
    both.into_iter().for_each(|one| step(&mut table, one, WARMUP));
    table.handle(1, told(None, BOOK));
    for (seat, way) in both {
        step(&mut table, (seat, way), QUESTIONS);
        if !matches!(way, Open) {
            table.handle(1, told(Some(seat), ANSWERS));
            step(&mut table, (seat, way), GUESS);
        }
        if let Scored(hundredths) = way {
            table.handle(1, scored_exactly(seat, hundredths));
        }
    }
    table
}

#[track_caller]
fn check(ways: [Way; 2], outcome: Outcome, points: [u32; 2]) {
    let verdict = play(ways).live.verdict().expect("it is over");
    assert_eq!((verdict.outcome, verdict.cause, verdict.blame), (outcome, Cause::Played, None));
    assert_eq!(verdict.points, points);
}

#[track_caller]
fn check_failed(ways: [Way; 2], outcome: Outcome, cause: Cause, blame: Blame, points: [u32; 2]) {
    let verdict = play(ways).live.verdict().expect("it is over");
    assert_eq!((verdict.outcome, verdict.cause), (outcome, cause));
    assert_eq!(verdict.blame, Some(blame));
    assert_eq!(verdict.points, points);
}

#[test]
fn more_league_points_win() {
    check([Scored(8_500), Scored(8_499)], Outcome::Won(A), [3, 2]);
    check([Scored(0), Scored(5_000)], Outcome::Won(B), [0, 1]);
}

#[test]
fn the_private_score_breaks_a_tie_in_points_and_nothing_breaks_a_tie_in_both() {
    check([Scored(8_300), Scored(7_200)], Outcome::Won(A), [2, 2]);
    check([Scored(100), Scored(101)], Outcome::Won(B), [0, 0]);
    check([Scored(9_000), Scored(9_000)], Outcome::Drawn, [3, 3]);
}

#[test]
fn who_fails_gets_nothing_and_the_other_what_it_scored() {
    let silent = Fails(QUESTIONS, Failure::Silent);
    let lost = Outcome::Forfeited(A);
    check_failed([silent, Scored(9_000)], lost, Cause::TimedOut, Blame::PlayerA, [0, 3]);
    check_failed([silent, Scored(0)], lost, Cause::TimedOut, Blame::PlayerA, [0, 0]);
    let malformed = Fails(GUESS, Failure::Malformed);
    let lost = Outcome::Forfeited(B);
    let cause = Cause::MalformedAnswer;
    check_failed([Scored(7_000), malformed], lost, cause, Blame::PlayerB, [2, 0]);
    let invalid = Fails(QUESTIONS, Failure::Invalid);
    check_failed([Scored(7_000), invalid], lost, Cause::InvalidMove, Blame::PlayerB, [2, 0]);
    let absent = Fails(WARMUP, Failure::Silent);
    check_failed([Scored(7_000), absent], lost, Cause::NoShow, Blame::PlayerB, [2, 0]);
}

#[test]
fn when_both_fail_the_one_that_was_there_says_why() {
    let (absent, silent) = (Fails(WARMUP, Failure::Silent), Fails(GUESS, Failure::Silent));
    let malformed = Fails(QUESTIONS, Failure::Malformed);
    let both = Outcome::BothForfeited;
    check_failed([absent, silent], both, Cause::TimedOut, Blame::Both, [0, 0]);
    check_failed([malformed, silent], both, Cause::MalformedAnswer, Blame::Both, [0, 0]);
}

#[test]
fn a_game_to_which_nobody_comes_is_cancelled() {
    let absent = Fails(WARMUP, Failure::Silent);
    let tables = [play([absent; 2]), Table::without([true; 2], MatchTerms::once(&minutes()))];
    for table in tables {
        let verdict = table.live.verdict().expect("it is over");
        assert_eq!((verdict.outcome, verdict.cause), (Outcome::Cancelled, Cause::NoShow));
        assert_eq!(verdict.blame, Some(Blame::Both));
        assert_eq!((verdict.gains, verdict.points), (None, [0, 0]));
    }
    let one = Table::without([false, true], MatchTerms::once(&minutes()));
    assert_eq!(one.live.consulting().collect::<Vec<_>>(), [(None, WARMUP_QUESTION)]);
}

#[test]
fn a_lost_referee_costs_nobody_anything_but_those_who_had_failed_before() {
    let points = |ways: [Way; 2], lost_for: Seat| {
        let mut table = play(ways);
        table.handle(2, lost(Some(lost_for), ANSWERS));
        let verdict = table.live.verdict().expect("it is over");
        assert_eq!(verdict.outcome, Outcome::Cancelled);
        assert_eq!((verdict.cause, verdict.blame), (Cause::RefereeLost, Some(Blame::Referee)));
        verdict.points
    };
    assert_eq!(points([Open, Open], A), [2, 2]);
    assert_eq!(points([Fails(QUESTIONS, Failure::Silent), Open], B), [0, 2]);
    assert_eq!(points([Scored(9_000), Open], B), [3, 2]);
    assert_eq!(points([Scored(0), Open], B), [2, 2]);
}

/// What it is called when one player fails so, and the other has done its part.
#[track_caller]
fn check_cause(at: u16, failure: Failure, cause: Cause) {
    for seat in Seat::BOTH {
        let mut table = Table::new(LIMITS);
        if at == CHOICE {
            [A, B].into_iter().for_each(|seat| table.handle(1, joined(seat)));
            table.handle(1, chose(seat.other(), ODD));
        } else {
            table.handle(1, joined(seat.other()));
        }
        let mut now = 1;
        for ask in 1..=4 {
            table.wait_until(now);
            table.handle(now, failed(seat, at, ask, failure));
            now = table.due_ms().unwrap_or(now) + 1;
        }
        let choices = Seat::BOTH.map(|it| (at == CHOICE && it != seat).then_some(ODD));
        let end = table.told.last().map(|(_, effect)| effect);
        assert_eq!(end, Some(&super::lost(seat, cause, choices)), "{failure:?}");
    }
}

#[test]
fn every_failure_has_its_name() {
    check_cause(JOIN, Failure::Silent, Cause::NoShow);
    check_cause(JOIN, Failure::Unreachable, Cause::NoShow);
    check_cause(JOIN, Failure::Declined, Cause::Refused);
    check_cause(JOIN, Failure::Malformed, Cause::MalformedAnswer);
    check_cause(JOIN, Failure::Oversized, Cause::OversizedAnswer);
    check_cause(CHOICE, Failure::Silent, Cause::TimedOut);
    check_cause(CHOICE, Failure::Unreachable, Cause::Crashed);
    check_cause(CHOICE, Failure::Invalid, Cause::InvalidMove);
    check_cause(CHOICE, Failure::Malformed, Cause::MalformedAnswer);
    check_cause(CHOICE, Failure::Oversized, Cause::OversizedAnswer);
}
