//! Moves: the parity of Even/Odd, and the GAME_MOVE_* pair of every other game.
//!
//! Spec: docs/protocol/match.md

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::Message;
use super::game::RoleInMatch;
use crate::text::{NAME_MAX, marked};
use crate::words::words;
use crate::{DisplayName, GameType, MatchId, Payload, PlayerId, Timestamp};

words! {
    /// Even or odd.
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Parity {
        /// 2, 4, 6 …
        Even = "even",
        /// 1, 3, 5 …
        Odd = "odd",
    }
}

impl Parity {
    /// The parity of a number.
    pub const fn of(number: u32) -> Self {
        if number.is_multiple_of(2) { Self::Even } else { Self::Odd }
    }
}

impl fmt::Display for Parity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What a player said when it was asked for a parity. Judging a bad one is the referee's business.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatedParity {
    /// Even or odd, after trimming and lower-casing.
    Valid(Parity),
    /// Something else, cut to a harmless length, with a mark where something was left out.
    Invalid(Box<str>),
}

impl From<&str> for StatedParity {
    fn from(text: &str) -> Self {
        let word = text.trim();
        if word.eq_ignore_ascii_case("even") {
            Self::Valid(Parity::Even)
        } else if word.eq_ignore_ascii_case("odd") {
            Self::Valid(Parity::Odd)
        } else {
            Self::Invalid(marked(word, NAME_MAX).into())
        }
    }
}

impl Serialize for StatedParity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Valid(parity) => serializer.serialize_str(parity.as_str()),
            Self::Invalid(text) => serializer.serialize_str(text),
        }
    }
}

impl<'de> Deserialize<'de> for StatedParity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Word;
        impl de::Visitor<'_> for Word {
            type Value = StatedParity;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("\"even\" or \"odd\"")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<StatedParity, E> {
                Ok(text.into())
            }
        }
        deserializer.deserialize_str(Word)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for StatedParity {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "StatedParity".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "enum": ["even", "odd"] })
    }
}

/// GAME_MOVE_CALL.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameMoveCall {
    /// The match.
    pub match_id: MatchId,
    /// Who is asked.
    pub player_id: PlayerId,
    /// What is played.
    pub game_type: GameType,
    /// What is asked.
    pub move_request: MoveRequest,
    /// When the answer must be in.
    pub deadline: Timestamp,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveRequest {
    /// The kind of move, in the game's own word.
    pub move_type: DisplayName,
    /// What a move looks like, where the game can say it: a JSON Schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Payload>,
    /// What the player may know.
    #[serde(default)]
    pub context: MoveContext,
    /// What may be answered, where the league tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_options: Option<Vec<Payload>>,
}

/// What a player may know before it moves.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveContext {
    /// The game as this player sees it, in the game's own words.
    #[serde(default)]
    pub view: Payload,
    /// Which question of the match this is, counted from 1. A repeat has the same number.
    #[serde(default)]
    pub step: u32,
    /// The player's own seat.
    #[serde(default)]
    pub seat: Option<RoleInMatch>,
}

/// GAME_MOVE_RESPONSE.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameMoveResponse {
    /// The match.
    pub match_id: MatchId,
    /// Who answers.
    pub player_id: PlayerId,
    /// What is played.
    pub game_type: GameType,
    /// The answer.
    pub move_data: MoveData,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveData {
    /// The kind of move that was asked for.
    pub move_type: DisplayName,
    /// The move, in the game's own words.
    pub choice: Payload,
}

/// Puts something that no game has in place of the move that is stated: for rehearsals.
pub fn misstate(message: &mut Message) {
    #[expect(clippy::wildcard_enum_match_arm, reason = "two of 23 messages are moves")]
    match message {
        Message::ChooseParityResponse(said) => {
            said.parity_choice = StatedParity::Invalid("seven".into());
        }
        Message::GameMoveResponse(said) => said.move_data.choice = Payload::trusted("7"),
        _ => {}
    }
}

#[cfg(test)]
mod tests;
