//! What was played in a match: the fields of Even/Odd, or the public view of any other game.
//!
//! Spec: docs/protocol/match.md

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use super::super::even_odd::Parity;
use super::game::GameResult;
use super::report::ReportDetails;
use crate::json::objects;
use crate::{Payload, PerPlayer};

objects! {
    /// What was played, in the game's own words.
    #[derive(Eq)]
    pub struct PlayedDetails {
        /// The game as everybody may see it. The first of two in it is PLAYER_A.
        defaulted view: Payload,
        /// What it was worth to each, in the game's own count.
        defaulted gains: PerPlayer<i32>,
    }
}

impl Serialize for ReportDetails {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(played) = &self.played {
            return played.serialize(serializer);
        }
        let mut to = serializer.serialize_struct("ReportDetails", 2)?;
        to.serialize_field("drawn_number", &self.drawn_number)?;
        to.serialize_field("choices", &self.choices)?;
        to.end()
    }
}

/// As it comes: of one game or another.
#[derive(Deserialize)]
struct Written {
    #[serde(default)]
    drawn_number: Option<u32>,
    #[serde(default)]
    choices: PerPlayer<Parity>,
    #[serde(default)]
    view: Option<Payload>,
    #[serde(default)]
    gains: PerPlayer<i32>,
}

impl<'de> Deserialize<'de> for ReportDetails {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Written { drawn_number, choices, view, gains } = Written::deserialize(deserializer)?;
        let played = view.map(|view| Box::new(PlayedDetails { view, gains }));
        Ok(Self { drawn_number, choices, played })
    }
}

impl Serialize for GameResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut to = serializer.serialize_struct("GameResult", 6)?;
        to.serialize_field("status", &self.status)?;
        to.serialize_field("winner_player_id", &self.winner_player_id)?;
        if let Some(details) = &self.details {
            to.serialize_field("details", details)?;
        } else {
            to.serialize_field("drawn_number", &self.drawn_number)?;
            to.serialize_field("number_parity", &self.number_parity)?;
            to.serialize_field("choices", &self.choices)?;
        }
        to.serialize_field("reason", &self.reason)?;
        to.end()
    }
}
