//! The one clock of a node: the wall's time at the start, and from then on only forward.

use std::pin::Pin;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use agon_proto::Timestamp;
use tokio::time::{Sleep, sleep_until};

/// Turns instants into timestamps. A wall clock that is set back cannot move a deadline.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    wall: Timestamp,
    started: Instant,
}

impl Clock {
    pub fn start() -> Self {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let micros = i64::try_from(wall.as_micros()).unwrap_or(i64::MAX);
        Self { wall: Timestamp::from_micros(micros), started: Instant::now() }
    }

    pub fn now(&self) -> Timestamp {
        self.at(Instant::now())
    }

    pub fn at(&self, instant: Instant) -> Timestamp {
        self.wall + instant.saturating_duration_since(self.started)
    }

    fn instant(&self, at: Timestamp) -> Instant {
        self.started + at.since(self.wall)
    }
}

/// A wait for the time it is set for. Setting it for the same time again costs nothing.
pub(crate) struct Alarm {
    clock: Clock,
    /// Set for nothing, it is not to be waited for.
    pub(crate) due: Option<Timestamp>,
    pub(crate) sleep: Pin<Box<Sleep>>,
}

impl Alarm {
    pub(crate) fn new(clock: Clock) -> Self {
        Self { clock, due: None, sleep: Box::pin(sleep_until(clock.started.into())) }
    }

    pub(crate) fn set_for(&mut self, due: Option<Timestamp>) {
        if let Some(due) = due.filter(|_| self.due != due) {
            self.sleep.as_mut().reset(self.clock.instant(due).into());
        }
        self.due = due;
    }
}
