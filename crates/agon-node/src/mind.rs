//! A mind: who thinks for a role, whatever it is: a strategy, a program, a language model. Quick
//! thoughts come at once, slow ones later as an event.
//!
//! Whoever runs the node is told of each thought, and its author of every mishap, once.

use std::future::Future;
use std::pin::Pin;

use agon_core::{Event, Known, Mishap, MishapKind, Question};
use agon_proto::{Payload, Timestamp};
use tracing::warn;

use crate::inbox::{Arrival, InboxSender};
use crate::letters::{LetterLogEntry, Letters};

/// What a question comes to: a move or a word, or why there is none.
pub type Thought = Result<Payload, Mishap>;

/// What comes of a question.
pub enum Thinking {
    Now(Thought),
    /// Still thinking. The loop goes on meanwhile.
    Later(Pin<Box<dyn Future<Output = Thought> + Send>>),
}

/// Thinks for a role.
pub trait Mind: Send {
    /// Must not block: slow thinking goes into [`Thinking::Later`], and ends when the question says
    /// so.
    fn think(&mut self, question: &Question, known: &Known<'_>) -> Thinking;
}

/// For roles that are never asked.
#[derive(Debug, Clone, Copy)]
pub struct Mindless;

impl Mind for Mindless {
    fn think(&mut self, _: &Question, _: &Known<'_>) -> Thinking {
        let text = "nobody is there to ask".into();
        Thinking::Now(Err(Mishap { kind: MishapKind::Gone, text }))
    }
}

/// The thoughts of one node.
pub(crate) struct Thoughts {
    inbox_sender: InboxSender,
    open: usize,
}

impl Thoughts {
    pub(crate) fn new(inbox_sender: InboxSender) -> Self {
        Self { inbox_sender, open: 0 }
    }

    /// Asks the mind. What it can say at once is the event of it.
    pub(crate) fn begin(
        &mut self,
        (question, known): (&Question, &Known<'_>),
        mind: &mut dyn Mind,
        letters: &mut Letters,
        now: Timestamp,
    ) -> Option<Event> {
        letters.tell(LetterLogEntry::Asked { kind: &question.kind, at: now });
        match mind.think(question, known) {
            Thinking::Now(answer) => Some(told(question, answer, letters, now)),
            Thinking::Later(thought) => {
                self.open += 1;
                let (inbox_sender, question) = (self.inbox_sender.clone(), question.clone().into());
                tokio::spawn(async move {
                    let answer = thought.await;
                    inbox_sender.put(Arrival::Thought { question, answer });
                });
                None
            }
        }
    }

    /// A slow thought has come to its end.
    pub(crate) fn ended(
        &mut self,
        question: &Question,
        answer: Thought,
        letters: &mut Letters,
        now: Timestamp,
    ) -> Event {
        self.open = self.open.saturating_sub(1);
        told(question, answer, letters, now)
    }

    /// Whether something is being thought about.
    pub(crate) fn are_open(&self) -> bool {
        self.open > 0
    }
}

fn told(question: &Question, answer: Thought, letters: &mut Letters, now: Timestamp) -> Event {
    let Question { number, match_id, kind, .. } = question;
    let mishap = answer.as_ref().err();
    let is_told = letters.tell(LetterLogEntry::Answered { kind, mishap, at: now });
    if let Some(mishap) = mishap.filter(|_| !is_told) {
        warn!(%match_id, kind = &**kind, "to the author of this strategy: {}", mishap.text);
    }
    Event::Thought { number: *number, answer }
}
