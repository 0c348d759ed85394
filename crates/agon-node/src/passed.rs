//! What passes the edge of a node: every message, whole, with what became of it.
//!
//! It is seen in one place for all who want to see it: the record of calls, the message log. They
//! see it when it is over, and before the loop hears what came of it. While nobody watches nothing
//! is kept for it, and nothing is copied.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_net::{CallError, EndpointUrl, HttpAnswer, Reply};
use agon_proto::frame::{self, Limits};
use agon_proto::{Address, Answer, Call, ConversationId, Endpoint, Envelope, GameId, MatchId};
use agon_proto::{MessageType, Sender, Timestamp, act::Act};
use bytes::Bytes;

use crate::clock::Clock;
use crate::outbound::failure;
use crate::recorder::{Numbered, Recorder};

/// One message that passed, and what became of it.
#[derive(Debug)]
pub(crate) struct Passed {
    /// When it left, or had arrived.
    pub(crate) at: Timestamp,
    /// Until it was answered, taken, or given up.
    pub(crate) took: Duration,
    pub(crate) way: Way,
    pub(crate) peer: Peer,
    /// Its message_type, the method of a tool, the kind of a letter.
    pub(crate) name: &'static str,
    /// The match that it is about, as far as that is known without looking into it.
    pub(crate) match_id: Option<MatchId>,
    /// As it left or came, with every token.
    pub(crate) said: Bytes,
    /// What was answered, and with which status of HTTP. A letter by mail has no answer.
    pub(crate) answer: Bytes,
    pub(crate) status: Option<u16>,
    pub(crate) outcome: Outcome,
}

/// Which way it went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(feature = "mail"), expect(dead_code, reason = "only letters by mail are that"))]
pub(crate) enum Way {
    /// We called.
    Called,
    /// We were called.
    WasCalled,
    /// A letter left by mail.
    Sent,
    /// A letter came by mail.
    Read,
}

/// Who was on the other side.
#[derive(Debug, Clone)]
#[cfg_attr(not(feature = "mail"), expect(dead_code, reason = "only letters by mail are that"))]
pub(crate) enum Peer {
    /// Whom we called.
    Endpoint(Endpoint),
    /// Who called us, from where; and who it is, if it has proved that.
    Caller(SocketAddr, Option<Sender>),
    /// Whom we wrote to, or who wrote.
    Mail(Address),
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(not(feature = "mail"), expect(dead_code, reason = "only letters by mail are that"))]
pub(crate) enum Outcome {
    /// There is an answer. Whether the answer to a call of ours says no, only its words tell.
    Answered,
    /// We refused it, with that code.
    Refused(&'static str),
    TimedOut,
    Unreachable(Box<str>),
    TooLarge,
    /// The answer broke off.
    CutOff(Box<str>),
    /// We may not call there.
    Forbidden,
    /// Our own host had nothing left to call with.
    NotSent,
    /// A letter has arrived.
    Taken,
    /// A letter was not taken, or could not be read.
    NotTaken(Box<str>),
}

impl Passed {
    /// Its conversation, as it spells it itself: the inside of a JSON string.
    pub(crate) fn conversation(&self) -> Option<&str> {
        const KEY: &[u8] = b"\"conversation_id\"";
        let place = self.said.windows(KEY.len()).position(|it| it == KEY)? + KEY.len();
        let rest = str::from_utf8(&self.said[place..]).ok()?.trim_ascii_start();
        let text = rest.strip_prefix(':')?.trim_ascii_start().strip_prefix('"')?;
        let end = text.find(['"', '\\']).filter(|end| text[*end..].starts_with('"'))?;
        Some(&text[..end])
    }

    /// The match that it is about.
    pub(crate) fn of_match(&self) -> Option<MatchId> {
        let said = || match_of(&ConversationId::new(self.conversation()?));
        self.match_id.or_else(said)
    }

