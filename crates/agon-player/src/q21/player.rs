//! The player that needs no program: it knows the books, asks twenty questions of its own, finds
//! the text that would have been answered so, and remembers its beginning more or less well.
//!
//! Whatever it is asked, the answer follows from seed, game and question alone. After a crash the
//! same advice comes again.

mod bank;
mod guess;

use agon_proto::q21::GameId;
use agon_proto::q21::callback::{Advice, Consultation, PlayerQuery, Query};

use super::vocabulary::tokens;
use super::{Advisor, Thought, misplaced};

/// What it says to a question that is no sum.
const READY: &str = "I am ready.";

/// A deterministic player.
#[derive(Debug, Clone, Copy)]
pub struct BuiltinPlayer {
    seed: u64,
}

impl BuiltinPlayer {
    /// Two players with different seeds ask and remember differently.
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }

    fn think(&self, game: &GameId, query: &PlayerQuery) -> Advice {
        match query {
            PlayerQuery::Warmup { question } => Advice::Warmup(warmup(question)),
            PlayerQuery::Questions { .. } => {
                Advice::Questions(bank::questions(self.seed, game.as_str()))
            }
            PlayerQuery::Guess { book, answers, questions } => {
                let clues = guess::Clues { book, answers, questions };
                Advice::Guess(guess::guess(self.seed, game.as_str(), &clues))
            }
            PlayerQuery::Score { .. } => Advice::Noted,
        }
    }
}

impl Advisor for BuiltinPlayer {
    fn advise(&self, consultation: &Consultation) -> Thought {
        let advice = match &consultation.query {
            Query::Player(query, _) => Ok(self.think(&consultation.game, query)),
            query @ Query::Referee(..) => Err(misplaced(query)),
        };
        Box::pin(std::future::ready(advice))
    }
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
