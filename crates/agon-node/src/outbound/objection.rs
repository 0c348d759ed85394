//! What an answer means, and what is said about a question that brought none: to whoever was asked,
//! and to the operator.
//!
//! That is made only when an ask has failed; one that is answered well pays nothing.

use std::error::Error;
use std::io::{self, ErrorKind};
use std::iter;

use agon_core::{Event, Setback, Tag};
use agon_link::StepFailure;
use agon_net::{CallError, EndpointUrl, HttpAnswer};
use agon_proto::frame::{self, Limits};
use agon_proto::{Answer, ErrorCode, MessageType, Objection};

use super::{Outbound, Purpose};

impl Outbound {
    /// What an answer means to the role. Letters and news were taken, whatever is said to them; and
    /// whoever is asked a question is told elsewhere what was wrong with its answer.
    pub(super) fn answered(
        &mut self,
        peer: usize,
        purpose: Purpose,
        answer: &HttpAnswer,
    ) -> Option<Event> {
        let Purpose { tag, wanted, said, .. } = purpose;
        let decoded = frame::decode_answer(&answer.body, self.limits);
        let is_told = tag.is_news() || matches!(tag, Tag::Parcel(_));
        let reason = match &decoded {
            Ok(Answer::Fault(fault)) => Some(fault.message.to_string()),
            Ok(_) => None,
            Err(bad) => Some(bad.to_string()).filter(|_| !is_told),
        };
        match reason.filter(|_| wanted.is_none()) {
            Some(reason) => self.peers[peer].refused(said, answer, &reason),
            None => self.peers[peer].took(said),
        }
        Some(match (tag, decoded, wanted) {
            // What it says that it played.
            (Tag::RoundOver { .. }, Ok(answer @ Answer::Receipt(_)), _) => {
                Event::Answered { tag, answer }
            }
            _ if is_told => return None,
            // Also if it says itself that it is too late, or that the attempt is over.
            (tag, Ok(answer), wanted)
                if wanted.is_none_or(|wanted| is_a(&answer, wanted) || says_why(&answer)) =>
            {
                Event::Answered { tag, answer }
            }
            (tag, _, wanted) => {
                let objection = wanted.map(|wanted| to_answer(answer, wanted, self.limits));
                Event::Undelivered { tag, why: Setback::Malformed, objection }
            }
        })
    }

    /// What is said about a failed call, if it was a question.
    pub(super) fn object(
        &self,
        peer: usize,
        purpose: Option<Purpose>,
        result: &Result<HttpAnswer, CallError>,
    ) -> Option<Box<Objection>> {
        let wanted = purpose?.wanted?;
        match result {
            Ok(answer) => Some(to_answer(answer, wanted, self.limits)),
            Err(error) => to_failure(error, self.peers[peer].address.as_ref()),
        }
    }
}

/// Whether an answer is such a message.
fn is_a(answer: &Answer, wanted: MessageType) -> bool {
    matches!(answer, Answer::Message(letter) if MessageType::of(&letter.act) == Some(wanted))
}

/// Whether a peer says that it had too little time, or has nothing to answer any more.
fn says_why(answer: &Answer) -> bool {
    let whys = [Some(ErrorCode::Timeout), Some(ErrorCode::StaleAttempt)];
    matches!(answer, Answer::Fault(fault) if whys.contains(&fault.league_code))
}

/// Why a call came to nothing, for people.
pub(super) fn reason(
    result: &Result<HttpAnswer, CallError>,
    address: Option<&EndpointUrl>,
) -> String {
    match result {
        Ok(answer) => format!("it answers with HTTP {}", answer.status),
        Err(error) => failure(error, address),
    }
}

/// Why a call brought no answer, for people.
pub(crate) fn failure(error: &CallError, address: Option<&EndpointUrl>) -> String {
    let objection = to_failure(error, address);
    objection.map_or_else(|| error.to_string(), |objection| objection.problem.as_str().to_owned())
}

/// What is wrong with an answer to a question that wants such a message.
fn to_answer(answer: &HttpAnswer, wanted: MessageType, limits: Limits) -> Box<Objection> {
    frame::object_to(&answer.body, answer.status, wanted, limits).into()
}

/// Why a call to that address brought no answer. Nothing if its time was up: whoever asked has a
/// clock of its own. Nothing if our own machine could not call: that is nobody else's fault.
pub(super) fn to_failure(
    error: &CallError,
    address: Option<&EndpointUrl>,
) -> Option<Box<Objection>> {
    let place = address.map_or_else(
        || "its endpoint".to_owned(),
        |address| format!("{}:{}", address.host(), address.port()),
    );
    let mut code = ErrorCode::ConnectionError;
    let problem = match error {
        CallError::Timeout | CallError::Exhausted(_) => return None,
        CallError::TooLarge { limit } => {
            code = ErrorCode::InvalidMessage; // It was reached, and said too much.
            format!("the answer is larger than {limit} bytes")
        }
        CallError::Broken(_) => format!("{place} hung up before the answer was whole"),
        CallError::Forbidden { address } => {
            format!("the address {address} may not be called from the referee's machine")
        }
        CallError::Connect(source) => match error.tls_fault() {
            Some(fault) => format!("no TLS connection to {place}: {fault}"),
            None => connecting(source.as_ref(), &place),
        },
    };
    Some(Objection::new(code, &problem).into())
}

/// A call that was not even tried, because its peer failed too often. Of others more is known.
pub(super) fn to_silence(why: StepFailure) -> Option<Box<Objection>> {
    let problem = "it was not called: too many calls to it failed a moment ago";
    let objection = || Objection::new(ErrorCode::ConnectionError, problem).into();
    (why == StepFailure::BreakerOpen).then(objection)
}

fn connecting(source: &(dyn Error + 'static), place: &str) -> String {
    let causes = || iter::successors(Some(source), |&error| error.source());
    let kind = causes().find_map(|error| Some(error.downcast_ref::<io::Error>()?.kind()));
    match kind {
        Some(ErrorKind::ConnectionRefused) => format!("connection refused by {place}"),
        Some(ErrorKind::TimedOut) => format!("no connection to {place} in time"),
        Some(ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable) => {
            format!("there is no way to {place}")
        }
        Some(_) | None => {
            let cause = causes().last().map(ToString::to_string).unwrap_or_default();
            format!("could not connect to {place}: {cause}")
        }
    }
}

#[cfg(test)]
mod tests;
