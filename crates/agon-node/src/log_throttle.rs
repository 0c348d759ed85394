//! Keeps a flood of refusals from becoming a flood of log lines.

use std::time::Duration;

use agon_proto::Timestamp;

/// So many lines are written in each window; the others are only counted.
const LINES_MAX: u32 = 20;
const WINDOW: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
pub(crate) struct LogThrottle {
    until: Option<Timestamp>,
    lines: u32,
    swallowed: u64,
}

impl LogThrottle {
    /// Asks for a line. If it may be written: how many were left out since the last one.
    pub(crate) fn line(&mut self, now: Timestamp) -> Option<u64> {
        if self.until.is_none_or(|until| until <= now) {
            self.until = Some(now + WINDOW);
            self.lines = 0;
        }
        if self.lines >= LINES_MAX {
            self.swallowed += 1;
            return None;
        }
        self.lines += 1;
        Some(std::mem::take(&mut self.swallowed))
    }
}

#[cfg(test)]
mod tests;
