//! From bytes to an event: the frame is opened, the letter read, the caller remembered.
//!
//! What cannot be opened is answered here and goes no further.

use std::net::{IpAddr, SocketAddr};

use agon_core::{Event, Origin, Refusal, RequestId};
use agon_net::{AddressPolicy, Endpoint, Incoming, Reply, ReplyTo};
use agon_proto::frame::{self, Limits};
use agon_proto::message::{ErrorContext, LeagueError, Message, RegistrationStatus};
use agon_proto::{
    Answer, Call, ConversationId, Envelope, ErrorCode, Fault, MessageType, Sender, Timestamp,
};
use bytes::Bytes;
use rustc_hash::FxHashMap;
use tracing::{debug, warn};

use crate::meters::Meters;
use crate::node::Role;

/// JSON-RPC's range for errors of the application.
const APPLICATION_ERROR: i64 = -32000;

/// Requests that wait for their answer.
pub(crate) struct Inbound {
    role: Role,
    limits: Limits,
    policy: AddressPolicy,
    /// Our own address: nobody may register it.
    own: SocketAddr,
    next: u64,
    open: FxHashMap<u64, Open>,
    scratch: Vec<u8>,
}

/// One request that waits.
struct Open {
    reply: ReplyTo,
    /// `None`: a notification, which gets no answer.
    id: Option<frame::RequestId>,
    /// What a LEAGUE_ERROR must name.
    said: Option<(MessageType, ConversationId)>,
}

impl Inbound {
    pub(crate) fn new(
        role: Role,
        depth_max: usize,
        policy: AddressPolicy,
        own: SocketAddr,
    ) -> Self {
        let limits = Limits { depth_max };
        let (open, scratch) = (FxHashMap::default(), Vec::new());
        Self { role, limits, policy, own, next: 0, open, scratch }
    }

    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    /// How many callers wait.
    pub(crate) fn waiting(&self) -> usize {
        self.open.len()
    }

    /// Opens a request, or answers it at once.
    pub(crate) fn open(
        &mut self,
        incoming: Incoming,
        now: Timestamp,
        meters: &Meters,
    ) -> Option<Event> {
        meters.requests.increment(1);
        let Incoming { body, from, reply, .. } = incoming;
        let request = match frame::decode_request(&body, self.limits) {
            Ok(request) => request,
            Err(bad) => {
                let code = bad.reject.code().map_or("JSON_RPC", ErrorCode::code);
                meters.refused(code);
                let role = self.role.name();
                warn!(role, %from, code, reason = %bad.reject, "request refused");
                let answer = match self.role {
                    Role::Manager => bad.league_answer(now),
                    Role::Referee | Role::Player => Answer::Fault(bad.fault()),
                };
                self.send(reply, bad.id.as_ref(), &answer);
                return None;
            }
        };
        let (origin, said) = match &request.call {
            Call::Letter(letter) => (
                self.origin(&letter.message, from.ip()),
                Some((letter.message.message_type(), letter.conversation_id.clone())),
            ),
            Call::Tool(..) => (Origin::Elsewhere, None),
        };
        self.next += 1;
        self.open.insert(self.next, Open { reply, id: request.id, said });
        Some(Event::Called { request: RequestId(self.next), origin, call: request.call })
    }

    /// How the caller's address relates to the endpoint that it wants to be called at.
    fn origin(&self, message: &Message, from: IpAddr) -> Origin {
        #[expect(clippy::wildcard_enum_match_arm, reason = "only registrations name an endpoint")]
        let endpoint = match message {
            Message::LeagueRegisterRequest(said) => &said.player_meta.contact_endpoint,
            Message::RefereeRegisterRequest(said) => &said.referee_meta.contact_endpoint,
            _ => return Origin::Elsewhere,
        };
        let Ok(endpoint) = Endpoint::parse(endpoint.as_str()) else {
            return Origin::Forbidden;
        };
        let local = endpoint.host() == "localhost";
        let address = endpoint.address();
        let ours = endpoint.port() == self.own.port()
            && (local || address.is_some_and(|ip| ip == self.own.ip()));
        if ours || address.is_some_and(|ip| !self.policy.permits(ip)) {
            return Origin::Forbidden;
        }
        let same =
            address == Some(from.to_canonical()) || (local && from.to_canonical().is_loopback());
        if same { Origin::Endpoint } else { Origin::Elsewhere }
    }

