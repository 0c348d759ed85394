//! One peer's outgoing calls: what leaves now, what waits, what is tried again, what is given up.
//!
//! Three lanes share one breaker. A step of a match is tried once, at once, or fails at once.
//! Notices leave one at a time and in order; each ends exactly once, as taken, replaced or dropped.
//! Reports are tried until they arrive. An open breaker holds notices and reports back, which costs
//! them no try. The link does no I/O: it returns actions, and whoever carries them out says how
//! they went.
//!
//! Only so many calls are in flight at a time, of which one place is for notices. Steps and reports
//! beyond that wait in order. What did not leave because our own host had no port or file for it
//! was no try: it leaves again a little later, a step as long as it has time.

mod calls;
mod notices;
mod reports;
mod steps;

use std::sync::Arc;
use std::time::Duration;

use agon_proto::Timestamp;

use crate::backoff::Backoff;
use crate::breaker::{self, Admission, Breaker, State};
use calls::Lesson;
pub use calls::{Action, Failure, Fault, Lane, Loss, Outcome, Topic};
use notices::Notices;
use reports::Reports;
use steps::Steps;

/// One peer's outgoing calls. There are as many links as players, so an idle one is small.
#[derive(Debug)]
pub struct Link<C> {
    terms: Arc<Terms>,
    breaker: Breaker,
    /// The call whose outcome decides over a half-open breaker.
    probe: Option<u64>,
    steps: Steps<C>,
    notices: Notices<C>,
    reports: Reports<C>,
}

/// What holds for every link of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    pub breaker: breaker::Limits,
    /// So many calls to one peer are in flight at a time; at least two, one of them for a notice.
    pub in_flight_max: usize,
    /// What our own host could not send is tried again after so long.
    pub shortage_pause: Duration,
    pub notice_timeout: Duration,
    pub notice_backoff: Backoff,
    /// Of the notices on one link, so many are kept, counting the one in flight.
    pub notices_max: usize,
    pub report_timeout: Duration,
    /// A report is never lost as long as this one goes on for ever.
    pub report_backoff: Backoff,
}

impl<C: Clone> Link<C> {
    /// A link to a peer of which nothing is known yet.
    pub fn new(terms: Arc<Terms>) -> Self {
        Self {
            breaker: Breaker::new(terms.breaker),
            terms,
            probe: None,
            steps: Steps::default(),
            notices: Notices::default(),
            reports: Reports::default(),
        }
    }

    /// Takes a call over. `call` is the caller's number for it, used once on this link.
    pub fn submit(
        &mut self,
        call: u64,
        lane: Lane,
        body: C,
        now: Timestamp,
        out: &mut Vec<Action<C>>,
    ) {
        match lane {
            Lane::Step { until, .. } if until <= now => {
                out.push(Action::Failed { call, why: Failure::Call(Fault::TimedOut) });
            }
            Lane::Step { until, last } => {
                self.steps.push(call, body, (until, last), now);
                self.send_steps(now, out);
            }
            Lane::Notice { replaces } => {
                self.notices.push(call, replaces, body, self.terms.notices_max, out);
                self.go_on(now, out);
            }
            Lane::Report => {
                self.reports.push(call, body, now);
                self.go_on(now, out);
            }
        }
    }

    /// Hears how an attempt went. An attempt that is unknown or was cancelled is ignored.
    pub fn finished(
        &mut self,
        call: u64,
        outcome: Outcome,
        now: Timestamp,
        out: &mut Vec<Action<C>>,
    ) {
        if self.steps.is_in_flight(call) {
            self.learn(call, Lesson::of_step(outcome), now);
            self.step_finished(call, outcome, now, out);
        } else if self.notices.in_flight() == Some(call) {
            self.learn(call, Lesson::of_retried(outcome), now);
            self.notices.finished(outcome, now, &self.terms, out);
        } else if self.reports.finished(call, outcome, now, &self.terms) {
            self.learn(call, Lesson::of_retried(outcome), now);
        } else {
            return;
        }
        self.go_on(now, out);
    }

    /// Lets leave whatever is due.
    pub fn tick(&mut self, now: Timestamp, out: &mut Vec<Action<C>>) {
        self.go_on(now, out);
    }

    /// When `tick` is due next, if nothing else happens.
    pub fn deadline(&self) -> Option<Timestamp> {
        let room = self.has_room();
        let reports = self.reports.due().filter(|_| room);
        let held = [self.notices.due(), reports].into_iter().flatten().min();
        let shut = self.breaker.shut_until();
        let held = held.map(|due| shut.map_or(due, |until| due.max(until)));
        let steps = self.steps.due().filter(|_| room);
        [held, steps, self.steps.ends()].into_iter().flatten().min()
    }

