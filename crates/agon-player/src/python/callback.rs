//! How one SDK spells a question: the four callbacks of a player's class and the four of a
//! referee's.
//!
//! [`context`] is what a program in Python is told, [`methods`] what is called, [`read`] what is
//! made of its answer.
//!
//! Spec: docs/protocol/q21-callbacks.md

mod context;
mod methods;
mod read;
mod value;

use std::time::Duration;

use agon_core::{Known, Question, What};
use agon_games::q21::{Q21Brief, Q21Question, Q21View};
use agon_proto::known::{PlayerContext, RefereeContext};
use agon_proto::{AsPayload, GameId};
use serde_json::Value;

pub(crate) use methods::Method;

/// One call of a team's program.
pub(crate) struct Callback {
    /// Comes back with the answer. Different for every call of one process.
    pub(crate) number: u64,
    /// The game that it is about.
    pub(crate) game: GameId,
    /// The method of the program that is called.
    pub(crate) method: &'static Method,
    /// Its one argument.
    pub(crate) context: Value,
    /// What a referee's program must answer.
    asked: Vec<Q21Question>,
}

impl Callback {
    /// The call that a question is, which may take so long; `None` if it is none of these eight.
    pub(crate) fn of(question: &Question, known: &Known<'_>, limit: Duration) -> Option<Self> {
        let Question { number, kind, what, .. } = question;
        let mut asked = Vec::new();
        let (game, method, context) = match what {
            What::Move { view, said, .. } => {
                let known = PlayerContext::of(&known.context).ok()?;
                let (method, dynamic) = context::asked(kind, &Q21View::of(view).ok()?, said)?;
                let context = context::player(&known, &dynamic);
                (known.game, method, context)
            }
            What::Heard { view } => {
                let known = PlayerContext::of(&known.context).ok()?;
                let dynamic = context::score(&Q21View::of(view).ok()?.score?, &known);
                let context = context::player(&known, &dynamic);
                (known.game, &methods::SCORE_RECEIVED, context)
            }
            What::Oracle { about, prompt } => {
                let known = RefereeContext::of(&known.context).ok()?;
                let brief = Q21Brief::of(prompt).ok()?;
                let (method, more) = context::judged(kind, &brief, *about, &known.players)?;
                let context = context::referee(&known, more, context::service(method, limit)?);
                asked = brief.questions.unwrap_or_default();
                (known.game, method, context)
            }
        };
        Some(Self { number: *number, game, method, context, asked })
    }
}

#[cfg(test)]
pub(super) mod tests;
