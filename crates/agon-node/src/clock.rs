//! The one clock of a node: the wall's time at the start, and from then on only forward.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use agon_proto::Timestamp;

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

    /// Waits until then; for ever if there is nothing to wait for.
    pub(crate) async fn wait_until(&self, due: Option<Timestamp>) {
        match due {
            Some(due) => {
                let instant = self.started + due.since(self.wall);
                tokio::time::sleep_until(instant.into()).await;
            }
            None => std::future::pending().await,
        }
    }
}
