//! How long to wait before trying again: a list of waits, and what comes after the last.
//!
//! The caller counts its failures. The list is shared by all that follow it and never changes.

use std::time::Duration;

/// The waits between the tries of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backoff {
    waits: Vec<Duration>,
    /// After the last wait: that one again and again, instead of giving up.
    repeats_last: bool,
}

impl Backoff {
    /// One more try after each wait, and then no more.
    pub fn then_give_up(waits: Vec<Duration>) -> Self {
        Self { waits, repeats_last: false }
    }

    /// One more try after each wait, and then one after the last wait for ever. An empty list has
    /// no last wait, so it allows no further try at all.
    pub fn then_repeat(waits: Vec<Duration>) -> Self {
        Self { waits, repeats_last: true }
    }

    /// How long to wait after the `failures`th failure, counted from one. `None` means: give up.
    pub fn wait(&self, failures: u32) -> Option<Duration> {
        let position = usize::try_from(failures.saturating_sub(1)).unwrap_or(usize::MAX);
        let last = self.waits.last().filter(|_| self.repeats_last);
        self.waits.get(position).or(last).copied()
    }
}

#[cfg(test)]
mod tests;
