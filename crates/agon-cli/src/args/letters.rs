//! The arguments of a league that is played by letters: Q21, by call or by mail.

use std::path::PathBuf;

use agon_core::{BadRules, Rules};
use clap::{Args, ValueEnum};
use toml::{Table, Value};

use super::{put, section};

/// Whose seasons are rehearsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Game {
    /// Even or odd: choose, and a number is drawn
    #[value(name = "even_odd", alias = "even-odd")]
    EvenOdd,
    /// Twenty-one questions: find the sentence and the word
    #[value(name = "q21")]
    Q21,
}

/// Which game.
#[derive(Debug, Clone, Args)]
pub(crate) struct Played {
    /// The game; a name that is none lists them all [default: from the configuration, even_odd]
    #[arg(long, value_name = "GAME", value_parser = game)]
    pub game: Option<String>,
}

/// A game of the list, by its own name.
fn game(name: &str) -> Result<String, BadRules> {
    Rules::new(name, "{}").map(|rules| rules.info().name.to_owned())
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
    /// What was said, as a layer of the configuration.
    pub(crate) fn flags(&self) -> Table {
        let mut flags = self.played.flags();
        if let Some(Value::Table(league)) = flags.get_mut("league") {
            put(league, "format", self.format.clone());
        }
        flags
    }
}

/// How a team takes part in a Q21 league.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Q21 (--game q21)")]
pub(crate) struct Team {
    /// The team's own program, e.g. my_player.py:MyPlayerAI [default: a built-in one]
    #[arg(long, value_name = "FILE:CLASS")]
    pub ai: Option<String>,
    /// The Python that runs it
    #[arg(long, value_name = "COMMAND", default_value = "python3", hide_short_help = true)]
    pub python: String,
    /// What the program may see of this environment, such as an API key: a name, or NAME=VALUE;
    /// repeat for more
    #[arg(long, visible_alias = "ai-env", value_name = "NAME", hide_short_help = true)]
    pub env: Vec<String>,
    /// The team [default: from the mailbox file, or the name]
    #[arg(long, value_name = "ID")]
    pub group: Option<String>,
    /// Chance of the built-in program
    #[arg(long, value_name = "S", hide_short_help = true)]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub mail: ByMail,
}

/// How the manager of a Q21 league uses mail.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Q21 (--game q21)")]
pub(crate) struct ManagerMail {
    /// Run the league by e-mail, with the mailbox that this file describes
    #[arg(long, value_name = "FILE")]
    pub mail: Option<PathBuf>,
    /// Read the mailbox once, do what is due, and exit
    #[arg(long, requires = "mail", conflicts_with = "watch")]
    pub scan: bool,
    /// Read the mailbox until it is told to stop (what happens if nothing else is said)
    #[arg(long, requires = "mail")]
    pub watch: bool,
    /// Try the mailbox, step by step, and exit
    #[arg(long, requires = "mail", conflicts_with_all = ["scan", "watch"])]
    pub test_connectivity: bool,
}

/// How an agent uses mail.
#[derive(Debug, Clone, Args)]
pub(crate) struct ByMail {
    /// Take part by e-mail, with the mailbox that this file describes
    #[arg(long, value_name = "FILE")]
    pub mail: Option<PathBuf>,
    /// A referee: come by call, and keep the mailbox for players who come by mail
    #[arg(long, requires = "mail", conflicts_with_all = ["introduce", "scan", "dry_run"])]
    pub by_call_too: bool,
    /// Ask the manager to be told of its season, in a league that lists no teams
    #[arg(long, requires = "mail")]
    pub introduce: bool,
    /// Read the mailbox once, answer, and exit
    #[arg(long, requires = "mail", conflicts_with_all = ["watch", "dry_run"])]
    pub scan: bool,
    /// Read the mailbox until the league is complete (what happens if nothing else is said)
    #[arg(long, requires = "mail")]
    pub watch: bool,
    /// Try the mailbox, step by step, and exit
    #[arg(long, requires = "mail", conflicts_with_all = ["scan", "watch", "dry_run"])]
    pub test_connectivity: bool,
    /// Show what would be answered; send nothing, keep nothing, mark nothing as read
    #[arg(long, requires = "mail", conflicts_with = "watch")]
    pub dry_run: bool,
}

impl Played {
    /// What was said, as a layer of the configuration.
    pub(crate) fn flags(&self) -> Table {
        let mut league = Table::new();
        put(&mut league, "game", self.game.clone());
        section("league", league)
    }
}
