//! The JSON-RPC 2.0 frame: requests, answers, and why a request was not opened.
//!
//! Spec: docs/protocol/README.md

mod answer;
mod encode;
mod object;
mod reject;
mod request;
mod sign_of_life;

use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use answer::{BadAnswer, decode_answer, decode_tool_answer, is_bare_receipt};
pub use encode::{
    SharedBody, encode_answer, encode_body_once, encode_letter_request, encode_request,
    encode_shared_request, encode_tool_request,
};
pub use object::object_to;
pub use reject::{BadRequest, Reject};
pub use request::{Request, decode_request};
pub use sign_of_life::sign_of_life;

/// What a peer's JSON may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How deeply objects and lists may be nested, the frame itself counted.
    pub depth_max: usize,
}

/// Whether it begins as an object does. A derived reader would take a list of the parts as well.
pub(super) fn is_object(json: &str) -> bool {
    json.trim_ascii_start().starts_with('{')
}

/// Whether objects and lists are nested more than `depth_max` deep.
pub(crate) fn is_deeper(json: &[u8], depth_max: usize) -> bool {
    // Nearly everything ends here, and counting is far cheaper than the scan below.
    nested(json) > depth_max && agon_games::depth(json) > depth_max
}

/// How deep it can be at most: as deep as something opens that does not directly follow its
/// sibling. In `},{` the second object stands where the first one stood, so it adds no depth. A
/// comma before an opening is never part of a text, and so is what stands before that comma.
///
/// Counts in pieces that a byte can count, so that the compiler can take many bytes at a time;
/// `[` and `{` differ in one bit, and so do `]` and `}`.
fn nested(json: &[u8]) -> usize {
    let opens = |byte: u8| byte | 0x20 == b'{';
    let head = json.iter().take(2).filter(|byte| opens(**byte)).count();
    let (Some(before), Some(comma), Some(here)) =
        (json.get(..json.len().saturating_sub(2)), json.get(1..), json.get(2..))
    else {
        return head;
    };
    let pieces = here.chunks(128).zip(comma.chunks(128)).zip(before.chunks(128));
    let counts = pieces.map(|((here, comma), before)| {
        let bytes = here.iter().zip(comma).zip(before);
        let new = bytes.map(|((here, comma), before)| {
            u8::from(opens(*here)) & !(u8::from(*comma == b',') & u8::from(before | 0x20 == b'}'))
        });
        new.sum::<u8>()
    });
    counts.map(usize::from).sum::<usize>() + head
}

/// Longest text that is taken for an id.
const TEXT_MAX: usize = 256;

/// What ties an answer to its request.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RpcId {
    /// A whole number, as we send it.
    Number(i64),
    /// A text, such as a UUID.
    Text(Box<str>),
    /// `null`: what a request is answered with whose id could not be read.
    Null,
}

impl Serialize for RpcId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => serializer.serialize_i64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Null => serializer.serialize_unit(),
        }
    }
}

impl<'de> Deserialize<'de> for RpcId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Id)
    }
}

struct Id;

impl Visitor<'_> for Id {
    type Value = RpcId;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number, a short text or null")
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<RpcId, E> {
        Ok(RpcId::Number(number))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<RpcId, E> {
        let signed = i64::try_from(number).map(RpcId::Number);
        signed.map_err(|_| E::invalid_value(de::Unexpected::Unsigned(number), &self))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<RpcId, E> {
        if text.len() > TEXT_MAX {
            return Err(E::invalid_length(text.len(), &self));
        }
        Ok(RpcId::Text(text.into()))
    }

    fn visit_unit<E: de::Error>(self) -> Result<RpcId, E> {
        Ok(RpcId::Null)
    }
}

#[cfg(test)]
mod tests;
