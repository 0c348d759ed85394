//! A mind: who thinks for a role, whatever it is: a strategy, a program, a language model. Quick
//! thoughts come at once, slow ones later as an event.

use std::future::Future;
use std::pin::Pin;

use agon_core::{Known, Mishap, MishapKind, Question};
use agon_proto::Payload;

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
