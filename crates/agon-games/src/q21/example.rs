//! Answers that will do for a rehearsal: what they say follows from a number, and means nothing.

use super::{
    Q21Answer, Q21Assessment, Q21Book, Q21Breakdown, Q21Choice, Q21Feedback, Q21Guess, Q21Move,
    Q21PublicBook, Q21Question, Q21Word, SCORE_MAX,
};
use crate::play::text;

/// The JSON of an answer to a question of that kind, in a game of so many questions.
pub(super) fn of(questions: u32, kind: &str, seed: u64, secret: &str) -> Option<String> {
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
            let answers = (1..=questions).map(|number| Q21Answer {
                number,
                choice: if number.is_multiple_of(3) {
                    Q21Choice::A
                } else {
                    Q21Choice::NotRelevant
                },
            });
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
