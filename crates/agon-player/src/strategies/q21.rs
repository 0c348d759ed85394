//! The player and the referee of Q21 that need no program.
//!
//! Whatever they are asked, the answer follows from seed, game and question alone. After a crash
//! the same comes again.

mod answering;
mod dice;
mod feedback;
mod library;
mod likeness;
mod player;
mod referee;
mod scoring;
mod vocabulary;

pub use player::BuiltinPlayer;
pub use referee::BuiltinReferee;

#[cfg(test)]
mod tests;
