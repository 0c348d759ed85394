//! What became of a call, in words for the author of the class.

use std::time::Duration;

use agon_core::{Mishap, MishapKind};

use super::talk::{Kind, Problem};
use crate::child::{Failure, Fault, with_last_words};

/// What the author must know about every new process.
const FORGOTTEN: &str = "a new process is started for the next call, and what the object had \
                         remembered is gone";

fn mishap(kind: MishapKind, text: impl Into<Box<str>>) -> Mishap {
    Mishap { kind, text: text.into() }
}

/// What the process itself told us.
pub(super) fn told(Problem { kind, text }: Problem, method: &str) -> Mishap {
    match kind {
        Kind::Load => mishap(MishapKind::Gone, text),
        Kind::Raised => mishap(MishapKind::Raised, format!("{method} raised {text}")),
        Kind::Value => mishap(MishapKind::WrongValue, text),
    }
}

/// What we found out about the process.
pub(super) fn of(failure: &Failure, method: &str, program: &str, limit: Duration) -> Mishap {
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
    mishap(kind, with_last_words(text, last_words))
}
