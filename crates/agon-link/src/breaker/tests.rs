//! The breaker by script, with the specification's own example first, and by property; and both
//! kinds of backoff, failure by failure.

use std::time::Duration;

use crate::link::Time;
use proptest::prelude::*;

use super::{Breaker, BreakerLimits, Lesson, Phase};
use Admission::{FailFast, Go, Probe};
use BreakerState::{Closed, HalfOpen, Open};
use Step::{Abandoned, Admit, Failed, Heard, Insist, Look, Succeeded};

const LIMITS: BreakerLimits = BreakerLimits { failures_max: 5, open_for: Duration::from_secs(30) };

/// Where the breaker stands, as the specification spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BreakerState {
    Closed,
    Open,
    HalfOpen,
}

/// Whether a call may leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Admission {
    Go,
    /// It may, and its outcome decides whether others may.
    Probe,
    FailFast,
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Admit(Admission),
    Insist(Admission),
    Succeeded,
    Failed,
    Abandoned,
    Heard,
    Look,
}

fn at(second: i64) -> Time {
    Time(second * 1_000_000)
}

fn state(breaker: &Breaker, now: Time) -> BreakerState {
    match breaker.phase {
        Phase::Closed { .. } => Closed,
        Phase::Open { until } if now < until => Open,
        Phase::Open { .. } | Phase::HalfOpen | Phase::Probing { .. } => HalfOpen,
    }
}

/// Whose outcome decides, if anybody's does.
fn probe(breaker: &Breaker) -> Option<u64> {
    match breaker.phase {
        Phase::Probing { call, .. } => Some(call),
        Phase::Closed { .. } | Phase::Open { .. } | Phase::HalfOpen => None,
    }
}

/// Asks for a call that was never asked for before.
fn ask(breaker: &mut Breaker, call: u64, now: Time, insists: bool) -> Admission {
    if insists {
        breaker.insist(call, now);
    }
    match insists || breaker.admit(call, now) {
        true if probe(breaker) == Some(call) => Probe,
        true => Go,
        false => FailFast,
    }
}

/// The probe, or else some older call, is over.
fn learn(breaker: &mut Breaker, lesson: Lesson, now: Time) {
    breaker.learn(probe(breaker).unwrap_or(u64::MAX), lesson, now);
}

/// Plays `(second, step, state afterwards)` on a fresh breaker.
#[track_caller]
fn check(script: &[(i64, Step, BreakerState)]) {
    let mut breaker = Breaker::new(LIMITS);
    for (line, &(second, step, after)) in script.iter().enumerate() {
        let now = at(second);
        match step {
            Admit(expected) | Insist(expected) => {
                let insists = matches!(step, Insist(_));
                let admission = ask(&mut breaker, line as u64, now, insists);
                assert_eq!(admission, expected, "line {line}");
            }
            Succeeded => learn(&mut breaker, Lesson::Well, now),
            Failed => learn(&mut breaker, Lesson::Failing, now),
            Abandoned => learn(&mut breaker, Lesson::Nothing, now),
            Heard => breaker.heard(),
            Look => {}
        }
        assert_eq!(state(&breaker, now), after, "line {line}");
    }
}

/// Five failures, the fifth at second 4, and then the given script.
#[track_caller]
fn check_opened(script: &[(i64, Step, BreakerState)]) {
    let mut whole: Vec<_> = (0..4).map(|second| (second, Failed, Closed)).collect();
    whole.push((4, Failed, Open));
    whole.extend_from_slice(script);
    check(&whole);
}

#[test]
fn the_example_of_the_specification() {
    check(&[
        (0, Admit(Go), Closed),
        (0, Failed, Closed),
        (1, Admit(Go), Closed),
        (1, Failed, Closed),
        (2, Admit(Go), Closed),
        (2, Failed, Closed),
        (3, Admit(Go), Closed),
        (3, Failed, Closed),
        (4, Admit(Go), Closed),
        (4, Failed, Open),
        (5, Admit(FailFast), Open),
        (34, Look, HalfOpen),
        (34, Admit(Probe), HalfOpen),
        (34, Succeeded, Closed),
        (35, Admit(Go), Closed),
        (35, Succeeded, Closed),
    ]);
}

#[test]
fn only_failures_in_a_row_count() {
    let mut script = vec![(0, Failed, Closed); 4];
    script.push((0, Succeeded, Closed));
    script.extend([(1, Failed, Closed); 4]);
    script.push((2, Failed, Open));
    check(&script);
}

