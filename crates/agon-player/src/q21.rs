//! Who thinks for a team of a Q21 league: its own Python class in a child process, or one of ours.
//!
//! An advisor is asked what the rules want to know next, and says it or says why it cannot. What
//! happens then is for the rules.
//!
//! Spec: docs/protocol/q21-callbacks.md

mod answering;
mod consultant;
mod dice;
mod feedback;
mod library;
mod likeness;
mod player;
mod python;
mod referee;
mod scoring;
mod vocabulary;

use std::future::Future;
use std::pin::Pin;

use agon_proto::q21::callback::{Advice, Consultation, Mishap, MishapKind, Query};

pub use consultant::Consultant;
pub use player::BuiltinPlayer;
pub use python::{Limits, PythonAdvisor, PythonTerms};
pub use referee::BuiltinReferee;

/// What comes of a consultation, sooner or later.
pub type Thought = Pin<Box<dyn Future<Output = Result<Advice, Mishap>> + Send>>;

/// Who thinks for a team.
pub trait Advisor: Send + Sync {
    /// Thinks about one question. Must not block: slow thinking goes into the future.
    fn advise(&self, consultation: &Consultation) -> Thought;
}

/// On which side of the table an advisor sits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// It asks and guesses.
    Player,
    /// It knows and judges.
    Referee,
}

impl Side {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::Referee => "referee",
        }
    }
}

/// A question that belongs to the other side of the table.
fn misplaced(query: &Query) -> Mishap {
    let text = format!("{} is a question for the other role", query.method());
    Mishap { kind: MishapKind::WrongValue, text: text.into() }
}

#[cfg(test)]
mod testing;
