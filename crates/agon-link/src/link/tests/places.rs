//! How many calls are under way, who waits, and what becomes of a call that our own host could not
//! make.

use std::sync::Arc;

use super::{
    Event, Exhausted, Failed, Finished, InOrder, Line, LinkAction, LinkSettings, Notice, Report,
    Said, Step, StepFailure, Ticked, Unreachable, check, check_opened, check_with, failed, missed,
    seconds, send, settings, step, taken,
};

/// Two places for steps and reports, one for notices.
#[track_caller]
fn check_narrow(script: &[Line<'_>], deadline: Option<i64>) {
    check_with(
        Arc::new(LinkSettings { in_flight_max: 3, ..(*settings()).clone() }),
        script,
        deadline,
    );
}

fn not_sent(call: u64) -> Said {
    LinkAction::Failed { tag: call, why: StepFailure::NotSent }
}

/// A step that leaves late has what is left of its time.
fn late(call: u64, time: u64) -> Said {
    LinkAction::Attempt { call, body: call, timeout: seconds(time) }
}

#[test]
fn calls_beyond_the_bound_wait_in_order() {
    check_narrow(
        &[
            (0, Report(1), &[send(1)]),
            (0, Report(2), &[send(2)]),
            (0, Report(3), &[]),
            (0, Report(4), &[]),
            (0, Ticked, &[]),
            // News have a place of their own.
            (0, Notice(5), &[send(5)]),
            (1, Finished(2), &[send(3)]),
            (1, Finished(5), &[taken(5)]),
            (2, Finished(1), &[send(4)]),
        ],
        None,
    );
}

#[test]
fn what_goes_in_order_takes_a_place() {
    check_narrow(
        &[
            (0, InOrder(1), &[send(1)]),
            (0, Report(2), &[send(2)]),
            (0, Report(3), &[]),
            (0, InOrder(4), &[]),
            (1, Finished(1), &[taken(1), send(3)]),
            (2, Finished(2), &[send(4)]),
            (2, Finished(3), &[]),
        ],
        None,
    );
}

#[test]
fn steps_that_wait_come_before_reports_and_keep_their_end() {
    check_narrow(
        &[
            (0, Step(1), &[step(1)]),
            (0, Step(2), &[step(2)]),
            (0, Report(3), &[]),
            (1, Step(4), &[]),
            (2, Step(5), &[]),
            (10, Finished(1), &[late(4, 21)]),
            (11, Finished(2), &[late(5, 21)]),
            (12, Finished(4), &[send(3)]),
        ],
        None,
    );
}

#[test]
fn a_step_that_never_left_ends_with_its_time() {
    check_narrow(
        &[
            (0, Report(1), &[send(1)]),
            (0, Report(2), &[send(2)]),
            (1, Step(3), &[]),
            (30, Ticked, &[]),
            (31, Ticked, &[not_sent(3)]),
            (32, Finished(1), &[]),
        ],
        None,
    );
}

#[test]
fn a_full_link_wakes_nobody_before_something_can_happen() {
    check_narrow(
        &[(0, Report(1), &[send(1)]), (0, Report(2), &[send(2)]), (5, Report(3), &[])],
        None,
    );
    check_narrow(
        &[(0, Report(1), &[send(1)]), (0, Report(2), &[send(2)]), (5, Step(3), &[])],
        Some(35),
    );
}

#[test]
fn what_our_own_host_could_not_send_leaves_a_little_later() {
    check(
        &[
            (0, Step(1), &[step(1)]),
            (0, Report(2), &[send(2)]),
            (0, Notice(3), &[send(3)]),
            (0, Failed(1, Exhausted), &[]),
            (0, Failed(2, Exhausted), &[]),
            // Nobody waits for news that could not leave.
            (0, Failed(3, Exhausted), &[missed(3)]),
            (1, Ticked, &[late(1, 29), send(2), send(3)]),
            (1, Finished(1), &[]),
            (1, Finished(2), &[]),
            (1, Finished(3), &[taken(3)]),
        ],
        None,
    );
}

#[test]
fn a_shortage_costs_no_try_and_no_trust() {
    let mut script: Vec<(i64, Event, Vec<Said>)> = vec![(0, Notice(1), vec![send(1)])];
    for second in 0..20 {
        let told = if second == 0 { vec![missed(1)] } else { vec![] };
        script.push((second, Failed(1, Exhausted), told));
        script.push((second + 1, Ticked, vec![send(1)]));
    }
    // The first failure of the peer is followed by the first wait, and a step still leaves.
    script.push((20, Failed(1, Unreachable), vec![]));
    script.push((20, Step(2), vec![step(2)]));
    let script: Vec<_> = script.iter().map(|(at, event, out)| (*at, *event, &out[..])).collect();
    check(&script, Some(22));
}

#[test]
fn a_step_that_met_nothing_but_a_shortage_was_not_sent() {
    let mut script: Vec<(i64, Event, Vec<Said>)> = vec![(0, Step(1), vec![step(1)])];
    for second in 0..29 {
        script.push((second, Failed(1, Exhausted), vec![]));
        let left = 29 - u64::try_from(second).unwrap();
        script.push((second + 1, Ticked, vec![late(1, left)]));
    }
    script.push((29, Failed(1, Exhausted), vec![]));
    script.push((30, Ticked, vec![not_sent(1)]));
    let script: Vec<_> = script.iter().map(|(at, event, out)| (*at, *event, &out[..])).collect();
    check(&script, None);
}

#[test]
fn a_step_that_reached_the_peer_after_a_shortage_fails_as_any_other() {
    check(
        &[
            (0, Step(1), &[step(1)]),
            (0, Failed(1, Exhausted), &[]),
            (1, Ticked, &[late(1, 29)]),
            (2, Failed(1, Unreachable), &[failed(1, Unreachable)]),
        ],
        None,
    );
}

#[test]
fn a_probe_that_could_not_leave_gives_its_place_up() {
    check_opened(
        &[
            (30, Ticked, &[send(91)]),
            (30, Failed(91, Exhausted), &[send(92)]),
            (31, Finished(92), &[send(93), send(94), send(95), send(91)]),
        ],
        None,
    );
}
