//! A mind: what a player thinks with, or a team's own program. Quick thoughts come at once, slow
//! ones later as an event.

use std::future::Future;
use std::pin::Pin;

use agon_core::Question;
use agon_proto::message::Parity;
use agon_proto::q21::callback::{Advice, Consultation, Mishap, MishapKind};

/// What comes of a question.
pub enum Thought {
    /// Decided, or unable to.
    Now(Option<Parity>),
    /// Still thinking. The loop goes on meanwhile.
    Later(Pin<Box<dyn Future<Output = Option<Parity>> + Send>>),
}

/// What a team's program will have said.
pub type Advising = Pin<Box<dyn Future<Output = Result<Advice, Mishap>> + Send>>;

/// Thinks for a role.
pub trait Mind<M>: Send {
    /// Chooses in a match of Even/Odd.
    fn think(&mut self, _: &M, _: &Question) -> Thought {
        Thought::Now(None)
    }

    /// Asks a team's program.
    fn consult(&mut self, _: &Consultation) -> Advising {
        let text = "no program is there to ask".into();
        Box::pin(std::future::ready(Err(Mishap { kind: MishapKind::Gone, text })))
    }
}

/// For roles that are never asked.
#[derive(Debug, Clone, Copy)]
pub struct Mindless;

impl<M> Mind<M> for Mindless {}
