//! What is due when, the nearest first.
//!
//! A new deadline is nearly always the latest, and the first one that goes is nearly always the
//! nearest: so they stand in a queue, in order, and both cost next to nothing. What stands anywhere
//! else is found by halving.

use std::collections::VecDeque;

use agon_proto::Timestamp;

#[derive(Debug)]
pub(crate) struct Deadlines<K>(VecDeque<(Timestamp, K)>);

impl<K: Ord + Copy> Deadlines<K> {
    /// That one is due then. Twice is once.
    pub(crate) fn insert(&mut self, at: Timestamp, key: K) {
        if self.0.back().is_none_or(|last| *last < (at, key)) {
            self.0.push_back((at, key));
        } else if let Err(place) = self.place(at, key) {
            self.0.insert(place, (at, key));
        }
    }

    /// That one is not due then.
    pub(crate) fn remove(&mut self, at: Timestamp, key: K) {
        if self.0.front() == Some(&(at, key)) {
            self.0.pop_front();
        } else if let Ok(place) = self.place(at, key) {
            self.0.remove(place);
        }
    }

    /// Where it stands, or would stand.
    fn place(&self, at: Timestamp, key: K) -> Result<usize, usize> {
        self.0.binary_search_by(|known| known.0.cmp(&at).then_with(|| known.1.cmp(&key)))
    }

    /// When the nearest is due.
    pub(crate) fn nearest(&self) -> Option<Timestamp> {
        self.0.front().map(|(at, _)| *at)
    }

    /// Takes the nearest out, if it is due by then.
    pub(crate) fn pop_due(&mut self, by: Timestamp) -> Option<(Timestamp, K)> {
        self.0.pop_front_if(|(at, _)| *at <= by)
    }
}

impl<K> Default for Deadlines<K> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

#[cfg(test)]
mod tests;
