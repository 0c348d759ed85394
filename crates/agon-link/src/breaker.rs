//! When a peer is left alone, and for how long.
//!
//! The circuit breaker of one endpoint: CLOSED lets every call through. `failures_max` failures in
//! a row make it OPEN: calls fail fast for `open_for`. Then it is HALF_OPEN and lets one probe
//! through, whose outcome decides. A peer that speaks to us is alive, so hearing from it ends OPEN
//! early. Slow thinking is no failure, and a probe whose outcome never comes is given up after
//! `open_for`, so nothing stays shut for ever.

use std::time::Duration;

use crate::link::{CallFault, Outcome, Time};

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

/// The phase owns what has a meaning in it. OPEN turns into HALF_OPEN by the clock alone, so a
/// phase is always read together with the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Closed { failures: u32 },
    Open { until: Time },
    HalfOpen,
    Probing { call: u64, until: Time },
}

impl Breaker {
    /// A breaker that trusts its peer.
    pub(crate) fn new(limits: BreakerLimits) -> Self {
        Self { limits, phase: Phase::Closed { failures: 0 } }
    }

    /// Whether nothing leaves before a probe has come through.
    pub(crate) const fn is_open(&self) -> bool {
        !matches!(self.phase, Phase::Closed { .. })
    }

    /// Whether that call may leave now. It may be the only probe there is.
    #[must_use]
    pub(crate) fn admit(&mut self, call: u64, now: Time) -> bool {
        match self.phase {
            Phase::Closed { .. } => true,
            Phase::Open { until } | Phase::Probing { until, .. } if now < until => false,
            Phase::Open { .. } | Phase::Probing { .. } | Phase::HalfOpen => {
                self.probe(call, now);
                true
            }
        }
    }

    /// Like `admit`, for a call that leaves in any case: it is the probe, unless one is under way.
    pub(crate) fn insist(&mut self, call: u64, now: Time) {
        if !self.admit(call, now) && matches!(self.phase, Phase::Open { .. }) {
            self.probe(call, now);
        }
    }

    /// A call is over. If it reached the peer, then the peer is well, whichever call it was.
    /// Outside CLOSED only the probe's failure is news: the others left earlier and know nothing
    /// that the probe will not know better.
    pub(crate) fn learn(&mut self, call: u64, lesson: Lesson, now: Time) {
        let is_probe = matches!(self.phase, Phase::Probing { call: probe, .. } if probe == call);
        self.phase = match (lesson, self.phase) {
            (Lesson::Well, _) => Phase::Closed { failures: 0 },
            (Lesson::Failing, Phase::Closed { failures })
                if failures.saturating_add(1) < self.limits.failures_max =>
            {
                Phase::Closed { failures: failures + 1 }
            }
            (Lesson::Failing, Phase::Closed { .. }) => self.open(now),
            (Lesson::Failing, Phase::Probing { .. }) if is_probe => self.open(now),
            (Lesson::Nothing, Phase::Probing { .. }) if is_probe => Phase::HalfOpen,
            (Lesson::Failing | Lesson::Nothing, phase) => phase,
        };
    }

    /// The peer spoke to us, so it is worth a probe before the time is up.
    pub(crate) fn heard(&mut self) {
        if let Phase::Open { .. } = self.phase {
            self.phase = Phase::HalfOpen;
        }
    }

    /// Until when `admit` fails fast if nothing else happens; `None` if it lets a call through.
    pub(crate) fn shut_until(&self) -> Option<Time> {
        match self.phase {
            Phase::Open { until } | Phase::Probing { until, .. } => Some(until),
            Phase::Closed { .. } | Phase::HalfOpen => None,
        }
    }

    fn open(&self, now: Time) -> Phase {
        Phase::Open { until: now + self.limits.open_for }
    }

    fn probe(&mut self, call: u64, now: Time) {
        self.phase = Phase::Probing { call, until: now + self.limits.open_for };
    }
}

/// What an attempt teaches about the peer.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Lesson {
    Well,
    Failing,
    Nothing,
}

impl Lesson {
    /// A step that timed out may be a player that thinks, which is no failure of the endpoint.
    pub(crate) fn of_step(outcome: Outcome) -> Self {
        if outcome == Err(CallFault::TimedOut) { Self::Nothing } else { Self::of_retried(outcome) }
    }

    /// Nobody needs to think about a notice or a report, so a timeout counts.
    pub(crate) fn of_retried(outcome: Outcome) -> Self {
        match outcome {
            Ok(()) | Err(CallFault::Oversized) => Self::Well,
            Err(CallFault::Exhausted) => Self::Nothing,
            Err(
                CallFault::TimedOut
                | CallFault::Unreachable
                | CallFault::Broken
                | CallFault::ServerError,
            ) => Self::Failing,
        }
    }
}

#[cfg(test)]
mod tests;
