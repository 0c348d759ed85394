//! The id of a request. It is answered as it came.

use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

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
