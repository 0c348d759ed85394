//! Answers that nobody has thought about: what is said in a player's place, when whoever thinks for
//! it could not, and what will do for a rehearsal.
//!
//! The first are the least that lets the game go on. What the others say follows from a number, and
//! means nothing.

use super::{
    GUESS, Q21Answer, Q21Assessment, Q21Book, Q21Breakdown, Q21Choice, Q21Feedback, Q21Guess,
    Q21Move, Q21PublicBook, Q21Question, Q21View, Q21Word, QUESTIONS, SCORE_MAX, WARMUP,
};
use crate::play::text;

/// Twenty questions that fit any text, a line each.
const NEUTRAL: &str = include_str!("prepared/questions.txt");

const OPTIONS: [&str; 4] = ["Yes", "No", "Partly", "Cannot be said"];

/// Between 30 and 50 words, as every guess needs them.
const SENTENCE_JUSTIFICATION: &str = "This guess was filled in automatically, because the program \
    of this player could not give one in time; it rests on the hint alone and on no reading of the \
    answers, so it claims nothing more than that the text begins somehow.";

/// Between 20 and 30 words.
const WORD_JUSTIFICATION: &str = "This word was filled in automatically, because the program of \
    this player could not give one; it is merely the announced domain and claims no more.";

/// What is said in a player's place that sees that, if it is asked a question of that kind.
pub(super) fn instead(kind: u8, view: &Q21View) -> Option<Q21Move> {
    match kind {
        WARMUP => Some(Q21Move::Warmup("0".into())),
        QUESTIONS => Some(Q21Move::Questions(neutral_questions())),
        GUESS => Some(Q21Move::Guess(Box::new(empty_handed(view)))),
        _ => None,
    }
}

fn neutral_questions() -> Vec<Q21Question> {
    let options = OPTIONS.map(Into::into);
    let numbered = (1..).zip(NEUTRAL.lines().map(Into::into));
    numbered.map(|(number, text)| Q21Question { number, text, options: options.clone() }).collect()
}

fn empty_handed(view: &Q21View) -> Q21Guess {
    let domain = view.book.as_ref().map_or("", |book| book.association_word.trim());
    Q21Guess {
        opening_sentence: "The opening sentence could not be found out.".into(),
        sentence_justification: SENTENCE_JUSTIFICATION.into(),
        associative_word: if domain.is_empty() { "unknown" } else { domain }.into(),
        word_justification: WORD_JUSTIFICATION.into(),
        confidence: 0,
        stand_in: true,
    }
}

/// The JSON of an answer to a question of that kind, in a game of so many questions.
pub(super) fn example(questions: u32, kind: &str, seed: u64, secret: &str) -> Option<String> {
    Some(match kind {
        "warmup" => text(&Q21Move::Warmup(seed.to_string().into())),
        "questions" => {
            let asked = (1..=questions).map(|number| question(number, seed));
            text(&Q21Move::Questions(asked.collect()))
        }
        "guess" => text(&Q21Move::Guess(Box::new(guess(seed)))),
        "warmup_question" => text(&Q21Word::WarmupQuestion("What is 3 + 4?".into())),
        "book" => text(&Q21Word::Book(book(seed, secret))),
        "answers" => {
            let choice = |number: u32| match number % 3 {
                0 => Q21Choice::A,
                _ => Q21Choice::NotRelevant,
            };
            let answers =
                (1..=questions).map(|number| Q21Answer { number, choice: choice(number) });
            text(&Q21Word::Answers(answers.collect()))
        }
        "score" => text(&Q21Word::Score(score(seed))),
        _ => return None,
    })
}

fn question(number: u32, seed: u64) -> Q21Question {
    let options = ["yes", "no", "partly", "unknown"].map(Into::into);
    Q21Question { number, text: format!("Is {seed} about {number}?").into(), options }
}

fn guess(seed: u64) -> Q21Guess {
    Q21Guess {
        opening_sentence: format!("about {seed}").into(),
        sentence_justification: "because".into(),
        associative_word: "a word".into(),
        word_justification: "because".into(),
        confidence: u32::try_from(seed % 101).unwrap_or(0),
        stand_in: false,
    }
}

fn book(seed: u64, secret: &str) -> Q21Book {
    Q21Book {
        public: Q21PublicBook {
            name: format!("book {seed}").into(),
            hint: "a few words about something".into(),
            association_word: "colours".into(),
        },
        opening_sentence: Some(format!("{secret} sentence of {seed}").into()),
        associative_word: Some(format!("{secret}word").into()),
    }
}

/// Every part is worth the same, and so is the whole, however they are weighed.
fn score(seed: u64) -> Q21Assessment {
    let part = i32::try_from(seed.wrapping_mul(37) % SCORE_MAX.unsigned_abs() as u64).unwrap_or(0);
    Q21Assessment {
        private_score: part,
        breakdown: Q21Breakdown {
            opening_sentence: part,
            sentence_justification: part,
            associative_word: part,
            word_justification: part,
        },
        feedback: Q21Feedback::default(),
    }
}

#[cfg(test)]
mod tests;
