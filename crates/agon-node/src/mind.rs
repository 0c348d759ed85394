//! A mind: what a player thinks with. Quick thoughts come at once, slow ones later as an event.

use std::future::Future;
use std::pin::Pin;

use agon_core::Question;
use agon_proto::message::Parity;

/// What comes of a question.
pub enum Thought {
    /// Decided, or unable to.
    Now(Option<Parity>),
    /// Still thinking. The loop goes on meanwhile.
    Later(Pin<Box<dyn Future<Output = Option<Parity>> + Send>>),
}

/// Thinks for a role.
pub trait Mind<M>: Send {
    fn think(&mut self, role: &M, question: &Question) -> Thought;
}

/// For roles that are never asked.
#[derive(Debug, Clone, Copy)]
pub struct Mindless;

impl<M> Mind<M> for Mindless {
    fn think(&mut self, _: &M, _: &Question) -> Thought {
        Thought::Now(None)
    }
}
