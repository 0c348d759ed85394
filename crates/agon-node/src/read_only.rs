//! A node that is only read: what a node becomes while nothing can be written down.
//!
//! Its role was read from the journal, so it knows what is durable and nothing else. Questions are
//! answered; whatever would change something is turned away and told to come again.

use std::path::PathBuf;

use agon_core::{Effect, Effects, Event, LeagueFact, Machine, Manager, Moment, Refusal};
use agon_proto::act::Act;
use agon_proto::tool::Tool;
use agon_proto::{Call, Role, Timestamp};
use tokio::sync::watch;

use crate::config::Config;
use crate::ledger::Ledger;
use crate::listener::Listener;
use crate::node::Node;

/// A manager that is only read.
pub struct ReadOnlyNode {
    pub role: Manager,
    pub listener: Listener,
    /// Where the journal is, for transcripts.
    pub data: PathBuf,
}

impl ReadOnlyNode {
    /// Answers questions until `until` comes to an end.
    pub async fn run<T>(self, config: &Config, until: impl Future<Output = T>) -> T {
        let Self { role, listener, data } = self;
        let new = Node::new(Responder(role), Role::Manager, listener);
        let ledger = Ledger::unwritable(data);
        let node = Node { ledger, metrics: true, stay: true, ..new };
        let (stop, stopped) = watch::channel(false);
        let waiting = async {
            let ended = until.await;
            let _ = stop.send(true);
            ended
        };
        // It writes nothing, so nothing can fail that would end it before that.
        let (ended, _) = tokio::join!(waiting, node.serve(config, "read-only", stopped));
        ended
    }
}

/// Lets a manager answer questions, and nothing else.
struct Responder(Manager);

impl Machine for Responder {
    type Fact = LeagueFact;

    fn handle(&mut self, event: Event, now: Timestamp, out: &mut Effects<LeagueFact>) {
        match event {
            Event::Called { ref call, .. } if asks(call) => self.0.handle(event, now, out),
            Event::Called { request, .. }
            | Event::Posted { request, .. }
            | Event::Garbled { request, .. } => {
                out.effects.push(Effect::Refuse { request, refusal: Refusal::ReadOnly });
            }
            // Nothing was sent and nobody thinks, so nothing else can arrive.
            Event::Answered { .. }
            | Event::Undelivered { .. }
            | Event::Noticed { .. }
            | Event::Drawn { .. }
            | Event::Thought { .. }
            | Event::Probed { .. }
            | Event::Taken(_) => {}
        }
        debug_assert!(out.facts.is_empty(), "a question changes nothing");
        // A question leads to nothing but its answer.
        out.effects.retain(|effect| {
            matches!(
                effect,
                Effect::Reply { .. }
                    | Effect::Refuse { .. }
                    | Effect::Fetch { .. }
                    | Effect::ListAgents { .. }
            )
        });
    }

    fn tick(&mut self, _: Moment, _: &mut Effects<LeagueFact>) {}

    fn deadline(&self) -> Option<Timestamp> {
        None
    }

    fn resume(&mut self, _: Timestamp, _: &mut Effects<LeagueFact>) {}

    fn apply(&mut self, fact: &LeagueFact) {
        self.0.apply(fact);
    }
}

/// Whether a call is only a question.
fn asks(call: &Call) -> bool {
    match call {
        Call::Message(letter) => matches!(letter.act, Act::LeagueQuery(_)),
        Call::Letter(_) => false,
        Call::Tool(tool, _) => !matches!(tool, Tool::Command(_) | Tool::KeepMessages),
    }
}
