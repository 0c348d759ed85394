//! The lines between us and the process that runs a class.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::callback::Callback;
use crate::child::{Fault, excerpt, line};

/// What is wrong with a line that is none of ours.
const STRANGE: &str = "no answer to what was asked: nothing but agon_host.py may write there";

/// One call. Without a method the class is loaded, and nothing is called.
#[derive(Serialize)]
struct Call<'a> {
    id: u64,
    method: Option<&'a str>,
    ctx: &'a Value,
}

/// A call, as one line.
pub(super) fn call(callback: &Callback) -> Vec<u8> {
    let Callback { number, method, context, .. } = callback;
    line(&Call { id: *number, method: Some(method.name), ctx: context })
}

/// A call of nothing, as one line.
pub(super) fn greeting() -> Vec<u8> {
    line(&Call { id: 0, method: None, ctx: &json!({}) })
}

/// What the process could not do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// Make an object of the class.
    Load,
    /// Call it: an exception came out.
    Raised,
    /// Write down what it returned.
    Value,
}

#[derive(Deserialize)]
struct Answer<'a> {
    id: u64,
    #[serde(borrow)]
    value: Option<&'a RawValue>,
    error: Option<Problem>,
}

/// Why a callback returned nothing.
#[derive(Debug, Deserialize)]
pub(super) struct Problem {
    pub(super) kind: Kind,
    pub(super) text: Box<str>,
}

/// Reads the answer to the call with that number: what the callback returned, as JSON.
pub(super) fn read(id: u64, said: &str) -> Result<Result<String, Problem>, Fault> {
    let strange = || Fault::Misspoke { said: excerpt(said), wrong: STRANGE.into() };
    let answer: Answer<'_> = serde_json::from_str(said).map_err(|_| strange())?;
    if answer.id != id {
        return Err(strange());
    }
    Ok(match answer.error {
        Some(problem) => Err(problem),
        None => Ok(answer.value.map_or("null", RawValue::get).into()),
    })
}
