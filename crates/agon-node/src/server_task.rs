//! The server of a node, as a task: the inbox behind it, and who reads what comes in.

use std::sync::Arc;

use agon_net::{Busy, Door, Incoming, Page, ServerCounters};
use agon_proto::Role;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::config::Config;
use crate::inbound::Inbound;
use crate::inbox::{Inbox, InboxSender, inbox};
use crate::listener::Listener;
use crate::node::{NOBODY, NOWHERE};

/// Renders what a node has counted.
pub type Render = Arc<dyn Fn() -> String + Send + Sync>;

/// Serves as long as this lives; callers in flight are waited for by `close`.
pub(crate) struct ServerTask {
    pub(crate) inbox_sender: InboxSender,
    pub(crate) inbox: Inbox,
    pub(crate) inbound: Inbound,
    pub(crate) handle: ServerHandle,
}

/// What stops the server.
pub(crate) struct ServerHandle {
    closing: watch::Sender<bool>,
    serving: Option<JoinHandle<()>>,
}

impl ServerTask {
    /// Starts to serve. `health` is what `/health` says of the node.
    pub(crate) fn open(
        listener: Option<Listener>,
        config: &Config,
        kind: Role,
        health: &'static str,
        metrics: Option<Render>,
    ) -> Self {
        let (inbox_sender, inbox) = inbox(config.server.inbox_max);
        let place = listener.as_ref().map(|listener| (listener.policy(), listener.address()));
        let (policy, own) = place.unwrap_or((NOBODY, NOWHERE));
        let inbound = Inbound::new(kind, &config.server, policy, own);
        let (closing, closed) = watch::channel(false);
        let serving = listener.map(|Listener { socket, server, .. }| {
            let (inbox_sender, counters) = (inbox_sender.clone(), socket.counters());
            let sink = RequestSink { inbox_sender, kind, health, metrics, counters };
            tokio::spawn(agon_net::serve(socket, server, sink, closed))
        });
        Self { inbox_sender, inbox, inbound, handle: ServerHandle { closing, serving } }
    }
}

impl ServerHandle {
    /// Nobody comes in any more, and whoever is in is let out.
    pub(crate) async fn close(self) {
        let _ = self.closing.send(true);
        if let Some(serving) = self.serving {
            let _ = serving.await;
        }
    }
}

/// Where requests go: to the inbox, or to a page for people and monitors.
struct RequestSink {
    inbox_sender: InboxSender,
    kind: Role,
    health: &'static str,
    metrics: Option<Render>,
    counters: Arc<ServerCounters>,
}

impl Door for RequestSink {
    fn handle(&self, incoming: Incoming) -> Result<(), Busy> {
        self.inbox_sender.request(incoming)
    }

    /// Is it well, and what has it counted?
    fn get(&self, path: &str) -> Option<Page> {
        let (health, role) = (self.health, self.kind.word());
        match path {
            "/health" => Some(Page {
                content_type: "application/json",
                body: format!("{{\"status\":\"{health}\",\"role\":\"{role}\"}}").into(),
            }),
            "/metrics" => self.metrics.as_ref().map(|render| Page {
                content_type: "text/plain; version=0.0.4",
                body: (render() + &self.refused()).into(),
            }),
            _ => None,
        }
    }
}

impl RequestSink {
    /// What the server itself refused, before anybody here heard of it.
    fn refused(&self) -> String {
        let role = self.kind.word();
        let line = |(reason, count)| {
            format!("agon_http_refusals_total{{role=\"{role}\",reason=\"{reason}\"}} {count}\n")
        };
        let lines: String = self.counters.read().map(line).concat();
        format!("# TYPE agon_http_refusals_total counter\n{lines}")
    }
}
