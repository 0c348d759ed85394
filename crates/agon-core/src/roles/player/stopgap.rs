//! What a player says when its program has failed twice: the least that lets the game go on.
//!
//! Spec: docs/protocol/q21-callbacks.md

use agon_proto::dialect::q21::{Guess, PublicBook, QUESTIONS, QuestionRow, Said};

use super::spelling::Callback;

/// Twenty questions that fit any text.
const NEUTRAL: [&str; QUESTIONS] = [
    "Does the opening sentence name a person?",
    "Does the opening sentence name a place?",
    "Does the opening sentence mention a time or a date?",
    "Is the opening sentence a question?",
    "Does the opening sentence contain a number?",
    "Is it longer than fifteen words?",
    "Is it written in the present tense?",
    "Is it written in the first person?",
    "Does it define a term?",
    "Does it describe a problem?",
    "Does it describe a solution?",
    "Does it compare two things?",
    "Does it mention nature or the weather?",
    "Does it mention a machine or a tool?",
    "Does it express a feeling?",
    "Does it refer to something said earlier?",
    "Does it begin with an article?",
    "Is the secret word a noun?",
    "Does the secret word have more than six letters?",
    "Can the thing that the secret word names be touched?",
];

const OPTIONS: [&str; 4] = ["Yes", "No", "Partly", "Cannot be said"];

/// Between 30 and 50 words, as every guess needs them.
const SENTENCE_JUSTIFICATION: &str = "This guess was filled in automatically, because the program \
    of this player could not give one in time; it rests on the hint alone and on no reading of the \
    answers, so it claims nothing more than that the text begins somehow.";

/// Between 20 and 30 words.
const WORD_JUSTIFICATION: &str = "This word was filled in automatically, because the program of \
    this player could not give one; it is merely the announced domain and claims no more.";

/// What is said in the program's place, if it was asked for something.
pub(super) fn said(callback: Callback, book: &PublicBook) -> Option<Said> {
    match callback {
        Callback::Warmup => Some(Said::Warmup("0".into())),
        Callback::Questions => Some(Said::Questions(questions())),
        Callback::Guess => Some(Said::Guess(guess(book))),
        Callback::Score => None,
    }
}

fn questions() -> Vec<QuestionRow> {
    let numbered = (1..).zip(NEUTRAL);
    numbered
        .map(|(number, text)| QuestionRow {
            number,
            text: text.into(),
            options: OPTIONS.map(Into::into),
        })
        .collect()
}

fn guess(book: &PublicBook) -> Guess {
    let domain = book.association_word.trim();
    Guess {
        opening_sentence: "The opening sentence could not be found out.".into(),
        sentence_justification: SENTENCE_JUSTIFICATION.into(),
        associative_word: if domain.is_empty() { "unknown" } else { domain }.into(),
        word_justification: WORD_JUSTIFICATION.into(),
        confidence: 0,
    }
}

#[cfg(test)]
mod tests;
