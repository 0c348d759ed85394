//! Handing in: a referee's node gives the messages of its matches to the manager, beside its
//! reports and never instead of one.
//!
//! One piece is under way at a time, for whom many matches have waited. A manager that does not
//! know the call is asked once. Before the league ends for us what we have is handed in: for so
//! long the manager waits for our answer. All of it is given up in time.
//!
//! Spec: docs/protocol/match.md

use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_core::RequestId;
use agon_net::{CallError, Client, EndpointUrl, HttpAnswer};
use agon_proto::frame::{self, Limits};
use agon_proto::tool::{MessagePiece, Tool, ToolAnswer, ToolParams};
use agon_proto::{Answer, AuthToken, Endpoint, ErrorCode, Fault};
use bytes::Bytes;
use tracing::{debug, info, warn};

use super::Collector;
use crate::inbox::{Arrival, InboxSender};
use crate::passed::Edge;

/// A call may take so long.
const TIMEOUT: Duration = Duration::from_secs(5);
/// A piece that did not arrive is tried again after so long, then after twice as long.
const PAUSE: Duration = Duration::from_millis(500);
/// And so often at most.
const TRIES_MAX: u32 = 8;
/// Before the league ends for us the manager waits so long, at most.
const FAREWELL_MAX: Duration = Duration::from_secs(5);

/// What became of a piece.
pub(crate) struct Handed(Result<HttpAnswer, CallError>);

/// What is handed in, and how far that is.
pub(crate) struct HandIn {
    collector: Arc<Collector>,
    client: Client,
    edge: Edge,
    inbox_sender: InboxSender,
    limits: Limits,
    number: u64,
    piece: Option<UnderWay>,
    /// What the manager waits for, which wants to end the league.
    farewell: Option<(RequestId, Answer)>,
    /// The league ends for us: nothing waits for others any more, and nobody for longer than that.
    until: Option<Instant>,
    /// No call of ours is under way, so no message of a match either; or it is waited for no more.
    quiet: bool,
}

/// A piece on its way.
struct UnderWay {
    piece: Box<MessagePiece>,
    tries: u32,
    /// When it is tried again; nothing while a try is under way.
    again: Option<Instant>,
}

impl HandIn {
    pub(crate) fn new(
        collector: Arc<Collector>,
        (client, edge): (Client, Edge),
        inbox_sender: InboxSender,
        limits: Limits,
    ) -> Self {
        Self {
            collector,
            client,
            edge,
            inbox_sender,
            limits,
            number: 0,
            piece: None,
            farewell: None,
            until: None,
            quiet: false,
        }
    }

    /// When something is to be done.
    pub(crate) fn due(&self) -> Option<Instant> {
        let next = match &self.piece {
            Some(piece) => piece.again,
            None if self.ends() && !self.collector.is_empty() => Some(Instant::now()),
            None => self.collector.due(),
        };
        let half = self.until.filter(|_| !self.quiet).map(|until| until - FAREWELL_MAX / 2);
        next.into_iter().chain(self.until).chain(half).min()
    }

    /// Whether nothing waits.
    pub(crate) fn is_idle(&self) -> bool {
        self.piece.is_none() && self.collector.is_empty() && self.farewell.is_none()
    }

    /// Whether whatever there is is handed in at once.
    fn ends(&self) -> bool {
        self.until.is_some() && self.quiet
    }

    /// Keeps the answer to whoever ends the league until everything is handed in; gives it back if
    /// there is nothing, and nothing can come any more, because no call of ours is under way.
    pub(crate) fn hold(
        &mut self,
        request: RequestId,
        answer: Answer,
        quiet: bool,
    ) -> Option<Answer> {
        if self.farewell.is_some() || quiet && self.is_idle() {
            return Some(answer);
        }
        self.farewell = Some((request, answer));
        self.end(quiet);
        None
    }

    /// The league ends for us: what there is is handed in as soon as no call is under way. Says how
    /// long that may take, if there is anything.
    pub(crate) fn end(&mut self, quiet: bool) -> Option<Duration> {
        (self.until, self.quiet) = (Some(Instant::now() + FAREWELL_MAX), quiet);
        (!quiet || !self.is_idle()).then_some(FAREWELL_MAX)
    }

    /// What waits is given up, and whoever waits for it may have its answer.
    fn give_up(&mut self) {
        self.collector.forget();
        self.piece = None;
    }

