//! What a program returned, read as advice.
//!
//! Tolerant where a program plainly means something that can be sent, with a remark to its author
//! about everything that was changed or is missing. Strict where it does not: then a complaint
//! names the key and what was found. Nothing is made up in silence.
//!
//! Spec: docs/protocol/q21-callbacks.md

mod player;
mod referee;

use agon_games::q21::{Q21Move, Q21Word};
use serde_json::Value;

use super::value::Found;
use super::{Advice, Method};

/// Advice, and what its author should know about it all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Heard {
    /// What is made of it.
    pub(crate) advice: Advice,
    /// For the author: what was left out, filled in, or is outside of the usual limits.
    pub(crate) remarks: Vec<String>,
}

/// Reads what a program returned, as JSON, as the answer to that method.
///
/// # Errors
/// In words for the author, if nothing can be made of it.
pub(crate) fn read(method: &Method, json: &[u8]) -> Result<Heard, String> {
    let name = method.name();
    let value: Value = serde_json::from_slice(json)
        .map_err(|problem| format!("what {name} returned is no JSON: {problem}"))?;
    let returned = Found::returned(name, &value);
    let mut remarks = Vec::new();
    let dict = || returned.dict();
    let advice = match method {
        Method::WarmupAnswer => {
            Advice::Said(Q21Move::Warmup(player::warmup(dict()?, &mut remarks)))
        }
        Method::Questions => {
            Advice::Said(Q21Move::Questions(player::questions(dict()?, &mut remarks)?))
        }
        Method::Guess => {
            Advice::Said(Q21Move::Guess(Box::new(player::guess(dict()?, &mut remarks)?)))
        }
        Method::ScoreReceived => Advice::Noted,
        Method::WarmupQuestion => {
            Advice::Word(Q21Word::WarmupQuestion(referee::warmup_question(dict()?)?))
        }
        Method::RoundStartInfo => {
            Advice::Word(Q21Word::Book(referee::book(dict()?, &mut remarks)?))
        }
        Method::Answers(questions) => {
            Advice::Word(Q21Word::Answers(referee::answers(dict()?, questions, &mut remarks)?))
        }
        Method::ScoreFeedback => {
            Advice::Word(Q21Word::Score(referee::assessment(dict()?, &mut remarks)?))
        }
    };
    Ok(Heard { advice, remarks })
}

#[cfg(test)]
mod tests;
