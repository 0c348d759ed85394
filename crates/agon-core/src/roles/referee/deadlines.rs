//! When something is due in the matches that a referee holds.
//!
//! Spec: docs/protocol/match.md

use std::collections::VecDeque;

use agon_proto::{MatchId, Timestamp};

/// What is due when, the nearest first.
///
/// A new deadline is nearly always the latest, and the first one that goes is nearly always the
/// nearest: so they stand in a queue, in order, and both cost next to nothing. What stands anywhere
/// else is found by halving.
#[derive(Debug, Default)]
pub(super) struct Deadlines(VecDeque<(Timestamp, MatchId)>);

impl Deadlines {
    /// That one is due then. Twice is once.
    pub(super) fn insert(&mut self, at: Timestamp, key: MatchId) {
        if self.0.back().is_none_or(|last| *last < (at, key)) {
            self.0.push_back((at, key));
        } else if let Err(place) = self.place(at, key) {
            self.0.insert(place, (at, key));
        }
    }

    /// That one is not due then.
    pub(super) fn remove(&mut self, at: Timestamp, key: MatchId) {
        if self.0.front() == Some(&(at, key)) {
            self.0.pop_front();
        } else if let Ok(place) = self.place(at, key) {
            self.0.remove(place);
        }
    }

    /// Where it stands, or would stand.
    fn place(&self, at: Timestamp, key: MatchId) -> Result<usize, usize> {
        self.0.binary_search_by(|known| known.0.cmp(&at).then_with(|| known.1.cmp(&key)))
    }

    /// When the nearest is due.
    pub(super) fn nearest(&self) -> Option<Timestamp> {
        self.0.front().map(|(at, _)| *at)
    }

    /// Takes the nearest out, if it is due by then.
    pub(super) fn pop_due(&mut self, by: Timestamp) -> Option<(Timestamp, MatchId)> {
        self.0.pop_front_if(|(at, _)| *at <= by)
    }
}

#[cfg(test)]
mod tests;
