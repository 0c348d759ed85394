//! The circuit breaker of one endpoint: a peer that keeps failing is left alone for a while.
//!
//! CLOSED lets every call through. `failures_max` failures in a row make it OPEN: calls fail fast
//! for `open_for`. Then it is HALF_OPEN and lets one probe through, whose outcome decides. A peer
//! that speaks to us is alive, so hearing from it ends OPEN early. Slow thinking is no failure, and
//! a probe whose outcome never comes is given up after `open_for`, so nothing stays shut for ever.

use std::time::Duration;

use crate::time::Time;

/// The breaker of one endpoint.
#[derive(Debug, Clone)]
pub(crate) struct Breaker {
    limits: BreakerLimits,
    phase: Phase,
}

/// When a breaker opens, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BreakerLimits {
    /// So many failures in a row open the breaker.
    pub failures_max: u32,
    /// How long an open breaker fails fast, and how long the outcome of a probe is waited for.
    pub open_for: Duration,
}

/// Where the breaker stands, as the specification spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BreakerState {
    Closed,
    Open,
    HalfOpen,
}

/// Whether a call may leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Admission {
    /// It may.
    Go,
    /// It may, and its outcome decides whether others may.
    Probe,
    /// It may not: the peer failed too often a moment ago.
    FailFast,
}

/// The phase owns what has a meaning in it. OPEN turns into HALF_OPEN by the clock alone, so a
/// phase is always read together with the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Closed { failures: u32 },
    Open { until: Time },
    HalfOpen,
    Probing { until: Time },
}

impl Breaker {
    /// A breaker that trusts its peer.
    pub(crate) fn new(limits: BreakerLimits) -> Self {
        Self { limits, phase: Phase::Closed { failures: 0 } }
    }

    /// Asks whether a call may leave now. `Probe` takes the only probe there is.
    #[must_use]
    pub(crate) fn admit(&mut self, now: Time) -> Admission {
        match self.phase {
            Phase::Closed { .. } => Admission::Go,
            Phase::Open { until } | Phase::Probing { until } if now < until => Admission::FailFast,
            Phase::Open { .. } | Phase::Probing { .. } | Phase::HalfOpen => self.probe(now),
        }
    }

    /// Like `admit`, for a call that leaves in any case: it is the probe, unless one is under way.
    #[must_use]
    pub(crate) fn insist(&mut self, now: Time) -> Admission {
        match self.phase {
            Phase::Closed { .. } => Admission::Go,
            Phase::Probing { until } if now < until => Admission::Go,
            Phase::Open { .. } | Phase::Probing { .. } | Phase::HalfOpen => self.probe(now),
        }
    }

    /// A call reached the peer. Whichever call it was, the peer is well.
    pub(crate) fn succeeded(&mut self) {
        self.phase = Phase::Closed { failures: 0 };
    }

    /// A call failed. Outside CLOSED only the probe's failure is news: the others left earlier.
    pub(crate) fn failed(&mut self, now: Time) {
        match self.phase {
            Phase::Closed { failures } => {
                let failures = failures.saturating_add(1);
                self.phase = if failures < self.limits.failures_max {
                    Phase::Closed { failures }
                } else {
                    Phase::Open { until: now + self.limits.open_for }
                };
            }
            Phase::Probing { .. } => {
                self.phase = Phase::Open { until: now + self.limits.open_for };
            }
            Phase::Open { .. } | Phase::HalfOpen => {}
        }
    }

    /// The probe ended and taught nothing: it never left, or the peer is merely slow.
    pub(crate) fn abandoned(&mut self) {
        match self.phase {
            Phase::Probing { .. } => self.phase = Phase::HalfOpen,
            Phase::Closed { .. } | Phase::Open { .. } | Phase::HalfOpen => {}
        }
    }

    /// The peer spoke to us, so it is worth a probe before the time is up.
    pub(crate) fn heard(&mut self) {
        match self.phase {
            Phase::Open { .. } => self.phase = Phase::HalfOpen,
            Phase::Closed { .. } | Phase::HalfOpen | Phase::Probing { .. } => {}
        }
    }

    /// Where the breaker stands now.
    pub(crate) fn state(&self, now: Time) -> BreakerState {
        match self.phase {
            Phase::Closed { .. } => BreakerState::Closed,
            Phase::Open { until } if now < until => BreakerState::Open,
            Phase::Open { .. } | Phase::HalfOpen | Phase::Probing { .. } => BreakerState::HalfOpen,
        }
    }

    /// Until when `admit` fails fast if nothing else happens; `None` if it lets a call through.
    pub(crate) fn shut_until(&self) -> Option<Time> {
        match self.phase {
            Phase::Open { until } | Phase::Probing { until } => Some(until),
            Phase::Closed { .. } | Phase::HalfOpen => None,
        }
    }

    fn probe(&mut self, now: Time) -> Admission {
        self.phase = Phase::Probing { until: now + self.limits.open_for };
        Admission::Probe
    }
}

#[cfg(test)]
mod tests;
