//! `league.v2` as JSON: how an envelope is written, read, and judged when it cannot be read.
//!
//! Writing keeps the spec's order of fields; the head can be written alone, so that a broadcast
//! encodes its body only once. Reading is one pass over the bytes; only what fails is looked at
//! again, to say precisely what is wrong with it.
//!
//! Spec: docs/protocol/README.md

mod diagnose;
mod read;

use serde::{Serialize, Serializer};

use crate::act::Act;
use crate::dialect::league_v2::message::write_body;
use crate::{
    AuthToken, ConversationId, Dialogue, Envelope, MessageType, PROTOCOL, Sender, Timestamp,
};

pub(crate) use diagnose::{fault_of, members, read_envelope, text, text_member};
/// An envelope in the spec's order.
#[derive(Serialize)]
pub(crate) struct Written<'a> {
    protocol: &'static str,
    message_type: &'static str,
    sender: &'a Sender,
    timestamp: Timestamp,
    conversation_id: &'a ConversationId,
    #[serde(skip_serializing_if = "Option::is_none")]
    auth_token: Option<&'a AuthToken>,
    #[serde(flatten)]
    body: Option<Body<'a>>,
}

impl<'a> Written<'a> {
    /// All that stands before the body.
    pub(crate) fn head(
        kind: Option<MessageType>,
        head: &'a Dialogue,
        auth_token: Option<&'a AuthToken>,
    ) -> Self {
        let Dialogue { sender, timestamp, conversation_id } = head;
        // In the registration responses the name is the body's, and must not stand there twice.
        let auth_token = auth_token.filter(|_| !kind.is_some_and(owns_token));
        Self {
            protocol: PROTOCOL,
            message_type: MessageType::called(kind),
            sender,
            timestamp: *timestamp,
            conversation_id,
            auth_token,
            body: None,
        }
    }
}

/// Whether `auth_token` is a field of the body, and so not of the envelope.
fn owns_token(kind: MessageType) -> bool {
    matches!(kind, MessageType::RefereeRegisterResponse | MessageType::LeagueRegisterResponse)
}

impl Serialize for Envelope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { head, auth_token, act } = self;
        let head = Written::head(MessageType::of(act), head, auth_token.as_ref());
        Written { body: Some(Body(act)), ..head }.serialize(serializer)
    }
}

/// A body alone, as an object of its own.
pub(crate) struct Body<'a>(pub(crate) &'a Act);

impl Serialize for Body<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write_body(self.0, serializer)
    }
}

#[cfg(test)]
mod tests;
