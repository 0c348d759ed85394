//! Names: addresses, teams, seasons, messages. Kept as text, bounded at the door.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};

use crate::text::printable;
use crate::without_code;

/// Longest name that is kept; the rest is cut.
pub(crate) const NAME_MAX: usize = 254;

/// A newtype around a short text without control characters.
macro_rules! name {
    ($(#[$doc:meta] $name:ident;)*) => {$(
        #[$doc]
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize)]
        pub struct $name(std::sync::Arc<str>);

        impl $name {
            /// Takes a text, trimmed, without what could harm a terminal or a log.
            pub fn new(text: &str) -> Self {
                Self($crate::text::printable(text.trim(), $crate::names::NAME_MAX).into())
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
                f.write_str(&self.0)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D>(deserializer: D) -> Result<Self, D::Error>
            where
                D: serde::Deserializer<'de>,
            {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                Ok(Self::new(&text))
            }
        }
    )*};
}

pub(crate) use name;

name! {
    /// The id of one letter, chosen by its sender. Two letters with one id are the same letter.
    MessageId;
    /// The id of one broadcast.
    BroadcastId;
    /// A season, such as `SEASON_2026-02-17`.
    SeasonId;
    /// A team, such as `alphateam`.
    GroupId;
}

/// Where somebody gets letters: a mail address, or the URL of an endpoint. It is who they are.
///
/// Mail addresses are the same in whatever case they are written, so they are kept in lower case.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Address(Arc<str>);

impl Address {
    /// Takes a mail address or a URL.
    pub fn new(text: &str) -> Self {
        let clean = printable(text.trim(), NAME_MAX);
        Self(if clean.contains("://") { clean.into() } else { clean.to_lowercase().into() })
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text for logs: without a code that its holder was given.
    pub fn shown(&self) -> Cow<'_, str> {
        without_code(&self.0)
    }

    /// Whether nothing stands there.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether it is reached by a call, and not by mail.
    pub fn is_endpoint(&self) -> bool {
        self.0.contains("://")
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown())
    }
}

impl<'de> Deserialize<'de> for Address {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self::new(&text))
    }
}

#[cfg(test)]
mod tests;
