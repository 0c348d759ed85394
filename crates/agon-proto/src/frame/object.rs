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

/// Says what is wrong with an answer to a question that wants a message of this kind. `status` is
/// that of HTTP.
pub fn object_to(bytes: &[u8], status: u16, wanted: MessageType, limits: Limits) -> Objection {
    let (code, problem) = match status {
        500.. => (ErrorCode::InvalidMessage, format!("HTTP {status}")),
        300..400 => {
            (ErrorCode::InvalidMessage, format!("HTTP {status}: redirects are not followed"))
        }
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
        Ok(Answer::Fault(Fault { code: number, .. })) => {
            (code, format!("the answer is an error of JSON-RPC, code {number}"))
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
        return "the answer is empty".to_owned();
    }
    match serde_json::from_slice::<IgnoredAny>(bytes) {
        Err(error) => format!("not JSON: {error}"),
        Ok(_) => "not JSON: it is not UTF-8".to_owned(),
    }
}

/// What is wrong with a result that is no such message.
fn of_result(json: &str, wanted: MessageType) -> (ErrorCode, String) {
    let name = wanted.name();
    let invalid = |flaw: String| (ErrorCode::InvalidMessage, flaw);
    let Some(members) = members(json) else {
        return invalid(format!("the result is no object: a {name} must stand there"));
    };
    let names: Vec<String> = members.into_keys().collect();
    let kind = text_member(json, "message_type");
    match kind.as_deref().map(MessageType::from_name) {
        None if names.iter().any(|name| name == "message_type") => {
            invalid(format!("{name}: field message_type must be a text"))
        }
        None => lacks(name, "message_type", &names),
        Some(None) => invalid(format!("there is no such message_type; {name} is expected")),
        Some(Some(kind)) if kind != wanted => {
            invalid(format!("the answer is a {}; a {name} is expected", kind.name()))
        }
        Some(Some(_)) => match read_envelope(json) {
            Ok(_) => invalid(format!("{name}: it does not fit the question")),
            Err(flawed) => of_reject(name, &flawed.reject, &names),
        },
    }
}

fn of_reject(name: &str, reject: &Reject, names: &[String]) -> (ErrorCode, String) {
    let code = reject.code().unwrap_or(ErrorCode::InvalidMessage);
    let flaw = match reject {
        Reject::MissingField { field } => return lacks(name, field, names),
        Reject::WrongProtocol { .. } => format!("field protocol must be {PROTOCOL}"),
        Reject::InvalidTime { field } => {
            format!("field {field} must be a time in UTC such as 2026-01-15T10:30:00Z")
        }
        Reject::BadMessage { field } => format!("the value of field {field} does not fit"),
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

/// A field is not there; perhaps it goes by another name.
fn lacks(name: &str, field: &str, names: &[String]) -> (ErrorCode, String) {
    let other = names.iter().find(|other| resembles(other, field));
    let hint = other.map_or(String::new(), |other| format!(" (there is a field {other})"));
    (ErrorCode::MissingField, format!("{name}: field {field} is missing{hint}"))
}

/// Whether a name can be meant for another: `choice`, `parityChoice` for `parity_choice`.
fn resembles(other: &str, field: &str) -> bool {
    const NAME_MAX: usize = 32;
    const NAME_MIN: usize = 4;
    let letters = |name: &str| name.replace(['_', '-'], "").to_ascii_lowercase();
    let plain = other.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    let (found, meant) = (letters(other), letters(field));
    plain
        && (NAME_MIN..=NAME_MAX).contains(&other.len())
        && (found.contains(&meant) || meant.contains(&found))
}

#[cfg(test)]
mod tests;
