//! Reading a request: one pass in the usual order of fields, a closer look if that fails.
//!
//! Spec: docs/protocol/README.md

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::reject::{BadRequest, Reject};
use super::{Limits, RpcId, is_deeper, is_object};
use crate::act::Act;
use crate::dialect::league_v2::codec::{fault_of, read_envelope, text};
use crate::dialect::{kind_of, open_letter};
use crate::json::from_text;
use crate::tool::{Tool, ToolParams};
use crate::{Call, DisplayName, Envelope, Listed, MessageType};

/// The only version of JSON-RPC.
pub(super) const VERSION: &str = "2.0";

/// One request, opened.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// What the answer must carry; without one it is a notification and gets none.
    pub id: Option<RpcId>,
    /// What is asked.
    pub call: Call,
}

/// Opens a request.
///
/// # Errors
/// Says precisely why it could not be opened, and what its sender can be answered.
pub fn decode_request(bytes: &[u8], limits: Limits) -> Result<Request, BadRequest> {
    if is_deeper(bytes, limits.depth_max) {
        return Err(unread(Reject::TooDeep));
    }
    // All of it, once: the parser would look only at those texts that somebody reads.
    let Ok(json) = str::from_utf8(bytes) else {
        return Err(unread(Reject::Malformed));
    };
    if let Some(request) = set_list_aside(json) {
        return Ok(request);
    }
    let request = match serde_json::from_str(json) {
        Ok(Fast(request)) => request,
        Err(_) => examine(json)?,
    };
    // Who registers would never hear which token it was given.
    let applies = matches!(&request.call, Call::Message(it) if matches!(it.act, Act::Apply(_)));
    if request.id.is_none() && applies {
        return Err(flaw("a registration must have an id").into());
    }
    Ok(request)
}

/// A request in the usual order: `method` before `params`, `message_type` before the body.
pub(super) struct Fast(pub(super) Request);

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Key {
    Jsonrpc,
    Method,
    Params,
    Id,
    #[serde(other)]
    Other,
}

impl<'de> Deserialize<'de> for Fast {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FastVisitor)
    }
}

struct FastVisitor;

impl<'de> Visitor<'de> for FastVisitor {
    type Value = Fast;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON-RPC request")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fast, A::Error> {
        let unusual = || A::Error::custom("not in the usual order");
        let (mut version, mut method, mut call, mut id) = (None, None, None, None);
        while let Some(key) = map.next_key()? {
            let doubled = match key {
                Key::Jsonrpc => version.replace(map.next_value::<Version>()?).is_some(),
                Key::Method => method.replace(map.next_value::<Method>()?).is_some(),
                Key::Id => id.replace(map.next_value::<RpcId>()?).is_some(),
                Key::Params => {
                    let params = match method {
                        Some(Method::Letter) => Call::Message(map.next_value::<Box<Envelope>>()?),
                        Some(Method::Tool(tool)) => {
                            let params: Option<ToolParams> = map.next_value()?;
                            Call::Tool(tool, params.unwrap_or_default().into())
                        }
                        Some(Method::Post | Method::Unknown) | None => return Err(unusual()),
                    };
                    call.replace(params).is_some()
                }
                Key::Other => {
                    map.next_value::<IgnoredAny>()?;
                    false
                }
            };
            if doubled {
                return Err(unusual());
            }
        }
        match (version, call) {
            (Some(Version), Some(call)) => Ok(Fast(Request { id, call })),
            (_, _) => Err(unusual()),
        }
    }
}

/// `"2.0"`, and nothing else.
struct Version;

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_text(deserializer, VERSION, |text| (text == VERSION).then_some(Self))
    }
}

/// The frame, with its parts unopened.
#[derive(Deserialize)]
struct Parts<'a> {
    #[serde(borrow)]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<&'a RawValue>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
}

/// Tells `null` from nothing.
pub(super) fn present<'de, D>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error>
where
    D: Deserializer<'de>,
{
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// Opens a request whose parts stand in an unusual order, or finds out what is wrong with it.
fn examine(json: &str) -> Result<Request, BadRequest> {
    if !is_object(json) {
        return Err(unread(no_object(json)));
    }
    let parts: Parts<'_> = match serde_json::from_str(json) {
        Ok(parts) => parts,
        Err(error) if error.is_data() => {
            return Err(unread(flaw("every part may stand there once")));
        }
        Err(_) => return Err(unread(Reject::Malformed)),
    };
    let id = match parts.id.map(|id| serde_json::from_str(id.get())) {
        None => None,
        Some(Ok(id)) => Some(id),
        Some(Err(_)) => return Err(unread(flaw("id must be a whole number, a text or null"))),
    };
    match open(&parts) {
        Ok(call) => Ok(Request { id, call }),
        Err(bad) => Err(BadRequest { id, ..bad }),
    }
}

