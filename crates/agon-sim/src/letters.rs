//! The rehearsal of a league that is played by letters: whole Q21 seasons in virtual time.
//!
//! Mail is slow, doubled and out of order; processes die under any batch and come back; programs
//! fail. Nobody is ever so slow that a deadline is missed by its own fault, so every game must be
//! played: a duplicate, a late mail, a crash or a restart costs nobody anything.

mod advisor;
mod cast;
mod checks;
mod node;
mod stage;

use crate::digest::Digests;
use crate::report::Report;
use stage::Stage;

/// How a season by letters is spoiled on purpose: proof that the checks see something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LettersSabotage {
    None,
    /// Mail is marked as read before its effects are durable.
    ReadBeforeDurable,
    /// A restarted node does not know which letters it dealt with.
    ForgetHandled,
    /// Letters that wait are not sent again after a restart.
    ForgetWaiting,
    /// The referee's secret is written into its letters.
    TellSecret,
}

/// Plays the season of that seed.
pub fn run_letters(seed: u64, sabotage: LettersSabotage) -> Report {
    Stage::new(seed, sabotage, None).play()
}

/// Plays the season of that seed, and digests all that is said and written down in it.
pub fn digest_letters(seed: u64) -> Digests {
    Stage::new(seed, LettersSabotage::None, None).digest()
}

/// Plays the season of that seed and tells what happens, line by line.
pub fn narrate_letters(
    seed: u64,
    sabotage: LettersSabotage,
    listener: &mut dyn FnMut(&str),
) -> Report {
    Stage::new(seed, sabotage, Some(listener)).play()
}
