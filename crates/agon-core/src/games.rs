//! Games: what a match asks of its players, in which steps, and what the answers are worth.
//!
//! The match machine knows steps and oracles. What they mean is said here, once for each game.

pub mod even_odd;
pub mod q21;

use std::time::Duration;

use agon_proto::message::{Blame, Cause, EntryKind, MatchPhase, Parity, StepLimits};
use agon_proto::q21::Score;
use agon_proto::{Answer, ErrorCode, GameType, MatchId, Objection};

use crate::verdict::{Outcome, Verdict};
use even_odd::EvenOdd;
use q21::Q21;

/// One step: a question to each player. Asked together, both hear it in the same instant and their
/// answers stay sealed until both are in; or each is asked when it has come so far.
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
    /// How often a player is asked at most.
    pub asks: u8,
    /// Waits before the second, third and fourth ask, as far as there are so many.
    pub backoff: [Duration; 3],
}

impl Step {
    /// How often a player is asked at most.
    pub const fn asks_max(&self) -> u8 {
        self.asks
    }

    /// How long to wait after that ask came to nothing; `None` if it was the last one.
    pub(crate) fn wait_after(&self, ask: u8) -> Option<Duration> {
        self.backoff.get(usize::from(ask) - 1).copied().filter(|_| ask < self.asks)
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
    /// What was asked for. Its contents are kept by the referee, not by the match.
    Given,
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

impl Failure {
    /// Whether nobody is asked again after it: there is an answer, and it counts.
    pub(crate) const fn is_final(self) -> bool {
        match self {
            Self::Declined | Self::Invalid => true,
            Self::Silent | Self::Unreachable | Self::Malformed | Self::Oversized => false,
        }
    }

    /// Whether something came that its author can mend, once it is told.
    pub(crate) const fn is_wrong_answer(self) -> bool {
        match self {
            Self::Malformed | Self::Oversized => true,
            Self::Silent | Self::Unreachable | Self::Declined | Self::Invalid => false,
        }
    }

    /// What happened, in the league's word for it. Who failed at the first step never came.
    pub(crate) const fn cause(self, first_step: bool) -> Cause {
        match self {
            Self::Silent | Self::Unreachable if first_step => Cause::NoShow,
            Self::Silent => Cause::TimedOut,
            Self::Unreachable => Cause::Crashed,
            Self::Declined => Cause::Refused,
            Self::Invalid => Cause::InvalidMove,
            Self::Malformed => Cause::MalformedAnswer,
            Self::Oversized => Cause::OversizedAnswer,
        }
    }
}

/// An answer that does not count: what that makes of it, and what its author is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objected {
    pub failure: Failure,
    pub objection: Box<Objection>,
}

/// One player's half of a step, once it is settled.
pub type Half = Result<Move, Failure>;

/// Where and why a player's own game came to nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lapse {
    pub step: u8,
    pub failure: Failure,
}

/// How a player's own game ended, where each goes at its own pace.
pub type End = Result<Score, Lapse>;

/// What comes after a step or an oracle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Both are asked in the same instant; who has failed before is not.
    Ask(Step),
    /// From here each goes at its own pace, beginning with that step; who has failed does not.
    Apart(u8),
    /// A number between the two, both included.
    Roll(u32, u32),
    /// The referee's own judgement, about the whole match.
    Consult(u8),
    Over(Verdict),
}

/// What comes next for a player that goes at its own pace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    Ask(u8),
    /// The referee's own judgement, about this player's game.
    Consult(u8),
    Done(Score),
}

/// What the referee's own judgement came to. Its words are kept by the referee.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// It has spoken.
    Spoken,
    /// It has put a number on a player's game.
    Scored(Score),
    /// It failed, for good. Nobody but the referee can help that.
    Lost,
}

/// The end of a match whose game was asked for something that it does not have.
const NOT_PLAYED: Verdict = Verdict::unplayed(Outcome::Void, Cause::RefereeLost, Blame::Referee);

/// What is played. A match asks it what comes next, and nobody else does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Game {
    EvenOdd(EvenOdd),
    Q21(Q21),
}

