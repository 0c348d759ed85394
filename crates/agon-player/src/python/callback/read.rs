//! What a program returned, read as advice.
//!
//! Tolerant where a program plainly means something that can be sent, with a remark to its author
//! about everything that was changed or is missing. Strict where it does not: then a complaint
//! names the key and what was found. Nothing is made up in silence.
//!
//! Spec: docs/protocol/q21-callbacks.md

pub(super) mod player;
pub(super) mod referee;

use std::cell::RefCell;

use agon_node::Thought;
use serde_json::Value;

use super::Callback;
use super::value::Found;

/// Advice, and what its author should know about it all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Heard {
    /// What is made of it: a move, a word, or nothing where nothing was asked.
    pub(crate) advice: Thought,
    /// For the author: what was left out, filled in, or is outside of the usual limits.
    pub(crate) remarks: Vec<String>,
}

impl Callback {
    /// Reads what a program returned, as JSON.
    ///
    /// # Errors
    /// In words for the author, if nothing can be made of it.
    pub(crate) fn read(&self, json: &[u8]) -> Result<Heard, String> {
        let name = self.method.name;
        let value: Value = serde_json::from_slice(json)
            .map_err(|problem| format!("what {name} returned is no JSON: {problem}"))?;
        let remarks = RefCell::default();
        let returned = Found::returned(name, &value, &remarks);
        let advice = (self.method.read)(&returned, &self.asked)?;
        Ok(Heard { advice, remarks: remarks.take() })
    }
}

#[cfg(test)]
mod tests;
