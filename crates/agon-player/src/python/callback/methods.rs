//! The eight methods of a class: what each is called, and what is made of what it returns.
//!
//! Spec: docs/protocol/q21-callbacks.md

use agon_games::q21::{Q21Move, Q21Question, Q21Word};
use agon_node::Thought;
use agon_proto::Payload;

use super::read::{player, referee};
use super::value::Found;
use crate::strategy::write;

/// A method of a team's class.
pub(crate) struct Method {
    /// As a class has it.
    pub(crate) name: &'static str,
    /// What a referee's call is about, and which keys it wants; a player's says nothing of it.
    pub(super) service: Option<(&'static str, &'static [&'static str])>,
    /// Makes a move or a word of what was returned. Beside it stands what had to be answered.
    pub(super) read: fn(&Found<'_>, &[Q21Question]) -> Result<Thought, String>,
}

pub(super) static WARMUP_ANSWER: Method = Method {
    name: "get_warmup_answer",
    service: None,
    read: |it, _| Ok(write(&Q21Move::Warmup(player::warmup(it.dict()?)))),
};

pub(super) static QUESTIONS: Method = Method {
    name: "get_questions",
    service: None,
    read: |it, _| Ok(write(&Q21Move::Questions(player::questions(it.dict()?)?))),
};

pub(super) static GUESS: Method = Method {
    name: "get_guess",
    service: None,
    read: |it, _| Ok(write(&Q21Move::Guess(Box::new(player::guess(it.dict()?)?)))),
};

pub(super) static SCORE_RECEIVED: Method =
    Method { name: "on_score_received", service: None, read: |_, _| Ok(Ok(Payload::default())) };

pub(super) static WARMUP_QUESTION: Method = Method {
    name: "get_warmup_question",
    service: Some(("An easy question, to see that both players are there.", &["warmup_question"])),
    read: |it, _| Ok(write(&Q21Word::WarmupQuestion(referee::warmup_question(it.dict()?)?))),
};

pub(super) static ROUND_START_INFO: Method = Method {
    name: "get_round_start_info",
    service: Some((
        "The book, a hint, and the domain of the secret word.",
        &["book_name", "book_hint", "association_word"],
    )),
    read: |it, _| Ok(write(&Q21Word::Book(referee::book(it.dict()?)?))),
};

pub(super) static ANSWERS: Method = Method {
    name: "get_answers",
    service: Some(("Answers to one player's questions: A, B, C, D or Not Relevant.", &["answers"])),
    read: |it, asked| Ok(write(&Q21Word::Answers(referee::answers(it.dict()?, asked)?))),
};

pub(super) static SCORE_FEEDBACK: Method = Method {
    name: "get_score_feedback",
    service: Some((
        "What one player's guess is worth, and why.",
        &["league_points", "private_score", "breakdown", "feedback"],
    )),
    read: |it, _| Ok(write(&Q21Word::Score(referee::assessment(it.dict()?)?))),
};