    /// The peer spoke to us, so what was held back may be tried.
    pub fn heard(&mut self, now: Timestamp, out: &mut Vec<Action<C>>) {
        self.breaker.heard();
        self.reports.hurry(now);
        self.notices.hurry(now);
        self.go_on(now, out);
    }

    /// Nobody wants this step's answer any more. Its outcome, should it come, is ignored.
    pub fn cancel(&mut self, call: u64) {
        if self.steps.remove(call) && self.probe.take_if(|probe| *probe == call).is_some() {
            self.breaker.abandoned();
        }
    }

    /// Nothing is under way and nothing waits.
    pub fn is_idle(&self) -> bool {
        self.steps.is_empty() && self.notices.is_empty() && self.reports.is_empty()
    }

    /// Where this peer's breaker stands.
    pub fn state(&self, now: Timestamp) -> State {
        self.breaker.state(now)
    }

    /// Whether a step or a report may leave: one place is the notices'.
    fn has_room(&self) -> bool {
        self.steps.in_flight() + self.reports.in_flight() + 1 < self.terms.in_flight_max
    }

    fn step_finished(
        &mut self,
        call: u64,
        outcome: Outcome,
        now: Timestamp,
        out: &mut Vec<Action<C>>,
    ) {
        match outcome {
            Outcome::Failed(Fault::Exhausted) => {
                self.steps.wait(call, now + self.terms.shortage_pause);
            }
            Outcome::Failed(fault) => {
                self.steps.remove(call);
                out.push(Action::Failed { call, why: Failure::Call(fault) });
            }
            Outcome::Delivered => {
                self.steps.remove(call);
            }
        }
    }

    /// Sends what is due, as far as the breaker and the places let it. Steps come first, because
    /// they have an end, then reports: a result matters more than news.
    fn go_on(&mut self, now: Timestamp, out: &mut Vec<Action<C>>) {
        self.send_steps(now, out);
        self.send_reports(now, out);
        self.send_notice(now, out);
    }

    fn send_steps(&mut self, now: Timestamp, out: &mut Vec<Action<C>>) {
        while let Some(call) = self.steps.take_ended(now) {
            out.push(Action::Failed { call, why: Failure::NotSent });
        }
        while self.has_room()
            && let Some((call, last)) = self.steps.first_due(now)
        {
            let admission = if last { self.breaker.insist(now) } else { self.breaker.admit(now) };
            if !self.leaves(call, admission) {
                self.steps.remove(call);
                out.push(Action::Failed { call, why: Failure::BreakerOpen });
                continue;
            }
            let leaves = self.steps.leave(call);
            out.extend(leaves.map(|(body, until)| Action::Attempt {
                call,
                body,
                timeout: until.since(now),
            }));
        }
    }

    fn send_reports(&mut self, now: Timestamp, out: &mut Vec<Action<C>>) {
        while self.has_room()
            && let Some(call) = self.reports.first_due(now)
        {
            let admission = self.breaker.admit(now);
            if !self.leaves(call, admission) {
                return self.notices.miss(out);
            }
            let timeout = self.terms.report_timeout;
            out.extend(self.reports.leave(call).map(|body| Action::Attempt {
                call,
                body,
                timeout,
            }));
        }
    }

    fn send_notice(&mut self, now: Timestamp, out: &mut Vec<Action<C>>) {
        if let Some(call) = self.notices.first_due(now) {
            let admission = self.breaker.admit(now);
            if self.leaves(call, admission) {
                let timeout = self.terms.notice_timeout;
                out.extend(self.notices.leave().map(|body| Action::Attempt {
                    call,
                    body,
                    timeout,
                }));
            } else {
                self.notices.miss(out);
            }
        }
    }

    /// Whether the breaker lets the call leave; remembers which call is the probe.
    fn leaves(&mut self, call: u64, admission: Admission) -> bool {
        match admission {
            Admission::Go => true,
            Admission::Probe => {
                self.probe = Some(call);
                true
            }
            Admission::FailFast => false,
        }
    }

    /// Tells the breaker what an attempt taught.
    fn learn(&mut self, call: u64, lesson: Lesson, now: Timestamp) {
        let was_probe = self.probe.take_if(|probe| *probe == call).is_some();
        match lesson {
            Lesson::Well => self.breaker.succeeded(),
            // A call that left before the probe knows nothing that the probe will not know better.
            Lesson::Failing if was_probe || self.breaker.state(now) == State::Closed => {
                self.breaker.failed(now);
            }
            Lesson::Nothing if was_probe => self.breaker.abandoned(),
            Lesson::Failing | Lesson::Nothing => {}
        }
    }
}

#[cfg(test)]
mod tests;
