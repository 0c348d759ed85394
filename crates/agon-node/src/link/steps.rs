//! The steps on one link: under way, or waiting for a place. Each has its time, and then ends.
//!
//! Whoever waits leaves in order. A step that never left ends as not sent: that says nothing about
//! the peer.

use std::collections::{BTreeMap, BTreeSet};

use agon_proto::Timestamp;

#[derive(Debug)]
pub(super) struct Steps<C> {
    calls: BTreeMap<u64, Step<C>>,
    /// Those that are not in flight, by the time from which they may leave.
    waiting: BTreeSet<(Timestamp, u64)>,
    /// The same, by the time at which they end.
    ending: BTreeSet<(Timestamp, u64)>,
}

#[derive(Debug)]
pub(super) struct Step<C> {
    pub(super) body: C,
    pub(super) until: Timestamp,
    pub(super) last: bool,
    /// From when it may leave; `None` while it is in flight.
    due: Option<Timestamp>,
}

impl<C> Default for Steps<C> {
    fn default() -> Self {
        let (waiting, ending) = (BTreeSet::new(), BTreeSet::new());
        Self { calls: BTreeMap::new(), waiting, ending }
    }
}

impl<C: Clone> Steps<C> {
    /// Takes a step over. It waits until it leaves.
    pub(super) fn push(
        &mut self,
        call: u64,
        body: C,
        (until, last): (Timestamp, bool),
        now: Timestamp,
    ) {
        self.calls.insert(call, Step { body, until, last, due: None });
        self.wait(call, now);
    }

    /// It could not leave, and may from `due` on. Says whether it is there to wait.
    pub(super) fn wait(&mut self, call: u64, due: Timestamp) -> bool {
        let Some(step) = self.calls.get_mut(&call) else {
            return false;
        };
        step.due = Some(due);
        self.waiting.insert((due, call));
        self.ending.insert((step.until, call));
        true
    }

    /// The first that may leave now, and whether it is the last ask.
    pub(super) fn first_due(&self, now: Timestamp) -> Option<(u64, bool)> {
        let (_, call) = self.waiting.first().filter(|(due, _)| *due <= now)?;
        self.calls.get(call).map(|step| (*call, step.last))
    }

    /// One leaves: its body, and its end.
    pub(super) fn leave(&mut self, call: u64) -> Option<(C, Timestamp)> {
        self.stop_waiting(call);
        self.calls.get(&call).map(|step| (step.body.clone(), step.until))
    }

    /// One whose time was up before it left.
    pub(super) fn take_ended(&mut self, now: Timestamp) -> Option<u64> {
        let (_, call) = self.ending.first().copied().filter(|(until, _)| *until <= now)?;
        self.remove(call);
        Some(call)
    }

    /// Whether it is under way.
    pub(super) fn is_in_flight(&self, call: u64) -> bool {
        self.calls.get(&call).is_some_and(|step| step.due.is_none())
    }

    /// Forgets one. Says whether it was under way.
    pub(super) fn remove(&mut self, call: u64) -> bool {
        let in_flight = self.is_in_flight(call);
        self.stop_waiting(call);
        self.calls.remove(&call);
        in_flight
    }

    pub(super) fn in_flight(&self) -> usize {
        self.calls.len() - self.waiting.len()
    }

    /// When the next one may leave.
    pub(super) fn due(&self) -> Option<Timestamp> {
        self.waiting.first().map(|(due, _)| *due)
    }

    /// When the time of the next one is up that has not left.
    pub(super) fn ends(&self) -> Option<Timestamp> {
        self.ending.first().map(|(until, _)| *until)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    fn stop_waiting(&mut self, call: u64) {
        if let Some(step) = self.calls.get_mut(&call)
            && let Some(due) = step.due.take()
        {
            self.waiting.remove(&(due, call));
            self.ending.remove(&(step.until, call));
        }
    }
}
