//! The inbox: everything that happens to a node, in the order in which it happened; and the server
//! that puts requests into it.
//!
//! Requests are bounded: beyond the bound a caller hears "busy". Outcomes of our own calls are not,
//! because there are never more of them than calls that we made.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use agon_core::{Question, RequestId};
use agon_net::{Busy, CallError, Door, HttpAnswer, Incoming, Page, ServerCounters};
use agon_proto::tool::MatchState;
use agon_proto::{AgentId, Endpoint, Role, ShortText};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use crate::listener::Listener;
#[cfg(feature = "mail")]
use crate::mailroom;
use crate::messages::Handed;
use crate::meters::rendered_meters;
use crate::mind::Thought;

/// Something that happened.
pub(crate) enum Arrival {
    /// Somebody calls.
    Request(Incoming),
    /// An attempt of ours is over.
    Outcome { peer: usize, call: u64, result: Result<HttpAnswer, CallError> },
    /// Whether an agent answers there, and why not.
    Probed { agent: AgentId, endpoint: Endpoint, found: Result<(), ShortText> },
    /// A slow thought has come to an end.
    Thought { question: Box<Question>, answer: Thought },
    /// What somebody wants to see of a match was read.
    Looked { request: RequestId, state: Box<MatchState> },
    /// A piece of messages was handed in, or was not.
    HandedIn(Handed),
    /// Something about mail.
    #[cfg(feature = "mail")]
    Mail(mailroom::Arrival),
}

/// Where arrivals are dropped. Cheap to clone.
#[derive(Clone)]
pub(crate) struct InboxSender(mpsc::UnboundedSender<Arrival>);

impl InboxSender {
    /// Drops an arrival; silently, if the loop has ended.
    pub(crate) fn put(&self, arrival: Arrival) {
        let _ = self.0.send(arrival);
    }
}

/// Where the loop picks them up.
pub(crate) struct Inbox {
    receiver: mpsc::UnboundedReceiver<Arrival>,
    /// Requests that wait in it.
    pub(crate) requests: Arc<AtomicUsize>,
}

impl Inbox {
    pub(crate) fn open() -> (InboxSender, Self) {
        let (sender, receiver) = mpsc::unbounded_channel();
        (InboxSender(sender), Self { receiver, requests: Arc::default() })
    }

    /// Waits for something, then takes everything that is there, up to a bound.
    pub(crate) async fn take(&mut self, batch: &mut Vec<Arrival>, batch_max: usize) {
        self.receiver.recv_many(batch, batch_max).await;
        let requests = batch.iter().filter(|arrival| matches!(arrival, Arrival::Request(_)));
        self.requests.fetch_sub(requests.count(), Ordering::Relaxed);
    }
}

/// Serves until it is closed.
pub(crate) struct ServerTask {
    closing: watch::Sender<bool>,
    serving: JoinHandle<()>,
}

impl ServerTask {
    pub(crate) fn open(Listener { socket, server, .. }: Listener, sink: RequestSink) -> Self {
        let (closing, closed) = watch::channel(false);
        Self { closing, serving: tokio::spawn(agon_net::serve(socket, server, sink, closed)) }
    }

    /// Nobody comes in any more, and whoever is in is let out.
    pub(crate) async fn close(self) {
        let _ = self.closing.send(true);
        let _ = self.serving.await;
    }
}

/// Where requests go: to the inbox, or to a page for people and monitors.
pub(crate) struct RequestSink {
    pub(crate) inbox_sender: InboxSender,
    /// Those that wait in the inbox.
    pub(crate) requests: Arc<AtomicUsize>,
    pub(crate) requests_max: usize,
    pub(crate) kind: Role,
    /// What `/health` says of the node.
    pub(crate) health: &'static str,
    /// Whether `/metrics` says what was counted.
    pub(crate) metrics: bool,
    pub(crate) counters: Arc<ServerCounters>,
}

impl Door for RequestSink {
    fn handle(&self, incoming: Incoming) -> Result<(), Busy> {
        let before = self.requests.fetch_add(1, Ordering::Relaxed);
        if before >= self.requests_max {
            self.requests.fetch_sub(1, Ordering::Relaxed);
            return Err(Busy);
        }
        self.inbox_sender.0.send(Arrival::Request(incoming)).map_err(|_| Busy)
    }

    /// Is it well, and what has it counted?
    fn get(&self, path: &str) -> Option<Page> {
        let (health, role) = (self.health, self.kind.word());
        match path {
            "/health" => Some(Page {
                content_type: "application/json",
                body: format!("{{\"status\":\"{health}\",\"role\":\"{role}\"}}").into(),
            }),
            "/metrics" if self.metrics => Some(Page {
                content_type: "text/plain; version=0.0.4",
                body: (rendered_meters() + &self.refused()).into(),
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
