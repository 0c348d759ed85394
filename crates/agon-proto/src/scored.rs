//! A referee's report of a match in which each player earns a score of its own, whatever dialect it
//! came in. Who is meant by a name, the league knows.
//!
//! Spec: docs/protocol/match.md

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::message::{Blame, Cause};
use crate::{Address, GroupId};

/// How a match ended, in scores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoredReport {
    /// Whether it came to its end.
    pub completed: bool,
    /// Who won; `None` if nobody did, or nobody says.
    pub winner: Option<GroupId>,
    /// Whether it is said to be a draw.
    pub is_draw: bool,
    /// What each player got.
    pub rows: Vec<ScoredRow>,
    /// Whether each player had its score when the match was broken off, if that is said.
    pub reached: Vec<(Named, bool)>,
    /// For whom the referee waited in vain, by team or address.
    pub awaited: Option<Box<str>>,
    /// What happened if a player failed, as far as the report lets one guess.
    pub presumed: Cause,
    /// What happened, if the report says it in our words.
    pub cause: Option<Cause>,
    /// Who caused it, if it does.
    pub blame: Option<Blame>,
}

/// What one player got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoredRow {
    /// Who.
    pub player: Named,
    /// League points as the referee counts them.
    pub points: Option<u32>,
    /// What its play was worth, if that is said.
    pub score: Option<StatedScore>,
    /// Whether it is said to have lost without playing.
    pub failed: bool,
}

/// Somebody, as a report names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// By its team, or by whatever the referee calls it.
    pub group: GroupId,
    /// By its address, if that is said.
    pub address: Option<Address>,
}

/// A score between 0 and 100, in hundredths.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct Score(u32);

impl Score {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// Everything.
    pub const MAX: Self = Self(10_000);

    /// From hundredths; more than 100 is 100.
    pub const fn from_hundredths(hundredths: u32) -> Self {
        if hundredths > Self::MAX.0 { Self::MAX } else { Self(hundredths) }
    }

    /// From a number as a program computes it: rounded, and kept between 0 and 100.
    pub fn from_points(points: f64) -> Self {
        if points.is_nan() {
            return Self::ZERO;
        }
        Self((points.clamp(0.0, 100.0) * 100.0).round() as u32)
    }

    /// In hundredths.
    pub const fn hundredths(self) -> u32 {
        self.0
    }

    /// As a number between 0 and 100.
    pub fn points(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

/// A private score as somebody states it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum StatedScore {
    /// One that there is.
    Within(Score),
    /// A number that is below 0 or above 100, in digits.
    Beyond(Box<str>),
}

impl StatedScore {
    /// From a number as it stands in a letter.
    pub fn from_points(points: f64) -> Self {
        let hundredths = (points * 100.0).round();
        if (0.0..=f64::from(Score::MAX.hundredths())).contains(&hundredths) {
            Self::Within(Score::from_points(points))
        } else {
            Self::Beyond(points.to_string().into())
        }
    }

    /// What can be counted of it: what is beyond 100 is no more than 100.
    pub fn bounded(&self) -> Score {
        match self {
            Self::Within(score) => *score,
            Self::Beyond(digits) => Score::from_points(digits.parse().unwrap_or(0.0)),
        }
    }
}
