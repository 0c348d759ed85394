//! The referee that needs no program: a text from our library, answers by the words in it, and
//! scores by likeness.
//!
//! Whatever it is asked, the answer follows from seed, game and question alone. After a crash the
//! same advice comes again.

use agon_core::{Known, Mishap, Question, What};
use agon_games::q21::{Q21Answer, Q21Book, Q21Brief, Q21Question, Q21Word};
use agon_node::{Mind, Thinking};
use agon_proto::AsPayload;
use agon_proto::known::RefereeContext;

use super::library::{Text, answer, text_of, texts};
use super::scoring::assess;
use super::{Dice, named};
use crate::strategy::{misplaced, read, write};

/// Numbers of a warm-up's sum lie below.
const SUMMAND_MAX: usize = 50;

/// A deterministic referee.
#[derive(Debug, Clone, Copy)]
pub struct BuiltinReferee {
    /// Two referees with different seeds choose different texts.
    pub seed: u64,
}

impl BuiltinReferee {
    fn say(&self, game: &str, kind: &str, told: Q21Brief) -> Option<Q21Word> {
        Some(match kind {
            "warmup_question" => {
                let mut dice = Dice::new(self.seed, &["warmup", game]);
                let (a, b) = (dice.below(SUMMAND_MAX), dice.below(SUMMAND_MAX));
                Q21Word::WarmupQuestion(format!("What is {a} + {b}?").into())
            }
            "book" => Q21Word::Book(text_of(self.seed, game).as_book()),
            "answers" => {
                let text = self.text(game, &told.book?);
                let answered = |question: &Q21Question| Q21Answer {
                    number: question.number,
                    choice: answer(question, text),
                };
                Q21Word::Answers(told.questions?.iter().map(answered).collect())
            }
            "score" => {
                let book = told.book?;
                let known = book.opening_sentence.is_some() && book.associative_word.is_some();
                let own = || self.text(game, &book).as_book();
                let book = if known { book } else { own() };
                Q21Word::Score(assess(&*told.guess?, &book))
            }
            _ => return None,
        })
    }

    fn judge(&self, question: &Question, known: &Known<'_>) -> Result<Q21Word, Mishap> {
        let What::Oracle { prompt, .. } = &question.what else { return Err(misplaced(question)) };
        let told = RefereeContext::of(&known.context).map(|told| told.game);
        let game = named(told.ok(), question);
        self.say(&game, &question.kind, read(prompt)?).ok_or_else(|| misplaced(question))
    }

    /// The text of the book that the game began with; the library may have grown since.
    fn text(&self, game: &str, book: &Q21Book) -> &'static Text {
        let secret = book.opening_sentence.as_deref();
        let begun = texts().iter().find(|text| Some(&*text.opening) == secret);
        begun.unwrap_or_else(|| text_of(self.seed, game))
    }
}

impl Mind for BuiltinReferee {
    fn think(&mut self, question: &Question, known: &Known<'_>) -> Thinking {
        Thinking::Now(self.judge(question, known).and_then(|word| write(&word)))
    }
}

#[cfg(test)]
mod tests;
