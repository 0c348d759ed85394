//! What a player earns by its own play.
//!
//! Spec: docs/protocol/match.md

use std::fmt;

use serde::{Deserialize, Serialize};

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

#[cfg(test)]
mod tests;
