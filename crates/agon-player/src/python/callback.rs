//! How one SDK spells a question: the four callbacks of a player's class and the four of a
//! referee's.
//!
//! [`context`] is what a program in Python is told, [`read`] what is made of its answer.
//!
//! Spec: docs/protocol/q21-callbacks.md

mod context;
mod read;
mod value;

use std::time::Duration;

use agon_core::{Known, Question, What};
use agon_games::q21::{Q21Brief, Q21Move, Q21Question, Q21View, Q21Word};
use agon_node::Thought;
use agon_proto::known::{PlayerContext, RefereeContext};
use agon_proto::{AsPayload, GameId, Payload};
use serde_json::Value;

use crate::strategy::write;
pub(crate) use read::read;

/// One call of a team's program.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Callback {
    /// Comes back with the answer. Different for every call of one process.
    pub(crate) number: u64,
    /// The game that it is about.
    pub(crate) game: GameId,
    /// The method of the program that is called.
    pub(crate) method: Method,
    /// Its one argument.
    pub(crate) context: Value,
}

/// What a team's program is asked for: a player's four methods, and a referee's four.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Method {
    WarmupAnswer,
    Questions,
    Guess,
    ScoreReceived,
    WarmupQuestion,
    RoundStartInfo,
    /// With what must be answered.
    Answers(Vec<Q21Question>),
    ScoreFeedback,
}

impl Method {
    /// As a class has it.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::WarmupAnswer => "get_warmup_answer",
            Self::Questions => "get_questions",
            Self::Guess => "get_guess",
            Self::ScoreReceived => "on_score_received",
            Self::WarmupQuestion => "get_warmup_question",
            Self::RoundStartInfo => "get_round_start_info",
            Self::Answers(_) => "get_answers",
            Self::ScoreFeedback => "get_score_feedback",
        }
    }
}

/// What a team's program said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Advice {
    /// A player's move.
    Said(Q21Move),
    /// A referee's word.
    Word(Q21Word),
    /// It has taken note of the score.
    Noted,
}

impl Callback {
    /// The call that a question is, which may take so long; `None` if it is none of these eight.
    pub(crate) fn of(question: &Question, known: &Known<'_>, limit: Duration) -> Option<Self> {
        let Question { number, kind, what, .. } = question;
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
                (known.game, Method::ScoreReceived, context)
            }
            What::Oracle { about, prompt } => {
                let known = RefereeContext::of(&known.context).ok()?;
                let (method, more) =
                    context::judged(kind, Q21Brief::of(prompt).ok()?, *about, &known.players)?;
                let context = context::referee(&known, more, context::service(&method, limit)?);
                (known.game, method, context)
            }
        };
        Some(Self { number: *number, game, method, context })
    }
}

impl Advice {
    /// As the game takes it.
    pub(crate) fn payload(&self) -> Thought {
        match self {
            Self::Said(said) => write(said),
            Self::Word(word) => write(word),
            Self::Noted => Ok(Payload::default()),
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
