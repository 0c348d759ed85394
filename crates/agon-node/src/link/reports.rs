//! The reports on one link: each is tried until it arrives, whatever the others do.

use std::collections::{BTreeMap, BTreeSet};

use agon_proto::Timestamp;

use super::{Fault, Outcome, Terms};

#[derive(Debug)]
pub(super) struct Reports<C> {
    calls: BTreeMap<u64, Report<C>>,
    /// Those that are not in flight, by the time of their next try.
    waiting: BTreeSet<(Timestamp, u64)>,
}

#[derive(Debug)]
struct Report<C> {
    body: C,
    failures: u32,
    due: Option<Timestamp>,
}

impl<C> Default for Reports<C> {
    fn default() -> Self {
        Self { calls: BTreeMap::new(), waiting: BTreeSet::new() }
    }
}

impl<C: Clone> Reports<C> {
    pub(super) fn push(&mut self, call: u64, body: C, now: Timestamp) {
        self.calls.insert(call, Report { body, failures: 0, due: Some(now) });
        self.waiting.insert((now, call));
    }

    /// When the next one is to be tried.
    pub(super) fn due(&self) -> Option<Timestamp> {
        self.waiting.first().map(|(due, _)| *due)
    }

    /// The call to be tried now.
    pub(super) fn first_due(&self, now: Timestamp) -> Option<u64> {
        self.waiting.first().filter(|(due, _)| *due <= now).map(|(_, call)| *call)
    }

    /// The peer is there: nothing waits for its next try any longer.
    pub(super) fn hurry(&mut self, now: Timestamp) {
        for (due, call) in std::mem::take(&mut self.waiting) {
            let due = due.min(now);
            self.waiting.insert((due, call));
            if let Some(report) = self.calls.get_mut(&call) {
                report.due = Some(due);
            }
        }
    }

    /// One leaves.
    pub(super) fn leave(&mut self, call: u64) -> Option<C> {
        let report = self.calls.get_mut(&call)?;
        if let Some(due) = report.due.take() {
            self.waiting.remove(&(due, call));
        }
        Some(report.body.clone())
    }

    /// One came back. Says whether it was one of ours and in flight.
    pub(super) fn finished(
        &mut self,
        call: u64,
        outcome: Outcome,
        now: Timestamp,
        terms: &Terms,
    ) -> bool {
        let Some(report) = self.calls.get_mut(&call).filter(|report| report.due.is_none()) else {
            return false;
        };
        let wait = match outcome {
            Outcome::Delivered => None,
            Outcome::Failed(Fault::Exhausted) => Some(terms.shortage_pause),
            Outcome::Failed(_) => {
                report.failures = report.failures.saturating_add(1);
                terms.report_backoff.wait(report.failures)
            }
        };
        if let Some(wait) = wait {
            let due = now + wait;
            report.due = Some(due);
            self.waiting.insert((due, call));
        } else {
            self.calls.remove(&call);
        }
        true
    }

    pub(super) fn in_flight(&self) -> usize {
        self.calls.len() - self.waiting.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }
}
