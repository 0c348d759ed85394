//! How fast mails may go out: a pause between two of them, and so many in any 24 hours.
//!
//! A pure machine, with the time as an argument. What was sent before a restart is not remembered.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// A provider that blocks an account does so for a day: a fifth before that, somebody is told.
const LOW_PERCENT: usize = 80;

/// The rules of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MailPace {
    /// From the beginning of one mail to the beginning of the next.
    pub spacing: Duration,
    /// So many in any 24 hours.
    pub per_day: usize,
}

/// Whether the next mail may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MailTurn {
    /// Now; it is counted. With it four fifths of the day's mails are gone, if `left` is there.
    Go { left: Option<usize> },
    /// After this time, ask again.
    Wait(Duration),
    /// There are no more today; after this time there is one.
    Spent(Duration),
}

/// Keeps a pace.
#[derive(Debug)]
pub(super) struct MailPacer {
    pace: MailPace,
    /// When the mails of the last 24 hours went out, oldest first.
    sent: VecDeque<Instant>,
}

impl MailPacer {
    pub(super) fn new(pace: MailPace) -> Self {
        Self { pace, sent: VecDeque::new() }
    }

    /// Asks for a turn.
    pub(super) fn take(&mut self, now: Instant) -> MailTurn {
        while self.sent.front().is_some_and(|&at| now.saturating_duration_since(at) >= DAY) {
            self.sent.pop_front();
        }
        if self.sent.len() >= self.pace.per_day {
            let until = self.sent.front().map_or(now, |&oldest| oldest) + DAY;
            return MailTurn::Spent(until.saturating_duration_since(now));
        }
        if let Some(&last) = self.sent.back() {
            let wait = (last + self.pace.spacing).saturating_duration_since(now);
            if !wait.is_zero() {
                return MailTurn::Wait(wait);
            }
        }
        self.sent.push_back(now);
        let low = self.sent.len() == (self.pace.per_day.saturating_mul(LOW_PERCENT) / 100).max(1);
        MailTurn::Go { left: low.then(|| self.pace.per_day - self.sent.len()) }
    }
}

#[cfg(test)]
mod tests;
