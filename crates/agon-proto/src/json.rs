//! How our types stand in JSON: words of closed sets, values that are one text, and objects, of
//! which some fields must be there.

use std::fmt;

use serde::Deserializer;
use serde::de::{self, Unexpected, Visitor};

/// Enums, each variant with the word for it: written, read, and shown under that name.
macro_rules! words {
    ($(
        $(#[$of_enum:meta])*
        pub enum $name:ident {$($(#[$of_word:meta])* $variant:ident = $word:literal,)*}
    )*) => {$(
        $(#[$of_enum])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum $name {$($(#[$of_word])* #[serde(rename = $word)] $variant,)*}

        impl $name {
            /// As the protocol spells it.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
        }
    )*};
}

/// Reads a value from a text where it stands, without a copy. `read` says nothing of a text that
/// is no such value. The error does not repeat the text: it may be somebody's secret.
pub(crate) fn from_text<'de, T, D: Deserializer<'de>>(
    deserializer: D,
    expected: &'static str,
    read: impl FnOnce(&str) -> Option<T>,
) -> Result<T, D::Error> {
    deserializer.deserialize_str(Text { expected, read })
}

struct Text<F> {
    expected: &'static str,
    read: F,
}

impl<T, F: FnOnce(&str) -> Option<T>> Visitor<'_> for Text<F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        let Self { expected, read } = self;
        read(text).ok_or_else(|| E::invalid_value(Unexpected::Other("another text"), &expected))
    }
}

/// Types that are one text: how a serializer writes it, unless that is said elsewhere, what is
/// expected, how it is read, and what its schema says of it besides that it is a text.
macro_rules! texts {
    ($(
        $type:ident $(by $write:ident $(($method:ident))?)?:
            $expected:literal, $read:expr, { $($schema:tt)* };
    )*) => {$(
        $(impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.$write(self $(.$method())?)
            }
        })?

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                $crate::json::from_text(from, $expected, $read)
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", $($schema)* })
            }
        }
    )*};
}

/// Newtypes around a text: what all of them derive besides, and what is kept of each text. Nobody
/// sees the code in an address by chance.
macro_rules! name {
    (#$compared:tt $($(#[$of_name:meta])* $name:ident = $keep:path;)*) => {$(
        $(#[$of_name])*
        #$compared
        #[derive(Clone, Default, serde::Serialize)]
        pub struct $name(std::sync::Arc<str>);

        impl $name {
            /// Takes a text.
            pub fn new(text: &str) -> Self {
                Self($keep(text).into())
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// Whether nothing stands there.
            pub fn is_empty(&self) -> bool {
                self.0.is_empty()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(&self.0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&$crate::without_code(&self.0))
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                $crate::json::from_text(from, "a name", |text| Some(Self::new(text)))
            }
        }
    )*};
}

/// A field of an object.
pub(crate) struct Field {
    pub(crate) name: &'static str,
    /// Whether the object cannot be read without it.
    pub(crate) required: bool,
    /// The fields of what it holds, be that one object or a list of them.
    pub(crate) within: &'static [&'static [Field]],
}

/// Whether nothing is said by it.
pub(crate) fn is_usual<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// What is read from one object and written as one.
pub(crate) trait Object {
    /// Its fields, in the order of the spec.
    const FIELDS: &'static [Field];
}

/// Structs, each field with what it means that it is not there:
///
/// - `required`: the object cannot be read;
/// - `nullable`: nothing, which is written as `null`;
/// - `defaulted`: the usual value, which is written too;
/// - `optional`: the usual value, which is not written either.
///
/// A name that is spelled otherwise on the wire follows that of the field. Behind `=>` stands what
/// it holds, if that is an object, or a list of such.
macro_rules! objects {
    ($(
        $(#[$of_struct:meta])*
        $vis:vis struct $name:ident {$(
            $(#[$of_field:meta])*
            $(required $required:ident $($spelled:literal)?)?
            $(nullable $nullable:ident)?
            $(defaulted $defaulted:ident)?
            $(optional $optional:ident)?
            : $type:ty $(=> $within:ident)?
        ),* $(,)?}
    )*) => {$(
        $(#[$of_struct])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        $vis struct $name {$(
            $(#[$of_field])*
            $($(#[serde(rename = $spelled)])? pub $required: $type,)?
            $(pub $nullable: $type,)?
            $(#[serde(default)] pub $defaulted: $type,)?
            $(
                #[serde(default, skip_serializing_if = "crate::json::is_usual")]
                pub $optional: $type,
            )?
        )*}

        impl $crate::json::Object for $name {
            const FIELDS: &'static [$crate::json::Field] = &[$($crate::json::Field {
                name: [
                    $($($spelled,)? stringify!($required))?
                    $(stringify!($nullable))? $(stringify!($defaulted))? $(stringify!($optional))?
                ][0],
                required: !<[&str]>::is_empty(&[$(stringify!($required))?]),
                within: &[$(<$within as $crate::json::Object>::FIELDS)?],
            }),*];
        }
    )*};
}

pub(crate) use {name, objects, texts, words};
