//! From bytes to an event: the frame is opened, the letter read, the caller remembered.
//!
//! What cannot be opened is answered here and goes no further.

mod caller;

use std::net::SocketAddr;
use std::time::Duration;

use agon_core::{Event, Proof, Refusal, RequestId};
use agon_net::{Incoming, Reply, ReplyTo};
use agon_proto::act::{Act, ActKind, Decided};
use agon_proto::frame::{self, Limits};
use agon_proto::message::{ErrorContext, LeagueError};
use agon_proto::tool::Tool;
use agon_proto::{
    Answer, Call, ConversationId, Dialogue, Envelope, ErrorCode, Fault, GameId, Letter,
    MessageType, Role, Sender, Timestamp,
};
use bytes::Bytes;
use rustc_hash::FxHashMap;
use tracing::field::display;
use tracing::{debug, warn};

use crate::alerts::LogThrottle;
use crate::config::Config;
use crate::meters::Meters;
use crate::passed::{Asked, Edge};
pub(crate) use caller::{OwnPlace, registers, spelled};
use caller::{Quota, is_near};

/// HTTP's "come again later", which every sender takes for a failed delivery.
const UNAVAILABLE: u16 = 503;
/// HTTP's "this cannot be taken", for what has no id by which its sender could be answered.
const BAD_REQUEST: u16 = 400;

/// Requests that wait for their answer.
pub(crate) struct Inbound {
    role: Role,
    meters: Meters,
    pub(crate) limits: Limits,
    place: OwnPlace,
    next: u64,
    open: FxHashMap<u64, Open>,
    scratch: Vec<u8>,
    quota: Quota,
    log_throttle: LogThrottle,
    edge: Edge,
}

/// One request that waits.
struct Open {
    reply: ReplyTo,
    from: SocketAddr,
    /// `None`: a notification, which gets no answer.
    id: Option<frame::RpcId>,
    /// What a LEAGUE_ERROR must name.
    said: Option<(&'static str, ConversationId)>,
    /// Of a letter: what it says, and of which game.
    letter: Option<(&'static str, Option<GameId>)>,
    tool: Option<Tool>,
    /// For those who watch.
    asked: Option<Box<Asked>>,
}

impl Open {
    /// What it says, for people.
    fn kind(&self) -> &'static str {
        let said = self.said.as_ref().map(|(said, _)| *said);
        let letter = || self.letter.as_ref().map(|(kind, _)| *kind);
        said.or_else(letter).or_else(|| self.tool.map(Tool::method)).unwrap_or("?")
    }
}

impl Inbound {
    pub(crate) fn new(role: Role, config: &Config, place: OwnPlace, edge: Edge) -> Self {
        let meters = Meters::new(role);
        let limits = Limits { depth_max: config.server.depth_max };
        let (open, scratch) = (FxHashMap::default(), Vec::new());
        let (quota, log_throttle) = (Quota::new(config), LogThrottle::default());
        let next = 0;
        Self { role, meters, limits, place, next, open, scratch, quota, log_throttle, edge }
    }

    /// A number for the next request, which may come in another way.
    pub(crate) fn number(&mut self) -> RequestId {
        self.next += 1;
        RequestId(self.next)
    }

    /// Whether that request says that the league is over.
    pub(crate) fn ends_league(&self, request: RequestId) -> bool {
        let open = self.open.get(&request.0);
        let said = open.and_then(|open| {
            let message = open.said.as_ref().map(|(said, _)| *said);
            message.or(open.letter.as_ref().map(|(kind, _)| *kind))
        });
        said.is_some_and(|said| {
            said == MessageType::LeagueCompleted.name() || said == ActKind::SeasonCompleted.name()
        })
    }

    /// How many callers wait.
    pub(crate) fn waiting(&self) -> usize {
        self.open.len()
    }

