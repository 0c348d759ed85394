//! How one SDK spells a question: the four callbacks of a player's class and the four of a
//! referee's, and what is made of what they return.
//!
//! [`context`] is what a program in Python is told; [`player`] and [`referee`] read its answers.
//! They are tolerant where a program plainly means something that can be sent, with a remark to its
//! author about everything that was changed or is missing. Strict where it does not: then a
//! complaint names the key and what was found. Nothing is made up in silence.
//!
//! Spec: docs/protocol/q21-callbacks.md

mod context;
mod player;
mod referee;
mod value;

use std::time::Duration;

use agon_core::{Known, Question, What};
use agon_games::q21::{Q21Brief, Q21Move, Q21Question, Q21View, Q21Word};
use agon_node::Thought;
use agon_proto::known::{PlayerContext, RefereeContext};
use agon_proto::{AsPayload, GameId, Payload};
use serde_json::Value;

use crate::strategy::write;
use value::{Found, Remarks};

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
                (known.game, &SCORE_RECEIVED, context)
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

    /// Reads what a program returned, as JSON.
    ///
    /// # Errors
    /// In words for the author, if nothing can be made of it.
    pub(crate) fn read(&self, json: &[u8]) -> Result<Heard, String> {
        let name = self.method.name;
        let value: Value = serde_json::from_slice(json)
            .map_err(|problem| format!("what {name} returned is no JSON: {problem}"))?;
        let remarks = Remarks::default();
        let returned = Found::returned(name, &value, &remarks);
        let advice = (self.method.read)(&returned, &self.asked)?;
        Ok(Heard { advice, remarks: remarks.take() })
    }
}

/// Advice, and what its author should know about it all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Heard {
    /// What is made of it: a move, a word, or nothing where nothing was asked.
    pub(crate) advice: Thought,
    /// For the author: what was left out, filled in, or is outside of the usual limits.
    pub(crate) remarks: Vec<String>,
}

/// A method of a team's class.
pub(crate) struct Method {
    /// As a class has it.
    pub(crate) name: &'static str,
    /// What a referee's call is about, and which keys it wants; a player's says nothing of it.
    service: Option<(&'static str, &'static [&'static str])>,
    /// Makes a move or a word of what was returned. Beside it stands what had to be answered.
    read: fn(&Found<'_>, &[Q21Question]) -> Result<Thought, String>,
}

static WARMUP_ANSWER: Method = Method {
    name: "get_warmup_answer",
    service: None,
    read: |it, _| Ok(write(&Q21Move::Warmup(player::warmup(it.dict()?)))),
};

static QUESTIONS: Method = Method {
    name: "get_questions",
    service: None,
    read: |it, _| Ok(write(&Q21Move::Questions(player::questions(it.dict()?)?))),
};

static GUESS: Method = Method {
    name: "get_guess",
    service: None,
    read: |it, _| Ok(write(&Q21Move::Guess(Box::new(player::guess(it.dict()?)?)))),
};

static SCORE_RECEIVED: Method =
    Method { name: "on_score_received", service: None, read: |_, _| Ok(Ok(Payload::default())) };

static WARMUP_QUESTION: Method = Method {
    name: "get_warmup_question",
    service: Some(("An easy question, to see that both players are there.", &["warmup_question"])),
    read: |it, _| Ok(write(&Q21Word::WarmupQuestion(referee::warmup_question(it.dict()?)?))),
};

static ROUND_START_INFO: Method = Method {
    name: "get_round_start_info",
    service: Some((
        "The book, a hint, and the domain of the secret word.",
        &["book_name", "book_hint", "association_word"],
    )),
    read: |it, _| Ok(write(&Q21Word::Book(referee::book(it.dict()?)?))),
};

static ANSWERS: Method = Method {
    name: "get_answers",
    service: Some(("Answers to one player's questions: A, B, C, D or Not Relevant.", &["answers"])),
    read: |it, asked| Ok(write(&Q21Word::Answers(referee::answers(it.dict()?, asked)?))),
};

static SCORE_FEEDBACK: Method = Method {
    name: "get_score_feedback",
    service: Some((
        "What one player's guess is worth, and why.",
        &["league_points", "private_score", "breakdown", "feedback"],
    )),
    read: |it, _| Ok(write(&Q21Word::Score(referee::assessment(it.dict()?)?))),
};

#[cfg(test)]
pub(super) mod tests;
