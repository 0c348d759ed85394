//! How often a child that fails is started again at once, and how long it rests after that.

use std::time::Duration;

#[derive(Debug, Clone)]
pub(crate) struct Patience {
    /// So many failures in a row are each followed by a fresh start without a wait.
    pub(crate) restarts: u32,
    /// The wait before the start after that; it doubles with every further failure.
    pub(crate) pause: Duration,
    /// The longest wait before a start.
    pub(crate) pause_max: Duration,
}

impl Patience {
    /// How long to wait before the next start after so many failures in a row.
    pub(super) fn pause_after(&self, failures: u32) -> Duration {
        match failures.saturating_sub(self.restarts) {
            0 => Duration::ZERO,
            beyond => {
                let factor = 2_u32.saturating_pow(beyond - 1);
                self.pause.saturating_mul(factor).min(self.pause_max)
            }
        }
    }
}

#[cfg(test)]
mod tests;
