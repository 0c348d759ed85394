//! The lanes of a link: a pool keeps no order among its calls, a queue keeps it strictly.
//!
//! A pool knows those under way, and those that wait; whoever waits leaves in order. A step that
//! leaves at once is never among those that wait: that is nearly every one.
//!
//! A queue has one in flight, and never more than its bound. Only the front one is ever tried.
//! While it waits for its next try the others wait behind it.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use super::{
    Actions, Afterwards, CallFault, LinkAction, LinkSettings, Loss, Outcome, Replaces, Time,
};
use crate::breaker::Breaker;

#[derive(Debug)]
pub(super) struct Pool<E> {
    under_way: Vec<(u64, E)>,
    /// By the time from which they may leave.
    waiting: BTreeMap<(Time, u64), E>,
}

impl<E> Default for Pool<E> {
    fn default() -> Self {
        Self { under_way: Vec::new(), waiting: BTreeMap::new() }
    }
}

impl<E> Pool<E> {
    /// It may leave from `due` on.
    pub(super) fn wait(&mut self, call: u64, entry: E, due: Time) {
        self.waiting.insert((due, call), entry);
    }

    /// When the next one may leave.
    pub(super) fn due(&self) -> Option<Time> {
        self.waiting.first_key_value().map(|((due, _), _)| *due)
    }

    /// The first that may leave now.
    pub(super) fn first_due(&self, now: Time) -> Option<u64> {
        let ((due, call), _) = self.waiting.first_key_value()?;
        (*due <= now).then_some(*call)
    }

    /// The same, which does not wait any more.
    pub(super) fn take_due(&mut self, now: Time) -> Option<(u64, E)> {
        self.first_due(now)?;
        self.waiting.pop_first().map(|((_, call), entry)| (call, entry))
    }

    /// One leaves.
    pub(super) fn leave(&mut self, call: u64, entry: E) {
        self.under_way.push((call, entry));
    }

    pub(super) fn under_way(&self, call: u64) -> Option<&E> {
        self.under_way.iter().find(|(other, _)| *other == call).map(|(_, entry)| entry)
    }

    /// One is not under way any more.
    pub(super) fn come_back(&mut self, call: u64) -> Option<E> {
        let place = self.under_way.iter().position(|(other, _)| *other == call)?;
        let (_, entry) = self.under_way.swap_remove(place);
        if self.under_way.is_empty() {
            // A peer of whom nothing is wanted costs no memory.
            self.under_way = Vec::new();
        }
        Some(entry)
    }

    /// The peer is there: nothing waits for its next try any longer.
    pub(super) fn hurry(&mut self, now: Time) {
        let early = |((due, call), entry): ((Time, u64), E)| ((due.min(now), call), entry);
        self.waiting = std::mem::take(&mut self.waiting).into_iter().map(early).collect();
    }

    pub(super) fn in_flight(&self) -> usize {
        self.under_way.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.under_way.is_empty() && self.waiting.is_empty()
    }
}

/// The steps on one link. Each has its time, and then ends. One that never left ends as not sent:
/// that says nothing about the peer.
#[derive(Debug)]
pub(super) struct Steps<B, T> {
    /// Which of them wait is changed here alone.
    pub(super) pool: Pool<Step<B, T>>,
    /// Those that wait, by the time at which they end; and from when they may leave.
    ending: BTreeMap<(Time, u64), Time>,
}

#[derive(Debug)]
pub(super) struct Step<B, T> {
    pub(super) body: B,
    pub(super) tag: T,
    pub(super) until: Time,
    /// The last ask.
    pub(super) last: bool,
}

impl<B, T> Default for Steps<B, T> {
    fn default() -> Self {
        Self { pool: Pool::default(), ending: BTreeMap::new() }
    }
}

impl<B, T> Steps<B, T> {
    /// It cannot leave, and may from `due` on.
    pub(super) fn wait(&mut self, call: u64, step: Step<B, T>, due: Time) {
        self.ending.insert((step.until, call), due);
        self.pool.wait(call, step, due);
    }

    /// The first that may leave now. It does not wait any more.
    pub(super) fn take_due(&mut self, now: Time) -> Option<(u64, Step<B, T>)> {
        let (call, step) = self.pool.take_due(now)?;
        self.ending.remove(&(step.until, call));
        Some((call, step))
    }

    /// One whose time was up before it left.
    pub(super) fn take_ended(&mut self, now: Time) -> Option<Step<B, T>> {
        self.ends().filter(|until| *until <= now)?;
        let ((_, call), due) = self.ending.pop_first()?;
        self.pool.waiting.remove(&(due, call))
    }

    /// When the time of the next one is up that has not left.
    pub(super) fn ends(&self) -> Option<Time> {
        self.ending.first_key_value().map(|((until, _), _)| *until)
    }
}

#[derive(Debug)]
pub(super) struct Queue<B, T> {
    entries: VecDeque<Entry<B, T>>,
    /// How often the front one was tried in vain.
    failures: u32,
    pub(super) is_in_flight: bool,
    /// When it is to be tried, unless it is in flight. While the queue is empty, it is overdue.
    due: Time,
}

