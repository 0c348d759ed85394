//! Writing an envelope: the head by hand, then the fields of the body in the same object.
//!
//! The head can be written alone, so that a broadcast encodes its body only once.

use serde::ser::{Error, Impossible, SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};

use crate::{
    AuthToken, ConversationId, Envelope, Message, MessageType, PROTOCOL, Sender, Timestamp,
};

/// What stands before the body, in the spec's order.
pub(crate) struct Head<'a> {
    pub(crate) kind: MessageType,
    pub(crate) sender: &'a Sender,
    pub(crate) timestamp: Timestamp,
    pub(crate) conversation_id: &'a ConversationId,
    pub(crate) auth_token: Option<&'a AuthToken>,
}

impl Head<'_> {
    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("protocol", PROTOCOL)?;
        map.serialize_entry("message_type", self.kind.name())?;
        map.serialize_entry("sender", self.sender)?;
        map.serialize_entry("timestamp", &self.timestamp)?;
        map.serialize_entry("conversation_id", self.conversation_id)?;
        // In the registration responses the name is the body's, and must not stand there twice.
        match self.auth_token {
            Some(token) if !owns_token(self.kind) => map.serialize_entry("auth_token", token),
            Some(_) | None => Ok(()),
        }
    }
}

/// Whether `auth_token` is a field of the body, and so not of the envelope.
pub(super) fn owns_token(kind: MessageType) -> bool {
    matches!(kind, MessageType::RefereeRegisterResponse | MessageType::LeagueRegisterResponse)
}

impl Serialize for Head<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.write(&mut map)?;
        map.end()
    }
}

impl Serialize for Envelope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let head = Head {
            kind: self.message.message_type(),
            sender: &self.sender,
            timestamp: self.timestamp,
            conversation_id: &self.conversation_id,
            auth_token: self.auth_token.as_ref(),
        };
        let mut map = serializer.serialize_map(None)?;
        head.write(&mut map)?;
        self.message.serialize_body(Fields(&mut map))?;
        map.end()
    }
}

/// A body alone, as an object of its own.
pub(crate) struct Body<'a>(pub(crate) &'a Message);

impl Serialize for Body<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize_body(serializer)
    }
}

/// Takes a struct and puts its fields into a map that is already open.
struct Fields<'a, M>(&'a mut M);

impl<M: SerializeMap> SerializeStruct for Fields<'_, M> {
    type Ok = ();
    type Error = M::Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), M::Error> {
        self.0.serialize_entry(key, value)
    }

    fn end(self) -> Result<(), M::Error> {
        Ok(())
    }
}

/// Refuses what is not a struct. No message is anything else, so nobody ever sees the error.
macro_rules! refuse {
    ($($method:ident($($argument:ty),*) -> $ok:ty;)*) => {
        $(fn $method(self, $(_: $argument),*) -> Result<$ok, M::Error> {
            Err(M::Error::custom("the body of a message is a struct"))
        })*
    };
}

impl<'a, M: SerializeMap> Serializer for Fields<'a, M> {
    type Ok = ();
    type Error = M::Error;
    type SerializeSeq = Impossible<(), M::Error>;
    type SerializeTuple = Impossible<(), M::Error>;
    type SerializeTupleStruct = Impossible<(), M::Error>;
    type SerializeTupleVariant = Impossible<(), M::Error>;
    type SerializeMap = Impossible<(), M::Error>;
    type SerializeStruct = Self;
    type SerializeStructVariant = Impossible<(), M::Error>;

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, M::Error> {
        Ok(self)
    }

    refuse! {
        serialize_bool(bool) -> ();
        serialize_i8(i8) -> ();
        serialize_i16(i16) -> ();
        serialize_i32(i32) -> ();
        serialize_i64(i64) -> ();
        serialize_u8(u8) -> ();
        serialize_u16(u16) -> ();
        serialize_u32(u32) -> ();
        serialize_u64(u64) -> ();
        serialize_f32(f32) -> ();
        serialize_f64(f64) -> ();
        serialize_char(char) -> ();
        serialize_str(&str) -> ();
        serialize_bytes(&[u8]) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(&'static str) -> ();
        serialize_unit_variant(&'static str, u32, &'static str) -> ();
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize)
            -> Self::SerializeTupleVariant;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_struct_variant(&'static str, u32, &'static str, usize)
            -> Self::SerializeStructVariant;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), M::Error> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), M::Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), M::Error> {
        value.serialize(self)
    }
}