    pub(crate) fn reply(&mut self, request: RequestId, answer: &Answer, meters: &Meters) {
        if let Some(reason) = rejected(answer) {
            meters.refused("REJECTED");
            warn!(role = self.role.name(), reason, "registration rejected");
        }
        let Some(open) = self.open.remove(&request.0) else {
            debug!(role = self.role.name(), "an answer to nobody");
            return;
        };
        self.send(open.reply, open.id.as_ref(), answer);
    }

    /// A refusal, in the words of the role: the manager sends LEAGUE_ERROR, the others a fault.
    pub(crate) fn refuse(
        &mut self,
        request: RequestId,
        refusal: &Refusal,
        now: Timestamp,
        meters: &Meters,
    ) {
        let Some(open) = self.open.remove(&request.0) else {
            return;
        };
        let code = refusal.code();
        meters.refused(code.code());
        let (said, conversation) = match open.said {
            Some((said, conversation)) => (Some(said.name()), conversation),
            None => (None, ConversationId::new("conv-error")),
        };
        warn!(
            role = self.role.name(),
            code = code.code(),
            message_type = said.unwrap_or("tool"),
            conversation_id = %conversation,
            reason = %refusal,
            "request refused"
        );
        let answer = match (self.role, said) {
            (Role::Manager, Some(said)) => league_error(refusal, said, conversation, now),
            (Role::Manager | Role::Referee | Role::Player, _) => Answer::Fault(Fault {
                code: APPLICATION_ERROR,
                message: refusal.to_string().into(),
                league_code: Some(code),
            }),
        };
        self.send(open.reply, open.id.as_ref(), &answer);
    }

    fn send(&mut self, reply: ReplyTo, id: Option<&frame::RequestId>, answer: &Answer) {
        let Some(id) = id else {
            return reply.send(Reply::accepted());
        };
        self.scratch.clear();
        frame::encode_answer(id, answer, &mut self.scratch);
        reply.send(Reply::json(Bytes::copy_from_slice(&self.scratch)));
    }
}

/// Why a registration was rejected, if this is such an answer.
fn rejected(answer: &Answer) -> Option<&str> {
    let Answer::Letter(letter) = answer else { return None };
    #[expect(clippy::wildcard_enum_match_arm, reason = "two of 21 messages answer registrations")]
    let (status, reason) = match &letter.message {
        Message::LeagueRegisterResponse(said) => (said.status, &said.reason),
        Message::RefereeRegisterResponse(said) => (said.status, &said.reason),
        _ => return None,
    };
    (status == RegistrationStatus::Rejected).then(|| reason.as_deref().unwrap_or_default())
}

fn league_error(
    refusal: &Refusal,
    said: &'static str,
    conversation_id: ConversationId,
    timestamp: Timestamp,
) -> Answer {
    let code = refusal.code();
    let provided = if let Refusal::TokenInvalid(token) = refusal {
        Some(token.redacted().into())
    } else {
        None
    };
    let error = LeagueError {
        error_code: code,
        error_name: code.name().into(),
        error_description: refusal.to_string().into(),
        original_message_type: Some(said.into()),
        retryable: code.is_retryable(),
        context: ErrorContext {
            expected_format: provided.as_ref().map(|_| "tok-{agent_id}-{hash}".into()),
            provided_token: provided,
            action: Some(said.into()),
        },
    };
    Answer::Letter(Box::new(Envelope {
        sender: Sender::LeagueManager,
        timestamp,
        conversation_id,
        auth_token: None,
        message: error.into(),
    }))
}
