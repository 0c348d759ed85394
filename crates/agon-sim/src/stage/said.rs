//! What one node says to another: a message of a call, or a letter.

use std::rc::Rc;

use agon_core::letterbox::Parcel;
use agon_core::{Caller, Event, Origin, Proof, RequestId};
use agon_proto::message::AskedMove;
use agon_proto::{Call, Endpoint, Envelope, MatchId, MessageType, Timestamp, frame};

#[derive(Clone)]
pub(super) enum Said {
    Message(Rc<Envelope>),
    Letter(Rc<Parcel>),
}

impl Said {
    /// What happens to whoever is called with it.
    pub(super) fn event(&self, request: RequestId, origin: Origin, at: Timestamp) -> Event {
        let caller = Caller::at_home(origin);
        match self {
            Self::Message(message) => {
                let call = Call::Message(Box::new(Envelope::clone(message)));
                Event::Called { request, caller, call }
            }
            Self::Letter(parcel) => {
                let (proof, caller, letter) = (Proof::Token, Some(caller), parcel.letter.clone());
                Event::Posted { request, proof, caller, at, letter }
            }
        }
    }

    /// Writes it as it stands on the wire.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Message(message) => frame::encode_request(0, message, bytes),
            Self::Letter(parcel) => frame::encode_letter_request(0, &parcel.letter, bytes),
        }
    }

    /// For people.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Message(message) => {
                format!("{} {}", MessageType::name_of(&message.act), message.head.conversation_id)
            }
            Self::Letter(parcel) => {
                format!("{} {}", parcel.letter.act.kind().name(), parcel.letter.head.id)
            }
        }
    }

    /// The match that it asks a choice for, if somebody waits for that.
    pub(super) fn question(&self) -> Option<MatchId> {
        let Self::Message(message) = self else { return None };
        AskedMove::of(&message.act).map(|asked| asked.match_id)
    }

    /// The endpoint of somebody who registers: a sign of life.
    pub(super) fn registers_at(&self) -> Option<Endpoint> {
        let Self::Message(message) = self else { return None };
        message.act.registers_at()
    }
}
