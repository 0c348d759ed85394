//! One turn of a game: what the referee asks, what our program says, and whether it was sent.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::{MessageId, Timestamp};

/// One thing that the referee asks of us, and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Turn<A, S> {
    pub(super) asked: Option<(MessageId, A)>,
    pub(super) said: Option<(Timestamp, S)>,
    pub(super) sent: bool,
}

impl<A, S> Default for Turn<A, S> {
    fn default() -> Self {
        Self { asked: None, said: None, sent: false }
    }
}

impl<A, S> Turn<A, S> {
    /// The first letter counts. Whether this is it.
    pub(super) fn ask(&mut self, message: &MessageId, what: A) -> bool {
        let first = self.asked.is_none();
        if first {
            self.asked = Some((message.clone(), what));
        }
        first
    }

    /// The first word counts.
    pub(super) fn say(&mut self, at: Timestamp, what: S) {
        self.said.get_or_insert((at, what));
    }

    pub(super) fn is_thought_about(&self) -> bool {
        self.asked.is_some() && self.said.is_none()
    }

    pub(super) fn is_owed(&self) -> bool {
        self.said.is_some() && !self.sent
    }
}
