//! Games: what a match asks of its players, in which steps, and what the answers are worth.
//!
//! The match machine knows steps and oracles. What they mean is said here, once for each game.

pub mod even_odd;

use std::time::Duration;

use agon_proto::message::Parity;

use crate::verdict::Verdict;

/// One step: a question to both players in the same instant, answers sealed until both are in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Its place in the game.
    pub number: u8,
    /// How long one ask may take.
    pub limit: Duration,
    /// Whether the deadline is printed, and therefore in whole seconds.
    pub prints_deadline: bool,
    /// Whether a player hears of its time-out before it is asked again.
    pub warns: bool,
    /// Waits before the second, third and fourth ask.
    pub backoff: [Duration; 3],
}

impl Step {
    /// How often a player is asked at most.
    pub const fn asks_max(&self) -> u8 {
        self.backoff.len() as u8 + 1
    }
}

/// What a player answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// It comes.
    Join,
    /// It does not come.
    Decline,
    /// Its choice.
    Parity(Parity),
    /// Something that cannot be chosen.
    Invalid,
}

/// Why a player's half of a step failed. Nothing more is asked of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    Silent,
    Unreachable,
    Declined,
    Invalid,
    Malformed,
    Oversized,
}

/// One player's half of a step, once it is settled.
pub type Half = Result<Move, Failure>;

/// What comes after a step or an oracle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    Ask(Step),
    /// A number between the two, both included.
    Roll(u32, u32),
    Over(Verdict),
}
