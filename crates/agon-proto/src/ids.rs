//! Ids as numbers, parsed once at the door and printed as the protocol spells them, and as names,
//! which are kept as text. In letters a match is known by its game id, which has its digits.
//!
//! Spec: docs/protocol/README.md

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::contact::{Contact, canonical_endpoint};
use crate::json::{name, texts};
use crate::text::printable;
use crate::without_code;

/// A round of the season, counted from 1.
pub type RoundId = u32;

/// A match, `R1M1`: its round and its number in that round, both counted from 1.
#[derive(Clone, Copy)]
pub struct MatchId {
    /// The round, counted from 1.
    pub round: RoundId,
    /// The number within the round, counted from 1.
    pub number: u32,
}

/// Anybody who can register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum AgentId {
    /// One of the players.
    Player(PlayerId),
    /// One of the referees.
    Referee(RefereeId),
}

/// A text that should have been an id and is not.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not {0}")]
pub struct ParseIdError(&'static str);

impl MatchId {
    /// Match `number` of `round`, both counted from 1.
    pub const fn new(round: RoundId, number: u32) -> Self {
        Self { round, number }
    }

    /// Both numbers in one: every letter is looked up by its match, so that costs one comparison.
    const fn key(self) -> u64 {
        (self.round as u64) << 32 | self.number as u64
    }
}

/// Types of which two are the same if they have one key, and stand in the order of their keys.
macro_rules! keyed {
    ($($id:ident),*) => {$(
        impl Eq for $id {}

        impl PartialEq for $id {
            fn eq(&self, other: &Self) -> bool {
                self.key() == other.key()
            }
        }

        impl Ord for $id {
            fn cmp(&self, other: &Self) -> std::cmp::Ordering {
                self.key().cmp(&other.key())
            }
        }

        impl PartialOrd for $id {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        impl std::hash::Hash for $id {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.key().hash(state);
            }
        }
    )*};
}

keyed!(MatchId, Address, Contact);

/// Reads a canonical number: digits only, no sign, `width` digits unless it needs more.
pub(crate) fn canonical(digits: &str, width: usize) -> Option<u32> {
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let padded = digits.len() > width && digits.starts_with('0');
    if !plain || digits.len() < width || padded {
        return None;
    }
    digits.parse().ok().filter(|&number| number > 0)
}

/// A number of two digits or more. Ids stand in every message, so most go without a formatter.
fn padded(role: &str, number: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(role)?;
    match number {
        0..100 => {
            f.write_char(char::from(b'0' + (number / 10) as u8))?;
            f.write_char(char::from(b'0' + (number % 10) as u8))
        }
        _ => write!(f, "{number}"),
    }
}

impl fmt::Display for MatchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "R{}M{}", self.round, self.number)
    }
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Player(id) => id.fmt(f),
            Self::Referee(id) => id.fmt(f),
        }
    }
}

impl FromStr for MatchId {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, ParseIdError> {
        let parts = text.strip_prefix('R').and_then(|rest| rest.split_once('M'));
        parts
            .and_then(|(round, number)| {
                Some(Self { round: canonical(round, 1)?, number: canonical(number, 1)? })
            })
            .ok_or(ParseIdError("a match id such as R1M1"))
    }
}

/// Debug as it is printed, and serde as a string, for ids that are numbers inside.
macro_rules! text_id {
    ($($id:ident, $what:literal, $pattern:literal;)*) => {$(
        impl fmt::Debug for $id {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        texts! {
            $id by collect_str: $what, |text| text.parse().ok(), { "pattern": $pattern };
        }
    )*};
}

/// Ids that are one number, counted from 1, behind the letters of a role.
macro_rules! numbered {
    ($(#[$doc:meta] $id:ident = $role:literal, $what:literal, $pattern:literal;)*) => {$(
        #[$doc]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $id(u32);

        impl $id {
            /// The one of that number, counted from 1.
            pub const fn new(number: u32) -> Self {
                Self(number)
            }

            /// Position in the order of registration, counted from 1.
            pub const fn number(self) -> u32 {
                self.0
            }
        }

        impl fmt::Display for $id {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                padded($role, self.0, f)
            }
        }

        impl FromStr for $id {
            type Err = ParseIdError;

            fn from_str(text: &str) -> Result<Self, ParseIdError> {
                let number = text.strip_prefix($role).and_then(|digits| canonical(digits, 2));
                number.map(Self).ok_or(ParseIdError($what))
            }
        }

        text_id! { $id, $what, $pattern; }
    )*};
}

numbered! {
    /// A player, `P01` upward, in the order of registration.
    PlayerId = "P", "a player id such as P01", r"^P[0-9]{2,}$";
    /// A referee, `REF01` upward, in the order of registration.
    RefereeId = "REF", "a referee id such as REF01", r"^REF[0-9]{2,}$";
}

text_id! {
    MatchId, "a match id such as R1M1", r"^R[1-9][0-9]*M[1-9][0-9]*$";
}

/// Longest name that is kept; the rest is cut.
const NAME_MAX: usize = 254;

/// The text of a name, trimmed, without what could harm a terminal or a log.
fn short(text: &str) -> String {
    printable(text.trim(), NAME_MAX)
}

name! {
    #[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
    /// One game: seven digits, season, round and number (`0103007`); others spell it otherwise.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    GameId = short;
    /// The id of one letter, chosen by its sender. Two letters with one id are the same letter.
    MessageId = short;
    /// The id of one broadcast.
    BroadcastId = short;
    /// A season, such as `SEASON_2026-02-17`.
    SeasonId = short;
    /// A team, such as `alphateam`.
    GroupId = short;
    /// The league's name on the wire. Cheap to clone.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    LeagueId = Arc::<str>::from;
}

name! {
    #[derive()]
    /// Where somebody gets letters: a mail address, or the URL of an endpoint. It is who they are.
    ///
    /// Mail addresses are the same in whatever case they are written, and are written as their
    /// owner does: others may compare them exactly.
    Address = short;
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

/// What an address is known by: the case of a URL's path matters, that of a mail address does not,
/// and a host has many spellings.
pub fn folded(address: &str) -> Cow<'_, str> {
    if !address.contains("://") {
        return address.to_lowercase().into();
    }
    canonical_endpoint(address).map_or(address.into(), Cow::from)
}

impl Address {
    /// The text for logs: without a code that its holder was given.
    pub fn shown(&self) -> Cow<'_, str> {
        without_code(&self.0)
    }

    /// What two of them are compared by.
    pub fn key(&self) -> Cow<'_, str> {
        folded(&self.0)
    }

    /// Whether it is reached by a call, and not by mail.
    pub fn is_endpoint(&self) -> bool {
        self.0.contains("://")
    }
}

#[cfg(test)]
mod tests;