#[derive(Debug)]
pub(super) struct Entry<B, T> {
    pub(super) call: u64,
    pub(super) tag: T,
    pub(super) body: B,
    pub(super) replaces: Option<Replaces>,
    /// It could not leave as soon as it should, and that was said.
    pub(super) missed: bool,
}

impl<B, T> Default for Queue<B, T> {
    fn default() -> Self {
        let (entries, due) = (VecDeque::new(), Time::default());
        Self { entries, failures: 0, is_in_flight: false, due }
    }
}

impl<B: Clone, T: Copy> Queue<B, T> {
    /// Queues one more, and drops what it replaces or what is too much.
    pub(super) fn push(&mut self, entry: Entry<B, T>, entries_max: usize, out: &mut Actions<B, T>) {
        // The front one was tried in vain and waits for its next try.
        let mut failing = self.failures > 0 && !self.is_in_flight;
        let replaces = |old: &Entry<B, T>| old.replaces == entry.replaces;
        if failing && entry.replaces.is_some() && self.entries.front().is_some_and(replaces) {
            self.remove(0, Loss::Replaced, out);
            if matches!(entry.replaces, Some(Replaces::Urgent(..))) {
                (self.due, failing) = (Time::default(), false);
            }
        }
        self.entries.push_back(entry);
        if self.entries.len() > entries_max {
            // The oldest that is not in flight.
            self.remove(usize::from(self.is_in_flight), Loss::QueueFull, out);
        }
        if failing {
            self.miss(out);
        }
    }

    /// Nothing of what waits here can leave now: says so of each, once.
    pub(super) fn miss(&mut self, out: &mut Actions<B, T>) {
        for entry in self.entries.iter_mut().filter(|entry| !entry.missed) {
            entry.missed = true;
            out.push(LinkAction::Missed { tag: entry.tag });
        }
    }

    /// The peer is there: the front one does not wait for its next try any longer.
    pub(super) fn hurry(&mut self, now: Time) {
        self.due = self.due.min(now);
    }

    /// The tag of that call, if it is the one in flight.
    pub(super) fn in_flight(&self, call: u64) -> Option<T> {
        let front = self.entries.front().filter(|front| front.call == call)?;
        self.is_in_flight.then_some(front.tag)
    }

    /// When the front one is to be tried; `None` if there is none or it is in flight.
    pub(super) fn due(&self) -> Option<Time> {
        (!self.is_in_flight && !self.entries.is_empty()).then_some(self.due)
    }

    /// The front one leaves if it is due and the breaker lets it.
    pub(super) fn send(
        &mut self,
        breaker: &mut Breaker,
        timeout: Duration,
        now: Time,
        out: &mut Actions<B, T>,
    ) {
        let is_due = !self.is_in_flight && self.due <= now;
        let Some(front) = self.entries.front().filter(|_| is_due) else { return };
        if !breaker.admit(front.call, now) {
            return self.miss(out);
        }
        out.push(LinkAction::Attempt { call: front.call, body: front.body.clone(), timeout });
        self.is_in_flight = true;
    }

    /// A call came back. If it was the one in flight, it is done with, or waits, or is given up.
    pub(super) fn finished(
        &mut self,
        call: u64,
        outcome: Outcome,
        (settings, afterwards): (&LinkSettings, Afterwards),
        now: Time,
        out: &mut Actions<B, T>,
    ) -> bool {
        let Some(tag) = self.in_flight(call) else { return false };
        (self.is_in_flight, self.due) = (false, now);
        match outcome {
            // The peer has it; what it answered does not matter.
            Ok(()) | Err(CallFault::Oversized) => {
                self.failures = 0;
                self.entries.pop_front();
                out.push(LinkAction::Taken { tag });
            }
            Err(fault) if fault != CallFault::Exhausted && self.is_outdated() => {
                self.remove(0, Loss::Replaced, out);
            }
            Err(fault) => match settings.again(afterwards, self.failures, fault, now) {
                Some((failures, due)) => {
                    (self.failures, self.due) = (failures, due);
                    self.miss(out);
                }
                None => self.remove(0, Loss::GivenUp(fault), out),
            },
        }
        if self.entries.is_empty() {
            // A peer that was told everything costs no memory for its queue.
            self.entries = VecDeque::new();
        }
        true
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether what should take the place of the front one at once waits behind it.
    fn is_outdated(&self) -> bool {
        let front = self.entries.front().and_then(|front| front.replaces);
        let urgent = front.filter(|front| matches!(front, Replaces::Urgent(..)));
        urgent.is_some() && self.entries.iter().skip(1).any(|later| later.replaces == urgent)
    }

    fn remove(&mut self, position: usize, why: Loss, out: &mut Actions<B, T>) {
        if let Some(Entry { tag, .. }) = self.entries.remove(position) {
            out.push(LinkAction::Dropped { tag, why });
        }
        if position == 0 {
            // The next one starts afresh but keeps the wait: dropping news must not hurry a peer
            // that is in trouble.
            self.failures = 0;
        }
    }
}
