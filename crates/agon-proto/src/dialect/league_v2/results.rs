//! Results as tools show them: of Even/Odd in its own fields, of any other game by its view.
//!
//! Spec: docs/protocol/query.md

use serde::{Deserialize, Serialize};

use super::even_odd::Parity;
use super::message::{Blame, Cause, ResultStatus};
use crate::{MatchId, Payload, PerPlayer, PlayerId, Timestamp};

/// How a match ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchSummary {
    /// In one word.
    pub status: ResultStatus,
    /// Who won.
    pub winner: Option<PlayerId>,
    /// League points.
    pub score: PerPlayer<u32>,
    /// What happened.
    pub reason: Cause,
    /// Who caused it; null if nobody failed.
    pub blame: Option<Blame>,
    /// The number.
    pub drawn_number: Option<u32>,
    /// The choices.
    pub choices: PerPlayer<Parity>,
    /// Of any other game what everybody may see of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<Payload>,
    /// The private scores, 0 to 100, in games that have them.
    #[serde(default, skip_serializing_if = "PerPlayer::is_empty")]
    pub private_score: PerPlayer<f64>,
    /// Its report did not say what this follows from, so nobody could check it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unverified: bool,
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

/// How a match ended for one player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PlayedResult {
    /// Won.
    Win,
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// No result.
    Cancelled,
}
