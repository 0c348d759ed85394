//! Virtual time, and everything that is going to happen in it.
//!
//! There is one queue, ordered by time and then by who asked first. Nothing else decides what comes
//! next, so the same seed always plays the same season.

use std::collections::BTreeMap;
use std::time::Duration;

use agon_proto::Timestamp;

pub(crate) struct Agenda<H> {
    pub(crate) now: Timestamp,
    queue: BTreeMap<(Timestamp, u64), H>,
    /// How much was ever planned.
    pub(crate) planned: u64,
}

impl<H> Agenda<H> {
    pub(crate) const fn new(now: Timestamp) -> Self {
        Self { now, queue: BTreeMap::new(), planned: 0 }
    }

    pub(crate) fn after(&mut self, wait: Duration, happening: H) {
        self.planned += 1;
        self.queue.insert((self.now + wait, self.planned), happening);
    }

    /// Time passes until the next thing happens.
    pub(crate) fn next(&mut self) -> Option<H> {
        let ((at, _), happening) = self.queue.pop_first()?;
        self.now = at;
        Some(happening)
    }
}