impl Game {
    /// The game of that name, under those limits; `None` if it is not played by calls.
    pub fn new(game: &GameType, limits: StepLimits) -> Option<Self> {
        match game {
            GameType::EvenOdd => Some(Self::EvenOdd(EvenOdd::new(limits))),
            GameType::Q21 | GameType::Other(_) => None,
        }
    }

    /// What a match begins with. Who is known not to come has failed already.
    pub fn begin(&self, halves: [Half; 2]) -> Next {
        match self {
            Self::EvenOdd(game) => Next::Ask(game.first()),
            Self::Q21(game) => game.begin(halves),
        }
    }

    /// The step of that number.
    pub fn step(&self, number: u8) -> Step {
        match self {
            Self::EvenOdd(game) => game.step(number),
            Self::Q21(game) => game.step(number),
        }
    }

    /// Whether there is a step of that number.
    pub fn has_step(&self, number: u8) -> bool {
        match self {
            Self::EvenOdd(_) => number <= even_odd::CHOICE,
            Self::Q21(_) => number <= q21::GUESS,
        }
    }

    /// What follows when both halves of a step are settled.
    pub fn after(&self, step: u8, halves: [Half; 2]) -> Next {
        match self {
            Self::EvenOdd(game) => game.after(step, halves),
            Self::Q21(game) => game.after(halves),
        }
    }

    /// What follows when the referee's own judgement has spoken about the whole match.
    pub fn advised(&self, oracle: u8) -> Next {
        match self {
            Self::EvenOdd(_) => Next::Over(NOT_PLAYED),
            Self::Q21(game) => game.advised(oracle),
        }
    }

    /// What follows for one player whose answer to that step is in.
    pub fn answered(&self, step: u8) -> Pace {
        match self {
            Self::EvenOdd(_) => Pace::Done(Score::ZERO),
            Self::Q21(_) => q21::answered(step),
        }
    }

    /// What follows for one player when the referee's own judgement has spoken about its game.
    pub fn told(&self, oracle: u8, said: Said) -> Pace {
        match self {
            Self::EvenOdd(_) => Pace::Done(Score::ZERO),
            Self::Q21(_) => q21::told(oracle, said),
        }
    }

    /// The verdict, once the number is there.
    pub fn judge(&self, halves: [Half; 2], number: u32) -> Verdict {
        match self {
            Self::EvenOdd(game) => game.judge(halves, number),
            Self::Q21(_) => NOT_PLAYED,
        }
    }

    /// The verdict, once each player's own game has ended.
    pub fn close(&self, ends: [End; 2]) -> Verdict {
        match self {
            Self::EvenOdd(_) => NOT_PLAYED,
            Self::Q21(game) => game.close(ends),
        }
    }

    /// The verdict on a match that cannot go on, through no player's fault. `ends` is how each
    /// player's own game had ended, if it had.
    pub fn broken_off(&self, cause: Cause, blame: Blame, ends: [Option<End>; 2]) -> Verdict {
        match self {
            Self::EvenOdd(_) => Verdict::unplayed(Outcome::Void, cause, blame),
            Self::Q21(game) => game.broken_off(cause, blame, ends),
        }
    }

    /// Reads an answer to a question of that step, or says why it is none.
    pub fn read(&self, step: u8, match_id: MatchId, answer: &Answer) -> Result<Move, Objected> {
        match self {
            Self::EvenOdd(_) => even_odd::read(step, match_id, answer),
            // Its answers are letters; whoever opens them reads them.
            Self::Q21(_) => Err(Objected {
                failure: Failure::Malformed,
                objection: Objection::new(ErrorCode::OutOfTurn, "a letter is expected").into(),
            }),
        }
    }

    /// What the league calls that step.
    pub fn phase(&self, step: u8) -> MatchPhase {
        match self {
            Self::EvenOdd(_) => even_odd::phase(step),
            Self::Q21(_) => q21::phase(step),
        }
    }

    /// What a transcript calls the question of that step, and the answer to it; `None` if no
    /// transcript is kept, because the letters are.
    pub fn entries(&self, step: u8) -> Option<[EntryKind; 2]> {
        match self {
            Self::EvenOdd(_) => Some(even_odd::entries(step)),
            Self::Q21(_) => None,
        }
    }
}
