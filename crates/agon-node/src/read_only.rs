//! A node that is only read: what a node becomes while nothing can be written down.
//!
//! Its role was read from the journal, so it knows what is durable and nothing else. Questions are
//! answered; whatever would change something is turned away and told to come again.

use std::path::{Path, PathBuf};
use std::pin::pin;

use agon_core::{Effect, Effects, Event, Machine, Refusal};
use agon_proto::message::{Message, Transcript};
use agon_proto::tool::{Tool, ToolAnswer};
use agon_proto::{Answer, Call, MatchId, Role};
use agon_store::{Journal, JournalError};
use tokio::task::spawn_blocking;

use crate::clock::Clock;
use crate::config::Config;
use crate::inbound::Inbound;
use crate::inbox::{Arrival, Render, ServerTask};
use crate::listener::Listener;
use crate::meters::Meters;

/// A role that is only read.
pub struct ReadOnlyNode<M> {
    pub role: M,
    pub kind: Role,
    pub listener: Listener,
    /// Where the journal is, for transcripts.
    pub data: PathBuf,
    /// What `GET /metrics` shows.
    pub metrics: Option<Render>,
}

impl<M: Machine> ReadOnlyNode<M> {
    /// Answers questions until `until` comes to an end.
    pub async fn run<T>(self, config: &Config, until: impl Future<Output = T>) -> T {
        let Self { mut role, kind, listener, data, metrics } = self;
        let server = ServerTask::open(Some(listener), config, kind, "read-only", metrics);
        let ServerTask { mut inbox, inbound, handle, .. } = server;
        let (clock, meters) = (Clock::start(), Meters::new(kind.word()));
        let mut responder = Responder { inbound, clock, meters, data };
        let mut until = pin!(until);
        let mut batch = Vec::new();
        let ended = loop {
            tokio::select! {
                biased; // Being able to write again comes before one more question.
                ended = &mut until => break ended,
                () = inbox.take(&mut batch, config.server.batch_max) => {}
            }
            for arrival in batch.drain(..) {
                responder.serve(arrival, &mut role).await;
            }
        };
        handle.close().await;
        ended
    }
}

/// Answers questions.
struct Responder {
    inbound: Inbound,
    clock: Clock,
    meters: Meters,
    data: PathBuf,
}

impl Responder {
    async fn serve<M: Machine>(&mut self, arrival: Arrival, role: &mut M) {
        // Nothing was sent and nobody thinks, so nothing else can arrive.
        let Arrival::Request(incoming) = arrival else { return };
        let now = self.clock.at(incoming.at);
        let opened = self.inbound.open(incoming, now, &self.meters);
        if let Some(Event::Posted { request, .. }) = opened {
            // A letter changes something, and nothing can be written down now.
            self.inbound.refuse(request, &Refusal::ReadOnly, now, &self.meters);
            return;
        }
        let Some(Event::Called { request, caller, call }) = opened else { return };
        if !asks(&call) {
            return self.inbound.refuse(request, &Refusal::ReadOnly, now, &self.meters);
        }
        let mut out = Effects::default();
        role.handle(Event::Called { request, caller, call }, now, &mut out);
        debug_assert!(out.facts.is_empty(), "a question changes nothing");
        for effect in out.effects {
            match effect {
                Effect::Reply { request, answer } => {
                    self.inbound.reply(request, &answer, &self.meters);
                }
                Effect::Refuse { request, refusal } => {
                    self.inbound.refuse(request, &refusal, now, &self.meters);
                }
                Effect::Fetch { request, mut state, viewer } => {
                    let transcript = transcript(&self.data, state.match_id).await;
                    state.transcript = viewer.shown(transcript);
                    let answer = Answer::Tool(ToolAnswer::Match(state));
                    self.inbound.reply(request, &answer, &self.meters);
                }
                // A question leads to nothing else.
                Effect::Send(_)
                | Effect::Broadcast(_)
                | Effect::Draw { .. }
                | Effect::Think(_)
                | Effect::SendLetter(_)
                | Effect::Archive { .. }
                | Effect::Heard(_)
                | Effect::Alert(_)
                | Effect::Finish(_) => {}
            }
        }
    }
}

/// Whether a call is only a question.
fn asks(call: &Call) -> bool {
    match call {
        Call::Message(letter) => matches!(letter.message, Message::LeagueQuery(_)),
        Call::Letter(_) => false,
        Call::Tool(tool, _) => match tool {
            Tool::Ping
            | Tool::GetStandings
            | Tool::GetLeagueState
            | Tool::GetMatchState
            | Tool::GetPlayerState => true,
            Tool::Command(_) => false,
        },
    }
}

/// The transcript of a match; an empty one if it is not there or cannot be read just now.
async fn transcript(data: &Path, match_id: MatchId) -> Transcript {
    let data = data.to_owned();
    let find = move || -> Result<Option<Vec<u8>>, JournalError> {
        Journal::<()>::read_only(&data)?.exhibit(&match_id.to_string())
    };
    let body = spawn_blocking(find).await.ok().and_then(Result::ok).flatten();
    body.and_then(|body| serde_json::from_slice(&body).ok()).unwrap_or_default()
}
