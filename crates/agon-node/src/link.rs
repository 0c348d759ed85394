//! One peer's outgoing calls: what leaves now, what waits, what is tried again, what is given up.
//!
//! Three lanes share one breaker. A step of a match is tried once, at once, or fails at once; it
//! never waits for anything. Notices leave one at a time and in order; each ends exactly once, as
//! taken, replaced or dropped. Reports are tried until they arrive. An open breaker holds
//! notices and reports back, which costs them no try. The link does no I/O: it returns actions,
//! and whoever carries them out says how they went.

mod calls;
mod notices;
mod reports;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use agon_proto::Timestamp;

use crate::backoff::Backoff;
use crate::breaker::{self, Admission, Breaker, State};
use calls::Lesson;
pub use calls::{Action, Failure, Fault, Lane, Loss, Outcome, Topic};
use notices::Notices;
use reports::Reports;

/// One peer's outgoing calls. There are as many links as players, so an idle one is small.
#[derive(Debug)]
pub struct Link<C> {
    terms: Arc<Terms>,
    breaker: Breaker,
    /// The call whose outcome decides over a half-open breaker.
    probe: Option<u64>,
    /// The steps under way.
    steps: BTreeSet<u64>,
    notices: Notices<C>,
    reports: Reports<C>,
}

/// What holds for every link of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    pub breaker: breaker::Limits,
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
            steps: BTreeSet::new(),
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
            Lane::Step { until, last } => {
                out.push(match self.try_step(call, until, last, now) {
                    Ok(()) => Action::Attempt { call, body, timeout: until.since(now) },
                    Err(why) => Action::Failed { call, why },
                });
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
        if self.steps.remove(&call) {
            self.learn(call, Lesson::of_step(outcome), now);
            if let Outcome::Failed(fault) = outcome {
                out.push(Action::Failed { call, why: Failure::Call(fault) });
            }
        } else if self.notices.in_flight() == Some(call) {
            self.learn(call, Lesson::of_retried(outcome), now);
            self.notices.finished(outcome, now, &self.terms.notice_backoff, out);
        } else if self.reports.finished(call, outcome, now, &self.terms.report_backoff) {
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
        let due = [self.notices.due(), self.reports.due()].into_iter().flatten().min()?;
        Some(self.breaker.shut_until().map_or(due, |until| due.max(until)))
    }

    /// The peer spoke to us, so what an open breaker held back may be tried.
    pub fn heard(&mut self, now: Timestamp, out: &mut Vec<Action<C>>) {
        self.breaker.heard();
        self.go_on(now, out);
    }

    /// Nobody wants this step's answer any more. Its outcome, should it come, is ignored.
    pub fn cancel(&mut self, call: u64) {
        if self.steps.remove(&call) && self.probe.take_if(|probe| *probe == call).is_some() {
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

    fn try_step(
        &mut self,
        call: u64,
        until: Timestamp,
        last: bool,
        now: Timestamp,
    ) -> Result<(), Failure> {
        if until <= now {
            return Err(Failure::Call(Fault::TimedOut));
        }
        let admission = if last { self.breaker.insist(now) } else { self.breaker.admit(now) };
        if !self.leaves(call, admission) {
            return Err(Failure::BreakerOpen);
        }
        self.steps.insert(call);
        Ok(())
    }

    /// Sends what is due, as far as the breaker lets it. Reports come first: a result matters more
    /// than news.
    fn go_on(&mut self, now: Timestamp, out: &mut Vec<Action<C>>) {
        while let Some(call) = self.reports.first_due(now) {
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
