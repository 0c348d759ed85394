//! Why a request was not opened, and what its sender hears of it.
//!
//! Spec: docs/protocol/errors.md

use super::RpcId;
use crate::dialect::Unreadable;
use crate::message::{ErrorContext, LeagueError};
use crate::{Answer, ConversationId, Envelope, ErrorCode, Fault, Sender, Timestamp};

/// The conversation of an error whose request named none.
const ERROR_CONVERSATION: &str = "conv-error";

/// Why a request was not opened. The text is for the peer: it repeats names, never values.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reject {
    /// Not JSON.
    #[error("the body is not JSON")]
    Malformed,
    /// Nested more deeply than is read.
    #[error("the body is nested too deeply")]
    TooDeep,
    /// A JSON-RPC batch.
    #[error("batches are not taken: send one request at a time")]
    Batch,
    /// JSON, but no JSON-RPC 2.0 request.
    #[error("not a JSON-RPC 2.0 request: {flaw}")]
    NotARequest {
        /// What is wrong with the frame.
        flaw: &'static str,
    },
    /// No message and no tool goes by that method.
    #[error("there is no method `{method}`")]
    UnknownMethod {
        /// The method.
        method: Box<str>,
    },
    /// Another protocol than ours.
    #[error("`protocol` is `{got}`, and only league.v2 is spoken here")]
    WrongProtocol {
        /// What stood there.
        got: Box<str>,
    },
    /// A message that the league does not know.
    #[error("there is no message_type `{message_type}`")]
    UnknownMessage {
        /// What stood there.
        message_type: Box<str>,
    },
    /// A mandatory field is not there.
    #[error("the field `{field}` is missing")]
    MissingField {
        /// Its path, such as `context.opponent_id`.
        field: Box<str>,
    },
    /// A time that is not UTC, or no time.
    #[error("`{field}` must be a time in UTC such as 2026-01-15T10:30:00Z")]
    InvalidTime {
        /// Its path.
        field: Box<str>,
    },
    /// A field whose value does not fit.
    #[error("the value of `{field}` does not fit")]
    BadMessage {
        /// Its path.
        field: Box<str>,
    },
    /// A letter of a Q21 league that could not be opened.
    #[error("{0}")]
    Unreadable(Box<Unreadable>),
}

impl Reject {
    /// The league's code; none where the message itself was never reached.
    pub const fn code(&self) -> Option<ErrorCode> {
        match self {
            Self::Malformed
            | Self::TooDeep
            | Self::Batch
            | Self::NotARequest { .. }
            | Self::UnknownMethod { .. }
            | Self::Unreadable(_) => None,
            Self::WrongProtocol { .. } => Some(ErrorCode::ProtocolMismatch),
            Self::MissingField { .. } => Some(ErrorCode::MissingField),
            Self::InvalidTime { .. } => Some(ErrorCode::InvalidTimestamp),
            Self::UnknownMessage { .. } | Self::BadMessage { .. } => {
                Some(ErrorCode::InvalidMessage)
            }
        }
    }

    /// The code of JSON-RPC.
    pub const fn json_rpc_code(&self) -> i64 {
        match self {
            Self::Malformed => -32700,
            Self::TooDeep | Self::Batch | Self::NotARequest { .. } => -32600,
            Self::UnknownMethod { .. } => -32601,
            Self::WrongProtocol { .. }
            | Self::UnknownMessage { .. }
            | Self::MissingField { .. }
            | Self::InvalidTime { .. }
            | Self::BadMessage { .. }
            | Self::Unreadable(_) => -32602,
        }
    }
}

/// A request that was not opened, and what is known of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a request was not opened")]
pub struct BadRequest {
    /// What the answer must carry: none for a notification, null if it could not be read.
    pub id: Option<RpcId>,
    /// Why.
    #[source]
    pub reject: Reject,
    /// What it claimed to be, made harmless.
    pub message_type: Option<Box<str>>,
    /// The dialogue it belongs to, if it said so.
    pub conversation_id: Option<ConversationId>,
}

impl BadRequest {
    /// As a JSON-RPC error: what a referee or a player answers.
    pub fn fault(&self) -> Fault {
        Fault {
            code: self.reject.json_rpc_code(),
            message: self.reject.to_string().into(),
            league_code: self.reject.code(),
        }
    }

    /// What the manager answers: LEAGUE_ERROR if a message was reached, else a JSON-RPC error.
    pub fn league_answer(&self, now: Timestamp) -> Answer {
        let Some(code) = self.reject.code() else {
            return Answer::Fault(self.fault());
        };
        let conversation = self.conversation_id.clone();
        let message = LeagueError {
            error_code: code,
            error_name: code.name().into(),
            error_description: self.reject.to_string().into(),
            original_message_type: self.message_type.clone(),
            retryable: code.is_retryable(),
            context: ErrorContext { action: self.message_type.clone(), ..ErrorContext::default() },
        };
        Answer::Message(Box::new(Envelope {
            sender: Sender::LeagueManager,
            timestamp: now,
            conversation_id: conversation
                .unwrap_or_else(|| ConversationId::new(ERROR_CONVERSATION)),
            auth_token: None,
            message: message.into(),
        }))
    }
}
