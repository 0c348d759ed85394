//! What comes back in the `result` of a call: a message, a receipt, or what a tool found.
//!
//! Spec: docs/protocol/README.md

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::json::{objects, words};
use crate::token::{digits, hex};
use crate::tool::{Tool, ToolAnswer, ToolParams};
use crate::{Envelope, ErrorCode, Letter, MatchId};

/// What a call asks.
#[derive(Debug, Clone, PartialEq)]
pub enum Call {
    /// A message of the league.
    Message(Box<Envelope>),
    /// A tool.
    Tool(Tool, Box<ToolParams>),
    /// A letter of a Q21 league.
    Letter(Box<Letter>),
}

/// What a call is answered with.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// A message of the league.
    Message(Box<Envelope>),
    /// "Got it", to a notification, a report or an assignment.
    Receipt(Receipt),
    /// What a tool found.
    Tool(ToolAnswer),
    /// A JSON-RPC error.
    Fault(Fault),
}

objects! {
    /// The generic response.
    #[derive(Copy, Eq)]
    pub struct Receipt {
        /// What became of it.
        required status: ReceiptStatus,
        /// The match it was about.
        optional match_id: Option<MatchId>,
        /// In the answer to ROUND_COMPLETED: what was played in that round. Ours.
        optional played: Option<Played> => Played,
    }

    /// What a player made of its match, as it remembers it.
    #[derive(Copy, Eq)]
    pub struct Played {
        /// The match.
        required match_id: MatchId,
        /// In which attempt.
        required attempt: u32,
        /// Its moves.
        required moves: MovesHash,
    }
}

/// What two sides compare that do not have to tell each other the moves: 16 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MovesHash(#[serde(with = "hex")] pub [u8; 8]);

impl fmt::Debug for MovesHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(digits(&self.0, &mut [0; 64]))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for MovesHash {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "MovesHash".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^[0-9a-f]{16}$" })
    }
}

words! {
    /// What became of a notification, a report or an assignment.
    pub enum ReceiptStatus {
        /// A notification arrived.
        Acknowledged = "acknowledged",
        /// A result is durable.
        Recorded = "recorded",
        /// An assignment is taken.
        #[serde(alias = "accepted")]
        Accepted = "ACCEPTED",
        /// An assignment is not taken.
        #[serde(alias = "refused")]
        Refused = "REFUSED",
    }
}

/// The JSON-RPC code of an error that has a code of its own.
const APPLICATION_ERROR: i64 = -32000;

/// A JSON-RPC error, ours or a peer's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The JSON-RPC code, such as -32601.
    pub code: i64,
    /// For people.
    pub message: Box<str>,
    /// The league's own code, where there is one.
    pub league_code: Option<ErrorCode>,
}

impl Fault {
    /// An error of the league's own.
    pub fn new(code: ErrorCode, message: Box<str>) -> Self {
        Self { code: APPLICATION_ERROR, message, league_code: Some(code) }
    }
}
