//! What is one text in JSON: words of closed sets, and values that are read from such a text.

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

/// Types that are one text: what is expected, how it is read, and what its schema says of it
/// besides that it is a text.
macro_rules! texts {
    ($($type:ident: $expected:literal, $read:expr, { $($schema:tt)* };)*) => {$(
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                $crate::words::from_text(from, $expected, $read)
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

pub(crate) use {texts, words};
