//! The steps on one link: under way, or waiting for a place. Each has its time, and then ends.
//!
//! Whoever waits leaves in order. A step that never left ends as not sent: that says nothing about
//! the peer.

use std::collections::BTreeMap;

use super::pool::Pool;
use crate::time::Time;

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
