//! What a node counts. Registered once, so that counting costs an addition.

use metrics::{Counter, Histogram, counter, histogram};

/// The meters of one node.
pub(crate) struct Meters {
    role: &'static str,
    pub(crate) requests: Counter,
    pub(crate) calls: Counter,
    pub(crate) calls_failed: Counter,
    pub(crate) commits: Counter,
    pub(crate) facts: Counter,
    pub(crate) batch: Histogram,
}

impl Meters {
    pub(crate) fn new(role: &'static str) -> Self {
        Self {
            role,
            requests: counter!("agon_requests_total", "role" => role),
            calls: counter!("agon_calls_total", "role" => role),
            calls_failed: counter!("agon_calls_failed_total", "role" => role),
            commits: counter!("agon_journal_commits_total", "role" => role),
            facts: counter!("agon_facts_total", "role" => role),
            batch: histogram!("agon_batch_size", "role" => role),
        }
    }

    /// One refusal, by its code. Rare enough to look the meter up.
    pub(crate) fn refused(&self, code: &'static str) {
        counter!("agon_refusals_total", "role" => self.role, "code" => code).increment(1);
    }
}
