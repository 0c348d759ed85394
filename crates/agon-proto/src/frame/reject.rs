//! Why a request was not opened, and what its sender hears of it.
//!
//! Spec: docs/protocol/errors.md

use super::RpcId;
use crate::dialect::Unreadable;
use crate::message::{ErrorContext, LeagueError};
use crate::{Answer, ConversationId, Dialogue, Envelope, ErrorCode, Fault, Sender, Timestamp};

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
    #[error("there is no method `{method}`{}", hint(*.meant))]
    UnknownMethod {
        /// The method.
        method: Box<str>,
        /// The one that it resembles.
        meant: Option<&'static str>,
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

fn hint(meant: Option<&str>) -> String {
    meant.map_or(String::new(), |meant| format!("; it is called `{meant}`"))
}

impl Reject {
    /// The league's code; none where the message itself was never reached.
    pub const fn code(&self) -> Option<ErrorCode> {
        self.codes().1
    }

    /// The code of JSON-RPC, and the league's.
    const fn codes(&self) -> (i64, Option<ErrorCode>) {
        match self {
            Self::Malformed => (-32700, None),
            Self::TooDeep | Self::Batch | Self::NotARequest { .. } => (-32600, None),
            Self::UnknownMethod { .. } => (-32601, None),
            Self::Unreadable(_) => (-32602, None),
            Self::WrongProtocol { .. } => (-32602, Some(ErrorCode::ProtocolMismatch)),
            Self::MissingField { .. } => (-32602, Some(ErrorCode::MissingField)),
            Self::InvalidTime { .. } => (-32602, Some(ErrorCode::InvalidTimestamp)),
            Self::UnknownMessage { .. } | Self::BadMessage { .. } => {
                (-32602, Some(ErrorCode::InvalidMessage))
            }
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

/// Of which no more is known.
impl From<Reject> for BadRequest {
    fn from(reject: Reject) -> Self {
        Self { id: None, reject, message_type: None, conversation_id: None }
    }
}

impl BadRequest {
    /// As a JSON-RPC error: what a referee or a player answers.
    pub fn fault(&self) -> Fault {
        let (code, league_code) = self.reject.codes();
        Fault { code, message: self.reject.to_string().into(), league_code }
    }

    /// What the manager answers: LEAGUE_ERROR if a message was reached, else a JSON-RPC error.
    pub fn league_answer(&self, now: Timestamp) -> Answer {
        let Some(code) = self.reject.code() else {
            return Answer::Fault(self.fault());
        };
        let conversation = self.conversation_id.clone();
        let refused = LeagueError {
            original_message_type: self.message_type.clone(),
            context: ErrorContext { action: self.message_type.clone(), ..ErrorContext::default() },
            ..LeagueError::new(code, self.reject.to_string().into())
        };
        let head = Dialogue {
            sender: Sender::LeagueManager,
            timestamp: now,
            conversation_id: conversation
                .unwrap_or_else(|| ConversationId::new(ERROR_CONVERSATION)),
        };
        Answer::Message(Box::new(Envelope { head, auth_token: None, act: refused.into() }))
    }
}
