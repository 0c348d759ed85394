//! The breaker by script, with the specification's own example first, and by property.

use std::time::Duration;

use crate::time::Time;
use proptest::prelude::*;

use super::{Admission, Breaker, BreakerLimits, BreakerState};
use Admission::{FailFast, Go, Probe};
use BreakerState::{Closed, HalfOpen, Open};
use Step::{Abandoned, Admit, Failed, Heard, Insist, Look, Succeeded};

const LIMITS: BreakerLimits = BreakerLimits { failures_max: 5, open_for: Duration::from_secs(30) };

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
    Time::from_micros(second * 1_000_000)
}

/// Plays `(second, step, state afterwards)` on a fresh breaker.
#[track_caller]
fn check(script: &[(i64, Step, BreakerState)]) {
    let mut breaker = Breaker::new(LIMITS);
    for (line, &(second, step, state)) in script.iter().enumerate() {
        let now = at(second);
        match step {
            Admit(expected) => assert_eq!(breaker.admit(now), expected, "line {line}"),
            Insist(expected) => assert_eq!(breaker.insist(now), expected, "line {line}"),
            Succeeded => breaker.succeeded(),
            Failed => breaker.failed(now),
            Abandoned => breaker.abandoned(),
            Heard => breaker.heard(),
            Look => {}
        }
        assert_eq!(breaker.state(now), state, "line {line}");
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
        for (pause, step) in steps {
            second += pause;
            let now = at(second);
            let before = breaker.state(now);
            match step {
                Admit(_) | Insist(_) => {
                    let insists = matches!(step, Insist(_));
                    let admission =
                        if insists { breaker.insist(now) } else { breaker.admit(now) };
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
                    breaker.succeeded();
                    prop_assert_eq!(breaker.state(now), Closed);
                    prop_assert_eq!(breaker.admit(now), Go);
                    (probe_since, opened_at) = (None, None);
                }
                Failed => {
                    breaker.failed(now);
                    if before != Open && breaker.state(now) == Open {
                        (probe_since, opened_at) = (None, Some(second));
                    }
                }
                Abandoned => {
                    breaker.abandoned();
                    probe_since = None;
                }
                Heard => {
                    breaker.heard();
                    prop_assert_ne!(breaker.state(now), Open);
                    opened_at = None;
                }
                Look => {}
            }
            let shut = breaker.shut_until().is_some_and(|until| now < until);
            prop_assert_eq!(breaker.clone().admit(now) == FailFast, shut);
        }
        // Whatever happened: left alone for long enough, it lets somebody through.
        prop_assert_ne!(breaker.admit(at(second + 30)), FailFast);
    }
}
