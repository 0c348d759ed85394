//! How a strategy is found by what a person writes.

use agon_games::even_odd::{EvenOdd, EvenOddMove};
use agon_node::Mind;

use crate::exec::{BadCommand, Exec};
use crate::strategies::{Adaptive, Alternate, Always, Random};
use crate::{Chance, ChildTerms, typed};

/// The strategies that exist, as a person writes them.
pub const NAMES: &[&str] = &["random", "even", "odd", "alternate", "adaptive", "exec:<command>"];

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
/// When there is no such strategy, the command of `exec:` cannot be split into words, or its
/// program is not there.
pub fn strategy(
    spec: &str,
    chance: Chance,
    terms: &ChildTerms,
) -> Result<Box<dyn Mind>, UnknownStrategy> {
    let spec = spec.trim();
    if let Some(command) = spec.strip_prefix("exec:") {
        return match Exec::new(command, terms) {
            Ok(exec) => Ok(Box::new(exec)),
            Err(problem) => Err(UnknownStrategy::Command { spec: spec.into(), problem }),
        };
    }
    match spec {
        "random" => Ok(typed::<EvenOdd>(Random(chance))),
        "even" => Ok(typed(Always(EvenOddMove::Even))),
        "odd" => Ok(typed(Always(EvenOddMove::Odd))),
        "alternate" => Ok(typed(Alternate)),
        "adaptive" => Ok(typed(Adaptive(chance))),
        other => Err(UnknownStrategy::Name(other.into())),
    }
}

#[cfg(test)]
mod tests;
