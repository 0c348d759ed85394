//! The vocabulary of Agon: ids, acts, the envelope, dialects, error codes and the JSON-RPC frame.
//!
//! Tolerant in, strict out. Everything is parsed once, here, into types that the rest of the house
//! trusts: an id is a number, a token knows whether it is one of ours, a time is UTC. Nothing in
//! this crate knows a rule of the league or does I/O.
//!
//! Spec: docs/protocol/README.md
#![warn(missing_docs)]

pub mod act;
mod answer;
mod contact;
mod conversation;
pub mod dialect;
mod envelope;
pub mod frame;
mod ids;
mod json;
pub mod known;
mod listed;
mod objection;
mod payload;
mod per_player;
pub mod piece;
mod redact;
mod role;
mod score;
mod text;
mod time;
mod token;
pub mod tool;

use std::time::Duration;

pub use answer::{Answer, Call, Fault, MovesHash, Played, Receipt, ReceiptStatus};
pub use contact::{Contact, Endpoint};
pub use conversation::{ConversationId, Sender};
#[cfg(feature = "schema")]
pub use dialect::league_v2::schema;
pub use dialect::league_v2::{ErrorCode, message};
pub use dialect::{Abilities, Dialect};
pub use envelope::{Claimed, Context, Dialogue, Envelope, Heading, Letter, WrittenLetter};
pub use frame::{
    BadAnswer, BadRequest, Limits, Reject, Request, RpcId, SharedBody, decode_answer,
    decode_request, decode_tool_answer, encode_answer, encode_body_once, encode_letter_request,
    encode_request, encode_shared_request, encode_tool_request,
};
pub use ids::{
    Address, AgentId, BroadcastId, GameId, GroupId, LeagueId, MatchId, MessageId, ParseIdError,
    PlayerId, RefereeId, RoundId, SeasonId, folded,
};
pub use listed::Listed;
pub use message::MessageType;
pub use objection::Objection;
pub use payload::{AsPayload, Payload};
pub use per_player::PerPlayer;
pub use redact::redact;
pub use role::{Part, Role};
pub use score::{Score, StatedScore};
pub use text::{DisplayName, GameType, ShortText};
pub use time::{ParseTimeError, Timestamp, micros, precise};
pub use token::{AuthToken, BadCode, InvitationCode, code_in, code_needed, hex, without_code};

/// The one protocol spoken here.
pub const PROTOCOL: &str = "league.v2";
/// What we announce as `protocol_version`.
pub const PROTOCOL_VERSION: &str = "2.1.0";
/// The oldest major version that may join.
pub const PROTOCOL_MAJOR_MIN: u32 = 2;
/// For so long the same registration, repeated, gets the same token: an answer may be lost.
pub const REPEAT_MAX: Duration = Duration::from_secs(30);
/// So long a referee waits for a report that can say in passing whom it has told.
pub const TOLD_WAIT: Duration = Duration::from_millis(20);
/// So many matches are named as told in one message.
pub const TOLD_MAX: usize = 1_000;
