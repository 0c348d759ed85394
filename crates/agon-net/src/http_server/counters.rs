//! Counts what the server refused, for the node's metrics. Nothing is counted when all is well.

use std::sync::atomic::{AtomicU64, Ordering};

use tracing::warn;

/// How often the server refused, by reason.
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
    /// Requests that the door took and dropped without a reply.
    pub unanswered: AtomicU64,
    /// Connections that spoke something else where TLS was expected, such as plain HTTP.
    pub not_tls: AtomicU64,
    /// Handshakes that failed, among them those of callers who do not trust our certificate.
    pub handshake: AtomicU64,
    /// What could not be read as HTTP.
    pub malformed: AtomicU64,
    /// Connections at rest that were closed to make room for others.
    pub made_room: AtomicU64,
    /// Refusals that had to wait for their turn.
    pub paced: AtomicU64,
    /// Bad requests that were too many to be answered any other way.
    pub too_many: AtomicU64,
}

impl ServerCounters {
    /// All counts with their names, ready to be printed as metrics.
    pub fn read(&self) -> [(&'static str, u64); 13] {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        [
            ("too_large", count(&self.too_large)),
            ("busy", count(&self.busy)),
            ("timeout", count(&self.timeout)),
            ("bad_host", count(&self.bad_host)),
            ("not_found", count(&self.not_found)),
            ("connections", count(&self.connections)),
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
pub(super) fn bump(counter: &AtomicU64, reason: &'static str) {
    let count = counter.fetch_add(1, Ordering::Relaxed) + 1;
    if count.is_power_of_two() {
        warn!(reason, count, "refused at the door");
    }
}
