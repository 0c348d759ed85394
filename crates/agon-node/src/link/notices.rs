//! The queue of notices on one link: in order, one in flight, and never longer than its bound.
//!
//! Only the front one is ever tried. While it waits for its next try the others wait behind it.

use std::collections::VecDeque;

use agon_proto::Timestamp;

use super::{Action, Fault, Loss, Outcome, Terms, Topic};

#[derive(Debug)]
pub(super) struct Notices<C> {
    queue: VecDeque<Notice<C>>,
    front: Front,
}

#[derive(Debug)]
struct Notice<C> {
    call: u64,
    topic: Option<Topic>,
    body: C,
    /// It could not leave as soon as it should, and that was said.
    missed: bool,
}

/// How the front of the queue stands. While the queue is empty, it is fresh and overdue.
#[derive(Debug, Clone, Copy)]
enum Front {
    Waiting { failures: u32, due: Timestamp },
    InFlight { failures: u32 },
}

impl<C> Default for Notices<C> {
    fn default() -> Self {
        Self { queue: VecDeque::new(), front: Front::fresh(Timestamp::default()) }
    }
}

impl Front {
    /// A notice that was never tried.
    fn fresh(due: Timestamp) -> Self {
        Self::Waiting { failures: 0, due }
    }
}

impl<C: Clone> Notices<C> {
    /// Queues a notice, and drops what it replaces or what is too much.
    pub(super) fn push(
        &mut self,
        call: u64,
        topic: Option<Topic>,
        body: C,
        notices_max: usize,
        out: &mut Vec<Action<C>>,
    ) {
        let failing = self.is_failing();
        if failing && topic.is_some() && self.queue.front().is_some_and(|old| old.topic == topic) {
            self.remove(0, Loss::Replaced, out);
        }
        self.queue.push_back(Notice { call, topic, body, missed: false });
        if self.queue.len() > notices_max {
            self.remove(self.droppable(), Loss::QueueFull, out);
        }
        if failing {
            self.miss(out);
        }
    }

    /// Whether the front one was tried in vain and waits for its next try.
    fn is_failing(&self) -> bool {
        matches!(self.front, Front::Waiting { failures: 1.., .. })
    }

    /// Nothing of what waits here can leave now: says so of each, once.
    pub(super) fn miss(&mut self, out: &mut Vec<Action<C>>) {
        for notice in self.queue.iter_mut().filter(|notice| !notice.missed) {
            notice.missed = true;
            out.push(Action::Missed { call: notice.call });
        }
    }

    /// The peer is there: the front one does not wait for its next try any longer.
    pub(super) fn hurry(&mut self, now: Timestamp) {
        if let Front::Waiting { due, .. } = &mut self.front {
            *due = now.min(*due);
        }
    }

    /// The call in flight.
    pub(super) fn in_flight(&self) -> Option<u64> {
        match self.front {
            Front::InFlight { .. } => self.queue.front().map(|notice| notice.call),
            Front::Waiting { .. } => None,
        }
    }

    /// When the front one is to be tried; `None` if there is none or it is in flight.
    pub(super) fn due(&self) -> Option<Timestamp> {
        match self.front {
            Front::Waiting { due, .. } if !self.queue.is_empty() => Some(due),
            Front::Waiting { .. } | Front::InFlight { .. } => None,
        }
    }

    /// The call to be tried now.
    pub(super) fn first_due(&self, now: Timestamp) -> Option<u64> {
        self.due().filter(|due| *due <= now)?;
        self.queue.front().map(|notice| notice.call)
    }

    /// The front one leaves.
    pub(super) fn leave(&mut self) -> Option<C> {
        if let Front::Waiting { failures, .. } = self.front {
            self.front = Front::InFlight { failures };
        }
        self.queue.front().map(|notice| notice.body.clone())
    }

    /// The one in flight came back: it is done with, or waits, or is given up.
    pub(super) fn finished(
        &mut self,
        outcome: Outcome,
        now: Timestamp,
        terms: &Terms,
        out: &mut Vec<Action<C>>,
    ) {
        let (Front::InFlight { failures } | Front::Waiting { failures, .. }) = self.front;
        if outcome == Outcome::Failed(Fault::Exhausted) {
            self.front = Front::Waiting { failures, due: now + terms.shortage_pause };
            return self.miss(out);
        }
        let failures = failures.saturating_add(1);
        self.front = Front::fresh(now);
        match outcome {
            // The peer has it; what it answered does not matter for news.
            Outcome::Delivered | Outcome::Failed(Fault::Oversized) => {
                let taken = self.queue.pop_front();
                out.extend(taken.map(|Notice { call, .. }| Action::Taken { call }));
            }
            Outcome::Failed(fault) => match terms.notice_backoff.wait(failures) {
                Some(wait) => {
                    self.front = Front::Waiting { failures, due: now + wait };
                    self.miss(out);
                }
                None => self.remove(0, Loss::GivenUp(fault), out),
            },
        }
        if self.queue.is_empty() {
            // A peer that was told everything costs no memory for its queue.
            self.queue = VecDeque::new();
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// The oldest place that is not in flight.
    fn droppable(&self) -> usize {
        usize::from(self.in_flight().is_some())
    }

    fn remove(&mut self, position: usize, why: Loss, out: &mut Vec<Action<C>>) {
        if let Some(Notice { call, .. }) = self.queue.remove(position) {
            out.push(Action::Dropped { call, why });
        }
        if let (0, Front::Waiting { due, .. }) = (position, self.front) {
            // The next one starts afresh but keeps the wait: dropping news must not hurry a peer
            // that is in trouble.
            self.front = Front::fresh(due);
        }
    }
}
