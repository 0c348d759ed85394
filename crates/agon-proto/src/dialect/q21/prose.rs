//! A game as people read it: for each player its book, its questions with what they were answered,
//! its guess and what that was worth.
//!
//! Spec: docs/protocol/q21.md

use agon_games::q21::{
    Q21Assessment, Q21Choice, Q21Feedback, Q21Guess, Q21Move, Q21PublicBook, Q21Question, Q21View,
};

use super::{Act, Letter, Moved, Worth, open_json};
use crate::frame::{Limits, decode_request};
use crate::payload::AsPayload;
use crate::{Call, Payload};

/// The letter that travelled in these bytes, by call or by mail.
pub fn letter_in(bytes: &[u8], limits: Limits) -> Option<Letter> {
    match decode_request(bytes, limits) {
        Ok(request) => match request.call {
            Call::Letter(letter) => Some(*letter),
            Call::Message(_) | Call::Tool(..) => None,
        },
        Err(_) => open_json(bytes).ok(),
    }
}

/// What one player read and wrote in a game, in the order in which its letters passed.
#[derive(Debug, Default)]
pub struct GameProse {
    warmup: [Option<Box<str>>; 2],
    book: Option<Q21PublicBook>,
    questions: Vec<Q21Question>,
    answers: Vec<(u32, Q21Choice)>,
    guess: Option<Q21Guess>,
    worth: Option<(u32, Option<Q21Assessment>)>,
}

impl GameProse {
    /// Takes the next letter. A later one of a kind replaces an earlier one.
    pub fn take(&mut self, act: &Act) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is not the game")]
        match act {
            Act::Ask(asked) => self.see(&asked.view),
            Act::Move(Moved { said, .. }) => match Q21Move::of(said) {
                Ok(Q21Move::Warmup(answer)) => self.warmup[1] = Some(answer),
                Ok(Q21Move::Questions(questions)) => self.questions = questions,
                Ok(Q21Move::Guess(guess)) => self.guess = Some(*guess),
                Err(_) => {}
            },
            Act::Worth(Worth { league_points, view, .. }) => {
                let seen = Q21View::of(view).unwrap_or_default();
                self.worth = Some((*league_points, seen.score));
            }
            _ => {}
        }
    }

    fn see(&mut self, view: &Payload) {
        let seen = Q21View::of(view).unwrap_or_default();
        if let Some(question) = seen.warmup_question {
            self.warmup[0] = Some(question);
        }
        self.book = seen.book.or(self.book.take());
        if let Some(answers) = seen.answers {
            self.answers = answers.iter().map(|answer| (answer.number, answer.choice)).collect();
        }
    }

    /// In lines, each of one thought: they are long.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let [question, answer] = &self.warmup;
        lines.extend(question.as_ref().map(|question| format!("warm-up: {question}")));
        lines.extend(answer.as_ref().map(|answer| format!("  {answer}")));
        if let Some(Q21PublicBook { name, hint, association_word }) = &self.book {
            lines.push(format!("book: {name}: {hint}; association: {association_word}"));
        }
        for Q21Question { number, text, options } in &self.questions {
            lines.push(format!("{number}. {text}"));
            let answer = self.answers.iter().find(|(of, _)| of == number).map(|(_, it)| *it);
            lines.push(match answer {
                Some(choice) => format!("  {}", chosen(choice, options)),
                None => "  no answer".to_owned(),
            });
        }
        if let Some(guess) = &self.guess {
            lines.push(format!("guess: {}", guess.opening_sentence));
            lines.push(format!("  because: {}", guess.sentence_justification));
            lines.push(format!("word: {}", guess.associative_word));
            lines.push(format!("  because: {}", guess.word_justification));
            lines.push(format!("confidence: {}", hundredths(guess.confidence.into())));
        }
        if let Some((points, score)) = &self.worth {
            let of = score.as_ref().map(|it| hundredths(it.private_score.into()));
            let of = of.map_or(String::new(), |score| format!(", private score {score}"));
            lines.push(format!("score: {points} points{of}"));
            let feedback = score.iter().flat_map(|it| {
                let Q21Feedback { opening_sentence, associative_word } = &it.feedback;
                [("sentence", opening_sentence), ("word", associative_word)]
            });
            let said = feedback.filter(|(_, text)| !text.is_empty());
            lines.extend(said.map(|(about, text)| format!("feedback on the {about}: {text}")));
        }
        lines
    }
}

/// A choice, with what it means.
fn chosen(choice: Q21Choice, options: &[Box<str>; 4]) -> String {
    let (letter, option) = match choice {
        Q21Choice::A => ("A", Some(&options[0])),
        Q21Choice::B => ("B", Some(&options[1])),
        Q21Choice::C => ("C", Some(&options[2])),
        Q21Choice::D => ("D", Some(&options[3])),
        Q21Choice::NotRelevant => ("not relevant", None),
    };
    option.map_or_else(|| letter.to_owned(), |option| format!("{letter}: {option}"))
}

/// A number that is kept in hundredths.
fn hundredths(number: i64) -> String {
    format!("{}.{:02}", number / 100, number % 100)
}
