//! The HTTP server: takes `POST /mcp` from anybody, hands it to a [`Door`], carries the reply back.
//!
//! What the door sees has passed every bound of [`ServerConfig`]. What did not pass was refused
//! here, counted in [`ServerCounters`], and cost the node nothing else.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::sync::oneshot;
use tracing::warn;

use crate::tls::Identity;

mod answer;
mod arrival;
mod connection;
mod pacer;
mod places;
mod proxies;
mod serve;

pub use answer::Hosts;
pub use arrival::BodyPace;
pub use pacer::{Buckets, Pacing, Rate, network};
pub use proxies::{BadNetwork, CallerAddress, Network, Preamble, Proxies};
pub use serve::{BindError, BoundSocket, bind, reserve, serve};

/// The one path on which messages arrive.
pub const MCP_PATH: &str = "/mcp";
/// What may stand before it: this, and a code that the caller was given.
const JOIN_PATH: &str = "/join/";
/// Longest code that is read.
const CODE_MAX: usize = 64;

/// Who stands behind the server.
pub trait Door: Send + Sync + 'static {
    /// Takes one request. Must not block: it runs on the thread that serves all connections.
    fn handle(&self, incoming: Incoming) -> Result<(), Busy>;

    /// The page under `path`, for `GET` and `HEAD`. `None` is answered with 404.
    fn get(&self, path: &str) -> Option<Page>;
}

/// One `POST /mcp`, read to its end.
#[derive(Debug)]
pub struct Incoming {
    pub body: Bytes,
    pub from: SocketAddr,
    /// The code of `POST /join/{code}/mcp`.
    pub code: Option<PathCode>,
    /// Whether `from` speaks for somebody else, whom we do not know: it says that it was forwarded,
    /// and no listed proxy says for whom.
    pub is_forwarded: bool,
    /// When the whole body had arrived.
    pub at: Instant,
    pub reply: ReplyTo,
}

/// A code from the path of a request: short and plain, and not to be printed. What it means the
/// door knows.
#[derive(Clone, PartialEq, Eq)]
pub struct PathCode(Box<str>);

impl PathCode {
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for PathCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("…")
    }
}

/// The door cannot take another request now. Answered with 503 and `Retry-After`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Busy;

/// The one way back to the caller. Dropped without a word, it answers 500.
#[derive(Debug)]
pub struct ReplyTo(oneshot::Sender<Reply>);

impl ReplyTo {
    /// Answers the request. A caller that has hung up meanwhile is nobody's error.
    pub fn send(self, reply: Reply) {
        let _caller_gone = self.0.send(reply);
    }
}

/// What goes back to the caller: a status and, unless it is empty, a JSON body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// An HTTP status. A number that is none is sent as 500.
    pub status: u16,
    pub body: Bytes,
    /// It refuses somebody who has proved nothing, and waits when its address had many of those.
    pub is_paced: bool,
}

impl Reply {
    /// 200 with a JSON body, which is also how JSON-RPC carries its errors.
    pub fn json(body: Bytes) -> Self {
        Self { status: 200, body, is_paced: false }
    }

    /// The same reply to somebody who has proved nothing.
    pub fn in_turn(self) -> Self {
        Self { is_paced: true, ..self }
    }

    /// 429, with a JSON body and a hint when to come back: somebody known asks too much.
    pub fn too_many(body: Bytes) -> Self {
        Self { status: 429, body, is_paced: false }
    }

    /// 202 without a body: a notification was taken and has no answer.
    pub fn accepted() -> Self {
        Self { status: 202, body: Bytes::new(), is_paced: false }
    }
}

/// A page for people or for a scraper, such as `/health` and `/metrics`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    pub content_type: &'static str,
    pub body: Bytes,
}

/// The bounds of a server.
#[derive(Debug, Clone)]
pub struct ServerConfig {
    /// Longest request body, in bytes.
    pub body_max: usize,
    /// Bytes of all bodies together, from the first piece of each until it is answered. Then the
    /// slowest make room.
    pub bodies_max: usize,
    /// Longest request head, in bytes.
    pub head_max: usize,
    /// How long a connection may take to bring a whole head, and before that for its TLS handshake.
    /// It is also how long an idle connection is kept, so callers should let go of theirs a little
    /// earlier, by their own idle timeout.
    pub header_timeout: Duration,
    /// How long a body may take once its head is there, and how fast it must come.
    pub body_pace: BodyPace,
    /// Connections open at the same time, if the system lets us open so many. Then the least useful
    /// make room, and when all are busy, more are closed at once.
    pub connections_max: usize,
    /// The same for those of one address; of IPv6 for those that share their first 64 bits.
    pub connections_per_address_max: usize,
    /// Who is believed when it says for whom it calls.
    pub proxies: Proxies,
    /// How long requests in flight may take to finish after a stop.
    pub stop_grace: Duration,
    /// What `Retry-After` says with 429 and 503, rounded up to whole seconds.
    pub retry_after: Duration,
    /// How slowly bad requests are answered.
    pub pacing: Pacing,
    /// Which `Host` and `Origin` headers are accepted.
    pub hosts: Hosts,
    /// With one, only TLS is spoken; without, only plain HTTP.
    pub identity: Option<Identity>,
}

/// How often the server refused, by reason, for the node's metrics. Nothing is counted when all is
/// well.
#[derive(Debug, Default)]
pub struct ServerCounters {
    pub too_large: AtomicU64,
    pub busy: AtomicU64,
    /// Handshakes, heads and bodies that came too slowly. An idle connection that is let go does
    /// not count.
    pub timeout: AtomicU64,
    pub bad_host: AtomicU64,
    pub not_found: AtomicU64,
    /// Connections closed at once because too many were open.
    pub connections: AtomicU64,
    /// Bodies that were not read to their end because all of them together were too large.
    pub bodies: AtomicU64,
    /// Requests that the door took and dropped without a reply.
    pub unanswered: AtomicU64,
    /// Connections that spoke something else where TLS was expected, such as plain HTTP.
    pub not_tls: AtomicU64,
    /// Handshakes that failed, among them those of callers who do not trust our certificate.
    pub handshake: AtomicU64,
    /// What could not be read as HTTP.
    pub malformed: AtomicU64,
    /// Connections that were closed to make room for others.
    pub made_room: AtomicU64,
    /// Refusals that had to wait for their turn.
    pub paced: AtomicU64,
    /// Bad requests that were too many to be answered any other way.
    pub too_many: AtomicU64,
}

impl ServerCounters {
    /// All counts with their names, ready to be printed as metrics.
    pub fn read(&self) -> [(&'static str, u64); 14] {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        [
            ("too_large", count(&self.too_large)),
            ("busy", count(&self.busy)),
            ("timeout", count(&self.timeout)),
            ("bad_host", count(&self.bad_host)),
            ("not_found", count(&self.not_found)),
            ("connections", count(&self.connections)),
            ("bodies", count(&self.bodies)),
            ("unanswered", count(&self.unanswered)),
            ("not_tls", count(&self.not_tls)),
            ("handshake", count(&self.handshake)),
            ("malformed", count(&self.malformed)),
            ("made_room", count(&self.made_room)),
            ("paced", count(&self.paced)),
            ("too_many", count(&self.too_many)),
        ]
    }
}

/// Adds one, and says so at the first, second, fourth, eighth … time: a flood of refusals must not
/// become a flood of lines. The counters order nothing, so the weakest ordering will do.
fn bump(counter: &AtomicU64, reason: &'static str) {
    let count = counter.fetch_add(1, Ordering::Relaxed) + 1;
    if count.is_power_of_two() {
        warn!(reason, count, "refused at the door");
    }
}
