//! How a strategy is found by what a person writes.

use agon_node::Mind;

use crate::exec::{BadCommand, Exec};
use crate::strategies::{find, names_for};
use crate::{Chance, ChildTerms};

/// Why there is no such strategy.
#[derive(Debug, thiserror::Error)]
pub enum UnknownStrategy {
    #[error("there is no strategy `{name}` for {game}; there are: {list}", list = list(game))]
    Name { name: String, game: String },
    #[error("could not understand the command of `{spec}`; write exec:python3 'my player.py'")]
    Command {
        spec: String,
        #[source]
        problem: BadCommand,
    },
}

/// All that can be written for that game.
fn list(game: &str) -> String {
    let names = names_for(game).iter().copied();
    names.chain(["exec:<command>"]).collect::<Vec<_>>().join(", ")
}

/// Finds a strategy for that game by what a person wrote; [`names_for`] lists what can be written,
/// besides `exec:<command>`.
///
/// # Errors
/// When there is no such strategy, the command of `exec:` cannot be split into words, or its
/// program is not there.
pub fn strategy(
    game: &str,
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
    let unknown = || UnknownStrategy::Name { name: spec.into(), game: game.into() };
    find(game, spec, chance).ok_or_else(unknown)
}

#[cfg(test)]
mod tests;