    /// Does what is due, for a referee that is known to that manager by that token. Says who is to
    /// be answered now.
    pub(crate) fn tick(
        &mut self,
        is_quiet: impl FnOnce() -> bool,
        keeper: impl Fn() -> Option<(Endpoint, AuthToken)>,
    ) -> Option<(RequestId, Answer)> {
        let now = Instant::now();
        // Who cannot be reached is called for longer than anybody waits.
        let late = self.until.is_some_and(|until| until <= now + FAREWELL_MAX / 2);
        self.quiet = self.until.is_some() && (late || is_quiet());
        if self.ends() && self.is_idle() {
            self.until = None;
        } else if self.until.is_some_and(|until| until <= now) {
            if self.piece.is_some() || !self.collector.is_empty() {
                info!("messages of matches are lost: it took too long to hand them in");
            }
            self.give_up();
            (self.until, self.quiet) = (None, true);
        }
        let end = self.ends();
        match &mut self.piece {
            Some(piece) if piece.again.is_some_and(|again| again <= now) => self.call(keeper()),
            Some(_) => {}
            None => {
                if let Some(given) = self.collector.take(now, end) {
                    self.piece = Some(UnderWay { piece: given.into(), tries: 0, again: None });
                    self.call(keeper());
                }
            }
        }
        let done = self.quiet && self.piece.is_none() && self.collector.is_empty();
        if done { self.farewell.take() } else { None }
    }

    /// Tries to bring the piece, with the token that is ours now.
    fn call(&mut self, keeper: Option<(Endpoint, AuthToken)>) {
        let Some(under_way) = &mut self.piece else { return };
        // There may be nobody who could take it.
        let Some((to, token)) = keeper else { return self.give_up() };
        let Ok(address) = EndpointUrl::parse(to.as_str()) else { return self.give_up() };
        (under_way.tries, under_way.again) = (under_way.tries + 1, None);
        self.number += 1;
        let (auth_token, piece) = (Some(token), Some(under_way.piece.clone()));
        let params = ToolParams { auth_token, piece, ..ToolParams::default() };
        let mut body = Vec::new();
        frame::encode_tool_request(self.number, Tool::KeepMessages, &params, &mut body);
        let body = Bytes::from(body);
        let about = || (Tool::KeepMessages.method(), None);
        let passes = self.edge.calls(&to, &body, about);
        let (client, inbox_sender) = (self.client.clone(), self.inbox_sender.clone());
        tokio::spawn(async move {
            let result = client.post(&address, body, TIMEOUT).await;
            if let Some(passes) = passes {
                passes.finished(&result);
            }
            inbox_sender.put(Arrival::HandedIn(Handed(result)));
        });
    }

    /// A try is over.
    pub(crate) fn handed(&mut self, Handed(result): Handed) {
        let fate = match &result {
            Ok(answer) if answer.status < 500 => self.answered(answer),
            Ok(_) | Err(_) => Fate::Again,
        };
        match fate {
            Fate::Over => self.piece = None,
            Fate::Nobody => {
                self.collector.stop();
                self.piece = None;
            }
            Fate::Again => {}
        }
        let Some(piece) = self.piece.as_mut() else { return };
        if piece.tries >= TRIES_MAX {
            warn!(tries = piece.tries, "messages of matches are lost");
            self.piece = None;
        } else {
            piece.again = Some(Instant::now() + PAUSE * 2_u32.pow(piece.tries - 1));
        }
    }

    /// What an answer means for the piece.
    fn answered(&self, answer: &HttpAnswer) -> Fate {
        match frame::decode_tool_answer(&answer.body, Tool::KeepMessages, self.limits) {
            Ok(Answer::Tool(ToolAnswer::Kept(_))) => Fate::Over,
            Ok(Answer::Fault(Fault { league_code: Some(code), message, .. })) => {
                // Soon we are let in again, or asked less.
                if matches!(code, ErrorCode::AuthTokenInvalid | ErrorCode::RateLimited) {
                    return Fate::Again;
                }
                warn!(code = code.code(), reason = %message, "messages are not taken");
                Fate::Over
            }
            Ok(Answer::Fault(_) | Answer::Message(_) | Answer::Receipt(_) | Answer::Tool(_))
            | Err(_) => {
                debug!("the manager keeps no messages of matches");
                Fate::Nobody
            }
        }
    }
}

/// What is to be done after an answer.
enum Fate {
    /// It is kept, or never will be.
    Over,
    /// It is tried again.
    Again,
    /// Nobody there keeps messages.
    Nobody,
}
