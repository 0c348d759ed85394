//! What is wrong with an answer that does not fit its question, precisely enough for its author.
//!
//! Runs only when an answer does not count. Names that the author chose are repeated where they
//! resemble ours, its values never: who reads this may be its opponent.
//!
//! Spec: docs/protocol/errors.md

use serde::de::IgnoredAny;

use super::answer::{BadAnswer, decode_answer, result_of};
use super::{Limits, Reject};
use crate::dialect::league_v2::codec::{members, read_envelope, text_member};
use crate::{Answer, ErrorCode, Fault, MessageType, Objection, PROTOCOL};

/// What is wrong with an answer that leads elsewhere.
pub(super) const REDIRECTS: &str =
    "redirects are not followed: register the address that it leads to";

/// Says what is wrong with an answer to a question that wants a message of this kind, and what
/// would be right. `status` is that of HTTP.
pub fn object_to(bytes: &[u8], status: u16, wanted: MessageType, limits: Limits) -> Objection {
    let invalid = |flaw: &str| (ErrorCode::InvalidMessage, format!("HTTP {status}: {flaw}"));
    let is_framed = || decode_answer(bytes, limits).is_ok();
    let (code, problem) = match status {
        502..=504 => invalid("a proxy, and nobody behind it: start the agent again"),
        500.. => invalid("the server failed while it answered: its own log says why"),
        300..400 => invalid(REDIRECTS),
        404 if !is_framed() => invalid("nothing is served at the path that was registered"),
        405 if !is_framed() => invalid("POST is not taken at the path that was registered"),
        400.. => {
            let (code, problem) = flaw(bytes, wanted, limits);
            (code, format!("HTTP {status}: {problem}"))
        }
        _ => flaw(bytes, wanted, limits),
    };
    Objection::new(code, &problem).to(bytes)
}

fn flaw(bytes: &[u8], wanted: MessageType, limits: Limits) -> (ErrorCode, String) {
    let code = ErrorCode::InvalidMessage;
    match decode_answer(bytes, limits) {
        Err(BadAnswer::Malformed) => (code, not_json(bytes)),
        Err(BadAnswer::TooDeep) => {
            (code, format!("the answer is nested more than {} levels deep", limits.depth_max))
        }
        Err(BadAnswer::NotAnAnswer) => {
            let flaw = "the answer has neither result nor error: a message must stand in result";
            (code, flaw.to_owned())
        }
        // Codes of JSON-RPC that every library has.
        Ok(Answer::Fault(Fault { code: number, .. })) => {
            let why = match number {
                -32601 => ": it does not know the method",
                -32602 => ": it does not take the parameters",
                -32603 => ": it failed while it answered",
                _ => "",
            };
            (code, format!("the answer is an error of JSON-RPC, code {number}{why}"))
        }
        Ok(Answer::Message(_) | Answer::Receipt(_) | Answer::Tool(_))
        | Err(BadAnswer::BadResult(_)) => {
            let result = str::from_utf8(bytes).ok().and_then(result_of).unwrap_or_default();
            of_result(result, wanted)
        }
    }
}

fn not_json(bytes: &[u8]) -> String {
    if bytes.trim_ascii().is_empty() {
        return "the answer is empty: an answer of JSON-RPC is expected".to_owned();
    }
    if is_page(bytes) {
        return "a page of HTML: an answer of JSON-RPC is expected".to_owned();
    }
    match serde_json::from_slice::<IgnoredAny>(bytes) {
        Err(error) => format!("not JSON: {error}"),
        Ok(_) => "not JSON: it is not UTF-8".to_owned(),
    }
}

/// Whether it is a page, for people.
pub(super) fn is_page(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(b"<")
}

/// What is wrong with a result that is no such message.
fn of_result(json: &str, wanted: MessageType) -> (ErrorCode, String) {
    let name = wanted.name();
    let invalid = |flaw: String| (ErrorCode::InvalidMessage, flaw);
    let Some(members) = members(json) else {
        return invalid(format!("the result is no object: a {name} must stand there"));
    };
    let kind = text_member(json, "message_type");
    match kind.as_deref().map(MessageType::from_name) {
        None if members.contains_key("message_type") => {
            invalid(format!("{name}: field message_type must be a text"))
        }
        None => lacks(name, "message_type", json),
        Some(None) => invalid(format!("there is no such message_type; {name} is expected")),
        Some(Some(kind)) if kind != wanted => {
            invalid(format!("the answer is a {}; a {name} is expected", kind.name()))
        }
        Some(Some(_)) => match read_envelope(json) {
            Ok(_) => invalid(format!("{name}: it does not fit the question")),
            Err(flawed) => of_reject(name, &flawed.reject, json),
        },
    }
}

fn of_reject(name: &str, reject: &Reject, json: &str) -> (ErrorCode, String) {
    let code = reject.code().unwrap_or(ErrorCode::InvalidMessage);
    let flaw = match reject {
        Reject::MissingField { field } => return lacks(name, field, json),
        Reject::WrongProtocol { .. } => format!("field protocol must be {PROTOCOL}"),
        Reject::InvalidTime { field } => {
            format!("field {field} must be a time in UTC such as 2026-01-15T10:30:00Z")
        }
        Reject::BadMessage { field } => {
            format!("the value of field {field} does not fit; see agon schema {name}")
        }
        Reject::Malformed
        | Reject::TooDeep
        | Reject::Batch
        | Reject::NotARequest { .. }
        | Reject::UnknownMethod { .. }
        | Reject::UnknownMessage { .. }
        | Reject::Unreadable(_) => "it could not be read".to_owned(),
    };
    (code, format!("{name}: {flaw}"))
}

/// A field is not there; perhaps it goes by another name, in the object where it should stand.
fn lacks(name: &str, field: &str, json: &str) -> (ErrorCode, String) {
    let (object, last) = field.rsplit_once('.').unwrap_or(("", field));
    let whole = members(json).unwrap_or_default();
    let inner = whole.get(object).map_or("", |value| value.get());
    let known = if object.is_empty() { whole } else { members(inner).unwrap_or_default() };
    let other = known.keys().find(|other| resembles(other, last));
    let hint = other.map(|other| format!(" (there is a field {other}: rename it)"));
    let hint = hint.unwrap_or_default();
    (ErrorCode::MissingField, format!("{name}: field {field} is missing{hint}"))
}

/// What people call what they have chosen.
const CHOICES: [&str; 6] = ["choice", "paritychoice", "move", "answer", "action", "decision"];

/// Whether a name can be meant for another: `choice`, `parityChoice` for `parity_choice`.
fn resembles(other: &str, field: &str) -> bool {
    const NAME_MAX: usize = 32;
    const NAME_MIN: usize = 4;
    let letters = |name: &str| name.replace(['_', '-'], "").to_ascii_lowercase();
    let plain = other.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    let (found, meant) = (letters(other), letters(field));
    plain
        && (NAME_MIN..=NAME_MAX).contains(&other.len())
        && (found.contains(&meant)
            || meant.contains(&found)
            || [&found, &meant].into_iter().all(|name| CHOICES.contains(&&**name)))
}

#[cfg(test)]
mod tests;
