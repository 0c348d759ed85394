//! The doors of a node: its server, the inbox behind it, and who opens the letters.

use std::sync::Arc;

use agon_net::{Page, ServerCounters};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::config::Config;
use crate::inbound::Inbound;
use crate::inbox::{Entrance, Inbox, Pages, Slot, inbox};
use crate::node::{NOBODY, NOWHERE, Role};
use crate::street::Street;

/// Renders what a node has counted.
pub type Render = Arc<dyn Fn() -> String + Send + Sync>;

/// Open as long as this lives; callers in flight are waited for by `close`.
pub(crate) struct Doors {
    pub(crate) slot: Slot,
    pub(crate) inbox: Inbox,
    pub(crate) inbound: Inbound,
    pub(crate) lock: Lock,
}

/// What closes the doors.
pub(crate) struct Lock {
    closing: watch::Sender<bool>,
    serving: Option<JoinHandle<()>>,
}

impl Doors {
    /// Opens them. `health` is what `/health` says of the node.
    pub(crate) fn open(
        street: Option<Street>,
        config: &Config,
        kind: Role,
        health: &'static str,
        metrics: Option<Render>,
    ) -> Self {
        let (slot, inbox) = inbox(config.server.inbox_max);
        let place = street.as_ref().map(|street| (street.policy(), street.address()));
        let (policy, own) = place.unwrap_or((NOBODY, NOWHERE));
        let inbound = Inbound::new(kind, &config.server, policy, own);
        let (closing, closed) = watch::channel(false);
        let serving = street.map(|Street { listener, server, .. }| {
            let pages = pages(kind, health, metrics, listener.counters());
            let entrance = Entrance { slot: slot.clone(), pages };
            tokio::spawn(agon_net::serve(listener, server, entrance, closed))
        });
        Self { slot, inbox, inbound, lock: Lock { closing, serving } }
    }
}

impl Lock {
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
            body: format!("{{\"status\":\"{health}\",\"role\":\"{}\"}}", kind.name()).into(),
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
    let role = kind.name();
    let line = |(reason, count)| {
        format!("agon_http_refusals_total{{role=\"{role}\",reason=\"{reason}\"}} {count}\n")
    };
    let lines: String = counters.read().map(line).concat();
    format!("# TYPE agon_http_refusals_total counter\n{lines}")
}
