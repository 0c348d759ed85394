//! Who says so: the `sender` of an envelope. A claim, until the gate has checked the token.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::text::{NAME_MAX, marked};
use crate::words::texts;
use crate::{DisplayName, PlayerId, RefereeId};

/// `league_manager`, `referee:REF01`, `player:P01`, or a self-chosen name before registration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sender {
    /// The league manager.
    LeagueManager,
    /// A registered referee.
    Referee(RefereeId),
    /// A registered player.
    Player(PlayerId),
    /// A referee that has no id yet.
    NewReferee(Box<DisplayName>),
    /// A player that has no id yet.
    NewPlayer(Box<DisplayName>),
}

/// Every letter has one. Names are boxed, because they stand in a registration alone.
const _: () = assert!(size_of::<Sender>() <= 16);

impl Sender {
    fn parse(text: &str) -> Option<Self> {
        Some(match text.split_once(':') {
            None => (text == "league_manager").then_some(Self::LeagueManager)?,
            Some(("league_manager", _)) => Self::LeagueManager,
            Some(("player", name)) => {
                name.parse().map_or_else(|_| Self::NewPlayer(chosen(name)), Self::Player)
            }
            Some(("referee", name)) => {
                name.parse().map_or_else(|_| Self::NewReferee(chosen(name)), Self::Referee)
            }
            Some(_) => return None,
        })
    }
}

/// A name that is no id, and must not look like one either when it has been made harmless.
fn chosen(name: &str) -> Box<DisplayName> {
    Box::new(DisplayName::new(&marked(name, NAME_MAX)))
}

impl fmt::Display for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LeagueManager => f.write_str("league_manager"),
            Self::Referee(id) => write!(f, "referee:{id}"),
            Self::Player(id) => write!(f, "player:{id}"),
            Self::NewReferee(name) => write!(f, "referee:{name}"),
            Self::NewPlayer(name) => write!(f, "player:{name}"),
        }
    }
}

impl Serialize for Sender {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

texts! {
    Sender: "league_manager, referee:<id> or player:<id>",
        Self::parse,
        { "pattern": "^(league_manager|(referee|player):.+)$" };
}

#[cfg(test)]
mod tests;