    /// Opens a request, or answers it at once.
    pub(crate) fn open(&mut self, incoming: Incoming, now: Timestamp) -> Option<Event> {
        self.meters.requests.inc();
        let from = incoming.from;
        let request = match frame::decode_request(&incoming.body, self.limits) {
            Ok(request) => request,
            Err(bad) => {
                let code = bad.reject.code().map_or("JSON_RPC", ErrorCode::code);
                self.meters.refused(code);
                if let Some(left_out) = self.log_throttle.line(now) {
                    let role = self.role.word();
                    warn!(role, %from, code, reason = %bad.reject, left_out, "request refused");
                }
                let answer = match self.role {
                    Role::Manager => bad.league_answer(now),
                    Role::Referee | Role::Player => Answer::Fault(bad.fault()),
                };
                let said = self.refused(bad.id.as_ref(), &answer).in_turn();
                let asked = self.edge.asked(incoming.at, from, &incoming.body, None);
                self.send((incoming.reply, asked), said, Some(code));
                return None;
            }
        };
        let said = match &request.call {
            Call::Message(letter) => {
                Some((MessageType::name_of(&letter.act), letter.head.conversation_id.clone()))
            }
            Call::Tool(..) | Call::Letter(_) => None,
        };
        let letter = match &request.call {
            Call::Letter(letter) => Some((letter.act.kind().name(), game_of(letter))),
            Call::Message(_) | Call::Tool(..) => None,
        };
        let tool = if let Call::Tool(tool, _) = request.call { Some(tool) } else { None };
        let asked = self.edge.asked(incoming.at, from, &incoming.body, Some(&request.call));
        if let Err(wait) =
            self.quota.admit(&request.call, (from.ip(), is_near(&incoming)), incoming.at)
        {
            self.meters.refused(ErrorCode::RateLimited.code());
            let open =
                Open { reply: incoming.reply, from, id: request.id, said, letter, tool, asked };
            self.too_fast(open, wait, now);
            return None;
        }
        let caller = self.caller(&request.call, &incoming);
        let id = self.number();
        let open = Open { reply: incoming.reply, from, id: request.id, said, letter, tool, asked };
        self.open.insert(id.0, open);
        Some(match request.call {
            Call::Letter(letter) => {
                let (proof, caller) = (Proof::Token, Some(caller));
                Event::Posted { request: id, proof, caller, at: now, letter }
            }
            call @ (Call::Message(_) | Call::Tool(..)) => {
                Event::Called { request: id, caller, call }
            }
        })
    }

    pub(crate) fn reply(&mut self, request: RequestId, answer: &Answer, now: Timestamp) {
        let Some(open) = self.open.remove(&request.0) else {
            debug!(role = self.role.word(), "an answer to nobody");
            return;
        };
        let rejected = rejected(answer);
        if let Some(said) = rejected {
            self.meters.refused("REJECTED");
            if let Some(left_out) = self.log_throttle.line(now) {
                let (role, from) = (self.role.word(), open.from);
                let (code, reason) = (said.code.map(display), said.text.as_deref());
                warn!(role, %from, code, reason, left_out, "registration rejected");
            }
        }
        let reply = match (rejected, &open.id) {
            (Some(_), id) => self.refused(id.as_ref(), answer).in_turn(),
            (None, Some(id)) => self.spoken(id, answer),
            (None, None) => Reply::accepted(),
        };
        self.send((open.reply, open.asked), reply, rejected.map(|_| "REJECTED"));
    }

    /// Refuses a request that waits.
    pub(crate) fn refuse(&mut self, request: RequestId, refusal: &Refusal, now: Timestamp) {
        let Some(open) = self.open.remove(&request.0) else {
            return;
        };
        let code = refusal.code();
        self.meters.refused(code.code());
        let (said, letter) = (open.said.as_ref(), open.letter.as_ref());
        // Whoever asks for a match that there is not has mistyped it, and is told.
        let is_slip = matches!(open.tool, Some(Tool::GetMatchState))
            && matches!(refusal, Refusal::NoSuchMatch);
        if let Some(left_out) =
            Some(&mut self.log_throttle).filter(|_| !is_slip).and_then(|it| it.line(now))
        {
            warn!(
                role = self.role.word(),
                from = %open.from,
                code = code.code(),
                message_type = open.kind(),
                game = letter.and_then(|(_, game)| game.as_ref()).map(display),
                conversation_id = said.map(|(_, id)| display(id)),
                reason = %refusal,
                left_out,
                "request refused"
            );
        }
        let mut context = ErrorContext::default();
        if let Refusal::TokenInvalid(token) = refusal {
            context.expected_format = Some("tok-{agent_id}-{hash}".into());
            context.provided_token = Some(token.redacted().into());
        }
        let said = self.no((code, refusal.to_string()), (open.id, open.said), context, now);
        self.send((open.reply, open.asked), in_its_manner(said, refusal), Some(code.code()));
    }

    /// An answer leaves; a refusal, if there is a code.
    fn send(
        &self,
        (to, asked): (ReplyTo, Option<Box<Asked>>),
        reply: Reply,
        code: Option<&'static str>,
    ) {
        if let Some(asked) = asked {
            self.edge.answers(*asked, &reply, code);
        }
        to.send(reply);
    }

    /// Nothing of what they asked for was written down: all who wait are told to come again.
    pub(crate) fn turn_all_away(&mut self, now: Timestamp) {
        let waiting: Vec<u64> = self.open.keys().copied().collect();
        for request in waiting {
            self.refuse(RequestId(request), &Refusal::ReadOnly, now);
        }
    }

