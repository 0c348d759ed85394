//! The player that needs no program: it knows the books, asks twenty questions of its own, finds
//! the text that would have been answered so, and remembers its beginning more or less well.
//!
//! Whatever it is asked, the answer follows from seed, game and question alone. After a crash the
//! same advice comes again.

mod guess;

use agon_games::q21::{Q21, Q21Move, Q21Question};
use agon_proto::AsPayload;
use agon_proto::dialect::q21::QUESTIONS;
use agon_proto::known::PlayerContext;
use serde::Deserialize;

use super::dice::Dice;
use super::vocabulary::tokens;
use crate::{Decision, Situation, Strategy};

/// What it says to a question that is no sum.
const READY: &str = "I am ready.";

/// A deterministic player.
#[derive(Debug, Clone, Copy)]
pub struct BuiltinPlayer {
    /// Two players with different seeds ask and remember differently.
    pub seed: u64,
}

impl BuiltinPlayer {
    fn think(&self, game: &str, now: &Situation<'_, Q21>) -> Option<Q21Move> {
        let view = &now.view;
        Some(match &*now.question.kind {
            "warmup" => Q21Move::Warmup(warmup(view.warmup_question.as_deref()?)),
            "questions" => Q21Move::Questions(questions(self.seed, game)),
            "guess" => {
                let questions = now.said.iter().find_map(|said| match said {
                    Q21Move::Questions(questions) => Some(&**questions),
                    Q21Move::Warmup(_) | Q21Move::Guess(_) => None,
                });
                let (book, answers) = (view.book.as_ref()?, view.answers.as_deref()?);
                let clues = guess::Clues { book, answers, questions: questions? };
                Q21Move::Guess(Box::new(guess::guess(self.seed, game, &clues)))
            }
            _ => return None,
        })
    }
}

impl Strategy<Q21> for BuiltinPlayer {
    fn choose(&mut self, now: &Situation<'_, Q21>) -> Decision<Q21Move> {
        let context = PlayerContext::of(&now.known.context);
        let game = context.map_or_else(
            |_| now.question.match_id.to_string(),
            |context| context.game.as_str().to_owned(),
        );
        let made = self.think(&game, now);
        made.map_or_else(|| Decision::Later(Box::pin(async { None })), Decision::Now)
    }
}

/// A question of our own, and its options.
type Entry = (Box<str>, [Box<str>; 4]);

/// All questions that it may ask.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bank {
    /// About the secret word. They divide any domain, so everybody asks them.
    word: Vec<Entry>,
    passage: Vec<Entry>,
}

/// Twenty questions, in the player's own order.
fn questions(seed: u64, game: &str) -> Vec<Q21Question> {
    let bank = serde_json::from_str(include_str!("player/questions.json"));
    let Bank { word, mut passage } = bank.expect("a test reads the same file");
    Dice::new(seed, &["questions", game]).shuffle(&mut passage);
    passage.truncate(QUESTIONS - word.len());
    let asked = passage.into_iter().chain(word);
    let question = |(number, (text, options))| Q21Question { number, text, options };
    (1..).zip(asked).map(question).collect()
}

/// The sum, if it is one.
fn warmup(question: &str) -> Box<str> {
    let numbers: Vec<u64> = tokens(question).iter().filter_map(|n| n.parse().ok()).collect();
    match numbers.as_slice() {
        [a, b] if question.contains('+') => a.saturating_add(*b).to_string().into(),
        _ => READY.into(),
    }
}

#[cfg(test)]
mod tests;
