//! The server of a node, as a task: the inbox behind it, and who reads what comes in.

use std::sync::Arc;

use agon_net::{Page, ServerCounters};
use agon_proto::Role;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::config::Config;
use crate::inbound::Inbound;
use crate::inbox::{Inbox, InboxSender, Pages, RequestSink, inbox};
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
            let pages = pages(kind, health, metrics, socket.counters());
            let sink = RequestSink { inbox_sender: inbox_sender.clone(), pages };
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

/// The pages of a node: is it well, and what has it counted?
fn pages(
    kind: Role,
    health: &'static str,
    metrics: Option<Render>,
    counters: Arc<ServerCounters>,
) -> Pages {
    Arc::new(move |path| match path {
        "/health" => Some(Page {
            content_type: "application/json",
            body: format!("{{\"status\":\"{health}\",\"role\":\"{}\"}}", kind.word()).into(),
        }),
        "/metrics" => metrics.as_ref().map(|render| Page {
            content_type: "text/plain; version=0.0.4",
            body: (render() + &refused(kind, &counters)).into(),
        }),
        _ => None,
    })
}

/// What the server itself refused, before anybody here heard of it.
fn refused(kind: Role, counters: &ServerCounters) -> String {
    let role = kind.word();
    let line = |(reason, count)| {
        format!("agon_http_refusals_total{{role=\"{role}\",reason=\"{reason}\"}} {count}\n")
    };
    let lines: String = counters.read().map(line).concat();
    format!("# TYPE agon_http_refusals_total counter\n{lines}")
}
