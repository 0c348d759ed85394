//! One player's own way through a match: the question before it, and what became of the last one.

use std::time::Duration;

use agon_proto::message::Cause;
use agon_proto::{Objection, Payload, Timestamp, micros};
use serde::{Deserialize, Serialize};

use super::terms::AskLimit;
use crate::verdict::Fault;

/// What a player answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Move {
    /// It comes.
    Join,
    /// It does not come.
    Decline,
    /// Its move, which the game judges.
    Chosen(Payload),
}

/// Why a player's half of a step failed. Nothing more is asked of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Failure {
    Silent,
    Unreachable,
    Declined,
    Invalid,
    Malformed,
    Oversized,
}

impl Failure {
    /// Whether nobody is asked again after it: there is an answer, and it counts.
    const fn is_final(self) -> bool {
        match self {
            Self::Declined | Self::Invalid => true,
            Self::Silent | Self::Unreachable | Self::Malformed | Self::Oversized => false,
        }
    }

    /// Whether something came that its author can mend, once it is told.
    pub(super) const fn is_wrong_answer(self) -> bool {
        match self {
            Self::Malformed | Self::Oversized => true,
            Self::Silent | Self::Unreachable | Self::Declined | Self::Invalid => false,
        }
    }

    /// What it is, in the league's words. Who failed at the first step never came.
    pub(super) const fn fault(self, joining: bool) -> Fault {
        let cause = match self {
            Self::Silent | Self::Unreachable if joining => Cause::NoShow,
            Self::Silent => Cause::TimedOut,
            Self::Unreachable => Cause::Crashed,
            Self::Declined => Cause::Refused,
            Self::Invalid => Cause::InvalidMove,
            Self::Malformed => Cause::MalformedAnswer,
            Self::Oversized => Cause::OversizedAnswer,
        };
        Fault { joining, cause, unreachable: matches!(self, Self::Unreachable) }
    }
}

/// An answer that does not count: what that makes of it, and what its author is told, if there is
/// more to tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit {
    pub failure: Failure,
    pub objection: Option<Box<Objection>>,
}

/// One player's half of a step, once it is settled.
pub(super) type Half = Result<(), Failure>;

/// What is before a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Ask {
    /// Nothing.
    Idle,
    /// Asked for the `ask`th time; time is up at `until`.
    Open {
        ask: u8,
        #[serde(with = "micros")]
        until: Timestamp,
    },
    /// Will be asked for the `ask`th time at `until`.
    BackingOff {
        ask: u8,
        #[serde(with = "micros")]
        until: Timestamp,
    },
    /// Its half of the step is done; the others' may not be.
    Settled(Half),
    /// It failed at the last question, and plays no more.
    Out(Failure),
}

impl Ask {
    /// What becomes of an ask that came to nothing: another one, or a failure.
    pub(super) fn after(limit: &AskLimit, ask: u8, failure: Failure, now: Timestamp) -> Self {
        match limit.wait_after(ask).filter(|_| !failure.is_final()) {
            Some(wait) => Self::BackingOff { ask: ask + 1, until: now + wait },
            None => Self::Settled(Err(failure)),
        }
    }

    pub(super) const fn until(&self) -> Option<Timestamp> {
        match self {
            Self::Open { until, .. } | Self::BackingOff { until, .. } => Some(*until),
            Self::Idle | Self::Settled(_) | Self::Out(_) => None,
        }
    }

    /// Why this player failed, if it did.
    pub(super) const fn failure(&self) -> Option<Failure> {
        match self {
            Self::Settled(Err(failure)) | Self::Out(failure) => Some(*failure),
            Self::Idle | Self::Open { .. } | Self::BackingOff { .. } | Self::Settled(Ok(())) => {
                None
            }
        }
    }

    /// The first answer counts, and only while an ask is open.
    fn accepts(&self, now: Timestamp) -> bool {
        matches!(self, Self::Open { until, .. } if now <= *until)
    }
}

/// One player's own way through a match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Track {
    pub(super) ask: Ask,
    /// The number of the question that comes next.
    pub(super) next: u16,
    /// An answer that came before its turn. The first one counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) early: Option<Box<Payload>>,
}

impl Track {
    pub(super) const NEW: Self = Self { ask: Ask::Idle, next: 0, early: None };

    /// The number of the last question.
    pub(super) const fn number(&self) -> u16 {
        self.next.saturating_sub(1)
    }

    /// Whether an answer to that question counts now.
    pub(super) fn accepts(&self, number: u16, now: Timestamp) -> bool {
        self.number() == number && self.ask.accepts(now)
    }

    /// Whether it is that ask of that question which is open.
    pub(super) fn is_open(&self, number: u16, ask: u8) -> bool {
        let open = matches!(self.ask, Ask::Open { ask: open, .. } if open == ask);
        open && self.number() == number
    }

    /// The clock stood still for so long.
    pub(super) fn postpone(&mut self, by: Duration) {
        match &mut self.ask {
            Ask::Open { until, .. } | Ask::BackingOff { until, .. } => *until = *until + by,
            Ask::Idle | Ask::Settled(_) | Ask::Out(_) => {}
        }
    }

    /// An open ask has time until then.
    pub(super) fn extend(&mut self, to: Timestamp) {
        if let Ask::Open { until, .. } = &mut self.ask {
            *until = to.max(*until);
        }
    }
}
