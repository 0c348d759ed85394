//! How documents about a match spell what was played in it.
//!
//! Spec: docs/decisions.md

use serde::Serialize;

use crate::message::Parity;
use crate::tool::MatchSummary;
use crate::{Payload, PerPlayer};

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