/// The method that somebody may have meant who spells it otherwise, or as its message.
fn meant(name: &str) -> Option<&'static str> {
    let letters = |name: &str| name.replace(['_', '-', '.', '/'], "").to_ascii_lowercase();
    let said = letters(name);
    let tools = Tool::ALL.iter().map(|tool| tool.method());
    let by_message = |kind: &&MessageType| letters(kind.name()) == said;
    let message = MessageType::ALL.iter().find(by_message).and_then(|kind| kind.method());
    let methods = MessageType::ALL.iter().filter_map(|kind| kind.method());
    message.or_else(|| methods.chain(tools).find(|method| letters(method) == said))
}

fn open(parts: &Parts<'_>) -> Result<Call, BadRequest> {
    if parts.jsonrpc.and_then(|version| text(version.get())).as_deref() != Some(VERSION) {
        return Err(flaw("jsonrpc must be \"2.0\"").into());
    }
    let method = parts.method.and_then(|method| text(method.get()));
    let Some(name) = method else {
        return Err(flaw("method must be a text").into());
    };
    match (Method::of(&name), parts.params) {
        (Method::Unknown, _) => {
            let method = DisplayName::new(&name).as_str().into();
            Err(Reject::UnknownMethod { method, meant: meant(&name) }.into())
        }
        (Method::Tool(tool), None) => Ok(Call::Tool(tool, Box::default())),
        (Method::Tool(tool), Some(params)) => serde_json::from_str(params.get())
            .map(|params| Call::Tool(tool, params))
            .map_err(|error| fault_of(params.get(), &error).into()),
        (Method::Letter | Method::Post, None) => {
            Err(Reject::MissingField { field: "params".into() }.into())
        }
        (Method::Letter, Some(params)) => {
            read_envelope(params.get()).map(|envelope| Call::Message(Box::new(envelope)))
        }
        (Method::Post, Some(params)) => open_letter(params.get().as_bytes())
            .map(|letter| Call::Letter(Box::new(letter)))
            .map_err(|unreadable| Reject::Unreadable(Box::new(unreadable)).into()),
    }
}

fn no_object(json: &str) -> Reject {
    match serde_json::from_str::<IgnoredAny>(json) {
        Err(_) => Reject::Malformed,
        Ok(_) if json.trim_ascii_start().starts_with('[') => Reject::Batch,
        Ok(_) => flaw("it must be an object"),
    }
}

fn flaw(flaw: &'static str) -> Reject {
    Reject::NotARequest { flaw }
}

/// A request of which nothing is known: its answer carries a null for the id.
fn unread(reject: Reject) -> BadRequest {
    BadRequest { id: Some(RpcId::Null), ..reject.into() }
}

/// The method under which letters of a Q21 league travel.
pub(super) const DELIVER: &str = "deliver_letter";

/// What a method promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    /// A message. Which one, its `message_type` says.
    Letter,
    Tool(Tool),
    /// A letter of a Q21 league. Which one, the letter says.
    Post,
    Unknown,
}

impl Method {
    pub(super) fn of(name: &str) -> Self {
        if let Some(tool) = Tool::ALL.iter().find(|tool| tool.method() == name) {
            Self::Tool(*tool)
        } else if MessageType::any_carried_by(name) {
            Self::Letter
        } else if name == DELIVER || kind_of(name).is_some() {
            Self::Post
        } else {
            Self::Unknown
        }
    }
}

impl<'de> Deserialize<'de> for Method {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_text(deserializer, "the name of a method", |name| Some(Self::of(name)))
    }
}

/// A letter that is shorter is read in full: there is little to save.
const LONG: usize = 1024;

/// Opens a request whose only list is the one that a piece of news is about.
fn set_list_aside(json: &str) -> Option<Request> {
    if json.len() < LONG {
        return None;
    }
    let (begin, end) = (json.find('[')?, json.rfind(']')?);
    let (head, list, tail) = (json.get(..begin)?, json.get(begin..=end)?, json.get(end + 1..)?);
    // A bracket within a text is none. Without escapes, an even number of quotes ends every text.
    let plain = !head.contains('\\') && !tail.contains('\\');
    let closed = head.bytes().filter(|byte| *byte == b'"').count().is_multiple_of(2);
    let name = last_name(head)?;
    // A report has a long list too, and whoever gets one reads it.
    let listed = matches!(name, "matches" | "standings");
    if !listed || !plain || !closed || head.len() + tail.len() > LONG {
        return None;
    }
    let Fast(mut request) = serde_json::from_str(&[head, "[]", tail].concat()).ok()?;
    let Call::Message(letter) = &mut request.call else {
        return None;
    };
    // The token is all that such a letter may do without, so it may stand behind the list.
    letter.auth_token.as_ref()?;
    match (&mut letter.act, name) {
        (Act::RoundAnnouncement(said), "matches") => said.matches = Listed::unread(list),
        (Act::LeagueStandingsUpdate(said), "standings") => {
            said.standings = Listed::unread(list);
        }
        _ => return None,
    }
    Some(request)
}

/// The name of the field whose value comes next.
fn last_name(head: &str) -> Option<&str> {
    let head = head.trim_ascii_end().strip_suffix(':')?.trim_ascii_end().strip_suffix('"')?;
    let begin = head.rfind('"')?;
    head.get(begin + 1..)
}

#[cfg(test)]
mod tests;