    /// Refuses a caller that asks too fast, with a hint when to ask again.
    fn too_fast(&mut self, open: Open, wait: Duration, now: Timestamp) {
        let code = ErrorCode::RateLimited;
        let text = format!("too many requests; ask again in {} ms", wait.as_millis().max(1));
        if let Some(left_out) = self.log_throttle.line(now) {
            let (role, from, code) = (self.role.word(), open.from, code.code());
            let message_type = open.kind();
            warn!(role, %from, code, message_type, reason = text, left_out, "request refused");
        }
        let said = self.no((code, text), (open.id, open.said), ErrorContext::default(), now);
        self.send((open.reply, open.asked), Reply::too_many(said.body), Some(code.code()));
    }

    /// A refusal, in the words of the role: the manager sends LEAGUE_ERROR, the others a fault.
    fn no(
        &mut self,
        (code, text): (ErrorCode, String),
        (id, said): (Option<frame::RpcId>, Option<(&'static str, ConversationId)>),
        context: ErrorContext,
        timestamp: Timestamp,
    ) -> Reply {
        let Some((said, conversation_id)) = said.filter(|_| self.role == Role::Manager) else {
            return self.refused(id.as_ref(), &Answer::Fault(Fault::new(code, text.into())));
        };
        let error = LeagueError {
            original_message_type: Some(said.into()),
            context: ErrorContext { action: Some(said.into()), ..context },
            ..LeagueError::new(code, text.into())
        };
        let head = Dialogue { sender: Sender::LeagueManager, timestamp, conversation_id };
        let letter = Envelope { head, auth_token: None, act: error.into() };
        self.refused(id.as_ref(), &Answer::Message(Box::new(letter)))
    }

    /// An answer as it goes out.
    fn spoken(&mut self, id: &frame::RpcId, answer: &Answer) -> Reply {
        self.scratch.clear();
        frame::encode_answer(id, answer, &mut self.scratch);
        Reply::json(Bytes::copy_from_slice(&self.scratch))
    }

    /// A refusal as it goes out. Whoever gave no id, or none that can be read, sees by the status
    /// of HTTP that nothing was taken.
    fn refused(&mut self, id: Option<&frame::RpcId>, answer: &Answer) -> Reply {
        let said = self.spoken(id.unwrap_or(&frame::RpcId::Null), answer);
        let is_named = id.is_some_and(|id| *id != frame::RpcId::Null);
        if is_named { said } else { Reply { status: BAD_REQUEST, ..said } }
    }
}

/// The game that a letter names.
fn game_of(letter: &Letter) -> Option<GameId> {
    letter.head.context.game.clone().filter(|game| !game.is_empty())
}

/// What is said to refuse somebody, in the manner that fits.
fn in_its_manner(said: Reply, refusal: &Refusal) -> Reply {
    match refusal {
        // It has not proved who it is, or should know better: it waits when there are many such.
        Refusal::Unknown(_)
        | Refusal::NotRegistered
        | Refusal::TokenMissing
        | Refusal::TokenInvalid(_)
        | Refusal::NotPermitted(_)
        | Refusal::Unsupported(_)
        | Refusal::VersionTooOld
        | Refusal::RegistrationClosed
        | Refusal::LeagueFull
        | Refusal::OtherGame(_)
        | Refusal::AlreadyIn
        | Refusal::UnknownSeason(_)
        | Refusal::NotOnRoster
        | Refusal::TeamTaken(_)
        | Refusal::LeaveNeeded(_)
        | Refusal::EndpointTaken
        | Refusal::TokenKept
        | Refusal::EndpointForbidden
        | Refusal::EndpointElsewhere
        | Refusal::AddressFull
        | Refusal::WaitingFull
        | Refusal::TooOften
        | Refusal::Withdrawn(_) => said.in_turn(),
        Refusal::WrongLeague(_)
        | Refusal::NoSuchMatch
        | Refusal::NotYourMatch(_)
        | Refusal::OutOfTurn(_)
        | Refusal::StaleAttempt { .. }
        | Refusal::NoSuchAttempt { .. }
        | Refusal::Conflict(_)
        | Refusal::Contradicted(_)
        | Refusal::BadValue(_)
        | Refusal::NoDecision
        | Refusal::TooSlow => said,
        // It did nothing wrong, and may succeed later. Even a notification is to come again, so its
        // sender must see that it failed.
        Refusal::ReadOnly | Refusal::TooManyLook => Reply { status: UNAVAILABLE, ..said },
    }
}

/// The answer to a registration, if it says no.
fn rejected(answer: &Answer) -> Option<&Decided> {
    let Answer::Message(letter) = answer else { return None };
    let Act::Decide(said) = &letter.act else { return None };
    Some(&**said).filter(|said| said.denial.is_some())
}
