//! Names in letters: addresses, games, groups, seasons, messages. Kept as text, bounded at the
//! door.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};

use crate::text::printable;
use crate::{MatchId, without_code};

/// Longest name that is kept; the rest is cut.
const NAME_MAX: usize = 254;

/// A newtype around a short text without control characters.
macro_rules! name {
    ($(#[$doc:meta] $name:ident;)*) => {$(
        #[$doc]
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Takes a text, trimmed, without what could harm a terminal or a log.
            pub fn new(text: &str) -> Self {
                Self(printable(text.trim(), NAME_MAX).into())
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// Whether nothing stands there.
            pub fn is_empty(&self) -> bool {
                self.0.is_empty()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer).map(|text| Self::new(&text))
            }
        }
    )*};
}

name! {
    /// The id of one letter, chosen by its sender. Two letters with one id are the same letter.
    MessageId;
    /// The id of one broadcast.
    BroadcastId;
    /// A season, such as `SEASON_2026-02-17`.
    SeasonId;
    /// A team, such as `alphateam`.
    GroupId;
    /// One game: seven digits, season, round and number (`0103007`); others spell it otherwise.
    GameId;
}

/// Where somebody gets letters: a mail address, or the URL of an endpoint. It is who they are.
///
/// Mail addresses are the same in whatever case they are written, so they are kept in lower case.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Address(Arc<str>);

impl Address {
    /// Takes a mail address or a URL.
    pub fn new(text: &str) -> Self {
        let clean = printable(text.trim(), NAME_MAX);
        Self(if clean.contains("://") { clean.into() } else { clean.to_lowercase().into() })
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text for logs: without a code that its holder was given.
    pub fn shown(&self) -> Cow<'_, str> {
        without_code(&self.0)
    }

    /// Whether nothing stands there.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether it is reached by a call, and not by mail.
    pub fn is_endpoint(&self) -> bool {
        self.0.contains("://")
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown())
    }
}

impl<'de> Deserialize<'de> for Address {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self::new(&text))
    }
}

/// Digits of a game id: season, round and number within the round.
const DIGITS: usize = 7;

impl GameId {
    /// The game of that match in that season: `0103007`. Seasons and rounds have two digits, games
    /// three; there are no more of them in a season that is played by letters.
    pub fn of(season: u32, match_id: MatchId) -> Self {
        let MatchId { round, number } = match_id;
        Self::new(&format!("{:02}{:02}{:03}", season % 100, round % 100, number % 1000))
    }

    /// The season's number and the match, if the id ends with seven digits; `R1M1` is season 1.
    pub fn parts(&self) -> Option<(u32, MatchId)> {
        if let Ok(match_id) = self.0.parse::<MatchId>() {
            return Some((1, match_id));
        }
        let start = self.0.len().checked_sub(DIGITS)?;
        let digits = self.0.get(start..).filter(|end| end.bytes().all(|b| b.is_ascii_digit()))?;
        let number = |from: usize, to: usize| digits[from..to].parse::<u32>().ok();
        let match_id = MatchId::new(number(2, 4)?, number(4, 7)?);
        (match_id.round > 0 && match_id.number > 0).then_some((number(0, 2)?, match_id))
    }

    /// The match, if the id says which one.
    pub fn match_id(&self) -> Option<MatchId> {
        self.parts().map(|(_, match_id)| match_id)
    }
}

#[cfg(test)]
mod tests;
