//! What follows from how a match ended, in every case that there is.

use super::*;

const THRESHOLDS: Scoring = Scoring::ByGain {
    thresholds: Thresholds([Score::from_hundredths(8_500); 3]),
    technical_loss: 0,
    lost: 2,
};
const LOST: Cut = Cut { cause: Cause::RefereeLost, blame: Blame::Referee, last: true };

const fn failed(joining: bool, cause: Cause) -> End {
    End::Failed(Fault { joining, cause, unreachable: false })
}

const fn unreachable(joining: bool) -> End {
    let cause = if joining { Cause::NoShow } else { Cause::Crashed };
    End::Failed(Fault { joining, cause, unreachable: true })
}

/// One row: how it ended, and who won, why, and whose fault it was.
#[track_caller]
fn check(ended: Ended, expected: (Outcome, Cause, Option<Blame>), points: [u32; 2]) {
    let verdict = conclude(&ended, &Scoring::ByOutcome(OutcomePoints::COURSE));
    assert_eq!((verdict.outcome, verdict.cause, verdict.blame), expected);
    assert_eq!(verdict.points, points);
}

#[test]
fn who_has_more_has_won() {
    let played = |gains| Ended::new([End::Played; 2], gains);
    let fine = |outcome| (outcome, Cause::Played, None);
    check(played([Some(1), Some(-1)]), fine(Outcome::Won(Seat::A)), [3, 0]);
    check(played([Some(0), Some(7)]), fine(Outcome::Won(Seat::B)), [0, 3]);
    check(played([Some(4), Some(4)]), fine(Outcome::Drawn), [1, 1]);
}

#[test]
fn who_failed_has_lost_and_who_was_there_has_won() {
    let one = |ends| Ended::new(ends, [None; 2]);
    let silent = failed(false, Cause::TimedOut);
    let (a, b) = (Some(Blame::PlayerA), Some(Blame::PlayerB));
    check(one([silent, End::Open]), (Outcome::Forfeited(Seat::A), Cause::TimedOut, a), [0, 3]);
    check(one([End::Open, silent]), (Outcome::Forfeited(Seat::B), Cause::TimedOut, b), [3, 0]);
    let absent = one([End::Open, failed(true, Cause::NoShow)]);
    check(absent, (Outcome::Forfeited(Seat::B), Cause::NoShow, b), [3, 0]);
    let cancels = Ended { no_show_cancels: true, ..absent };
    check(cancels, (Outcome::Cancelled, Cause::NoShow, b), [0, 0]);
}

#[test]
fn where_both_failed_the_one_who_was_there_tells_the_cause() {
    let both = |ends| Ended::new(ends, [None; 2]);
    let blame = Some(Blame::Both);
    let (absent, silent) = (failed(true, Cause::NoShow), failed(false, Cause::TimedOut));
    check(both([absent, absent]), (Outcome::Cancelled, Cause::NoShow, blame), [0, 0]);
    check(both([silent, absent]), (Outcome::BothForfeited, Cause::TimedOut, blame), [0, 0]);
    check(both([absent, silent]), (Outcome::BothForfeited, Cause::TimedOut, blame), [0, 0]);
    let crashed = unreachable(false);
    check(both([crashed, silent]), (Outcome::BothForfeited, Cause::TimedOut, blame), [0, 0]);
    for joining in [true, false] {
        let ends = [unreachable(joining); 2];
        let network = (Outcome::Void, Cause::Network, Some(Blame::Network));
        check(both(ends), network, [0, 0]);
    }
}

#[test]
fn a_match_that_is_cut_is_tried_again_or_cancelled() {
    let again = Cut { last: false, ..LOST };
    let blame = Some(Blame::Referee);
    check(Ended::cut(again), (Outcome::Void, Cause::RefereeLost, blame), [0, 0]);
    check(Ended::cut(LOST), (Outcome::Cancelled, Cause::RefereeLost, blame), [0, 0]);
}

#[test]
fn who_has_left_the_league_has_lost_whatever_else_happened() {
    for cut in [None, Some(LOST)] {
        let ended = Ended { cut, ..Ended::new([End::Played; 2], [Some(1), Some(0)]) };
        let left = |away| Ended { away, ..ended };
        let of = |outcome, blame| (outcome, Cause::Withdrawn, Some(blame));
        check(left([true, false]), of(Outcome::Forfeited(Seat::A), Blame::PlayerA), [0, 3]);
        check(left([false, true]), of(Outcome::Forfeited(Seat::B), Blame::PlayerB), [3, 0]);
        check(left([true, true]), of(Outcome::Cancelled, Blame::Both), [0, 0]);
    }
}

#[test]
fn with_thresholds_each_gets_what_its_own_play_is_worth() {
    let points = |ended: Ended| conclude(&ended, &THRESHOLDS).points;
    let played = |gains| Ended::new([End::Played; 2], gains);
    assert_eq!(points(played([Some(8_499), Some(8_500)])), [0, 3]);
    // Scored against nothing: who failed gets nothing, and the other what it has scored.
    let ends = [failed(false, Cause::TimedOut), End::Played];
    assert_eq!(points(Ended::new(ends, [None, Some(9_000)])), [0, 3]);
    // A match that is broken off gives nobody less than it had scored, nor less than a lost one.
    let cut = |gains| Ended { cut: Some(LOST), ..Ended::new([End::Open; 2], gains) };
    assert_eq!(points(cut([Some(9_000), None])), [3, 2]);
    assert_eq!(points(cut([Some(100), None])), [2, 2]);
    // A withdrawn player gets nothing where the referee is lost, and the other is not to blame.
    let left = Ended { away: [true, false], ..cut([None; 2]) };
    assert_eq!(points(left), [0, 2]);
}
