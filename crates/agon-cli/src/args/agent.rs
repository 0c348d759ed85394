//! What several commands take alike: which league it is, how a process that listens is reached, and
//! what players and referees say about themselves and their team.

use std::net::SocketAddr;
use std::path::PathBuf;

use agon_core::{BadRules, Rules};
use clap::Args;
use toml::Table;

use super::DEFAULT_MANAGER;
use super::values::{address, put};

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
pub(crate) struct SeasonArgs {
    #[command(flatten)]
    pub played: Played,
    /// Who meets whom: round-robin or double-round-robin; teams or refereed for q21 [default: from
    /// the configuration, or what is usual for the game]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<String>,
}

impl SeasonArgs {
    /// Adds what was said to a layer of the configuration.
    pub(crate) fn put(&self, flags: &mut Table) {
        self.played.put(flags);
        put(flags, "league", "format", self.format.clone());
    }
}

/// What everybody takes who takes part.
#[derive(Debug, Args)]
pub(crate) struct AgentArgs {
    #[command(flatten)]
    pub played: Played,
    /// The league manager
    #[arg(long, value_name = "URL", default_value = DEFAULT_MANAGER)]
    pub manager: String,
    /// Address to listen on; port 0 takes a free one; several players take the ports that follow
    #[arg(long, value_name = "ADDR", value_parser = address)]
    pub listen: Option<SocketAddr>,
    /// So many seconds to wait for a manager that is not there yet [default: 300]
    #[arg(long, value_name = "S")]
    pub wait: Option<f64>,
    /// The code of an invitation (`agon invite`); better said as AGON_INVITATION, because everybody
    /// on a machine can read the flags of its processes
    #[arg(long, value_name = "CODE")]
    pub invitation: Option<String>,
    /// Name for people
    #[arg(long, value_name = "S")]
    pub name: Option<String>,
    /// Folder of a journal: credentials, choices, open matches, owed reports, history
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// File with the token that the operator gave (`agon reset`), for the first start with it
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// Go on after the league is complete
    #[arg(long)]
    pub stay: bool,
    #[command(flatten)]
    pub team: Team,
    #[command(flatten)]
    pub reach: Reach,
}

/// How a team takes part in a league by letters.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = BY_LETTERS)]
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
    #[arg(long, hide_short_help = true, value_name = "ID")]
    pub group: Option<String>,
    /// Chance of the built-in program
    #[arg(long, value_name = "S", hide_short_help = true)]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub post: Mailbox,
    /// A referee: come by call, and keep the mailbox for players who come by mail
    #[arg(
        long,
        hide_short_help = true,
        requires = "mail",
        conflicts_with_all = ["introduce", "scan", "dry_run"]
    )]
    pub by_call_too: bool,
    /// Ask the manager to be told of its season, in a league that lists no teams
    #[arg(long, hide_short_help = true, requires = "mail")]
    pub introduce: bool,
    /// Show what would be answered; send nothing, keep nothing, mark nothing as read
    #[arg(
        long,
        hide_short_help = true,
        requires = "mail",
        conflicts_with_all = ["scan", "watch", "test_connectivity"]
    )]
    pub dry_run: bool,
}

const BY_LETTERS: &str = "Leagues by letters (games that a referee judges)";

/// How a mailbox is used, by a manager and by an agent.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = BY_LETTERS)]
pub(crate) struct Mailbox {
    /// Take part by e-mail, with the mailbox that this file describes (--game q21)
    #[arg(long, value_name = "FILE")]
    pub mail: Option<PathBuf>,
    /// Read the mailbox once, do what is due, and exit
    #[arg(long, hide_short_help = true, requires = "mail", conflicts_with = "watch")]
    pub scan: bool,
    /// Read the mailbox to the end of the league (what happens if nothing else is said)
    #[arg(long, hide_short_help = true, requires = "mail")]
    pub watch: bool,
    /// Try the mailbox, step by step, and exit
    #[arg(long, hide_short_help = true, requires = "mail", conflicts_with_all = ["scan", "watch"])]
    pub test_connectivity: bool,
}

/// What manager, referees and players take alike.
#[derive(Debug, Args)]
#[command(next_help_heading = "Being reached from other machines")]
pub(crate) struct Reach {
    /// How others call this process, if not by its address: a host, HOST:PORT, or a whole URL
    #[arg(long, value_name = "URL")]
    pub advertise: Option<String>,
    /// Certificate of this process and its chain, PEM: speak TLS, and nothing else
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    pub tls_cert: Option<String>,
    /// Private key of that certificate, PEM
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    pub tls_key: Option<String>,
    /// Allow listening beyond loopback without encryption
    #[arg(long)]
    pub insecure: bool,
}

impl Reach {
    /// What was said, as a layer of the configuration.
    pub(crate) fn flags(&self, role: &str) -> Table {
        let mut flags = Table::new();
        put(&mut flags, "tls", "cert", self.tls_cert.clone());
        put(&mut flags, "tls", "key", self.tls_key.clone());
        put(&mut flags, role, "advertise", self.advertise.clone());
        flags
    }
}
