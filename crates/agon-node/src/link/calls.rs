//! The words of a link: what is asked of it, what it asks for, and how a call can go.

use std::time::Duration;

use agon_proto::Timestamp;

/// How a call wants to be treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// A question with a deadline, tried once, and at once if there is a place. The `last` one
    /// leaves even when the breaker is open, so that no match is lost without a try.
    Step { until: Timestamp, last: bool },
    /// News. It is queued, and replaces news of the same topic that was tried in vain.
    Notice { replaces: Option<Topic> },
    /// What must arrive. Several may be in flight, and none waits for a notice.
    Report,
}

/// What a notice is about, for those of which only the newest matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Topic(pub &'static str);

/// What must be done, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action<C> {
    /// Call the peer, and tell `finished` how it went.
    Attempt { call: u64, body: C, timeout: Duration },
    /// The step was not answered, and the link does nothing more about it.
    Failed { call: u64, why: Failure },
    /// The peer has the notice.
    Taken { call: u64 },
    /// The notice was tried in vain, or stands behind one that was. It is tried again. Said once.
    Missed { call: u64 },
    /// The notice will not be delivered: worth a log line.
    Dropped { call: u64, why: Loss },
}

/// How an attempt went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The peer gave a well-formed HTTP answer below 500, whatever it says.
    Delivered,
    Failed(Fault),
}

/// What went wrong with an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
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
pub enum Failure {
    /// It never left: the peer failed too often a moment ago.
    BreakerOpen,
    /// It never left in all its time: too many calls were in flight, or our own host had no port
    /// or file for it. The peer knows nothing of it.
    NotSent,
    Call(Fault),
}

/// Why a notice was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// A newer one of the same topic took its place.
    Replaced,
    /// Too many wait; the oldest one goes.
    QueueFull,
    /// Every try failed, the last one like this.
    GivenUp(Fault),
}

/// What an attempt teaches about the peer.
pub(super) enum Lesson {
    Well,
    Failing,
    Nothing,
}

impl Lesson {
    /// A step that timed out may be a player that thinks, which is no failure of the endpoint.
    pub(super) fn of_step(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Failed(Fault::TimedOut) => Self::Nothing,
            Outcome::Delivered | Outcome::Failed(_) => Self::of_retried(outcome),
        }
    }

    /// Nobody needs to think about a notice or a report, so a timeout counts.
    pub(super) fn of_retried(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Delivered | Outcome::Failed(Fault::Oversized) => Self::Well,
            Outcome::Failed(Fault::Exhausted) => Self::Nothing,
            Outcome::Failed(
                Fault::TimedOut | Fault::Unreachable | Fault::Broken | Fault::ServerError,
            ) => Self::Failing,
        }
    }
}
