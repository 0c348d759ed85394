//! What is said in a player's place, when whoever thinks for it could not: the least that lets the
//! game go on.

use super::words::{Q21Guess, Q21Move, Q21Question, Q21View};
use super::{GUESS, QUESTIONS, WARMUP};

/// Twenty questions that fit any text.
const NEUTRAL: [&str; 20] = [
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

/// The answer to the question of that kind, for whoever sees that.
pub(super) fn said(kind: u8, view: &Q21View) -> Option<Q21Move> {
    match kind {
        WARMUP => Some(Q21Move::Warmup("0".into())),
        QUESTIONS => Some(Q21Move::Questions(questions())),
        GUESS => Some(Q21Move::Guess(Box::new(guess(view)))),
        _ => None,
    }
}

fn questions() -> Vec<Q21Question> {
    let numbered = (1..).zip(NEUTRAL);
    numbered
        .map(|(number, text)| Q21Question {
            number,
            text: text.into(),
            options: OPTIONS.map(Into::into),
        })
        .collect()
}

fn guess(view: &Q21View) -> Q21Guess {
    let domain = view.book.as_ref().map_or("", |book| book.association_word.trim());
    Q21Guess {
        opening_sentence: "The opening sentence could not be found out.".into(),
        sentence_justification: SENTENCE_JUSTIFICATION.into(),
        associative_word: if domain.is_empty() { "unknown" } else { domain }.into(),
        word_justification: WORD_JUSTIFICATION.into(),
        confidence: 0,
    }
}

#[cfg(test)]
mod tests;
