//! The method of a request: it must be one that we know, but what it carries decides.

use serde::{Deserialize, Deserializer};

use crate::MessageType;
use crate::dialect::kind_of;
use crate::tool::Tool;
use crate::words::from_text;

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
        if let Some(tool) = Tool::from_method(name) {
            Self::Tool(tool)
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
