//! Every end that a game of Q21 can have, with who is to blame.

use super::*;
use crate::games::Failure;
use crate::verdict::{Outcome, Seat};

const GAME: Q21 = Q21::new(Rules {
    warmup_ms: 120_000,
    questions_ms: 300_000,
    guess_ms: 300_000,
    warmup_asks: 1,
    thresholds: Thresholds([
        Score::from_hundredths(8_500),
        Score::from_hundredths(7_000),
        Score::from_hundredths(5_000),
    ]),
    referee_lost_points: 2,
});

fn scored(hundredths: u32) -> SeatEnd {
    Ok(Score::from_hundredths(hundredths))
}

fn failed(step: u16, failure: Failure) -> SeatEnd {
    Err(Lapse { step, failure })
}

#[track_caller]
fn check(ends: [SeatEnd; 2], outcome: Outcome, points: [u32; 2]) {
    let verdict = GAME.close(ends);
    assert_eq!((verdict.outcome, verdict.cause, verdict.blame), (outcome, Cause::Played, None));
    assert_eq!(verdict.points, points);
}

#[track_caller]
fn check_failed(
    ends: [SeatEnd; 2],
    outcome: Outcome,
    cause: Cause,
    blame: Blame,
    points: [u32; 2],
) {
    let verdict = GAME.close(ends);
    assert_eq!((verdict.outcome, verdict.cause), (outcome, cause));
    assert_eq!(verdict.blame, Some(blame));
    assert_eq!(verdict.points, points);
}

#[test]
fn more_league_points_win() {
    check([scored(8_500), scored(8_499)], Outcome::Won(Seat::A), [3, 2]);
    check([scored(0), scored(5_000)], Outcome::Won(Seat::B), [0, 1]);
}

#[test]
fn the_private_score_breaks_a_tie_in_points_and_nothing_breaks_a_tie_in_both() {
    check([scored(8_300), scored(7_200)], Outcome::Won(Seat::A), [2, 2]);
    check([scored(100), scored(101)], Outcome::Won(Seat::B), [0, 0]);
    check([scored(9_000), scored(9_000)], Outcome::Drawn, [3, 3]);
}

#[test]
fn who_fails_gets_nothing_and_the_other_what_it_scored() {
    let silent = failed(QUESTIONS, Failure::Silent);
    let lost = Outcome::Forfeited(Seat::A);
    check_failed([silent, scored(9_000)], lost, Cause::TimedOut, Blame::PlayerA, [0, 3]);
    check_failed([silent, scored(0)], lost, Cause::TimedOut, Blame::PlayerA, [0, 0]);
    let malformed = failed(GUESS, Failure::Malformed);
    let lost = Outcome::Forfeited(Seat::B);
    let cause = Cause::MalformedAnswer;
    check_failed([scored(7_000), malformed], lost, cause, Blame::PlayerB, [2, 0]);
    let invalid = failed(QUESTIONS, Failure::Invalid);
    check_failed([scored(7_000), invalid], lost, Cause::InvalidMove, Blame::PlayerB, [2, 0]);
    let absent = failed(WARMUP, Failure::Silent);
    check_failed([scored(7_000), absent], lost, Cause::NoShow, Blame::PlayerB, [2, 0]);
}

#[test]
fn when_both_fail_the_one_that_was_there_says_why() {
    let (absent, silent) = (failed(WARMUP, Failure::Silent), failed(GUESS, Failure::Silent));
    let malformed = failed(QUESTIONS, Failure::Malformed);
    let both = Outcome::BothForfeited;
    check_failed([absent, silent], both, Cause::TimedOut, Blame::Both, [0, 0]);
    check_failed([malformed, silent], both, Cause::MalformedAnswer, Blame::Both, [0, 0]);
}

#[test]
fn a_game_to_which_nobody_comes_is_cancelled() {
    let nobody = [Err(Failure::Silent); 2];
    for next in [GAME.begin(nobody), GAME.after(nobody)] {
        let Next::Over(verdict) = next else { panic!("{next:?}") };
        assert_eq!((verdict.outcome, verdict.cause), (Outcome::Cancelled, Cause::NoShow));
        assert_eq!(verdict.blame, Some(Blame::Both));
        assert_eq!((verdict.gains, verdict.points), (None, [0, 0]));
    }
    let one = [Ok(()), Err(Failure::Silent)];
    assert_eq!(GAME.begin(one), Next::Consult(WARMUP_QUESTION));
    assert_eq!(GAME.after(one), Next::Consult(BOOK));
}

#[test]
fn a_lost_referee_costs_nobody_anything_but_those_who_had_failed_before() {
    let points = |ends: [Option<SeatEnd>; 2]| {
        let verdict = GAME.broken_off(Cause::RefereeLost, Blame::Referee, ends);
        assert_eq!(verdict.outcome, Outcome::Cancelled);
        assert_eq!((verdict.cause, verdict.blame), (Cause::RefereeLost, Some(Blame::Referee)));
        verdict.points
    };
    assert_eq!(points([None, None]), [2, 2]);
    assert_eq!(points([Some(failed(QUESTIONS, Failure::Silent)), None]), [0, 2]);
    assert_eq!(points([Some(scored(9_000)), Some(scored(0))]), [3, 2]);
}

#[test]
fn every_deadline_is_printed_and_nobody_is_asked_twice_unless_the_rules_say_so() {
    for number in [WARMUP, QUESTIONS, GUESS] {
        let step = GAME.step(number);
        assert!(step.prints_deadline && !step.warns);
        assert_eq!(step.asks_max(), 1);
        assert_eq!(step.wait_after(1), None);
    }
    let twice = Q21::new(Rules { warmup_asks: 2, ..Rules::default() });
    assert_eq!(twice.step(WARMUP).wait_after(1), Some(Duration::ZERO));
    assert_eq!(twice.step(WARMUP).wait_after(2), None);
    assert_eq!(twice.step(QUESTIONS).asks_max(), 1);
}
