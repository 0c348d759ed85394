//! Why an envelope could not be read, precisely enough for its author to mend it.
//!
//! Runs only when the fast pass has failed. It reads an envelope whose fields stand in an unusual
//! order as well, so a failure of the fast pass alone is no judgement.
//!
//! Spec: docs/protocol/errors.md

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::DeserializeSeed;
use serde_json::value::RawValue;

use super::locate::{field_at, members};
use super::read::Reader;
use super::required;
use crate::frame::Reject;
use crate::text::printable;
use crate::{ConversationId, Envelope, MessageType, PROTOCOL};

/// Longest name of a peer's own making that is repeated to it.
const NAME_MAX: usize = 64;

/// An envelope that could not be read, and what is known of it all the same.
#[derive(Debug)]
pub(crate) struct Flawed {
    pub(crate) reject: Reject,
    pub(crate) outline: Outline,
}

/// What can be told of an envelope without reading all of it.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    pub(crate) message_type: Option<Box<str>>,
    pub(crate) conversation_id: Option<ConversationId>,
}

/// The fields by which an envelope is recognised.
#[derive(Deserialize)]
struct Marks<'a> {
    #[serde(borrow)]
    protocol: Option<&'a RawValue>,
    #[serde(borrow)]
    message_type: Option<&'a RawValue>,
    #[serde(borrow)]
    conversation_id: Option<&'a RawValue>,
}

/// Reads an envelope in whatever order, or says what is wrong with it.
pub(crate) fn read_envelope(json: &str) -> Result<Envelope, Flawed> {
    if let Ok(envelope) = serde_json::from_str(json) {
        return Ok(envelope);
    }
    let mut outline = Outline::default();
    read(json, &mut outline).map_err(|reject| Flawed { reject, outline })
}

fn read(json: &str, outline: &mut Outline) -> Result<Envelope, Reject> {
    let marks: Marks<'_> = serde_json::from_str(json).map_err(|error| fault_of(json, &error))?;
    let name = marks.message_type.and_then(|name| text(name.get()));
    outline.message_type = name.as_deref().map(|name| printable(name, NAME_MAX).into());
    outline.conversation_id =
        marks.conversation_id.and_then(|id| serde_json::from_str(id.get()).ok());

    match marks.protocol.map(|name| text(name.get())) {
        Some(Some(name)) if name == PROTOCOL => {}
        Some(Some(name)) => {
            return Err(Reject::WrongProtocol { got: printable(&name, NAME_MAX).into() });
        }
        Some(None) => return Err(misfit("protocol")),
        None => return Err(lacks("protocol")),
    }
    if marks.message_type.is_none() {
        return Err(lacks("message_type"));
    }
    let name = name.ok_or_else(|| misfit("message_type"))?;
    let kind = MessageType::from_name(&name).ok_or_else(|| Reject::UnknownMessage {
        message_type: printable(&name, NAME_MAX).into(),
    })?;
    let object = members(json).ok_or_else(|| misfit("params"))?;
    let absent = required::missing(required::ENVELOPE, &object)
        .or_else(|| required::missing(required::of(kind), &object));
    if let Some(field) = absent {
        return Err(lacks(&field));
    }
    let mut source = serde_json::Deserializer::from_str(json);
    let envelope = Reader { kind: Some(kind) }.deserialize(&mut source);
    envelope.map_err(|error| fault_of(json, &error))
}

/// What is wrong with the params at the place where the parser gave up.
pub(crate) fn fault_of(json: &str, error: &serde_json::Error) -> Reject {
    let path = field_at(json, error).unwrap_or_else(|| "params".into());
    let field = printable(&path, NAME_MAX).into();
    let name = path.rsplit('.').next().unwrap_or_default();
    match name {
        "timestamp" | "arrival_timestamp" | "deadline" | "next_retry_at" => {
            Reject::InvalidTime { field }
        }
        _ => Reject::BadMessage { field },
    }
}

fn lacks(field: &str) -> Reject {
    Reject::MissingField { field: field.into() }
}

fn misfit(field: &str) -> Reject {
    Reject::BadMessage { field: field.into() }
}

/// The text that a member of an object is, if it is there and is one.
pub(crate) fn text_member<'a>(json: &'a str, name: &str) -> Option<Cow<'a, str>> {
    text(members(json)?.get(name)?)
}

/// The text that a piece of JSON is, if it is one.
pub(crate) fn text(json: &str) -> Option<Cow<'_, str>> {
    /// Without the wrapper serde would always make a copy.
    #[derive(Deserialize)]
    struct Text<'a>(#[serde(borrow)] Cow<'a, str>);
    serde_json::from_str::<Text<'_>>(json).ok().map(|text| text.0)
}
