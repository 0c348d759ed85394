//! The link by script, line by line.

mod places;
mod property;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::{
    Afterwards, CallFault, Link, LinkAction, LinkLane, LinkSettings, Loss, StepFailure, Time,
};
use crate::breaker::BreakerLimits;
use CallFault::{Broken, Exhausted, Oversized, ServerError, TimedOut, Unreachable};
use Event::{Failed, Finished, Heard, InOrder, Notice, Report, Standings, Step, Ticked, Warning};

/// What the link asks for: a call is its own body and tag.
type Said = LinkAction<u64, u64>;
/// At which second what happens, and what is asked for.
type Line<'a> = (i64, Event, &'a [Said]);

const NOTICES_MAX: usize = 3;
/// More than any script here has under way.
const IN_FLIGHT_MAX: usize = 16;

fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

fn at(second: i64) -> Time {
    Time(second * 1_000_000)
}

fn settings() -> Arc<LinkSettings> {
    Arc::new(LinkSettings {
        breaker: BreakerLimits { failures_max: 5, open_for: seconds(30) },
        in_flight_max: IN_FLIGHT_MAX,
        shortage_pause: seconds(1),
        notice_timeout: seconds(10),
        notices_max: NOTICES_MAX,
        report_timeout: seconds(10),
        waits: vec![seconds(2), seconds(4), seconds(8)],
    })
}

/// What happens to the link. A call's body is its own number.
#[derive(Debug, Clone, Copy)]
enum Event {
    /// Submits a step that is due in thirty seconds.
    Step(u64),
    /// The same, as the last ask.
    LastStep(u64),
    Notice(u64),
    Standings(u64),
    Warning(u64),
    Report(u64),
    InOrder(u64),
    Finished(u64),
    Failed(u64, CallFault),
    Heard,
    Ticked,
}

fn play(link: &mut Link<u64, u64>, event: Event, now: Time, out: &mut Vec<Said>) {
    let step = |last| LinkLane::Step { until: now + seconds(30), last };
    let standings = LinkLane::newest("standings");
    let warning = LinkLane::urgent((1, 1));
    match event {
        Step(call) => link.submit((call, call), step(false), call, now, out),
        Event::LastStep(call) => link.submit((call, call), step(true), call, now, out),
        Notice(call) => {
            link.submit((call, call), LinkLane::Notice { replaces: None }, call, now, out)
        }
        Standings(call) => link.submit((call, call), standings, call, now, out),
        Warning(call) => link.submit((call, call), warning, call, now, out),
        Report(call) => link.submit((call, call), LinkLane::Report, call, now, out),
        InOrder(call) => link.submit((call, call), LinkLane::InOrder, call, now, out),
        Finished(call) => link.finished(call, Ok(()), now, out),
        Failed(call, fault) => link.finished(call, Err(fault), now, out),
        Heard => link.heard(now, out),
        Ticked => link.tick(now, out),
    }
}

