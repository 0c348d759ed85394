//! The referee that needs no program: a text from our library, answers by the words in it, and
//! scores by likeness.
//!
//! Whatever it is asked, the answer follows from seed, game and question alone. After a crash the
//! same advice comes again.

use agon_proto::q21::callback::{Advice, Book, Consultation, Query, RefereeQuery};
use agon_proto::q21::{Answered, GameId, Question};

use super::answering::answer;
use super::dice::Dice;
use super::library::{Text, text_of, texts};
use super::scoring::assess;
use super::{Advisor, Thought, misplaced};

/// Numbers of a warm-up's sum lie below.
const SUMMAND_MAX: usize = 50;

/// A deterministic referee.
#[derive(Debug, Clone, Copy)]
pub struct BuiltinReferee {
    seed: u64,
}

impl BuiltinReferee {
    /// Two referees with different seeds choose different texts.
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }

    fn think(&self, game: &GameId, query: &RefereeQuery) -> Advice {
        match query {
            RefereeQuery::WarmupQuestion { .. } => {
                let mut dice = Dice::new(self.seed, &["warmup", game.as_str()]);
                let (a, b) = (dice.below(SUMMAND_MAX), dice.below(SUMMAND_MAX));
                Advice::WarmupQuestion(format!("What is {a} + {b}?").into())
            }
            RefereeQuery::RoundStart { .. } => {
                Advice::RoundStart(text_of(self.seed, game.as_str()).as_book())
            }
            RefereeQuery::Answers { book, questions, .. } => {
                let text = self.text(game, book);
                let answered = |question: &Question| Answered {
                    number: question.number,
                    choice: answer(question, text),
                };
                Advice::Answers(questions.iter().map(answered).collect())
            }
            RefereeQuery::Score { book, guess, .. } => {
                let known = book.opening_sentence.is_some() && book.associative_word.is_some();
                let own = || self.text(game, book).as_book();
                let book = if known { book.clone() } else { own() };
                Advice::Score(assess(guess, &book))
            }
        }
    }

    /// The text of the book that the game began with; the library may have grown since.
    fn text(&self, game: &GameId, book: &Book) -> &'static Text {
        let secret = book.opening_sentence.as_deref();
        let begun = texts().iter().find(|text| Some(&*text.opening) == secret);
        begun.unwrap_or_else(|| text_of(self.seed, game.as_str()))
    }
}

impl Advisor for BuiltinReferee {
    fn advise(&self, consultation: &Consultation) -> Thought {
        let advice = match &consultation.query {
            Query::Referee(query, _) => Ok(self.think(&consultation.game, query)),
            query @ Query::Player(..) => Err(misplaced(query)),
        };
        Box::pin(std::future::ready(advice))
    }
}

#[cfg(test)]
mod tests;
