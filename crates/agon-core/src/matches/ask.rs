//! One player's half of a step: asked, waiting to be asked again, or settled.

use std::time::Duration;

use agon_proto::Timestamp;

use crate::games::{Failure, Half, Step};

/// One player's half of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ask {
    /// Asked for the `ask`th time; time is up at `until`.
    Open {
        ask: u8,
        until: Timestamp,
    },
    /// Will be asked for the `ask`th time at `until`.
    BackingOff {
        ask: u8,
        until: Timestamp,
    },
    Settled(Half),
}

impl Ask {
    /// What becomes of an ask that came to nothing: another one, or a failure.
    pub(super) fn after(step: &Step, ask: u8, failure: Failure, now: Timestamp) -> Self {
        match step.wait_after(ask).filter(|_| !failure.is_final()) {
            Some(wait) => Self::BackingOff { ask: ask + 1, until: now + wait },
            None => Self::Settled(Err(failure)),
        }
    }

    pub(super) const fn until(&self) -> Option<Timestamp> {
        match self {
            Self::Open { until, .. } | Self::BackingOff { until, .. } => Some(*until),
            Self::Settled(_) => None,
        }
    }

    /// The first answer counts, and only while an ask is open.
    pub(super) fn accepts(&self, now: Timestamp) -> bool {
        matches!(self, Self::Open { until, .. } if now <= *until)
    }

    pub(super) fn is_open(&self, number: u8) -> bool {
        matches!(self, Self::Open { ask, .. } if *ask == number)
    }

    /// The clock stood still for so long.
    pub(super) fn postpone(&mut self, by: Duration) {
        match self {
            Self::Open { until, .. } | Self::BackingOff { until, .. } => *until = *until + by,
            Self::Settled(_) => {}
        }
    }

    /// An open ask has time until then.
    pub(super) fn extend(&mut self, to: Timestamp) {
        if let Self::Open { until, .. } = self {
            *until = to.max(*until);
        }
    }
}

/// When the time for one ask is up. A deadline that is printed is printed in whole seconds.
pub(super) fn deadline(step: &Step, now: Timestamp) -> Timestamp {
    let until = now + step.limit;
    if step.prints_deadline { until.rounded_up() } else { until }
}
