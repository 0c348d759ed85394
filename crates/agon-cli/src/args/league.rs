//! Which league it is: what is played in it, and who meets whom.

use agon_core::{BadRules, Rules};
use clap::Args;
use toml::Table;

use super::put;

/// Which game.
#[derive(Debug, Clone, Args)]
pub(crate) struct Played {
    /// The game; a name that is none lists them all [default: from the configuration, even_odd]
    #[arg(long, value_name = "GAME", value_parser = game)]
    pub game: Option<Rules>,
}

/// A game of the list, as it is usually played.
pub(super) fn game(name: &str) -> Result<Rules, BadRules> {
    Rules::new(name, "{}")
}

impl Played {
    /// Adds what was said to a layer of the configuration.
    pub(crate) fn put(&self, flags: &mut Table) {
        put(flags, "league", "game", self.name());
    }

    /// The game's own name, if one was said.
    pub(crate) fn name(&self) -> Option<&'static str> {
        self.game.as_ref().map(|rules| rules.info().name)
    }
}

/// Which game, and who meets whom in it.
#[derive(Debug, Clone, Args)]
pub(crate) struct Season {
    #[command(flatten)]
    pub played: Played,
    /// Who meets whom: round-robin or double-round-robin; teams or refereed for q21 [default: from
    /// the configuration, or what is usual for the game]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<String>,
}

impl Season {
    /// Adds what was said to a layer of the configuration.
    pub(crate) fn put(&self, flags: &mut Table) {
        self.played.put(flags);
        put(flags, "league", "format", self.format.clone());
    }
}
