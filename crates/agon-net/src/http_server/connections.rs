//! Who is connected, and who makes room when the house is full.
//!
//! A connection whose request is with the door is never sent away. Of all others the one that has
//! been at rest longest goes first. So thousands of silent strangers cannot keep an honest caller
//! out.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use tokio::task::{AbortHandle, Id};

/// So many are chosen in one look at everybody, so that a look is paid for by many departures.
const CHOSEN: usize = 256;

const BUSY: u64 = u64::MAX;
const GONE: u64 = u64::MAX - 1;

/// What one connection is doing.
#[derive(Debug)]
pub(super) struct Presence {
    born: Instant,
    /// Since when it has been at rest, in microseconds; `BUSY` or `GONE`.
    rest: AtomicU64,
}

impl Presence {
    /// Its request goes to the door. Not if it was sent away at this very moment.
    pub(super) fn begin(&self) -> bool {
        self.rest.swap(BUSY, Ordering::Relaxed) != GONE
    }

    /// Its request was answered.
    pub(super) fn end(&self) {
        self.rest.store(micros(self.born), Ordering::Relaxed);
    }

    /// Sends it away, if it has been at rest since then.
    fn dismiss(&self, since: u64) -> bool {
        let order = Ordering::Relaxed;
        self.rest.compare_exchange(since, GONE, order, order).is_ok()
    }
}

/// Everybody who is connected.
#[derive(Debug)]
pub(super) struct Connections {
    born: Instant,
    guests: HashMap<Id, (Arc<Presence>, AbortHandle)>,
    /// Who goes next, and since when it had been at rest when it was chosen.
    next: VecDeque<(u64, Id)>,
}

impl Connections {
    pub(super) fn new() -> Self {
        Self { born: Instant::now(), guests: HashMap::new(), next: VecDeque::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.guests.len()
    }

    /// The presence of somebody who is just coming in.
    pub(super) fn presence(&self) -> Arc<Presence> {
        Arc::new(Presence { born: self.born, rest: AtomicU64::new(micros(self.born)) })
    }

    pub(super) fn add(&mut self, presence: Arc<Presence>, task: AbortHandle) {
        self.guests.insert(task.id(), (presence, task));
    }

    pub(super) fn remove(&mut self, task: Id) {
        self.guests.remove(&task);
    }

    /// Sends one away. `false` if all are busy.
    pub(super) fn make_room(&mut self) -> bool {
        self.dismiss_chosen() || {
            self.choose();
            self.dismiss_chosen()
        }
    }

    /// Whoever was chosen and has not moved since then is still the next to go.
    fn dismiss_chosen(&mut self) -> bool {
        while let Some((since, id)) = self.next.pop_front() {
            if let Some((presence, task)) = self.guests.get(&id)
                && presence.dismiss(since)
            {
                task.abort();
                self.guests.remove(&id);
                return true;
            }
        }
        false
    }

    fn choose(&mut self) {
        let resting = self.guests.iter().filter_map(|(id, (presence, _))| {
            let since = presence.rest.load(Ordering::Relaxed);
            (since < GONE).then_some((since, *id))
        });
        let mut resting: Vec<_> = resting.collect();
        let order = |(since, _): &(u64, Id)| *since;
        if resting.len() > CHOSEN {
            resting.select_nth_unstable_by_key(CHOSEN, order);
            resting.truncate(CHOSEN);
        }
        resting.sort_unstable_by_key(order);
        self.next.extend(resting);
    }
}

fn micros(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_micros()).unwrap_or(GONE - 1)
}

#[cfg(test)]
mod tests;
