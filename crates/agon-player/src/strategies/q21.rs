//! The player and the referee of Q21 that need no program.
//!
//! Whatever they are asked, the answer follows from seed, game and question alone. After a crash
//! the same comes again.

mod library;
mod player;
mod referee;
pub(crate) mod scoring;

use agon_core::Question;
use agon_proto::GameId;

use crate::chance::stir;
pub use player::BuiltinPlayer;
pub use referee::BuiltinReferee;

/// The game, as its table spells it; as the match is called, where nobody has told of a table.
fn named(told: Option<GameId>, question: &Question) -> String {
    told.map_or_else(|| question.match_id.to_string(), |game| game.as_str().to_owned())
}

/// Luck that is no luck: the same for the same seed and the same game, after a restart as well.
struct Dice(u64);

impl Dice {
    /// Dice that depend on the seed and on all of the texts.
    fn new(seed: u64, texts: &[&str]) -> Self {
        let mut state = stir(seed);
        for text in texts {
            let bytes = text.bytes();
            state = bytes.fold(stir(state), |state, byte| stir(state ^ u64::from(byte)));
        }
        Self(state)
    }

    /// A number below the bound, which is not 0.
    fn below(&mut self, bound: usize) -> usize {
        self.0 = stir(self.0);
        // The upper half: it is the better stirred one.
        ((self.0 >> 32) as usize) % bound
    }

    /// One of them, if there is one.
    fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        if from.is_empty() { None } else { from.get(self.below(from.len())) }
    }

    /// The same things in another order.
    fn shuffle<T>(&mut self, things: &mut [T]) {
        for end in (1..things.len()).rev() {
            let other = self.below(end + 1);
            things.swap(end, other);
        }
    }
}

#[cfg(test)]
mod tests;
