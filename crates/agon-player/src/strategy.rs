//! What a strategy is, and how one is found by name.

use std::future::Future;
use std::pin::Pin;

use agon_core::Question;
use agon_proto::Listed;
use agon_proto::message::{Parity, StandingsRow};
use agon_proto::tool::PlayedMatch;

use crate::adaptive::Adaptive;
use crate::builtin::{Alternate, Always, Random};
use crate::exec::{BadCommand, Exec};
use crate::{Chance, ExecTerms};

/// The strategies that exist, as a person writes them.
pub const NAMES: &[&str] = &["random", "even", "odd", "alternate", "adaptive", "exec:<command>"];

/// What a strategy may look at.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// What is asked, by whom and until when.
    pub question: &'a Question,
    /// Our own matches, oldest first.
    pub history: &'a [PlayedMatch],
    /// The table, as it was last told; empty before the first round is over.
    /// Read when it is looked at, so a strategy that does not look pays nothing for it.
    pub standings: &'a Listed<StandingsRow>,
}

/// What a strategy makes of a question.
pub enum Decision {
    /// Decided.
    Now(Parity),
    /// Still thinking. `None` means that nothing came of it: the referee will ask again.
    Later(Pin<Box<dyn Future<Output = Option<Parity>> + Send>>),
}

/// A way to choose. This is what the author of a player writes.
pub trait Strategy: Send {
    /// Chooses. Called once per attempt at a match; must not block, slow thinking goes into
    /// [`Decision::Later`].
    fn choose(&mut self, situation: &Situation<'_>) -> Decision;
}

/// Why there is no such strategy.
#[derive(Debug, thiserror::Error)]
pub enum UnknownStrategy {
    #[error("there is no strategy `{0}`; there are: {list}", list = NAMES.join(", "))]
    Name(String),
    #[error("could not understand the command of `{spec}`; write exec:python3 'my player.py'")]
    Command {
        spec: String,
        #[source]
        problem: BadCommand,
    },
}

/// Finds a strategy by what a person wrote; [`NAMES`] lists what can be written.
///
/// # Errors
/// When there is no such strategy, or the command of `exec:` cannot be split into words.
pub fn strategy(
    spec: &str,
    chance: Chance,
    terms: &ExecTerms,
) -> Result<Box<dyn Strategy>, UnknownStrategy> {
    let spec = spec.trim();
    if let Some(command) = spec.strip_prefix("exec:") {
        return match Exec::new(command, terms.clone()) {
            Ok(exec) => Ok(Box::new(exec)),
            Err(problem) => Err(UnknownStrategy::Command { spec: spec.into(), problem }),
        };
    }
    match spec {
        "random" => Ok(Box::new(Random(chance))),
        "even" => Ok(Box::new(Always(Parity::Even))),
        "odd" => Ok(Box::new(Always(Parity::Odd))),
        "alternate" => Ok(Box::new(Alternate)),
        "adaptive" => Ok(Box::new(Adaptive(chance))),
        other => Err(UnknownStrategy::Name(other.into())),
    }
}

#[cfg(test)]
mod tests;
