//! Reading an envelope in one pass: its own fields are picked out wherever they stand, the rest
//! goes straight to the body's type.
//!
//! The kind must be known before the first field of a body. Where a peer writes it later, the
//! bytes are read a second time with the kind given.
//!
//! Spec: docs/protocol/README.md

use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};

use super::owns_token;
use crate::act::Act;
use crate::json::from_text;
use crate::{
    AuthToken, ConversationId, Dialogue, Envelope, MessageType, PROTOCOL, Sender, Timestamp,
};

/// Reads an envelope.
pub(super) struct Reader {
    /// The kind, where somebody has looked it up already.
    pub(super) kind: Option<MessageType>,
}

impl<'de> Deserialize<'de> for Envelope {
    /// Takes `message_type` anywhere before the first field of the body.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Reader { kind: None }.deserialize(deserializer)
    }
}

impl<'de> DeserializeSeed<'de> for Reader {
    type Value = Envelope;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Envelope, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Reader {
    type Value = Envelope;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an envelope")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Envelope, A::Error> {
        let mut head = Head::default();
        let kind = match self.kind {
            Some(kind) => kind,
            None => head.up_to_kind(&mut map)?,
        };
        let body = Body { map: &mut map, head: &mut head, kind };
        let act = kind.read_body(body)?;
        head.close(act)
    }
}

/// A field of the envelope itself, or any other.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum Field {
    Protocol,
    MessageType,
    Sender,
    Timestamp,
    ConversationId,
    AuthToken,
    #[serde(other)]
    OfBody,
}

/// The envelope's own fields, as far as they have come by.
#[derive(Default)]
struct Head {
    protocol: Option<OurProtocol>,
    kind: Option<MessageType>,
    sender: Option<Sender>,
    timestamp: Option<Timestamp>,
    conversation_id: Option<ConversationId>,
    auth_token: Option<Option<AuthToken>>,
}

impl Head {
    /// Reads fields of the envelope until one of them is the kind.
    fn up_to_kind<'de, A: MapAccess<'de>>(&mut self, map: &mut A) -> Result<MessageType, A::Error> {
        loop {
            if let Some(kind) = self.kind {
                return Ok(kind);
            }
            match map.next_key()? {
                Some(field) => self.take(field, map)?,
                None => return Err(A::Error::missing_field("message_type")),
            }
        }
    }

    fn take<'de, A: MapAccess<'de>>(&mut self, field: Field, map: &mut A) -> Result<(), A::Error> {
        match field {
            Field::Protocol => once("protocol", &mut self.protocol, map.next_value()?),
            Field::MessageType => once("message_type", &mut self.kind, map.next_value()?),
            Field::Sender => once("sender", &mut self.sender, map.next_value()?),
            Field::Timestamp => once("timestamp", &mut self.timestamp, map.next_value()?),
            Field::ConversationId => {
                once("conversation_id", &mut self.conversation_id, map.next_value()?)
            }
            Field::AuthToken => once("auth_token", &mut self.auth_token, map.next_value()?),
            Field::OfBody => Err(A::Error::custom("a field of the body before message_type")),
        }
    }

    fn close<E: Error>(self, mut act: Act) -> Result<Envelope, E> {
        self.protocol.ok_or_else(|| E::missing_field("protocol"))?;
        // Some agents send an empty text where they have no token: that is none, not a wrong one.
        let mut token = self.auth_token.flatten().filter(|token| !is_empty(token));
        // Only if it stood before the kind: afterwards it went to the body at once. Never both.
        if let Act::Decide(said) = &mut act {
            said.token = said.token.take().or(token.take());
        }
        let head = Dialogue {
            sender: self.sender.ok_or_else(|| E::missing_field("sender"))?,
            timestamp: self.timestamp.ok_or_else(|| E::missing_field("timestamp"))?,
            conversation_id: self
                .conversation_id
                .ok_or_else(|| E::missing_field("conversation_id"))?,
        };
        Ok(Envelope { head, auth_token: token, act })
    }
}

fn is_empty(token: &AuthToken) -> bool {
    matches!(token, AuthToken::Foreign(text) if text.is_empty())
}

/// Fills a slot that must be empty: of two values nobody knows which one counts.
fn once<T, E: Error>(name: &'static str, slot: &mut Option<T>, value: T) -> Result<(), E> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(E::duplicate_field(name)),
    }
}

/// What is left of the object, as the body's type sees it.
struct Body<'a, A> {
    map: &'a mut A,
    head: &'a mut Head,
    kind: MessageType,
}

impl<'de, A: MapAccess<'de>> Deserializer<'de> for Body<'_, A> {
    type Error = A::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
        visitor.visit_map(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Body<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        let mut seed = seed;
        loop {
            let token = self.head.auth_token.is_some();
            match self.map.next_key_seed(Sorter { seed, kind: self.kind, token })? {
                Some(Sorted::Head(field, back)) => {
                    self.head.take(field, self.map)?;
                    seed = back;
                }
                Some(Sorted::Body(key)) => return Ok(Some(key)),
                None => return Ok(None),
            }
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

/// Hands a key to the body's type, unless it is one of the envelope's.
struct Sorter<K> {
    seed: K,
    kind: MessageType,
    /// Whether a token has come by already, before the kind said whose it is.
    token: bool,
}

enum Sorted<K, V> {
    /// The envelope's; the body's seed comes back unused.
    Head(Field, K),
    /// The body's, or nobody's.
    Body(V),
}

impl<'de, K: DeserializeSeed<'de>> DeserializeSeed<'de> for Sorter<K> {
    type Value = Sorted<K, K::Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de, K: DeserializeSeed<'de>> Visitor<'de> for Sorter<K> {
    type Value = Sorted<K, K::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Self::Value, E> {
        let name: StrDeserializer<'_, E> = key.into_deserializer();
        let field = Field::deserialize(name)?;
        if field == Field::AuthToken && owns_token(self.kind) {
            if self.token {
                return Err(E::duplicate_field("auth_token"));
            }
        } else if field != Field::OfBody {
            return Ok(Sorted::Head(field, self.seed));
        }
        self.seed.deserialize(name).map(Sorted::Body)
    }
}

/// The value of `protocol`, which can only be one.
struct OurProtocol;

impl<'de> Deserialize<'de> for OurProtocol {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_text(deserializer, PROTOCOL, |name| (name == PROTOCOL).then_some(Self))
    }
}

impl<'de> Deserialize<'de> for MessageType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_text(deserializer, "a message_type of league.v2", Self::from_name)
    }
}
