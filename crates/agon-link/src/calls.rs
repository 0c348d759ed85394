//! The words of a link: what is asked of it, what it asks for, how a call can go, and when.

use std::ops::Add;
use std::time::Duration;

/// How a call wants to be treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkLane {
    /// A question with a deadline, tried once, and at once if there is a place. The `last` one
    /// leaves even when the breaker is open, so that no match is lost without a try.
    Step { until: Time, last: bool },
    /// News. It is queued, and replaces news of the same topic that was tried in vain.
    Notice { replaces: Option<&'static str> },
    /// What must arrive. Several may be in flight, and none waits for a notice.
    Report,
    /// What must arrive, one after the other: the next one leaves when this one is taken.
    InOrder,
}

/// What must be done, in order. Each but an attempt has the tag of what it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkAction<B, T> {
    /// Call the peer, and tell `finished` how it went.
    Attempt { call: u64, body: B, timeout: Duration },
    /// The step was not answered, or the report with more than we read. The link does nothing more
    /// about it.
    Failed { tag: T, why: StepFailure },
    /// The peer has it: a notice, or what goes in order.
    Taken { tag: T },
    /// It was tried in vain, or stands behind one that was. It is tried again. Said once.
    Missed { tag: T },
    /// It will not be delivered: worth a log line.
    Dropped { tag: T, why: Loss },
}

/// What went wrong with an attempt. Whatever answer came below 500 has arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallFault {
    /// No whole answer in time.
    TimedOut,
    /// No connection, or an address that may not be called.
    Unreachable,
    /// The connection died before the whole answer was there.
    Broken,
    /// An answer of 500 or above: the peer is there but unwell.
    ServerError,
    /// The peer took the message but answered more than we read.
    Oversized,
    /// It never left: our own host has no port or no file for another connection.
    Exhausted,
}

/// Why a step got no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepFailure {
    /// It never left: the peer failed too often a moment ago.
    BreakerOpen,
    /// It never left in all its time: too many calls were in flight, or our own host had no port
    /// or file for it. The peer knows nothing of it.
    NotSent,
    Call(CallFault),
}

/// Why a notice was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// A newer one of the same topic took its place.
    Replaced,
    /// Too many wait; the oldest one goes.
    QueueFull,
    /// Every try failed, the last one like this.
    GivenUp(CallFault),
}

/// An instant, in microseconds since whatever its user counts from: it knows no calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Time(pub i64);

impl Time {
    /// How long after `earlier` this is; nothing if it is not after it.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}

impl Add<Duration> for Time {
    type Output = Self;

    fn add(self, wait: Duration) -> Self {
        let micros = i64::try_from(wait.as_micros()).unwrap_or(i64::MAX);
        Self(self.0.saturating_add(micros))
    }
}
