//! Calls that keep no order among themselves: those under way, and those that wait. Whoever waits
//! leaves in order.
//!
//! A call that leaves at once is never among those that wait: that is nearly every one.

use std::collections::BTreeMap;

use crate::time::Time;

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
        self.due().filter(|due| *due <= now)?;
        self.waiting.pop_first().map(|((_, call), entry)| (call, entry))
    }

    /// One of those that wait.
    pub(super) fn take(&mut self, call: u64, due: Time) -> Option<E> {
        self.waiting.remove(&(due, call))
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

    pub(super) fn none_waits(&self) -> bool {
        self.waiting.is_empty()
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
        self.pool.take(call, due)
    }

    /// When the time of the next one is up that has not left.
    pub(super) fn ends(&self) -> Option<Time> {
        self.ending.first_key_value().map(|((until, _), _)| *until)
    }
}
