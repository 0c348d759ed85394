//! The arguments: what can be said to `agon`, and how flags become configuration.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;

use agon_node::config::Config;
use agon_proto::{GameId, MatchId};
use anyhow::Context;
use clap::{Args, Parser, Subcommand};
use serde::Serialize;
use toml::{Table, Value};

mod agent;
mod operator;

pub(crate) use agent::{AgentArgs, Mailbox, Reach, SeasonArgs, Team};
pub(crate) use operator::{OfMatch, OperatorCommand};

/// The league said no: not admitted, or a command was refused.
pub(crate) const EXIT_REFUSED: u8 = 1;
/// It could not be done: bad arguments, configuration, address or journal.
pub(crate) const EXIT_FAILED: u8 = 2;

/// Whether it went as it should.
pub(crate) fn exit(fine: bool) -> ExitCode {
    if fine { ExitCode::SUCCESS } else { ExitCode::from(EXIT_REFUSED) }
}

const AFTER: &str = "\
Exit codes: 0 done; 1 the league said no (not admitted, command refused); 2 it could not be done.
Begin with `agon demo`: a whole season on this machine, in one command.";

/// A league for autonomous agents: exact, fast, honest.
#[derive(Debug, Parser)]
#[command(name = "agon", version, after_help = AFTER, propagate_version = true)]
pub(crate) struct Agon {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

/// What every command takes. It stands below what is a command's own.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Options of every command", next_display_order = 1_000)]
pub(crate) struct Common {
    /// Configuration file [default: ./agon.toml if there is one]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// How much is logged to stderr: error, warn, info, debug, trace, or a filter
    #[arg(long, global = true, value_name = "LEVEL")]
    pub log: Option<String>,
    /// What a log line looks like: auto, text or json
    #[arg(long, global = true, value_name = "FORMAT")]
    pub log_format: Option<String>,
    /// Trust these issuers (PEM) instead of the system's when calling https:// endpoints
    #[arg(long, global = true, value_name = "FILE")]
    pub ca: Option<String>,
    /// One JSON object on stdout instead of text for people
    #[arg(long, global = true)]
    pub json: bool,
    #[command(flatten)]
    pub times: TimeFlags,
}

/// Every time limit, in seconds. What is not said comes from agon.toml or the built-in defaults.
/// They are called as in its section `times`.
#[derive(Debug, Clone, Args, Serialize)]
#[command(next_help_heading = "Time limits (seconds)")]
pub(crate) struct TimeFlags {
    /// Multiply every time limit, e.g. 0.1 for a rehearsal
    #[arg(long, global = true, value_name = "F", hide_short_help = true)]
    #[serde(rename = "scale")]
    pub time_scale: Option<f64>,
    /// Answer to an invitation
    #[arg(long, global = true, value_name = "S", hide_short_help = true)]
    pub join_s: Option<f64>,
    /// Answer to a question of the game
    #[arg(long, global = true, value_name = "S", hide_short_help = true)]
    pub choice_s: Option<f64>,
    /// Taking a notice
    #[arg(long, global = true, value_name = "S", hide_short_help = true)]
    pub notice_s: Option<f64>,
    /// Acknowledging a report
    #[arg(long, global = true, value_name = "S", hide_short_help = true)]
    pub report_s: Option<f64>,
    /// Answering a registration
    #[arg(long, global = true, value_name = "S", hide_short_help = true)]
    pub registration_s: Option<f64>,
    /// How long a referee may hold a match
    #[arg(long, global = true, value_name = "S", hide_short_help = true)]
    pub match_time_max_s: Option<f64>,
    /// How long a silent referee keeps its matches
    #[arg(long, global = true, value_name = "S", hide_short_help = true)]
    pub lease_s: Option<f64>,
    /// How often a referee says that it is there
    #[arg(long, global = true, value_name = "S", hide_short_help = true)]
    pub heartbeat_s: Option<f64>,
    /// How long a failing peer is left alone
    #[arg(long, global = true, value_name = "S", hide_short_help = true)]
    pub breaker_open_s: Option<f64>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a whole season on this machine: real HTTP on loopback, one process, a champion
    Demo(Demo),
    /// Run a league manager: registers agents, schedules the season, keeps the table
    Manager(Manager),
    /// Run a referee: takes matches from a manager and judges them
    Referee(Referee),
    /// Run a player, or many
    Player(Player),
    #[command(flatten)]
    Operator(OperatorCommand),
    /// Show the table
    Standings(Read),
    /// Show one match: every message with its times, the verdict and who caused it
    Match(Match),
    /// Write everything a league knows as files: standings, rounds, matches, histories, log, CSV
    Export(Export),
    /// Print the JSON Schema of a message, or of all of them
    Schema {
        /// A message_type such as GAME_INVITATION; all of them without one
        message: Option<String>,
    },
    /// Kill, stop and start the processes of real seasons: nothing is lost, nothing counts twice
    #[cfg(feature = "lab")]
    CrashTest(agon_lab::CrashOptions),
    /// Besiege real seasons with silent connections, floods of nonsense and players that hang
    #[cfg(feature = "lab")]
    Siege(agon_lab::SiegeOptions),
    /// Play seeded seasons under faults in virtual time, and check every promise of the league
    #[cfg(feature = "sim")]
    Sim(Sim),
    /// Measure the speed of this machine: a season over HTTP against a bare stack, and the parts
    #[cfg(feature = "lab")]
    Bench(agon_lab::BenchOptions),
    /// One process of the bare stack that `bench` compares with
    #[command(hide = true)]
    #[cfg(feature = "lab")]
    BenchBare {
        /// How many addresses to listen on
        #[arg(long, value_name = "N")]
        listeners: u32,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Demo {
    #[command(flatten)]
    pub season: SeasonArgs,
    /// How many teams, in a season of q21: each plays in some rounds and referees in others
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = between(3, 99))]
    pub teams: u32,
    /// How many players
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = between(2, 10_000))]
    pub players: u32,
    /// How many referees
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = between(1, 1_000))]
    pub referees: u32,
    /// Replace all chance by this seed: the same season again and again
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Keep the data folder afterwards
    #[arg(long)]
    pub keep: bool,
    /// Where to put the data folder [default: a temporary one]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Manager {
    #[command(flatten)]
    pub season: SeasonArgs,
    /// Address to listen on; port 0 takes a free one
    #[arg(long, value_name = "ADDR", value_parser = address)]
    pub listen: Option<SocketAddr>,
    /// Folder of the journal and the operator's token
    #[arg(long, value_name = "DIR", default_value = "agon-data")]
    pub data: PathBuf,
    /// Begin a new season: a finished one in the folder is kept under another name
    #[arg(long)]
    pub new: bool,
    /// The league's id [default: from the configuration]
    #[arg(long, value_name = "ID")]
    pub league: Option<String>,
    /// Begin by itself once N players and a referee (in a season of q21: N teams) are in
    #[arg(long, value_name = "N", value_parser = between(2, u32::MAX))]
    pub start_when: Option<u32>,
    /// Let referees on other machines in that show this code; better said as AGON_REFEREE_CODE,
    /// because everybody on a machine can read the flags of its processes
    #[arg(long, value_name = "CODE")]
    pub referee_code: Option<String>,
    #[command(flatten)]
    pub post: Mailbox,
    #[command(flatten)]
    pub reach: Reach,
}

