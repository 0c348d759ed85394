//! Writing an envelope: its head, then the fields of the body in the same object.
//!
//! The head can be written alone, so that a broadcast encodes its body only once.

use serde::{Serialize, Serializer};

use crate::{
    AuthToken, ConversationId, Envelope, Message, MessageType, PROTOCOL, Sender, Timestamp,
};

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
        kind: MessageType,
        sender: &'a Sender,
        timestamp: Timestamp,
        conversation_id: &'a ConversationId,
        auth_token: Option<&'a AuthToken>,
    ) -> Self {
        // In the registration responses the name is the body's, and must not stand there twice.
        let auth_token = auth_token.filter(|_| !owns_token(kind));
        let (protocol, message_type) = (PROTOCOL, kind.name());
        Self { protocol, message_type, sender, timestamp, conversation_id, auth_token, body: None }
    }
}

/// Whether `auth_token` is a field of the body, and so not of the envelope.
pub(super) fn owns_token(kind: MessageType) -> bool {
    matches!(kind, MessageType::RefereeRegisterResponse | MessageType::LeagueRegisterResponse)
}

impl Serialize for Envelope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { sender, timestamp, conversation_id, auth_token, message } = self;
        let kind = message.message_type();
        let head = Written::head(kind, sender, *timestamp, conversation_id, auth_token.as_ref());
        Written { body: Some(Body(message)), ..head }.serialize(serializer)
    }
}

/// A body alone, as an object of its own.
pub(crate) struct Body<'a>(pub(crate) &'a Message);

impl Serialize for Body<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize_body(serializer)
    }
}
