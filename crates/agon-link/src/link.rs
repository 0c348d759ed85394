//! One peer's outgoing calls: what leaves now, what waits, what is tried again, what is given up.
//!
//! Four lanes share one breaker. A step of a match is tried once, at once, or fails at once.
//! Notices leave one at a time and in order; each ends exactly once, as taken, replaced or dropped.
//! Reports are tried until they arrive, and so is what goes in order, one after the other. What was
//! answered with more than we read has arrived. An open breaker holds all but steps back, which
//! costs them no try. The link does no I/O: it returns actions, and whoever carries them out says
//! how they went.
//!
//! Only so many calls are in flight at a time, of which one place is for notices. The others wait
//! in order beyond that. What did not leave because our own host had no port or file for it
//! was no try: it leaves again a little later, a step as long as it has time.

mod lanes;

use std::ops::Add;
use std::sync::Arc;
use std::time::Duration;

use crate::breaker::{Breaker, BreakerLimits, Lesson};
use lanes::{Entry, Pool, Queue, Step, Steps};

/// One peer's outgoing calls. There are as many links as players, so an idle one is small.
#[derive(Debug)]
pub struct Link<B, T> {
    settings: Arc<LinkSettings>,
    breaker: Breaker,
    steps: Steps<B, T>,
    notices: Queue<B, T>,
    reports: Pool<Report<B, T>>,
    /// Most peers are never sent anything in order.
    in_order: Option<Box<Queue<B, T>>>,
}

/// What holds for every link of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkSettings {
    pub breaker: BreakerLimits,
    /// So many calls to one peer are in flight at a time; at least two, one of them for a notice.
    pub in_flight_max: usize,
    /// What our own host could not send is tried again after so long.
    pub shortage_pause: Duration,
    pub notice_timeout: Duration,
    /// Of the notices on one link, so many are kept, counting the one in flight.
    pub notices_max: usize,
    /// For a try of a report, and of what goes in order.
    pub report_timeout: Duration,
    /// The waits between the tries of one call. After the last one a notice is given up; whatever
    /// else is tried again goes on with that one for ever. Without any there is no second try.
    pub waits: Vec<Duration>,
}

/// What becomes of a call after the last wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Afterwards {
    GiveUp,
    GoOn,
}

impl LinkSettings {
    /// When what did not arrive is tried again, and how often it has failed by then. `None`: it is
    /// given up.
    fn again(
        &self,
        afterwards: Afterwards,
        failures: u32,
        fault: CallFault,
        now: Time,
    ) -> Option<(u32, Time)> {
        if fault == CallFault::Exhausted {
            return Some((failures, now + self.shortage_pause));
        }
        let last = self.waits.last().filter(|_| afterwards == Afterwards::GoOn);
        let wait = self.waits.get(failures as usize).or(last)?;
        Some((failures.saturating_add(1), now + *wait))
    }
}

/// What must arrive, whatever the others do.
#[derive(Debug)]
struct Report<B, T> {
    body: B,
    tag: T,
    failures: u32,
}

impl<B: Clone, T: Copy> Link<B, T> {
    /// A link to a peer of which nothing is known yet.
    pub fn new(settings: Arc<LinkSettings>) -> Self {
        Self {
            breaker: Breaker::new(settings.breaker),
            settings,
            steps: Steps::default(),
            notices: Queue::default(),
            reports: Pool::default(),
            in_order: None,
        }
    }

    /// Takes a call over. `call` is the caller's number for it, used once on this link; the tag
    /// comes back with whatever is said about it.
    pub fn submit(
        &mut self,
        (call, tag): (u64, T),
        lane: LinkLane,
        body: B,
        now: Time,
        out: &mut Actions<B, T>,
    ) {
        match lane {
            LinkLane::Step { until, .. } if until <= now => {
                let why = StepFailure::Call(CallFault::TimedOut);
                return out.push(LinkAction::Failed { tag, why });
            }
            LinkLane::Step { until, last } => {
                let step = Step { body, tag, until, last };
                if self.has_room() && self.steps.pool.due().is_none() {
                    return self.send_step(call, step, now, out);
                }
                self.steps.wait(call, step, now);
                return self.send_steps(now, out);
            }
            LinkLane::Notice { replaces } => {
                let notice = Entry { call, tag, body, replaces, missed: false };
                self.notices.push(notice, self.settings.notices_max, out);
            }
            LinkLane::Report => self.reports.wait(call, Report { body, tag, failures: 0 }, now),
            LinkLane::InOrder => {
                let entry = Entry { call, tag, body, replaces: None, missed: false };
                self.in_order.get_or_insert_default().push(entry, usize::MAX, out);
            }
        }
        self.tick(now, out);
    }

