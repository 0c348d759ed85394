//! Thoughts under way: a question goes to the mind, its answer comes back as an event.
//!
//! Whoever runs the node is told of each, and its author of every mishap, once.

use std::borrow::Cow;

use agon_core::{Event, Known, Question};
use agon_proto::{MatchId, Timestamp};
use tracing::warn;

use crate::inbox::{Arrival, InboxSender};
use crate::letter_log::LetterLogEntry;
use crate::letters::Letters;
use crate::mind::{Mind, Thinking, Thought};

/// Which question it was.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    number: u64,
    match_id: MatchId,
    kind: Cow<'static, str>,
}

/// The thoughts of one node.
pub(crate) struct Thoughts {
    mind: Box<dyn Mind>,
    inbox_sender: InboxSender,
    open: usize,
}

impl Thoughts {
    pub(crate) fn new(mind: Box<dyn Mind>, inbox_sender: InboxSender) -> Self {
        Self { mind, inbox_sender, open: 0 }
    }

    /// Asks the mind. What it can say at once is the event of it.
    pub(crate) fn begin(
        &mut self,
        question: &Question,
        known: &Known<'_>,
        letters: &mut Letters,
        now: Timestamp,
    ) -> Option<Event> {
        let Question { number, match_id, kind, .. } = question;
        let asked = Asked { number: *number, match_id: *match_id, kind: kind.clone() };
        letters.tell(LetterLogEntry::Asked { kind, at: now });
        match self.mind.think(question, known) {
            Thinking::Now(answer) => Some(told(asked, answer, letters, now)),
            Thinking::Later(thought) => {
                self.open += 1;
                let inbox_sender = self.inbox_sender.clone();
                tokio::spawn(async move {
                    let answer = thought.await;
                    inbox_sender.put(Arrival::Thought { asked, answer });
                });
                None
            }
        }
    }

    /// A slow thought has come to its end.
    pub(crate) fn ended(
        &mut self,
        asked: Asked,
        answer: Thought,
        letters: &mut Letters,
        now: Timestamp,
    ) -> Event {
        self.open = self.open.saturating_sub(1);
        told(asked, answer, letters, now)
    }

    /// Whether something is being thought about.
    pub(crate) fn are_open(&self) -> bool {
        self.open > 0
    }
}

fn told(asked: Asked, answer: Thought, letters: &mut Letters, now: Timestamp) -> Event {
    let Asked { number, match_id, kind } = asked;
    let mishap = answer.as_ref().err();
    if let Some(mishap) = mishap {
        warn!(%match_id, kind = &*kind, "to the author of this strategy: {}", mishap.text);
    }
    letters.tell(LetterLogEntry::Answered { kind: &kind, mishap, at: now });
    Event::Thought { number, answer }
}
