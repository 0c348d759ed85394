//! The inbox: everything that happens to a node, in the order in which it happened.
//!
//! Requests are bounded: beyond the bound a caller hears "busy". Outcomes of our own calls are not,
//! because there are never more of them than calls that we made.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use agon_net::{Busy, CallError, HttpAnswer, Incoming};
use tokio::sync::mpsc;

use crate::mind::{Asked, Thought};

#[cfg(feature = "mail")]
use crate::mailroom;

/// Something that happened.
pub(crate) enum Arrival {
    /// Somebody calls.
    Request(Incoming),
    /// An attempt of ours is over.
    Outcome { peer: usize, call: u64, result: Result<HttpAnswer, CallError> },
    /// A slow thought has come to an end.
    Thought { asked: Asked, answer: Thought },
    /// Something about mail.
    #[cfg(feature = "mail")]
    Mail(mailroom::Arrival),
}

/// Where arrivals are dropped. Cheap to clone.
#[derive(Clone)]
pub(crate) struct InboxSender {
    sender: mpsc::UnboundedSender<Arrival>,
    requests: Arc<AtomicUsize>,
    requests_max: usize,
}

/// Where the loop picks them up.
pub(crate) struct Inbox {
    receiver: mpsc::UnboundedReceiver<Arrival>,
    requests: Arc<AtomicUsize>,
}

pub(crate) fn inbox(requests_max: usize) -> (InboxSender, Inbox) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let requests = Arc::new(AtomicUsize::new(0));
    (InboxSender { sender, requests: requests.clone(), requests_max }, Inbox { receiver, requests })
}

impl InboxSender {
    /// Drops an arrival; silently, if the loop has ended.
    pub(crate) fn put(&self, arrival: Arrival) {
        let _ = self.sender.send(arrival);
    }

    /// Drops a request, unless too many wait already.
    pub(crate) fn request(&self, incoming: Incoming) -> Result<(), Busy> {
        let before = self.requests.fetch_add(1, Ordering::Relaxed);
        if before >= self.requests_max {
            self.requests.fetch_sub(1, Ordering::Relaxed);
            return Err(Busy);
        }
        self.sender.send(Arrival::Request(incoming)).map_err(|_| Busy)
    }
}

impl Inbox {
    /// Waits for something, then takes everything that is there, up to a bound.
    pub(crate) async fn take(&mut self, batch: &mut Vec<Arrival>, batch_max: usize) {
        self.receiver.recv_many(batch, batch_max).await;
        let requests = batch.iter().filter(|arrival| matches!(arrival, Arrival::Request(_)));
        self.requests.fetch_sub(requests.count(), Ordering::Relaxed);
    }
}
