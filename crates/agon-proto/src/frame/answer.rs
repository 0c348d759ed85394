//! Reading what comes back from a call of ours.
//!
//! Tolerant: an acknowledgement counts in whatever form it comes, because agents in the wild have
//! a dozen. Only a message of the league, or what a tool found, must be right.
//!
//! Spec: docs/protocol/README.md

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::reject::Reject;
use super::{Limits, is_deeper, is_object};
use crate::dialect::league_v2::codec::{fault_of, read_envelope, text};
use crate::text::printable;
use crate::tool::{Command, Tool, ToolAnswer};
use crate::{Answer, ErrorCode, Fault, MatchId, MessageType, Receipt, ReceiptStatus};

/// Longest text of a peer's error that is kept.
const MESSAGE_MAX: usize = 256;
/// What stands for a code that the peer did not give.
const INTERNAL_ERROR: i64 = -32603;

/// Why an answer is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadAnswer {
    /// Not JSON.
    #[error("the answer is not JSON")]
    Malformed,
    /// Nested more deeply than is read.
    #[error("the answer is nested too deeply")]
    TooDeep,
    /// Neither `result` nor `error`.
    #[error("the answer has neither a result nor an error")]
    NotAnAnswer,
    /// What it carries could not be read.
    #[error("the result could not be read: {0}")]
    BadResult(Reject),
}

/// Reads the answer to a message.
///
/// # Errors
/// When it is no JSON-RPC answer, or carries a message with a flaw.
pub fn decode_answer(bytes: &[u8], limits: Limits) -> Result<Answer, BadAnswer> {
    let json = sound(bytes, limits)?;
    if let Some(answer) = quick(json) {
        return Ok(answer);
    }
    match unwrap(json)? {
        Outcome::Fault(fault) => Ok(Answer::Fault(fault)),
        Outcome::Result(json) => {
            let letter = read_letter(json)?;
            Ok(letter.unwrap_or_else(|| Answer::Receipt(read_receipt(json))))
        }
    }
}

/// Whether an answer says that something was taken, and holds no word of its author's own.
pub fn is_bare_receipt(bytes: &[u8]) -> bool {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Frame {
        jsonrpc: Box<str>,
        result: Bare,
        #[serde(rename = "id")]
        _id: u64,
    }
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Bare {
        #[serde(rename = "status")]
        _status: ReceiptStatus,
        #[serde(default, rename = "match_id")]
        _match_id: Option<MatchId>,
    }
    let bare = |frame: Frame| (&*frame.jsonrpc == "2.0").then_some(frame.result);
    serde_json::from_slice(bytes).ok().and_then(bare).is_some()
}

/// Reads the answer to a tool.
///
/// # Errors
/// When it is no JSON-RPC answer, or not what this tool answers.
pub fn decode_tool_answer(bytes: &[u8], tool: Tool, limits: Limits) -> Result<Answer, BadAnswer> {
    let json = match unwrap(sound(bytes, limits)?)? {
        Outcome::Fault(fault) => return Ok(Answer::Fault(fault)),
        Outcome::Result(json) => json,
    };
    if let Some(letter) = read_letter(json)? {
        return Ok(letter);
    }
    let found = match tool {
        Tool::Ping => ToolAnswer::Pong,
        Tool::GetStandings => ToolAnswer::Standings(read(json)?),
        Tool::Command(Command::ResetAgent) => ToolAnswer::Fresh(read(json)?),
        Tool::Command(Command::Invite) => ToolAnswer::Invited(read(json)?),
        Tool::ListAgents => ToolAnswer::Agents(read(json)?),
        Tool::GetSchedule => ToolAnswer::Schedule(read(json)?),
        Tool::KeepMessages => ToolAnswer::Kept(read(json)?),
        Tool::GetLeagueState | Tool::Command(_) => ToolAnswer::League(read(json)?),
        Tool::GetMatchState => ToolAnswer::Match(read(json)?),
        Tool::GetPlayerState => ToolAnswer::Player(read(json)?),
    };
    Ok(Answer::Tool(found))
}

