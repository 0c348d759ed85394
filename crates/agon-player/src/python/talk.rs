//! The lines between us and the process that runs a class, and what became of a call in words for
//! its author.

use std::time::Duration;

use agon_core::{Mishap, MishapKind};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::child::{Failure, Fault, excerpt, with_last_words};
use crate::strategy::raised;

/// What is wrong with a line that is none of ours.
const STRANGE: &str = "no answer to what was asked: nothing but agon_host.py may write there";

/// What the author must know about every new process.
const FORGOTTEN: &str = "a new process is started for the next call, and what the object had \
                         remembered is gone";

/// One call. Without a method the class is loaded, and nothing is called.
#[derive(Serialize)]
pub(super) struct Call<'a> {
    pub(super) id: u64,
    pub(super) method: Option<&'a str>,
    pub(super) ctx: &'a Value,
}

/// What the process could not do.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
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
#[derive(Deserialize)]
struct Problem {
    kind: Kind,
    text: Box<str>,
}

/// Reads the answer to the call with that number: what the method returned, as JSON, or what the
/// process itself tells us about it.
pub(super) fn read(id: u64, method: &str, said: &str) -> Result<Result<String, Mishap>, Fault> {
    let strange = || Fault::Misspoke { said: excerpt(said), wrong: STRANGE.into() };
    let answer: Answer<'_> = serde_json::from_str(said).map_err(|_| strange())?;
    if answer.id != id {
        return Err(strange());
    }
    let Some(Problem { kind, text }) = answer.error else {
        return Ok(Ok(answer.value.map_or("null", RawValue::get).into()));
    };
    Ok(Err(match kind {
        Kind::Load => Mishap { kind: MishapKind::Gone, text },
        Kind::Raised => raised(&format!("{method} raised {text}")),
        Kind::Value => Mishap { kind: MishapKind::WrongValue, text },
    }))
}

/// What we found out about the process.
pub(super) fn failed(failure: &Failure, method: &str, program: &str, limit: Duration) -> Mishap {
    let Failure { fault, last_words } = failure;
    let text = match fault {
        Fault::Busy => {
            format!("no time was left for {method}: the process was busy with others")
        }
        Fault::Resting => "it failed too often in a row and is not started again yet".to_owned(),
        Fault::Unwanted => fault.to_string(),
        Fault::TooSlow(_) => {
            // What is left of a step is no round number.
            let seconds = (limit.as_secs_f64() * 10.0).round() / 10.0;
            format!("{method} did not come to an end within {seconds} s; {FORGOTTEN}")
        }
        Fault::Died(status) => format!("the process ended ({status}) in {method}; {FORGOTTEN}"),
        Fault::Start(cause) => {
            format!("{program} could not be started: {cause}; install Python 3")
        }
        Fault::TooLong(most) => {
            format!("what {method} returned has more than {most} bytes; {FORGOTTEN}")
        }
        Fault::Silent | Fault::Pipe(_) | Fault::Misspoke { .. } | Fault::Unasked(_) => {
            format!("{method}: {}; {FORGOTTEN}", fault.whole())
        }
    };
    // A class has no way to the lines: what is wrong with them is the process's fault.
    let strange = matches!(fault, Fault::Misspoke { .. } | Fault::Unasked(_));
    let kind = if strange { MishapKind::Gone } else { fault.kind() };
    Mishap { kind, text: with_last_words(text, last_words).into() }
}
