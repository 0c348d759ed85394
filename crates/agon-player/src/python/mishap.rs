//! What became of a call, in words for the author of the class.

use std::error::Error;
use std::time::Duration;

use agon_core::{Mishap, MishapKind};

use super::talk::Kind;
use crate::child::{Failure, Fault, Trouble, with_last_words};

/// What the author must know about every new process.
const FORGOTTEN: &str = "a new process is started for the next call, and what the object had \
                         remembered is gone";

fn mishap(kind: MishapKind, text: impl Into<Box<str>>) -> Mishap {
    Mishap { kind, text: text.into() }
}

/// What the process itself told us.
pub(super) fn told(kind: Kind, text: &str, method: &str) -> Mishap {
    match kind {
        Kind::Load => mishap(MishapKind::Gone, text),
        Kind::Raised => mishap(MishapKind::Raised, format!("{method} raised {text}")),
        Kind::Value => mishap(MishapKind::WrongValue, text),
    }
}

/// What we found out about the process.
pub(super) fn of(trouble: &Trouble, method: &str, program: &str, limit: Duration) -> Mishap {
    let failure = match trouble {
        Trouble::Failed(failure) => failure,
        Trouble::Busy => {
            let text = format!("no time was left for {method}: the process was busy with others");
            return mishap(MishapKind::TimedOut, text);
        }
        Trouble::Resting => {
            let text = "it failed too often in a row and is not started again yet";
            return mishap(MishapKind::Gone, text);
        }
        Trouble::Unwanted => {
            return mishap(MishapKind::Gone, "nobody waits for the answer any more");
        }
    };
    let Failure { fault, last_words } = failure;
    let (kind, what) = match fault {
        Fault::TooSlow(_) => {
            // What is left of a step is no round number.
            let seconds = (limit.as_secs_f64() * 10.0).round() / 10.0;
            let text = format!("{method} did not come to an end within {seconds} s; {FORGOTTEN}");
            (MishapKind::TimedOut, text)
        }
        Fault::Died(status) => {
            (MishapKind::Gone, format!("the process ended ({status}) in {method}; {FORGOTTEN}"))
        }
        Fault::Start(cause) => {
            let text = format!("{program} could not be started: {cause}; install Python 3");
            (MishapKind::Gone, text)
        }
        Fault::TooLong(most) => {
            let text = format!("what {method} returned has more than {most} bytes; {FORGOTTEN}");
            (MishapKind::WrongValue, text)
        }
        fault @ (Fault::Silent | Fault::Pipe(_) | Fault::Misspoke { .. } | Fault::Unasked(_)) => {
            let cause = fault.source().map(|cause| format!(": {cause}")).unwrap_or_default();
            (MishapKind::Gone, format!("{method}: {fault}{cause}; {FORGOTTEN}"))
        }
    };
    mishap(kind, with_last_words(what, last_words))
}