/// Plays `(second, event, expected actions)`, and compares when the next tick is due at the end.
#[track_caller]
fn check(script: &[Line<'_>], deadline: Option<i64>) {
    check_with(settings(), script, deadline);
}

/// The same with other settings.
#[track_caller]
fn check_with(settings: Arc<LinkSettings>, script: &[Line<'_>], deadline: Option<i64>) {
    let mut link = Link::new(settings);
    let mut out = vec![];
    for (line, (second, event, expected)) in script.iter().enumerate() {
        play(&mut link, *event, at(*second), &mut out);
        assert_eq!(out, *expected, "line {line}: {event:?}");
        out.clear();
    }
    assert_eq!(link.deadline(), deadline.map(at), "deadline");
}

fn step(call: u64) -> Said {
    LinkAction::Attempt { call, body: call, timeout: seconds(30) }
}

/// A notice or a report leaves.
fn send(call: u64) -> Said {
    LinkAction::Attempt { call, body: call, timeout: seconds(10) }
}

fn failed(call: u64, fault: CallFault) -> Said {
    LinkAction::Failed { tag: call, why: StepFailure::Call(fault) }
}

fn refused(call: u64) -> Said {
    LinkAction::Failed { tag: call, why: StepFailure::BreakerOpen }
}

fn dropped(call: u64, why: Loss) -> Said {
    LinkAction::Dropped { tag: call, why }
}

fn taken(call: u64) -> Said {
    LinkAction::Taken { tag: call }
}

fn missed(call: u64) -> Said {
    LinkAction::Missed { tag: call }
}

/// Five reports fail at second 0, which opens the breaker until second 30; the script goes on from
/// there. Reports 91 to 95 wait for their next try.
#[track_caller]
fn check_opened(script: &[Line<'_>], deadline: Option<i64>) {
    let sends: Vec<_> = (91..=95).map(|call| [send(call)]).collect();
    let mut whole: Vec<Line<'_>> = vec![];
    whole.extend((91..).zip(&sends).map(|(call, send)| (0, Report(call), send.as_slice())));
    whole.extend((91..=95).map(|call| (0, Failed(call, Unreachable), [].as_slice())));
    whole.extend_from_slice(script);
    check(&whole, deadline);
}

#[test]
fn a_step_leaves_at_once_and_is_tried_once() {
    check(
        &[
            (0, Notice(1), &[send(1)]),
            (0, Notice(2), &[]),
            (0, Step(3), &[step(3)]),
            (1, Failed(3, Broken), &[failed(3, Broken)]),
            (1, Step(4), &[step(4)]),
            (9, Finished(4), &[]),
            (9, Finished(4), &[]),
        ],
        None,
    );
}

#[test]
fn a_step_whose_time_is_over_never_leaves() {
    let mut link = Link::new(settings());
    let mut out = vec![];
    link.submit((1, 1), LinkLane::Step { until: at(5), last: true }, 1, at(5), &mut out);
    assert_eq!(out, [failed(1, TimedOut)]);
    assert!(link.is_idle());
}

#[test]
fn slow_thinking_never_opens_the_breaker() {
    let asks: Vec<_> = (1..=6).map(|call| ([step(call)], [failed(call, TimedOut)])).collect();
    let mut script: Vec<Line<'_>> = vec![];
    for (call, (ask, silence)) in (1..).zip(&asks) {
        script.push((0, Step(call), ask));
        script.push((30, Failed(call, TimedOut), silence));
    }
    check(&script, None);
}

#[test]
fn a_silent_notice_is_tried_four_times_and_dropped() {
    check(
        &[
            (0, Notice(1), &[send(1)]),
            (0, Notice(2), &[]),
            (10, Failed(1, TimedOut), &[missed(1), missed(2)]),
            (11, Ticked, &[]),
            (12, Ticked, &[send(1)]),
            (12, Failed(1, ServerError), &[]),
            (16, Ticked, &[send(1)]),
            (16, Failed(1, Unreachable), &[]),
            (24, Ticked, &[send(1)]),
            (25, Failed(1, Broken), &[dropped(1, Loss::GivenUp(Broken)), send(2)]),
            (26, Failed(2, Broken), &[]),
        ],
        // The fifth failure opened the breaker, and an open breaker outlasts the wait.
        Some(56),
    );
}

#[test]
fn notices_leave_one_at_a_time_and_in_order() {
    check(
        &[
            (0, Notice(1), &[send(1)]),
            (0, Notice(2), &[]),
            (0, Notice(3), &[]),
            (1, Failed(1, Broken), &[missed(1), missed(2), missed(3)]),
            // Said twice: the notice waits and cannot have arrived.
            (1, Finished(1), &[]),
            (3, Ticked, &[send(1)]),
            (4, Finished(1), &[taken(1), send(2)]),
            (5, Failed(2, Oversized), &[taken(2), send(3)]),
            (6, Finished(3), &[taken(3)]),
        ],
        None,
    );
}

#[test]
fn news_that_was_never_tried_is_not_replaced() {
    check(
        &[
            (0, Standings(1), &[send(1)]),
            (0, Standings(2), &[]),
            (1, Standings(3), &[]),
            (2, Finished(1), &[taken(1), send(2)]),
            (3, Finished(2), &[taken(2), send(3)]),
        ],
        None,
    );
}

#[test]
fn newer_news_replace_what_was_tried_in_vain_and_do_not_hurry_the_peer() {
    check(
        &[
            (0, Standings(1), &[send(1)]),
            (1, Failed(1, Broken), &[missed(1)]),
            // Who comes behind one that failed has missed its time as well.
            (2, Standings(2), &[dropped(1, Loss::Replaced), missed(2)]),
            (2, Standings(3), &[]),
            (3, Ticked, &[send(2)]),
            (3, Failed(2, Broken), &[missed(3)]),
        ],
        // The newer one begins its own list of waits.
        Some(5),
    );
}

#[test]
fn a_warning_that_was_tried_in_vain_makes_way_for_the_next_at_once() {
    check(
        &[
            (0, Warning(1), &[send(1)]),
            (0, Failed(1, ServerError), &[missed(1)]),
            (1, Warning(2), &[dropped(1, Loss::Replaced), send(2)]),
            // While one is on its way the next one waits, and leaves as soon as that has failed.
            (1, Warning(3), &[]),
            (1, Notice(4), &[]),
            (2, Failed(2, ServerError), &[dropped(2, Loss::Replaced), send(3)]),
            (3, Finished(3), &[taken(3), send(4)]),
            (3, Warning(5), &[]),
            (4, Failed(4, Broken), &[missed(4), missed(5)]),
        ],
        Some(6),
    );
}

#[test]
fn a_full_queue_drops_its_oldest_but_not_the_one_in_flight() {
    check(
        &[
            (0, Notice(1), &[send(1)]),
            (0, Notice(2), &[]),
            (0, Notice(3), &[]),
            (0, Notice(4), &[dropped(2, Loss::QueueFull)]),
            (1, Finished(1), &[taken(1), send(3)]),
        ],
        None,
    );
}

#[test]
fn reports_are_tried_for_ever_and_side_by_side() {
    check(
        &[
            (0, Notice(9), &[send(9)]),
            (0, Report(1), &[send(1)]),
            (0, Report(2), &[send(2)]),
            (1, Failed(1, Broken), &[]),
            (2, Finished(2), &[]),
            // Said twice: the report waits and cannot have arrived.
            (2, Finished(1), &[]),
            (3, Ticked, &[send(1)]),
            (3, Failed(1, Broken), &[]),
            (7, Ticked, &[send(1)]),
            (7, Failed(1, Broken), &[]),
            (15, Ticked, &[send(1)]),
            (15, Failed(1, Broken), &[]),
            (23, Ticked, &[send(1)]),
            (23, Failed(1, Broken), &[]),
        ],
        Some(31),
    );
}

#[test]
fn a_report_whose_answer_is_too_large_has_arrived() {
    check(
        &[
            (0, Report(1), &[send(1)]),
            (0, Report(2), &[send(2)]),
            // Whoever waits for the answer hears that there is none.
            (1, Failed(1, Oversized), &[failed(1, Oversized)]),
            (1, Failed(2, Unreachable), &[]),
            (3, Ticked, &[send(2)]),
            (4, Failed(2, Oversized), &[failed(2, Oversized)]),
        ],
        None,
    );
}

#[test]
fn what_goes_in_order_waits_until_the_one_before_is_taken() {
    check(
        &[
            (0, InOrder(1), &[send(1)]),
            (0, InOrder(2), &[]),
            (0, InOrder(3), &[]),
            // News and reports do not stand in this queue.
            (0, Notice(8), &[send(8)]),
            (0, Report(9), &[send(9)]),
            (1, Failed(1, Unreachable), &[missed(1), missed(2), missed(3)]),
            (1, InOrder(4), &[missed(4)]),
            (3, Ticked, &[send(1)]),
            (3, Failed(1, TimedOut), &[]),
            (7, Ticked, &[send(1)]),
            (7, Failed(1, ServerError), &[]),
            (15, Ticked, &[send(1)]),
            (15, Failed(1, Broken), &[]),
            // Nothing is given up, and nothing is too much.
            (16, Finished(8), &[taken(8)]),
            (23, Ticked, &[send(1)]),
            (24, Finished(1), &[taken(1), send(2)]),
            (24, Finished(1), &[]),
            // The peer has it, whatever it answers.
            (25, Failed(2, Oversized), &[taken(2), send(3)]),
            (26, Finished(3), &[taken(3), send(4)]),
            (27, Finished(4), &[taken(4)]),
        ],
        None,
    );
}

#[test]
fn an_open_breaker_holds_back_what_goes_in_order() {
    check_opened(
        &[
            (1, InOrder(1), &[missed(1)]),
            (30, Ticked, &[send(91)]),
            (31, Finished(91), &[send(92), send(93), send(94), send(95), send(1)]),
            (32, Finished(1), &[taken(1)]),
        ],
        None,
    );
}

#[test]
fn who_speaks_is_told_the_next_in_order_at_once() {
    check(
        &[
            (0, InOrder(1), &[send(1)]),
            (1, Failed(1, Broken), &[missed(1)]),
            (2, Heard, &[send(1)]),
            (2, Failed(1, Exhausted), &[]),
        ],
        Some(3),
    );
}

#[test]
fn a_call_in_flight_is_known_by_its_tag() {
    let mut link = Link::new(settings());
    let mut out = vec![];
    for (call, lane) in [
        (1, LinkLane::Step { until: at(5), last: false }),
        (2, LinkLane::Notice { replaces: None }),
        (3, LinkLane::Report),
        (4, LinkLane::InOrder),
        (5, LinkLane::InOrder),
    ] {
        link.submit((call, call * 10), lane, call, at(0), &mut out);
    }
    assert_eq!([1, 2, 3, 4].map(|call| link.tag(call)), [10, 20, 30, 40].map(Some));
    assert_eq!(link.tag(5), None, "it waits");
}

#[test]
fn an_open_breaker_refuses_steps_and_holds_the_rest_back() {
    check_opened(
        &[
            (1, Step(1), &[refused(1)]),
            (2, Ticked, &[]),
            // What cannot even be tried was missed.
            (2, Notice(2), &[missed(2)]),
            (29, Ticked, &[]),
            (30, Ticked, &[send(91)]),
            (31, Step(3), &[refused(3)]),
            (32, Finished(91), &[send(92), send(93), send(94), send(95), send(2)]),
            (32, Step(4), &[step(4)]),
        ],
        None,
    );
}

#[test]
fn a_failed_probe_holds_everything_back_again() {
    check_opened(&[(30, Ticked, &[send(91)]), (33, Failed(91, TimedOut), &[])], Some(63));
}

#[test]
fn the_last_ask_leaves_as_the_probe() {
    check_opened(
        &[
            (5, Event::LastStep(1), &[step(1)]),
            (6, Event::LastStep(2), &[step(2)]),
            (6, Step(3), &[refused(3)]),
            // The second one is not the probe, so its failure decides nothing.
            (7, Failed(2, Broken), &[failed(2, Broken)]),
            (7, Heard, &[]),
            (8, Finished(1), &[send(91), send(92), send(93), send(94), send(95)]),
        ],
        None,
    );
}

#[test]
fn a_probe_that_thinks_gives_its_place_up() {
    check_opened(
        &[
            (5, Event::LastStep(1), &[step(1)]),
            (9, Failed(1, TimedOut), &[failed(1, TimedOut), send(91)]),
        ],
        Some(39),
    );
}

#[test]
fn a_lost_probe_is_followed_by_another() {
    check_opened(&[(30, Ticked, &[send(91)]), (60, Ticked, &[send(92)])], Some(90));
}

#[test]
fn a_peer_that_speaks_is_tried_at_once() {
    check_opened(
        &[(4, Heard, &[send(91)]), (5, Heard, &[]), (5, Failed(91, Broken), &[])],
        Some(35),
    );
}

#[test]
fn who_speaks_is_not_made_to_wait_for_the_next_try() {
    check(
        &[
            (0, Report(1), &[send(1)]),
            (0, Notice(2), &[send(2)]),
            (1, Failed(1, Broken), &[]),
            (1, Failed(2, Broken), &[missed(2)]),
            (2, Heard, &[send(1), send(2)]),
            (2, Finished(1), &[]),
            (2, Finished(2), &[taken(2)]),
        ],
        None,
    );
}

#[test]
fn an_idle_link_is_small() {
    assert!(
        size_of::<Link<Bytes, [u64; 4]>>() <= 256,
        "{} bytes",
        size_of::<Link<Bytes, [u64; 4]>>()
    );
    assert!(Link::<u64, u64>::new(settings()).is_idle());
}

/// Compares the waits after the first, second, … failure.
#[track_caller]
fn check_waits(waits: &[u64], afterwards: Afterwards, expected: &[Option<i64>]) {
    let waits = waits.iter().copied().map(seconds).collect();
    let settings = LinkSettings { waits, ..(*settings()).clone() };
    let again = |failures| settings.again(afterwards, failures, CallFault::Broken, at(100));
    let found: Vec<_> = (0..).take(expected.len()).map(again).collect();
    let due = |(failures, wait): (u32, &Option<i64>)| wait.map(|wait| (failures, at(100 + wait)));
    assert_eq!(found, (1..).zip(expected).map(due).collect::<Vec<_>>());
}

#[test]
fn a_notification_is_given_up_after_three_retries() {
    let expected = [Some(2), Some(4), Some(8), None, None];
    check_waits(&[2, 4, 8], Afterwards::GiveUp, &expected);
}

#[test]
fn a_report_goes_on_with_the_last_wait() {
    let expected = [Some(2), Some(4), Some(8), Some(8), Some(8)];
    check_waits(&[2, 4, 8], Afterwards::GoOn, &expected);
    let for_ever = settings().again(Afterwards::GoOn, u32::MAX, CallFault::Broken, at(0));
    assert_eq!(for_ever, Some((u32::MAX, at(8))));
}

#[test]
fn an_empty_list_allows_no_retry() {
    check_waits(&[], Afterwards::GiveUp, &[None, None]);
    check_waits(&[], Afterwards::GoOn, &[None, None]);
}