#[derive(Debug, Args)]
pub(crate) struct Referee {
    /// How many matches at once
    #[arg(long, value_name = "N", value_parser = between(1, 100_000))]
    pub capacity: Option<u32>,
    /// The code that the operator gave, if the manager is on another machine; better said as
    /// AGON_REFEREE_CODE
    #[arg(long, value_name = "CODE")]
    pub referee_code: Option<String>,
    #[command(flatten)]
    pub agent: AgentArgs,
}

#[derive(Debug, Args)]
pub(crate) struct Player {
    /// A strategy of the game (random plays all of them), or exec:COMMAND for a program of your own
    #[arg(long, value_name = "S")]
    pub strategy: Option<String>,
    /// Run N players in this process
    #[arg(
        long, value_name = "N", default_value_t = 1, value_parser = between(1, 10_000),
        conflicts_with = "token_file"
    )]
    pub count: u32,
    #[command(flatten)]
    pub agent: AgentArgs,
}

#[derive(Debug, Args)]
pub(crate) struct Read {
    /// The league manager
    #[arg(long, value_name = "URL", default_value = DEFAULT_MANAGER)]
    pub manager: String,
}

#[derive(Debug, Args)]
pub(crate) struct Match {
    /// The match, e.g. R1M1, or 0101001 in a season of q21
    #[arg(value_parser = match_id)]
    pub id: MatchId,
    #[command(flatten)]
    pub read: Read,
    /// The manager's data folder, for the operator's token: who has it, or AGON_TOKEN in the
    /// environment, is shown what was received from players
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// The manager's data folder; the manager may be running
    #[arg(long, value_name = "DIR", default_value = "agon-data")]
    pub data: PathBuf,
    /// Where to write; created if it does not exist
    #[arg(long, value_name = "DIR")]
    pub to: PathBuf,
}

#[cfg(feature = "sim")]
#[derive(Debug, Args)]
pub(crate) struct Sim {
    /// Only seasons of this game; a name that is none lists them all [default: any game]
    #[arg(long, value_name = "GAME", value_parser = agent::game)]
    pub game: Option<agon_core::Rules>,
    /// How many seasons, with the seeds from 0 on
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = between(1, u32::MAX))]
    pub seeds: u32,
    /// Play the season of this seed alone, and tell what happens in it
    #[arg(long, value_name = "S", conflicts_with = "seeds")]
    pub seed: Option<u64>,
}

/// Where a manager is unless somebody says otherwise.
const DEFAULT_MANAGER: &str = "http://127.0.0.1:8000/mcp";

impl Common {
    /// Defaults, file, environment and flags, in that order.
    pub(crate) fn load(&self, mut flags: Table) -> anyhow::Result<Config> {
        put(&mut flags, "log", "level", self.log.clone());
        put(&mut flags, "log", "format", self.log_format.clone());
        put(&mut flags, "tls", "ca", self.ca.clone());
        let times = Table::try_from(&self.times).context("the time limits do not work")?;
        flags.insert("times".into(), times.into());
        Config::load(self.config.as_deref(), std::env::vars(), flags)
            .context("the configuration does not work")
    }
}

/// A match, as either league calls it.
fn match_id(text: &str) -> Result<MatchId, String> {
    let id = GameId::new(&text.to_ascii_uppercase()).match_id();
    id.ok_or_else(|| "not a match id such as R1M1 or 0101001".to_owned())
}

/// An address to listen on; a port alone is one of loopback.
fn address(text: &str) -> Result<SocketAddr, &'static str> {
    let here = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let address = text.parse().or_else(|_| text.parse().map(here));
    address.map_err(|_| "neither a port such as 8101 nor an address such as 127.0.0.1:8101")
}

/// A number between the two, both included.
fn between(min: u32, max: u32) -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(i64::from(min)..=i64::from(max))
}

/// Sets a key of a section, if something was said.
pub(crate) fn put<V: Into<Value>>(flags: &mut Table, section: &str, key: &str, value: Option<V>) {
    let Some(value) = value else { return };
    if let Value::Table(section) = flags.entry(section).or_insert_with(|| Table::new().into()) {
        section.insert(key.into(), value.into());
    }
}