    /// Hears how an attempt went. An attempt that is unknown is ignored.
    pub fn finished(&mut self, call: u64, outcome: Outcome, now: Time, out: &mut Actions<B, T>) {
        let settings = &*self.settings;
        let failed = |tag, fault| LinkAction::Failed { tag, why: StepFailure::Call(fault) };
        let lesson = if let Some(step) = self.steps.pool.come_back(call) {
            match outcome {
                Err(CallFault::Exhausted) => {
                    self.steps.wait(call, step, now + settings.shortage_pause);
                }
                Err(fault) => out.push(failed(step.tag, fault)),
                Ok(()) => {}
            }
            Lesson::of_step(outcome)
        } else if let Some(report) = self.reports.come_back(call) {
            match outcome {
                Ok(()) => {}
                Err(fault @ CallFault::Oversized) => out.push(failed(report.tag, fault)),
                Err(fault) => {
                    let again = settings.again(Afterwards::GoOn, report.failures, fault, now);
                    if let Some((failures, due)) = again {
                        self.reports.wait(call, Report { failures, ..report }, due);
                    }
                }
            }
            Lesson::of_retried(outcome)
        } else {
            let by = |afterwards| (settings, afterwards);
            let is_ours = self.notices.finished(call, outcome, by(Afterwards::GiveUp), now, out)
                || self.in_order.as_mut().is_some_and(|queue| {
                    queue.finished(call, outcome, by(Afterwards::GoOn), now, out)
                });
            if !is_ours {
                return;
            }
            Lesson::of_retried(outcome)
        };
        self.breaker.learn(call, lesson, now);
        self.tick(now, out);
    }

    /// What was said of a call that is in flight.
    pub fn tag(&self, call: u64) -> Option<T> {
        let step = || self.steps.pool.under_way(call).map(|step| step.tag);
        let report = || self.reports.under_way(call).map(|report| report.tag);
        let in_order = || self.in_order.as_ref()?.in_flight(call);
        step().or_else(|| self.notices.in_flight(call)).or_else(report).or_else(in_order)
    }

    /// When `tick` is due next, if nothing else happens.
    pub fn deadline(&self) -> Option<Time> {
        let room = self.has_room();
        let in_order = self.in_order.as_ref().and_then(|queue| queue.due());
        let placed = [self.reports.due(), in_order].into_iter().flatten().min();
        let held = [self.notices.due(), placed.filter(|_| room)].into_iter().flatten().min();
        let shut = self.breaker.shut_until();
        let held = held.map(|due| shut.map_or(due, |until| due.max(until)));
        let steps = self.steps.pool.due().filter(|_| room);
        [held, steps, self.steps.ends()].into_iter().flatten().min()
    }

    /// The peer spoke to us, so what was held back may be tried.
    pub fn heard(&mut self, now: Time, out: &mut Actions<B, T>) {
        self.breaker.heard();
        self.reports.hurry(now);
        self.notices.hurry(now);
        if let Some(queue) = &mut self.in_order {
            queue.hurry(now);
        }
        self.tick(now, out);
    }

    /// Whether the peer keeps failing, and is left alone for now.
    pub fn is_given_up_on(&self) -> bool {
        self.breaker.is_open()
    }

    /// Nothing is under way and nothing waits.
    pub fn is_idle(&self) -> bool {
        let in_order = self.in_order.as_ref().is_none_or(|queue| queue.is_empty());
        in_order && self.steps.pool.is_empty() && self.notices.is_empty() && self.reports.is_empty()
    }

    /// Whether anything but a notice may leave: one place is the notices'.
    fn has_room(&self) -> bool {
        let in_order = self.in_order.as_ref().is_some_and(|queue| queue.is_in_flight);
        let taken = self.steps.pool.in_flight() + self.reports.in_flight() + usize::from(in_order);
        taken + 1 < self.settings.in_flight_max
    }

    /// Sends what is due, as far as the breaker and the places let it. Steps come first, because
    /// they have an end, then what must arrive: a result matters more than news.
    pub fn tick(&mut self, now: Time, out: &mut Actions<B, T>) {
        self.send_steps(now, out);
        self.send_reports(now, out);
        if self.has_room()
            && let Some(queue) = &mut self.in_order
        {
            queue.send(&mut self.breaker, self.settings.report_timeout, now, out);
        }
        self.notices.send(&mut self.breaker, self.settings.notice_timeout, now, out);
    }

    fn send_steps(&mut self, now: Time, out: &mut Actions<B, T>) {
        while let Some(step) = self.steps.take_ended(now) {
            out.push(LinkAction::Failed { tag: step.tag, why: StepFailure::NotSent });
        }
        while self.has_room()
            && let Some((call, step)) = self.steps.take_due(now)
        {
            self.send_step(call, step, now, out);
        }
    }

