//! The messages of matches: as a referee hands them in, in pieces, and as a manager shows them.
//!
//! Spec: docs/protocol/match.md

use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::frame::is_deeper;
use crate::json::{from_text, objects, words};
use crate::token::{digits, hex, unhex};
use crate::{MatchId, PlayerId, RefereeId, ShortText, Timestamp, precise};

objects! {
    /// One piece of the messages of some matches.
    #[derive(Eq)]
    pub struct MessagePiece {
        /// Which one: a repeat has the same.
        required piece_id: PieceId,
        /// What it tells of.
        required matches: Vec<PieceOf>,
        /// The messages, compressed.
        required body: PieceBody,
    }

    /// One match of which a piece tells.
    #[derive(Copy, Eq)]
    pub struct PieceOf {
        /// The match.
        required match_id: MatchId,
        /// Which attempt at it.
        required attempt: u32,
        /// So many messages it had up to here, those that were lost or cut counted.
        required messages: u32,
        /// No others follow.
        optional last: bool,
    }

    /// What became of a piece.
    #[derive(Copy, Eq)]
    pub struct PieceKept {
        /// Which one.
        required piece_id: PieceId,
        /// It was kept before.
        optional known: bool,
    }

    /// The messages of one attempt at a match, as its referee had them.
    pub struct AttemptMessages {
        /// Which attempt.
        required attempt: u32,
        /// Who refereed it.
        nullable referee_id: Option<RefereeId>,
        /// So many messages it had, as far as the referee said. Those that are not among the
        /// following were lost, or were too many.
        required messages_sent: u32,
        /// The referee said that there were no others.
        required complete: bool,
        /// Those that are kept, in order.
        required messages: Vec<KeptMessage>,
    }

    /// One message of a match: what was asked, and what came back.
    pub struct KeptMessage {
        /// Which one, counted from 1 by the referee.
        required number: u32,
        /// When it was sent, or arrived.
        #[serde(with = "precise")]
        #[cfg_attr(feature = "schema", schemars(with = "Timestamp"))]
        required timestamp: Timestamp,
        /// Whether the referee sent it.
        required direction: Direction,
        /// The player at the other end.
        nullable player_id: Option<PlayerId>,
        /// What it says it is.
        required message_type: ShortText,
        /// How long its answer took, in microseconds.
        optional latency_us: Option<u64>,
        /// What became of it.
        required outcome: ShortText,
        /// What was asked.
        optional request: Option<WireText>,
        /// What came back.
        optional answer: Option<WireText>,
        /// Something of it was too long and is not kept.
        optional cut: bool,
        /// An answer came that was none: only its author and the operator see it.
        optional withheld: bool,
    }
}

words! {
    /// Which way a message went.
    pub enum Direction {
        /// The referee sent it.
        Sent = "SENT",
        /// The referee received it.
        Received = "RECEIVED",
    }
}

/// The name of a piece, chosen by its referee.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PieceId(#[serde(with = "hex")] pub [u8; 8]);

impl fmt::Display for PieceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(digits(&self.0, &mut [0; 64]))
    }
}

impl fmt::Debug for PieceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::str::FromStr for PieceId {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        unhex(text).map(Self).ok_or(())
    }
}

/// The bytes of a piece. In JSON they are Base64.
#[derive(Clone, PartialEq, Eq)]
pub struct PieceBody(Vec<u8>);

impl PieceBody {
    /// Of these bytes.
    pub const fn new(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The bytes, for whoever keeps them.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

impl fmt::Debug for PieceBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

impl Serialize for PieceBody {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&BASE64_STANDARD_NO_PAD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for PieceBody {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = |text: &str| BASE64_STANDARD_NO_PAD.decode(text).ok().map(Self);
        from_text(deserializer, "bytes in Base64", read)
    }
}

/// What travelled. It is shown as JSON if it is JSON that is not too deep, and as a text if not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WireText(Box<str>);

impl WireText {
    /// It is shown within other things.
    const DEPTH_MAX: usize = 24;

    /// Of bytes as they came.
    pub fn new(bytes: &[u8]) -> Self {
        Self(String::from_utf8_lossy(bytes).into())
    }

    /// As it came.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Serialize for WireText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let shallow = !is_deeper(self.0.as_bytes(), Self::DEPTH_MAX);
        match serde_json::from_str::<&RawValue>(&self.0) {
            Ok(json) if shallow => json.serialize(serializer),
            Ok(_) | Err(_) => serializer.serialize_str(&self.0),
        }
    }
}

impl<'de> Deserialize<'de> for WireText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Box::<RawValue>::deserialize(deserializer)?;
        let text = serde_json::from_str::<String>(json.get());
        Ok(Self(text.map_or_else(|_| json.get().into(), Into::into)))
    }
}

#[cfg(feature = "schema")]
mod schemas {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::{PieceBody, PieceId, WireText};

    impl JsonSchema for PieceId {
        fn schema_name() -> Cow<'static, str> {
            "PieceId".into()
        }
        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({ "type": "string", "pattern": "^[0-9a-f]{16}$" })
        }
    }

    impl JsonSchema for PieceBody {
        fn schema_name() -> Cow<'static, str> {
            "PieceBody".into()
        }
        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({ "type": "string", "contentEncoding": "base64" })
        }
    }

    impl JsonSchema for WireText {
        fn schema_name() -> Cow<'static, str> {
            "WireText".into()
        }
        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!(true)
        }
    }
}
