//! The arguments: what can be said to `agon`, and how flags become configuration.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use agon_node::config::{Config, SettingInForce};
use agon_proto::{MatchId, PlayerId};
use anyhow::Context;
use clap::{Args, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use serde::Serialize;
use toml::Table;

mod agent;
pub(crate) mod help;
mod log;
mod operator;
mod values;

use help::Detail;

pub(crate) use agent::{AgentArgs, Mailbox, Reach, SeasonArgs, Team};
pub(crate) use log::Log;
pub(crate) use operator::{Invite, OfMatch, OperatorCommand, Order};
pub(crate) use values::put;
use values::{address, between, match_id, shell};

/// The league said no: not admitted, or a command was refused.
pub(crate) const EXIT_REFUSED: u8 = 1;
/// It could not be done: bad arguments, configuration, address or journal.
pub(crate) const EXIT_FAILED: u8 = 2;

/// Whether it went as it should.
pub(crate) fn exit(fine: bool) -> ExitCode {
    if fine { ExitCode::SUCCESS } else { ExitCode::from(EXIT_REFUSED) }
}

const AFTER: &str = "\
Exit codes: 0 done; 1 the league said no; 2 it could not be done.
Begin with `agon demo`: a whole season on this machine, in one command.";

/// A league for autonomous agents: exact, fast, honest.
#[derive(Debug, Parser)]
#[command(name = "agon", version, after_help = AFTER)]
pub(crate) struct Agon {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

/// What every command takes. Help shows it on a page of its own.
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
    #[arg(long, global = true, value_name = "F")]
    #[serde(rename = "scale")]
    pub time_scale: Option<f64>,
    /// Answer to an invitation
    #[arg(long, global = true, value_name = "S")]
    pub join_s: Option<f64>,
    /// Answer to a question of the game
    #[arg(long, global = true, value_name = "S")]
    pub choice_s: Option<f64>,
    /// Taking a notice
    #[arg(long, global = true, value_name = "S")]
    pub notice_s: Option<f64>,
    /// Acknowledging a report
    #[arg(long, global = true, value_name = "S")]
    pub report_s: Option<f64>,
    /// Answering a registration
    #[arg(long, global = true, value_name = "S")]
    pub registration_s: Option<f64>,
    /// How long a referee may hold a match
    #[arg(long, global = true, value_name = "S")]
    pub match_time_max_s: Option<f64>,
    /// How long a silent referee keeps its matches
    #[arg(long, global = true, value_name = "S")]
    pub lease_s: Option<f64>,
    /// How often a referee says that it is there
    #[arg(long, global = true, value_name = "S")]
    pub heartbeat_s: Option<f64>,
    /// How long a failing peer is left alone
    #[arg(long, global = true, value_name = "S")]
    pub breaker_open_s: Option<f64>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a whole season on this machine, over real HTTP on loopback
    Demo(Demo),
    /// Run a league manager: it registers agents and keeps the table
    Manager(Manager),
    /// Run a referee: takes matches from a manager and judges them
    Referee(Referee),
    /// Run a player, or many
    Player(Player),
    #[command(flatten)]
    Operator(OperatorCommand),
    /// The next season of a league
    #[command(subcommand)]
    Season(SeasonCommand),
    /// Show where the league stands, and what the operator can do next
    Status(Look),
    /// Show who plays whom, and what came of it
    Schedule(Schedule),
    /// Show the table
    Standings(Read),
    /// Show who is in the league, who waits, and who was invited
    Agents(Agents),
    /// Show one match: its messages, the verdict and who caused it
    Match(Match),
    /// Show the messages that an agent or a manager sent and got
    Log(Log),
    /// Write everything a league knows as files
    ///
    /// The standings, the rounds, the matches, each player's history, a log, and the table as CSV.
    Export(Export),
    /// Show the settings in force here, and where each was set
    Config {
        /// Every setting with its default and what it means: a file to begin an agon.toml with
        #[arg(long)]
        defaults: bool,
        /// What is in force here, by file, environment and flags (what happens if nothing is said)
        #[arg(long, conflicts_with = "defaults")]
        effective: bool,
    },
    /// Print the JSON Schema of a message, or of all of them
    Schema {
        /// A message_type such as GAME_INVITATION; all of them without one
        message: Option<String>,
    },
    /// Print what completes words of this command line in a shell
    ///
    /// For bash: agon completions bash > ~/.local/share/bash-completion/completions/agon
    Completions {
        /// bash, zsh or fish
        #[arg(value_name = "SHELL", value_parser = shell)]
        shell: Shell,
    },
    /// Write the manual pages, one for each command
    Man {
        /// Where to write; created if it does not exist
        #[arg(long, value_name = "DIR")]
        to: PathBuf,
    },
    /// Show what every command takes: its output, its logs, its time limits
    #[command(hide = true)]
    Options,
    /// Kill, stop and start the processes of real seasons
    ///
    /// Nothing is lost, and nothing counts twice.
    #[cfg(feature = "lab")]
    CrashTest(agon_lab::CrashOptions),
    /// Besiege real seasons with silence, floods and players that hang
    #[cfg(feature = "lab")]
    Siege(agon_lab::SiegeOptions),
    /// Play seeded seasons under faults in virtual time
    ///
    /// Every promise of the league is checked in each.
    #[cfg(feature = "sim")]
    Sim(Sim),
    /// Measure the speed of this machine
    ///
    /// A season over HTTP against a bare stack, and the parts.
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
    /// Which players may come uninvited: local (this machine), open, approved, invited (none)
    #[arg(long, value_name = "WHO")]
    pub admit: Option<String>,
    /// Which referees may come uninvited: local, approved, invited
    #[arg(long, value_name = "WHO")]
    pub admit_referees: Option<String>,
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

#[derive(Debug, Subcommand)]
pub(crate) enum SeasonCommand {
    /// Open the next season with the same agents, in the folder of one that is over
    ///
    /// The finished season is kept beside it, in a folder named after the time at which it ended.
    /// Agents keep their ids, tokens and invitations, and are in once they were started again;
    /// who was removed stays out. The rules are those of the configuration as it is now; game and
    /// format stay unless another one is said here. The manager must not be running: start it
    /// afterwards.
    New(NewSeason),
}

#[derive(Debug, Args)]
pub(crate) struct NewSeason {
    #[command(flatten)]
    pub season: SeasonArgs,
    /// The manager's data folder
    #[arg(long, value_name = "DIR", default_value = "agon-data")]
    pub data: PathBuf,
    /// Why; it stands in the journal
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    /// Who orders it; the user's name if not given
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Look {
    #[command(flatten)]
    pub read: Read,
    /// The manager's data folder: it is read if it has no manager now, or none answers [default:
    /// agon-data, if it is there and no manager answers]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Schedule {
    /// Only this round
    #[arg(long, value_name = "N", value_parser = between(1, u32::MAX))]
    pub round: Option<u32>,
    /// Only the matches of this player, e.g. P03
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<PlayerId>,
    #[command(flatten)]
    pub look: Look,
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
    /// Show what every message says
    #[arg(long)]
    pub whole: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Agents {
    #[command(flatten)]
    pub read: Read,
    /// The manager's data folder, for the operator's token: who has it, or AGON_TOKEN in the
    /// environment, is shown addresses and invitations
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
    /// With all that the operator may see: addresses, and whatever came instead of an answer
    #[arg(long)]
    pub whole: bool,
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
pub(crate) const DEFAULT_MANAGER: &str = "http://127.0.0.1:8000/mcp";

impl Agon {
    /// What was said on the command line. Ends the process if that is help, or makes no sense.
    pub(crate) fn said() -> Self {
        let pages = help::command(Detail::asked(std::env::args_os()));
        Self::from_arg_matches(&pages.get_matches()).unwrap_or_else(|error| error.exit())
    }
}

impl Common {
    /// Defaults, file, environment and flags, in that order.
    pub(crate) fn load(&self, flags: Table) -> anyhow::Result<Config> {
        Config::load(self.config.as_deref(), std::env::vars(), self.over(flags)?)
            .context("the configuration does not work")
    }

    /// The same, setting by setting.
    pub(crate) fn settings(&self) -> anyhow::Result<Vec<SettingInForce>> {
        Config::settings(self.config.as_deref(), std::env::vars(), self.over(Table::new())?)
            .context("the configuration does not work")
    }

    /// What was said here, added to what else was said by flags.
    fn over(&self, mut flags: Table) -> anyhow::Result<Table> {
        put(&mut flags, "log", "level", self.log.clone());
        put(&mut flags, "log", "format", self.log_format.clone());
        put(&mut flags, "tls", "ca", self.ca.clone());
        let times = Table::try_from(&self.times).context("the time limits do not work")?;
        times.into_iter().for_each(|(key, limit)| put(&mut flags, "times", &key, Some(limit)));
        Ok(flags)
    }
}