    /// The code with which it was refused, by us or by whom we called.
    pub(crate) fn refusal(&self, limits: Limits) -> Option<&'static str> {
        if let Outcome::Refused(code) = self.outcome {
            return Some(code);
        }
        let says = |word: &[u8]| self.answer.windows(word.len()).any(|it| it == word);
        let calls = self.way == Way::Called && !self.answer.is_empty();
        if !calls || !says(b"\"error\"") && !says(b"LEAGUE_ERROR") {
            return None;
        }
        let code = |code: Option<agon_proto::ErrorCode>| code.map_or("JSON_RPC", |it| it.code());
        match frame::decode_answer(&self.answer, limits).ok()? {
            Answer::Fault(fault) => Some(code(fault.league_code)),
            Answer::Message(letter) => {
                if let Act::LeagueError(said) = &letter.act {
                    return Some(said.error_code.code());
                }
                let Act::Decide(said) = &letter.act else { return None };
                said.denial.as_ref().map(|_| "REJECTED")
            }
            Answer::Receipt(_) | Answer::Tool(_) => None,
        }
    }
}

/// The match of a conversation.
fn match_of(conversation: &ConversationId) -> Option<MatchId> {
    match conversation {
        ConversationId::Match { match_id, .. } | ConversationId::Report(match_id) => {
            Some(*match_id)
        }
        ConversationId::RoundAnnounce(_)
        | ConversationId::RoundStandings(_)
        | ConversationId::RoundComplete(_)
        | ConversationId::LeagueComplete
        | ConversationId::Other(_) => None,
    }
}

/// The match that a message is about.
pub(crate) fn match_in(letter: &Envelope) -> Option<MatchId> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the others name theirs in another way")]
    let named = match &letter.act {
        Act::MatchResultReport(said) => Some(said.match_id),
        Act::MatchAssignment(said) => Some(said.match_id),
        act => act.match_of_referee(),
    };
    named.or_else(|| match_of(&letter.head.conversation_id))
}

/// Sees what passed. Called wherever a message is over, so it must not wait for anything.
pub(crate) trait Watcher: Send + Sync {
    fn see(&self, passed: &Arc<Passed>);
}

/// Where messages pass. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Edge(Arc<Watched>);

struct Watched {
    clock: Clock,
    recorder: Option<Recorder>,
    watchers: Vec<Box<dyn Watcher>>,
}

/// A call of ours that is under way, while somebody watches.
pub(crate) struct UnderWay {
    edge: Edge,
    began: Instant,
    numbered: Option<Numbered>,
    to: Endpoint,
    name: &'static str,
    match_id: Option<MatchId>,
    said: Bytes,
}

/// A request that waits for our answer, while somebody watches.
pub(crate) struct Asked {
    at: Instant,
    from: SocketAddr,
    /// Who it says it is, if it has shown a token for that.
    sender: Option<Sender>,
    name: &'static str,
    match_id: Option<MatchId>,
    said: Bytes,
}

/// A letter on its way by mail, while somebody watches.
#[cfg(feature = "mail")]
pub(crate) struct Letter {
    at: Instant,
    way: Way,
    with: Address,
    name: &'static str,
    match_id: Option<MatchId>,
    said: Bytes,
}

#[cfg(feature = "mail")]
impl Letter {
    /// Whether it goes there, or comes from there.
    pub(crate) fn is_with(&self, address: &Address) -> bool {
        self.with == *address
    }
}

impl Edge {
    pub(crate) fn new(
        clock: Clock,
        recorder: Option<Recorder>,
        watchers: Vec<Box<dyn Watcher>>,
    ) -> Self {
        Self(Arc::new(Watched { clock, recorder, watchers }))
    }

    /// Whether anybody sees more than the record of calls does.
    pub(crate) fn is_watched(&self) -> bool {
        !self.0.watchers.is_empty()
    }