/// What is true of all of it, whichever part is read: it is UTF-8, not too deep, and an object.
fn sound(bytes: &[u8], limits: Limits) -> Result<&str, BadAnswer> {
    if is_deeper(bytes, limits.depth_max) {
        return Err(BadAnswer::TooDeep);
    }
    let json = str::from_utf8(bytes).map_err(|_| BadAnswer::Malformed)?;
    if is_object(json) {
        return Ok(json);
    }
    let other = serde_json::from_str::<serde::de::IgnoredAny>(json);
    Err(other.map_or(BadAnswer::Malformed, |_| BadAnswer::NotAnAnswer))
}

/// Our own answers, in one pass. What is unusual about others is looked at more closely later.
fn quick(json: &str) -> Option<Answer> {
    /// Longer than any receipt, shorter than any letter: a hint for what to try, nothing more.
    const RECEIPT_MAX: usize = 160;
    #[derive(Deserialize)]
    struct Quick<T> {
        result: T,
        error: Option<serde::de::IgnoredAny>,
    }
    let (answer, error) = if json.len() <= RECEIPT_MAX {
        let Quick { result, error } = serde_json::from_str(json).ok()?;
        (Answer::Receipt(result), error)
    } else {
        let Quick { result, error } = serde_json::from_str(json).ok()?;
        (Answer::Message(result), error)
    };
    error.is_none().then_some(answer)
}

enum Outcome<'a> {
    Result(&'a str),
    Fault(Fault),
}

#[derive(Deserialize)]
struct Parts<'a> {
    /// `null` says nothing, here as there.
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

fn unwrap(json: &str) -> Result<Outcome<'_>, BadAnswer> {
    let parts: Parts<'_> = serde_json::from_str(json).map_err(|error| {
        if error.is_data() { BadAnswer::NotAnAnswer } else { BadAnswer::Malformed }
    })?;
    match (parts.error, parts.result) {
        (Some(error), _) => Ok(Outcome::Fault(read_fault(error.get()))),
        (None, Some(result)) => Ok(Outcome::Result(result.get())),
        (None, None) => Err(BadAnswer::NotAnAnswer),
    }
}

/// What stands in `result`.
pub(super) fn result_of(json: &str) -> Option<&str> {
    match unwrap(json) {
        Ok(Outcome::Result(result)) => Some(result),
        Ok(Outcome::Fault(_)) | Err(_) => None,
    }
}

/// The message, if it is one that the league knows.
fn read_letter(json: &str) -> Result<Option<Answer>, BadAnswer> {
    #[derive(Deserialize)]
    struct Mark<'a> {
        #[serde(borrow)]
        message_type: Option<&'a RawValue>,
    }
    if let Ok(envelope) = serde_json::from_str(json) {
        return Ok(Some(Answer::Message(envelope)));
    }
    let mark = serde_json::from_str::<Mark<'_>>(json).ok();
    let name = mark.and_then(|mark| text(mark.message_type?.get()));
    if name.and_then(|name| MessageType::from_name(&name)).is_none() {
        return Ok(None);
    }
    let envelope = read_envelope(json).map_err(|flawed| BadAnswer::BadResult(flawed.reject))?;
    Ok(Some(Answer::Message(Box::new(envelope))))
}

fn read_receipt(json: &str) -> Receipt {
    serde_json::from_str(json).unwrap_or(Receipt {
        status: ReceiptStatus::Acknowledged,
        match_id: None,
        played: None,
    })
}

fn read<T: DeserializeOwned>(json: &str) -> Result<T, BadAnswer> {
    serde_json::from_str(json).map_err(|error| BadAnswer::BadResult(fault_of(json, &error)))
}

/// Reads a peer's error as far as it can be read; that it is one is all that matters.
fn read_fault(json: &str) -> Fault {
    #[derive(Default, Deserialize)]
    struct Parts<'a> {
        #[serde(borrow)]
        code: Option<&'a RawValue>,
        #[serde(borrow)]
        message: Option<&'a RawValue>,
        #[serde(borrow)]
        data: Option<&'a RawValue>,
    }
    #[derive(Deserialize)]
    struct Data {
        error_code: ErrorCode,
    }
    let Parts { code, message, data } = serde_json::from_str(json).unwrap_or_default();
    let code = code.and_then(|code| code.get().parse().ok());
    let message = message.and_then(|message| text(message.get())).unwrap_or_default();
    let data = data.and_then(|data| serde_json::from_str::<Data>(data.get()).ok());
    Fault {
        code: code.unwrap_or(INTERNAL_ERROR),
        message: printable(&message, MESSAGE_MAX).into(),
        league_code: data.map(|data| data.error_code),
    }
}
