//! Games: what a match asks of its players, in which steps, and what the answers are worth.
//!
//! The match machine knows steps and oracles. What they mean is said here, once for each game.

pub mod q21;
mod ruled;

use std::sync::Arc;
use std::time::Duration;

use agon_games::{Rules, Seats};
use agon_proto::dialect::q21::Score;
use agon_proto::message::{Blame, Cause, EntryKind, MatchPhase, MoveRequest, StepLimits};
use agon_proto::{Objection, Payload};

use crate::verdict::{Fault, Outcome, Seat, Verdict};
use q21::Q21;
pub(crate) use ruled::role;
pub use ruled::{JOIN, Ruled};

/// One step: a question to each player. Asked together, both hear it in the same instant and their
/// answers stay sealed until both are in; or each is asked when it has come so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Its place in the game.
    pub number: u16,
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Move {
    /// It comes.
    Join,
    /// It does not come.
    Decline,
    /// Its move, which the game judges.
    Chosen(Payload),
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

    /// What it is, in the league's words. Who failed at the first step never came.
    pub(crate) const fn fault(self, joining: bool) -> Fault {
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

/// An answer that does not count: what that makes of it, and what its author is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objected {
    pub failure: Failure,
    pub objection: Box<Objection>,
}

/// An answer that was read and does not fit: what that makes of it, and what its author is told,
/// if there is more to tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit {
    pub failure: Failure,
    pub objection: Option<Box<Objection>>,
}

/// One player's half of a step, once it is settled.
pub type Half = Result<(), Failure>;

/// Where and why a player's own game came to nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lapse {
    pub step: u16,
    pub failure: Failure,
}

/// How a player's own game ended, where each goes at its own pace.
pub type SeatEnd = Result<Score, Lapse>;

/// What comes after a step or an oracle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// These are asked in the same instant; who has failed before is not.
    Ask(Step, Seats),
    /// From here each goes at its own pace, beginning with that step; who has failed does not.
    Apart(u16),
    /// A number below this one.
    Roll(u32),
    /// The referee's own judgement, about the whole match.
    Consult(u8),
    Over(Verdict),
}

/// What comes next for a player that goes at its own pace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    Ask(u16),
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

/// What is played, and where it stands. A match asks it what comes next, and nobody else does.
#[derive(Debug, Clone, PartialEq)]
pub enum Game {
    Ruled(Ruled),
    Q21(Q21),
}

impl Game {
    /// A game by its rules, under those limits.
    pub fn new(rules: Arc<Rules>, limits: StepLimits) -> Self {
        Self::Ruled(Ruled::new(rules, limits))
    }

    /// What a match begins with. Who is known not to come has failed already.
    pub fn begin(&self, halves: [Half; 2]) -> Next {
        match self {
            Self::Ruled(game) => Next::Ask(game.step(JOIN), Seats::BOTH),
            Self::Q21(game) => game.begin(halves),
        }
    }

    /// The step of that number.
    pub fn step(&self, number: u16) -> Step {
        match self {
            Self::Ruled(game) => game.step(number),
            Self::Q21(game) => game.step(number),
        }
    }

    /// Whether there is a step of that number.
    pub fn has_step(&self, number: u16) -> bool {
        match self {
            Self::Ruled(_) => false,
            Self::Q21(_) => number <= q21::GUESS,
        }
    }

    /// What an answer counts for. What cannot be chosen is lost at once; nobody is asked twice for
    /// sense.
    pub fn judge(&mut self, seat: Seat, answer: &Move) -> Result<(), Unfit> {
        match (self, answer) {
            (_, Move::Join | Move::Given) => Ok(()),
            (_, Move::Decline) => Err(Unfit { failure: Failure::Declined, objection: None }),
            (Self::Ruled(game), Move::Chosen(payload)) => game.take(seat, payload),
            (Self::Q21(_), Move::Chosen(_)) | (_, Move::Invalid) => {
                Err(Unfit { failure: Failure::Invalid, objection: None })
            }
        }
    }

    /// What that player is asked in that step, where the question says it; `None` if nobody can
    /// say it.
    pub fn request(&self, seat: Seat, step: u16, hints: bool) -> Option<MoveRequest> {
        match self {
            Self::Ruled(game) => Some(game.request(seat, step, hints)),
            Self::Q21(_) => None,
        }
    }

    /// What follows when both halves of a step are settled.
    pub fn after(&mut self, step: u16, halves: [Half; 2]) -> Next {
        match self {
            Self::Ruled(game) => game.after(step, halves),
            Self::Q21(game) => game.after(halves),
        }
    }

    /// What follows when the referee's own judgement has spoken about the whole match.
    pub fn advised(&self, oracle: u8) -> Next {
        match self {
            Self::Ruled(_) => Next::Over(NOT_PLAYED),
            Self::Q21(game) => game.advised(oracle),
        }
    }

    /// What follows for one player whose answer to that step is in.
    pub fn answered(&self, step: u16) -> Pace {
        match self {
            Self::Ruled(_) => Pace::Done(Score::ZERO),
            Self::Q21(_) => q21::answered(step),
        }
    }

    /// What follows for one player when the referee's own judgement has spoken about its game.
    pub fn told(&self, oracle: u8, said: Said) -> Pace {
        match self {
            Self::Ruled(_) => Pace::Done(Score::ZERO),
            Self::Q21(_) => q21::told(oracle, said),
        }
    }

    /// What follows when that number was drawn after that step.
    pub fn drawn(&mut self, step: u16, number: u32) -> Next {
        match self {
            Self::Ruled(game) => game.drawn(step, number),
            Self::Q21(_) => Next::Over(NOT_PLAYED),
        }
    }

    /// The verdict, once each player's own game has ended.
    pub fn close(&self, ends: [SeatEnd; 2]) -> Verdict {
        match self {
            Self::Ruled(_) => NOT_PLAYED,
            Self::Q21(game) => game.close(ends),
        }
    }

    /// The verdict on a match that cannot go on, through no player's fault. `ends` is how each
    /// player's own game had ended, if it had.
    pub fn broken_off(&self, cause: Cause, blame: Blame, ends: [Option<SeatEnd>; 2]) -> Verdict {
        match self {
            Self::Ruled(_) => Verdict::unplayed(Outcome::Void, cause, blame),
            Self::Q21(game) => game.broken_off(cause, blame, ends),
        }
    }

    /// What everybody may know of it.
    pub fn shown(&mut self) -> Option<&Payload> {
        match self {
            Self::Ruled(game) => Some(game.shown()),
            Self::Q21(_) => None,
        }
    }

    /// What the league calls that step.
    pub fn phase(&self, step: u16) -> MatchPhase {
        match self {
            Self::Ruled(_) if step != JOIN => MatchPhase::CollectingChoices,
            Self::Ruled(_) => MatchPhase::WaitingForPlayers,
            Self::Q21(_) => q21::phase(step),
        }
    }

    /// What a transcript calls the question of that step, and the answer to it; `None` if no
    /// transcript is kept, because the letters are.
    pub fn entries(&self, step: u16) -> Option<[EntryKind; 2]> {
        match self {
            Self::Ruled(_) if step == JOIN => {
                Some([EntryKind::GameInvitation, EntryKind::GameJoinAck])
            }
            Self::Ruled(game) => Some(game.entries()),
            Self::Q21(_) => None,
        }
    }
}