    fn send_step(&mut self, call: u64, step: Step<B, T>, now: Time, out: &mut Actions<B, T>) {
        if step.last {
            self.breaker.insist(call, now);
        } else if !self.breaker.admit(call, now) {
            return out.push(LinkAction::Failed { tag: step.tag, why: StepFailure::BreakerOpen });
        }
        out.push(LinkAction::Attempt {
            call,
            body: step.body.clone(),
            timeout: step.until.since(now),
        });
        self.steps.pool.leave(call, step);
    }

    fn send_reports(&mut self, now: Time, out: &mut Actions<B, T>) {
        while self.has_room()
            && let Some(call) = self.reports.first_due(now)
        {
            if !self.breaker.admit(call, now) {
                return self.notices.miss(out);
            }
            if let Some((call, report)) = self.reports.take_due(now) {
                let timeout = self.settings.report_timeout;
                out.push(LinkAction::Attempt { call, body: report.body.clone(), timeout });
                self.reports.leave(call, report);
            }
        }
    }
}

/// What of an older notice goes for a newer one, once it was tried in vain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replaces {
    /// One on the same topic. The newer one keeps its wait: it must not hurry a peer in trouble.
    Topic(&'static str),
    /// One about the same thing. The newer one leaves at once, because it has its time.
    Urgent(u32, u32),
}

/// How a call wants to be treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkLane {
    /// A question with a deadline, tried once, and at once if there is a place. The `last` one
    /// leaves even when the breaker is open, so that no match is lost without a try.
    Step { until: Time, last: bool },
    /// News. It is queued, and replaces news of the same topic that was tried in vain.
    Notice { replaces: Option<Replaces> },
    /// What must arrive. Several may be in flight, and none waits for a notice.
    Report,
    /// What must arrive, one after the other: the next one leaves when this one is taken.
    InOrder,
}

impl LinkLane {
    /// News of which only the newest counts.
    pub const fn newest(topic: &'static str) -> Self {
        Self::Notice { replaces: Some(Replaces::Topic(topic)) }
    }

    /// News about that, which has its time.
    pub const fn urgent(about: (u32, u32)) -> Self {
        Self::Notice { replaces: Some(Replaces::Urgent(about.0, about.1)) }
    }
}

/// What must be done, in order. Each but an attempt has the tag of what it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkAction<B, T> {
    /// Call the peer, and tell `finished` how it went.
    Attempt { call: u64, body: B, timeout: Duration },
    /// The step was not answered, or the report with more than we read. The link does nothing more
    /// about it.
    Failed { tag: T, why: StepFailure },
    /// The peer has it: a notice, or what goes in order.
    Taken { tag: T },
    /// It was tried in vain, or stands behind one that was. It is tried again. Said once.
    Missed { tag: T },
    /// It will not be delivered: worth a log line.
    Dropped { tag: T, why: Loss },
}

/// What a link asks for.
type Actions<B, T> = Vec<LinkAction<B, T>>;

/// How an attempt went.
pub(crate) type Outcome = Result<(), CallFault>;

/// What went wrong with an attempt. Whatever answer came below 500 has arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallFault {
    /// No whole answer in time.
    TimedOut,
    /// No connection, or an address that may not be called.
    Unreachable,
    /// The connection died before the whole answer was there.
    Broken,
    /// An answer of 500 or above: the peer is there but unwell.
    ServerError,
    /// The peer took the message but answered more than we read.
    Oversized,
    /// It never left: our own host has no port or no file for another connection.
    Exhausted,
}

/// Why a step got no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepFailure {
    /// It never left: the peer failed too often a moment ago.
    BreakerOpen,
    /// It never left in all its time: too many calls were in flight, or our own host had no port
    /// or file for it. The peer knows nothing of it.
    NotSent,
    Call(CallFault),
}

/// Why a notice was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// A newer one of the same topic took its place.
    Replaced,
    /// Too many wait; the oldest one goes.
    QueueFull,
    /// Every try failed, the last one like this.
    GivenUp(CallFault),
}

/// An instant, in microseconds since whatever its user counts from: it knows no calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Time(pub i64);

impl Time {
    /// How long after `earlier` this is; nothing if it is not after it.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}

impl Add<Duration> for Time {
    type Output = Self;

    fn add(self, wait: Duration) -> Self {
        let micros = i64::try_from(wait.as_micros()).unwrap_or(i64::MAX);
        Self(self.0.saturating_add(micros))
    }
}

#[cfg(test)]
mod tests;
