//! Results as tools and documents show them: of Even/Odd in its own fields, of any other game by
//! its view.
//!
//! Spec: docs/protocol/query.md, docs/decisions.md

use serde::{Deserialize, Serialize};

use super::even_odd::Parity;
use super::message::{Blame, Cause, ResultStatus};
use crate::json::{objects, words};
use crate::{MatchId, Payload, PerPlayer, PlayerId, Timestamp};

objects! {
    /// How a match ended.
    pub struct MatchSummary {
        /// In one word.
        required status: ResultStatus,
        /// Who won.
        nullable winner: Option<PlayerId>,
        /// League points.
        required score: PerPlayer<u32>,
        /// What happened.
        required reason: Cause,
        /// Who caused it; null if nobody failed.
        nullable blame: Option<Blame>,
        /// The number.
        nullable drawn_number: Option<u32>,
        /// The choices.
        required choices: PerPlayer<Parity>,
        /// Of any other game what everybody may see of it.
        optional view: Option<Payload>,
        /// The private scores, 0 to 100, in games that have them.
        optional private_score: PerPlayer<f64>,
        /// Its report did not say what this follows from, so nobody could check it.
        optional unverified: bool,
        /// Its scores are what the referee judged, which nobody can check.
        optional judged: bool,
    }
}

/// What was played: of Even/Odd the number and the choices, of any other game what everybody may
/// see of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlayedFields {
    drawn_number: Option<u32>,
    number_parity: Option<Parity>,
    choices: PerPlayer<Parity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<Payload>,
}

impl From<&MatchSummary> for PlayedFields {
    fn from(result: &MatchSummary) -> Self {
        let MatchSummary { drawn_number, choices, view, .. } = result;
        Self {
            drawn_number: *drawn_number,
            number_parity: drawn_number.map(Parity::of),
            choices: *choices,
            view: view.clone(),
        }
    }
}

/// One match of a player's history.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayedMatch {
    /// The match.
    pub match_id: MatchId,
    /// Whom it met; P00 if it never learnt that.
    #[serde(deserialize_with = "perhaps_nobody")]
    pub opponent_id: PlayerId,
    /// How it ended for this player.
    pub result: PlayedResult,
    /// What it chose.
    pub my_choice: Option<Parity>,
    /// What the other chose.
    pub opponent_choice: Option<Parity>,
    /// The number.
    pub drawn_number: Option<u32>,
    /// When the news came.
    pub timestamp: Timestamp,
    /// Which attempt it was; absent for the first.
    #[serde(default = "first_attempt", skip_serializing_if = "is_first_attempt")]
    pub attempt: u32,
}

const fn first_attempt() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
const fn is_first_attempt(attempt: &u32) -> bool {
    *attempt == 1
}

/// A player's id, or the P00 that a player writes down when it was only told that it has won.
fn perhaps_nobody<'de, D: serde::Deserializer<'de>>(from: D) -> Result<PlayerId, D::Error> {
    let nobody = PlayerId::new(0);
    let id = std::borrow::Cow::<str>::deserialize(from)?;
    if *id == *nobody.to_string() {
        return Ok(nobody);
    }
    id.parse().map_err(serde::de::Error::custom)
}

words! {
    /// How a match ended for one player.
    pub enum PlayedResult {
        /// Won.
        Win = "WIN",
        /// Lost.
        Loss = "LOSS",
        /// Drawn.
        Draw = "DRAW",
        /// No result.
        Cancelled = "CANCELLED",
    }
}
