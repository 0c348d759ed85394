//! Calls that keep no order among themselves: those under way, and those that wait.
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
