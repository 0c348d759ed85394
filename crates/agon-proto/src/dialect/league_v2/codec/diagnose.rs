//! Why an envelope could not be read, precisely enough for its author to mend it.
//!
//! Runs only when the fast pass has failed. It reads an envelope whose fields stand in an unusual
//! order as well, so a failure of the fast pass alone is no judgement.
//!
//! Spec: docs/protocol/errors.md

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeSeed;
use serde_json::value::RawValue;

use super::read::Reader;
use crate::frame::{BadRequest, Reject};
use crate::json::Field;
use crate::text::printable;
use crate::{Envelope, MessageType, PROTOCOL};

/// Longest name of a peer's own making that is repeated to it.
const NAME_MAX: usize = 64;

/// The envelope's own, besides the two by which it is recognised.
pub(super) const ENVELOPE: &[Field] = &[
    Field { name: "sender", required: true, within: &[] },
    Field { name: "timestamp", required: true, within: &[] },
    Field { name: "conversation_id", required: true, within: &[] },
];

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
pub(crate) fn read_envelope(json: &str) -> Result<Envelope, BadRequest> {
    if let Ok(envelope) = serde_json::from_str(json) {
        return Ok(envelope);
    }
    let marks: Marks<'_> = serde_json::from_str(json).map_err(|error| fault_of(json, &error))?;
    let name = marks.message_type.and_then(|name| text(name.get()));
    read(json, &marks, name.as_deref()).map_err(|reject| BadRequest {
        message_type: name.as_deref().map(|name| printable(name, NAME_MAX).into()),
        conversation_id: marks.conversation_id.and_then(|id| serde_json::from_str(id.get()).ok()),
        ..reject.into()
    })
}

fn read(json: &str, marks: &Marks<'_>, name: Option<&str>) -> Result<Envelope, Reject> {
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
    let kind = MessageType::from_name(name)
        .ok_or_else(|| Reject::UnknownMessage { message_type: printable(name, NAME_MAX).into() })?;
    let object = members(json).ok_or_else(|| misfit("params"))?;
    let absent = missing(ENVELOPE, &object).or_else(|| missing(kind.fields(), &object));
    if let Some(field) = absent {
        return Err(lacks(&field));
    }
    let mut source = serde_json::Deserializer::from_str(json);
    let envelope = Reader { kind: Some(kind) }.deserialize(&mut source);
    envelope.map_err(|error| fault_of(json, &error))
}

/// The path of the first field that is not there, such as `matches[1].player_A_id`.
fn missing(fields: &[Field], object: &Members<'_>) -> Option<String> {
    fields.iter().find_map(|field| {
        let Some(value) = object.get(field.name) else {
            return field.required.then(|| field.name.to_owned());
        };
        let within = field.within.first()?;
        if let Some(object) = members(value.get()) {
            let path = missing(within, &object)?;
            return Some(format!("{}.{path}", field.name));
        }
        let elements = elements(value.get()).unwrap_or_default();
        elements.into_iter().enumerate().find_map(|(index, element)| {
            let path = missing(within, &members(element.get())?)?;
            Some(format!("{}[{index}].{path}", field.name))
        })
    })
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
    text(members(json)?.get(name)?.get())
}

/// The text that a piece of JSON is, if it is one.
pub(crate) fn text(json: &str) -> Option<Cow<'_, str>> {
    /// Without the wrapper serde would always make a copy.
    #[derive(Deserialize)]
    struct Text<'a>(#[serde(borrow)] Cow<'a, str>);
    serde_json::from_str::<Text<'_>>(json).ok().map(|text| text.0)
}

/// An object's members; of two with one name the last.
type Members<'a> = BTreeMap<String, &'a RawValue>;

/// The members of an object, or nothing if it is none.
pub(crate) fn members(json: &str) -> Option<Members<'_>> {
    serde_json::from_str(json).ok()
}

/// The elements of a list, or nothing if it is none.
fn elements(json: &str) -> Option<Vec<&RawValue>> {
    serde_json::from_str(json).ok()
}

/// Which field the parser was at: `context.opponent_id`; nothing if it was between fields.
fn field_at(json: &str, error: &serde_json::Error) -> Option<String> {
    let lines = json.split_inclusive('\n');
    let before: usize = lines.take(error.line().saturating_sub(1)).map(str::len).sum();
    path_at(json, before + error.column().saturating_sub(1))
}

fn path_at(json: &str, offset: usize) -> Option<String> {
    let numbered = || {
        let elements = elements(json)?.into_iter().enumerate();
        Some(elements.map(|(index, value)| (format!("[{index}]"), value)).collect())
    };
    let parts: Vec<_> = match members(json) {
        Some(members) => members.into_iter().collect(),
        None => numbered()?,
    };
    // The first value that ends behind the offset: the one it lies in, or whose key it lies in.
    let parts =
        parts.into_iter().map(|(name, value)| (name, value.get(), start(json, value.get())));
    let behind = parts.filter(|(_, value, start)| offset <= start + value.len());
    let (name, value, start) = behind.min_by_key(|(_, _, start)| *start)?;
    let inner = offset.checked_sub(start).and_then(|offset| path_at(value, offset));
    Some(match inner {
        Some(path) if path.starts_with('[') => format!("{name}{path}"),
        Some(path) => format!("{name}.{path}"),
        None => name,
    })
}

/// Where in `json` its part `value` begins.
fn start(json: &str, value: &str) -> usize {
    value.as_ptr() as usize - json.as_ptr() as usize
}
