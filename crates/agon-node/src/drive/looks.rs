//! Looking at a match: what is kept of it is read and unpacked beside the loop, for a few at once.
//! Whoever looks waits; the league does not.
//!
//! Spec: docs/protocol/query.md

use std::sync::Arc;

use agon_core::{KeptPieces, RequestId, Viewer};
use agon_proto::RefereeId;
use agon_proto::tool::MatchState;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::inbox::{Arrival, InboxSender};
use crate::ledger::Exhibited;
use crate::messages::MessageReader;

/// So many look at a time: each holds a processor while it unpacks.
const AT_ONCE: usize = 2;
/// So many may wait or look; whoever comes then is turned away.
const LOOKS_MAX: usize = 64;

/// Those who look at matches.
pub(crate) struct Looks {
    permits: Arc<Semaphore>,
    inbox_sender: InboxSender,
    open: usize,
}

/// What somebody looks at.
pub(super) struct Look {
    pub(super) request: RequestId,
    pub(super) state: Box<MatchState>,
    pub(super) kept: Box<KeptPieces>,
    pub(super) viewer: Viewer,
    pub(super) transcript: Exhibited,
    pub(super) pieces: Vec<(RefereeId, Exhibited)>,
}

impl Looks {
    pub(crate) fn new(inbox_sender: InboxSender) -> Self {
        Self { permits: Arc::new(Semaphore::new(AT_ONCE)), inbox_sender, open: 0 }
    }

    /// Whether one more may look.
    pub(super) fn have_room(&self) -> bool {
        self.open < LOOKS_MAX
    }

    /// Somebody looks; what it sees comes to the inbox.
    pub(super) fn begin(&mut self, look: Look) {
        self.open += 1;
        let (permits, inbox_sender) = (self.permits.clone(), self.inbox_sender.clone());
        tokio::spawn(async move {
            let _permit = permits.acquire().await;
            let Look { request, mut state, kept, viewer, transcript, pieces } = look;
            let transcript = transcript.await;
            let mut bodies = Vec::new();
            for (referee, piece) in pieces {
                bodies.extend(piece.await.map(|body| (referee, body)));
            }
            let seen = spawn_blocking(move || {
                let read = transcript.and_then(|body| serde_json::from_slice(&body).ok());
                state.transcript = viewer.shown(read.unwrap_or_default(), &state);
                let mut reader = MessageReader::new(&mut state, &kept, viewer);
                bodies.iter().for_each(|(referee, body)| reader.read(*referee, body));
                state
            });
            if let Ok(state) = seen.await {
                inbox_sender.put(Arrival::Looked { request, state });
            }
        });
    }

    /// One has seen it.
    pub(super) fn end(&mut self) {
        self.open -= 1;
    }
}
