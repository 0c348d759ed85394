//! Games: what a match asks of its players, in which steps, and what the answers are worth.
//!
//! The match machine knows steps and oracles. What they mean is said here, once for each game.

pub mod even_odd;

use std::time::Duration;

use agon_proto::message::{EntryKind, MatchPhase, Parity, StepLimits};
use agon_proto::{Answer, GameType, MatchId};

use crate::verdict::Verdict;
use even_odd::EvenOdd;

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

/// What is played. A match asks it what comes next, and nobody else does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Game {
    EvenOdd(EvenOdd),
}

impl Game {
    /// The game of that name, under those limits; `None` if it is not played here.
    pub fn new(game: &GameType, limits: StepLimits) -> Option<Self> {
        match game {
            GameType::EvenOdd => Some(Self::EvenOdd(EvenOdd::new(limits))),
            GameType::Q21 | GameType::Other(_) => None,
        }
    }

    pub fn first(&self) -> Step {
        match self {
            Self::EvenOdd(game) => game.first(),
        }
    }

    /// What follows when both halves of a step are settled.
    pub fn after(&self, step: u8, halves: [Half; 2]) -> Next {
        match self {
            Self::EvenOdd(game) => game.after(step, halves),
        }
    }

    /// The verdict, once the number is there.
    pub fn judge(&self, halves: [Half; 2], number: u32) -> Verdict {
        match self {
            Self::EvenOdd(game) => game.judge(halves, number),
        }
    }

    /// Reads an answer to a question of that step; `None` if it is no answer to it.
    pub fn read(&self, step: u8, match_id: MatchId, answer: &Answer) -> Option<Move> {
        match self {
            Self::EvenOdd(_) => even_odd::read(step, match_id, answer),
        }
    }

    /// What the league calls that step.
    pub fn phase(&self, step: u8) -> MatchPhase {
        match self {
            Self::EvenOdd(_) => even_odd::phase(step),
        }
    }

    /// What a transcript calls the question of that step, and the answer to it.
    pub fn entries(&self, step: u8) -> [EntryKind; 2] {
        match self {
            Self::EvenOdd(_) => even_odd::entries(step),
        }
    }
}