    /// A call goes out. Whoever makes it says how it ended; nothing, if nobody wants to know.
    pub(crate) fn calls(
        &self,
        to: &Endpoint,
        said: &Bytes,
        about: impl FnOnce() -> (&'static str, Option<MatchId>),
    ) -> Option<UnderWay> {
        let recorder = self.0.recorder.as_ref();
        if recorder.is_none() && !self.is_watched() {
            return None;
        }
        let (name, match_id) = about();
        let numbered = recorder.map(Recorder::begin);
        let (edge, to, said) = (self.clone(), to.clone(), said.clone());
        Some(UnderWay { edge, began: Instant::now(), numbered, to, name, match_id, said })
    }

    /// A request has come; `call` is what it says, if it could be read.
    pub(crate) fn asked(
        &self,
        at: Instant,
        from: SocketAddr,
        said: &Bytes,
        call: Option<&Call>,
    ) -> Option<Box<Asked>> {
        if !self.is_watched() {
            return None;
        }
        let (name, match_id, sender) = call.map_or(("?", None, None), told);
        Some(Box::new(Asked { at, from, sender, name, match_id, said: said.clone() }))
    }

    /// A request is answered; refused, if there is a code.
    pub(crate) fn answers(&self, asked: Asked, reply: &Reply, refused: Option<&'static str>) {
        let Asked { at: arrived, from, sender, name, match_id, said } = asked;
        self.see(Passed {
            at: self.0.clock.at(arrived),
            took: arrived.elapsed(),
            way: Way::WasCalled,
            peer: Peer::Caller(from, sender.filter(|_| refused.is_none())),
            name,
            match_id,
            said,
            answer: reply.body.clone(),
            status: Some(reply.status),
            outcome: refused.map_or(Outcome::Answered, Outcome::Refused),
        });
    }

    /// A letter leaves or has come by mail.
    #[cfg(feature = "mail")]
    pub(crate) fn letter(
        &self,
        (way, with): (Way, &Address),
        (name, game): (&'static str, Option<&GameId>),
        said: &Bytes,
    ) -> Option<Letter> {
        let (with, said, match_id) = (with.clone(), said.clone(), game.and_then(GameId::match_id));
        let letter = Letter { at: Instant::now(), way, with, name, match_id, said };
        self.is_watched().then_some(letter)
    }

    /// It was taken, or dealt with, or neither.
    #[cfg(feature = "mail")]
    pub(crate) fn settled(&self, letter: Letter, outcome: Outcome) {
        let Letter { at, way, with, name, match_id, said } = letter;
        self.see(Passed {
            at: self.0.clock.at(at),
            took: at.elapsed(),
            way,
            peer: Peer::Mail(with),
            name,
            match_id,
            said,
            answer: Bytes::new(),
            status: None,
            outcome,
        });
    }

    /// A message is over.
    pub(crate) fn see(&self, passed: Passed) {
        if self.is_watched() {
            let passed = Arc::new(passed);
            self.0.watchers.iter().for_each(|watcher| watcher.see(&passed));
        }
    }

    /// Waits until every call that went out is on record.
    pub(crate) async fn settle(&self) {
        if let Some(recorder) = &self.0.recorder {
            recorder.settle().await;
        }
    }
}

/// What a request is called, which match it is about, and who says it and shows a token.
fn told(call: &Call) -> (&'static str, Option<MatchId>, Option<Sender>) {
    match call {
        Call::Message(letter) => {
            let sender = letter.auth_token.as_ref().map(|_| letter.head.sender.clone());
            (MessageType::name_of(&letter.act), match_in(letter), sender)
        }
        Call::Tool(tool, params) => (tool.method(), params.match_id, None),
        Call::Letter(letter) => {
            let game = letter.head.context.game.as_ref();
            (letter.act.kind().name(), game.and_then(GameId::match_id), None)
        }
    }
}

impl UnderWay {
    /// It is over.
    pub(crate) fn finished(self, result: &Result<HttpAnswer, CallError>) {
        let (answer, status, outcome) = match result {
            Ok(answer) => (answer.body.clone(), Some(answer.status), Outcome::Answered),
            Err(error) => (Bytes::new(), None, failed(error, &self.to)),
        };
        let Self { edge, began, numbered, to, name, match_id, said } = self;
        let passed = Passed {
            at: edge.0.clock.at(began),
            took: began.elapsed(),
            way: Way::Called,
            peer: Peer::Endpoint(to),
            name,
            match_id,
            said,
            answer,
            status,
            outcome,
        };
        if let (Some(recorder), Some(numbered)) = (&edge.0.recorder, numbered) {
            recorder.end(numbered, &passed);
        }
        edge.see(passed);
    }
}

fn failed(error: &CallError, to: &Endpoint) -> Outcome {
    let why = || failure(error, EndpointUrl::parse(to.as_str()).ok().as_ref()).into();
    match error {
        CallError::Connect(_) => Outcome::Unreachable(why()),
        CallError::Timeout => Outcome::TimedOut,
        CallError::TooLarge { .. } => Outcome::TooLarge,
        CallError::Broken(_) => Outcome::CutOff(why()),
        CallError::Forbidden { .. } => Outcome::Forbidden,
        CallError::Exhausted(_) => Outcome::NotSent,
    }
}

#[cfg(test)]
mod tests;
