//! A move, a view or a word of some game: JSON text that nobody but the game reads.
//!
//! Bounded in length and depth. Short ones live on the stack, so that an ordinary match touches no
//! heap for them.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::frame::is_deeper;
use crate::text::InlineText;

/// JSON text of at most 64 KiB, at most 16 deep. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Payload(InlineText<{ Payload::SHORT_MAX }>);

impl Payload {
    /// The longest, in bytes.
    pub const LENGTH_MAX: usize = 64 * 1024;
    /// The deepest, in brackets.
    pub const DEPTH_MAX: usize = 16;
    /// The longest that needs no heap, in bytes.
    const SHORT_MAX: usize = 46;

    /// Of a text that is JSON; `None` if it is none, too long or too deep.
    pub fn new(json: &str) -> Option<Self> {
        let fits = json.len() <= Self::LENGTH_MAX
            && !is_deeper(json.as_bytes(), Self::DEPTH_MAX)
            && serde_json::from_str::<&RawValue>(json).is_ok();
        fits.then(|| Self::trusted(json))
    }

    /// Of a text that we wrote ourselves.
    pub fn trusted(json: &str) -> Self {
        Self(InlineText::new(json))
    }

    /// Whether it says nothing.
    pub fn is_null(&self) -> bool {
        self.as_bytes() == b"null"
    }

    /// The text, for whoever only compares it or parses it.
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl AsRef<[u8]> for Payload {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

/// Nothing.
impl Default for Payload {
    fn default() -> Self {
        Self::trusted("null")
    }
}

impl Serialize for Payload {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue =
            serde_json::from_str(self.as_str()).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Payload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let text = raw.get();
        if text.len() > Self::LENGTH_MAX || is_deeper(text.as_bytes(), Self::DEPTH_MAX) {
            return Err(serde::de::Error::custom("a payload is too long or too deep"));
        }
        Ok(Self::trusted(text))
    }
}

/// What has a payload as its other side.
pub trait AsPayload: Serialize + DeserializeOwned {
    /// The payload.
    fn payload(&self) -> Payload {
        let text = serde_json::to_string(self).expect("text and numbers always fit into JSON");
        Payload::trusted(&text)
    }

    /// What a payload says.
    ///
    /// # Errors
    /// In words, if it says something else.
    fn of(payload: &Payload) -> Result<Self, Box<str>> {
        serde_json::from_str(payload.as_str()).map_err(|problem| problem.to_string().into())
    }
}

impl<T: Serialize + DeserializeOwned> AsPayload for T {}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Payload {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Payload".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!(true)
    }
}

#[cfg(test)]
mod tests;