#[test]
fn a_failed_probe_opens_it_for_the_whole_time_again() {
    check_opened(&[
        (33, Admit(FailFast), Open),
        (34, Admit(Probe), HalfOpen),
        (35, Admit(FailFast), HalfOpen),
        (36, Failed, Open),
        (65, Admit(FailFast), Open),
        (66, Admit(Probe), HalfOpen),
    ]);
}

#[test]
fn a_peer_that_speaks_is_worth_a_probe_at_once() {
    check_opened(&[
        (6, Heard, HalfOpen),
        (6, Admit(Probe), HalfOpen),
        (7, Heard, HalfOpen),
        (7, Admit(FailFast), HalfOpen),
        (8, Succeeded, Closed),
        (9, Heard, Closed),
    ]);
}

#[test]
fn failures_of_older_calls_do_not_prolong_it() {
    check_opened(&[
        (20, Failed, Open),
        (34, Look, HalfOpen),
        (34, Heard, HalfOpen),
        (34, Failed, HalfOpen),
        (34, Admit(Probe), HalfOpen),
    ]);
}

#[test]
fn a_success_of_an_older_call_closes_it() {
    check_opened(&[(5, Succeeded, Closed), (5, Admit(Go), Closed)]);
}

#[test]
fn a_lost_probe_does_not_shut_it_for_ever() {
    check_opened(&[
        (34, Admit(Probe), HalfOpen),
        (63, Admit(FailFast), HalfOpen),
        (64, Admit(Probe), HalfOpen),
    ]);
}

#[test]
fn an_abandoned_probe_frees_its_place() {
    check_opened(&[
        (34, Admit(Probe), HalfOpen),
        (35, Abandoned, HalfOpen),
        (35, Admit(Probe), HalfOpen),
        (36, Failed, Open),
        (36, Abandoned, Open),
    ]);
}

#[test]
fn who_insists_becomes_the_probe_unless_there_is_one() {
    check_opened(&[
        (6, Insist(Probe), HalfOpen),
        (7, Insist(Go), HalfOpen),
        (7, Admit(FailFast), HalfOpen),
        (8, Succeeded, Closed),
        (9, Insist(Go), Closed),
    ]);
}

fn step() -> impl Strategy<Value = Step> {
    // What `Admit` and `Insist` expect is not read by the property.
    prop_oneof![
        4 => Just(Admit(Go)),
        1 => Just(Insist(Go)),
        1 => Just(Succeeded),
        6 => Just(Failed),
        1 => Just(Abandoned),
        1 => Just(Heard),
        1 => Just(Look),
    ]
}

proptest! {
    #[test]
    fn one_probe_at_a_time_and_never_too_early(
        steps in prop::collection::vec((0_i64..12, step()), 1..200),
    ) {
        let mut breaker = Breaker::new(LIMITS);
        let mut second = 0;
        let mut probe_since: Option<i64> = None;
        let mut opened_at: Option<i64> = None;
        for (call, (pause, step)) in (0..).zip(steps) {
            second += pause;
            let now = at(second);
            let before = state(&breaker, now);
            match step {
                Admit(_) | Insist(_) => {
                    let insists = matches!(step, Insist(_));
                    let admission = ask(&mut breaker, call, now, insists);
                    prop_assert!(!insists || admission != FailFast);
                    prop_assert_eq!(admission == Go && !insists, before == Closed && !insists);
                    if admission == Probe {
                        prop_assert!(probe_since.is_none_or(|since| second - since >= 30));
                        let too_early = opened_at.is_some_and(|opened| second - opened < 30);
                        prop_assert!(insists || !too_early);
                        probe_since = Some(second);
                        opened_at = None;
                    }
                }
                Succeeded => {
                    learn(&mut breaker, Lesson::Well, now);
                    prop_assert_eq!(state(&breaker, now), Closed);
                    prop_assert_eq!(ask(&mut breaker, call, now, false), Go);
                    (probe_since, opened_at) = (None, None);
                }
                Failed => {
                    learn(&mut breaker, Lesson::Failing, now);
                    if before != Open && state(&breaker, now) == Open {
                        (probe_since, opened_at) = (None, Some(second));
                    }
                }
                Abandoned => {
                    learn(&mut breaker, Lesson::Nothing, now);
                    probe_since = None;
                }
                Heard => {
                    breaker.heard();
                    prop_assert_ne!(state(&breaker, now), Open);
                    opened_at = None;
                }
                Look => {}
            }
            let shut = breaker.shut_until().is_some_and(|until| now < until);
            prop_assert_eq!(!breaker.clone().admit(call, now), shut);
        }
        // Whatever happened: left alone for long enough, it lets somebody through.
        prop_assert!(breaker.admit(u64::MAX, at(second + 30)));
    }
}
