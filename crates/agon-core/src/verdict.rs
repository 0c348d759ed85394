//! How a match ended: the outcome, what happened, and who caused it.
//!
//! Only an agent's own fault costs it points.
//!
//! Spec: docs/decisions.md

use agon_proto::message::{Blame, Cause, Parity, ResultStatus};
use agon_proto::q21::Score;
use serde::{Deserialize, Serialize};

/// A place at the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Seat {
    A,
    B,
}

impl Seat {
    pub const BOTH: [Self; 2] = [Self::A, Self::B];

    /// 0 for A, 1 for B.
    pub const fn index(self) -> usize {
        self as usize
    }

    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    pub(crate) const fn blame(self) -> Blame {
        match self {
            Self::A => Blame::PlayerA,
            Self::B => Blame::PlayerB,
        }
    }
}

/// Who won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Outcome {
    /// By playing.
    Won(Seat),
    Drawn,
    /// One failed; the other has won.
    Forfeited(Seat),
    BothForfeited,
    /// Nobody gets anything.
    Cancelled,
    /// This attempt does not count; another may follow.
    Void,
}

/// How a match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    pub outcome: Outcome,
    pub cause: Cause,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blame: Option<Blame>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drawn: Option<u32>,
    pub choices: [Option<Parity>; 2],
    /// What each player's own play was worth, in games that score it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marks: Option<[Mark; 2]>,
}

/// What one player's play was worth, in a game that scores it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Mark {
    /// League points.
    pub points: u32,
    /// The private score behind them.
    pub score: Score,
}

/// From which private score on a guess is worth three, two and one league points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thresholds(pub [Score; 3]);

impl Thresholds {
    /// What a private score is worth.
    pub fn mark(&self, score: Score) -> Mark {
        let points = self.0.iter().filter(|threshold| score >= **threshold).count();
        Mark { points: u32::try_from(points).unwrap_or(0), score }
    }
}

impl Default for Thresholds {
    /// As the course counts: 85, 70 and 50.
    fn default() -> Self {
        Self([8_500, 7_000, 5_000].map(Score::from_hundredths))
    }
}

impl Verdict {
    /// An end without a game.
    pub(crate) const fn unplayed(outcome: Outcome, cause: Cause, blame: Blame) -> Self {
        Self { outcome, cause, blame: Some(blame), drawn: None, choices: [None, None], marks: None }
    }

    /// Whether the player on that seat is to blame, alone or with the other.
    pub(crate) fn blames(&self, seat: Seat) -> bool {
        self.blame == Some(seat.blame()) || self.blame == Some(Blame::Both)
    }

    /// Whether the player on that seat was there; `None` if this does not tell.
    pub(crate) fn presence(&self, seat: Seat) -> Option<bool> {
        match self.cause {
            Cause::NoShow | Cause::Crashed if self.blames(seat) => Some(false),
            Cause::Withdrawn
            | Cause::RefereeLost
            | Cause::Network
            | Cause::HostOverloaded
            | Cause::CancelledByOperator => None,
            Cause::Played
            | Cause::NoShow
            | Cause::Crashed
            | Cause::Refused
            | Cause::TimedOut
            | Cause::InvalidMove
            | Cause::OversizedAnswer
            | Cause::MalformedAnswer => Some(true),
        }
    }

    pub const fn winner(&self) -> Option<Seat> {
        match self.outcome {
            Outcome::Won(seat) => Some(seat),
            Outcome::Forfeited(loser) => Some(loser.other()),
            Outcome::Drawn | Outcome::BothForfeited | Outcome::Cancelled | Outcome::Void => None,
        }
    }

    pub const fn status(&self) -> ResultStatus {
        match self.outcome {
            Outcome::Won(_) => ResultStatus::Win,
            Outcome::Drawn => ResultStatus::Draw,
            Outcome::Forfeited(_) | Outcome::BothForfeited => ResultStatus::TechnicalLoss,
            Outcome::Cancelled => ResultStatus::Cancelled,
            Outcome::Void => ResultStatus::Aborted,
        }
    }
}

/// League points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scoring {
    pub win: u32,
    pub draw: u32,
    pub loss: u32,
    pub technical_loss: u32,
}

impl Scoring {
    /// Points of A and B: what their play was worth where a game scores it, or what the outcome is.
    pub fn award(&self, verdict: &Verdict) -> [u32; 2] {
        verdict
            .marks
            .map_or_else(|| self.points(verdict.outcome), |marks| marks.map(|mark| mark.points))
    }

    /// Points of A and B by the outcome alone.
    pub const fn points(&self, outcome: Outcome) -> [u32; 2] {
        match outcome {
            Outcome::Won(Seat::A) => [self.win, self.loss],
            Outcome::Won(Seat::B) => [self.loss, self.win],
            Outcome::Drawn => [self.draw, self.draw],
            Outcome::Forfeited(Seat::A) => [self.technical_loss, self.win],
            Outcome::Forfeited(Seat::B) => [self.win, self.technical_loss],
            Outcome::BothForfeited => [self.technical_loss, self.technical_loss],
            Outcome::Cancelled | Outcome::Void => [0, 0],
        }
    }
}
