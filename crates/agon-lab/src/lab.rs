//! A league over HTTP on loopback: a manager, referees and all players, each a process.
//!
//! The time of a season is read from the journal: from the announcement of the first round to the
//! last result.
//!
//! Spec: docs/bench.md

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use agon_core::{League, LeagueFact};
use agon_net::EndpointUrl;
use agon_node::config::Config;
use agon_node::{ToolResponse, is_piece};
use agon_proto::message::{Cause, Transcript};
use agon_proto::tool::{Command, LeaguePhase, LeagueState, Tool, ToolAnswer, ToolParams};
use agon_proto::{AuthToken, Timestamp};
use agon_store::Journal;
use anyhow::{Context, bail, ensure};
use serde::de::DeserializeOwned;
use tempfile::TempDir;

use crate::processes::Worker;

/// How many matches the referee has at once: the best number on small machines.
pub(crate) const CAPACITY: u32 = 64;
/// How often a season that runs is looked at. The looking itself costs the manager something.
const LOOK: Duration = Duration::from_millis(50);
/// The last letters are delivered and the last records written within this time.
const SETTLE: Duration = Duration::from_millis(300);
/// A season that takes longer than this is stuck.
const SEASON_MAX: Duration = Duration::from_secs(120);

/// What all measurements have in common.
#[derive(Clone)]
pub(crate) struct Lab {
    pub(crate) config: Config,
    /// What every process is told besides its role.
    flags: Vec<String>,
    pub(crate) players: u32,
    /// Where the manager and the referees record their calls, which costs time.
    pub(crate) record: Option<PathBuf>,
    /// Who keeps which messages.
    pub(crate) messages: Messages,
}

/// Whether messages are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Messages {
    /// They are not: what is measured is something else.
    Unasked,
    /// They could be: the referee has a folder, too.
    Unkept,
    /// The manager and the referee keep theirs.
    Kept,
}

/// A league whose manager listens, in a temporary folder. Both go with it.
pub(crate) struct RunningLeague {
    lab: Lab,
    pub(crate) manager: Worker,
    /// Where the manager is called.
    pub(crate) at: String,
    /// It goes after the manager, which writes there.
    dir: TempDir,
}

/// Processor time of the manager, the referee and the players.
pub(crate) type Cpu = [Duration; 3];

/// What the manager, the referee and the players have used beyond what they had used before.
pub(crate) fn cpu_since(before: Cpu, workers: [&Worker; 3]) -> anyhow::Result<Cpu> {
    let mut used = before;
    for (used, worker) in used.iter_mut().zip(workers) {
        *used = worker.cpu()?.saturating_sub(*used);
    }
    Ok(used)
}

/// A season that was played.
pub(crate) struct Played {
    pub(crate) began: Timestamp,
    pub(crate) ended: Timestamp,
    pub(crate) matches: u64,
    pub(crate) cpu: Cpu,
    /// From the invitation to the verdict, of every match.
    pub(crate) match_times: Vec<Duration>,
    /// Manager, referee, players.
    pub(crate) endpoints: Vec<String>,
}

impl Played {
    pub(crate) fn length(&self) -> Duration {
        self.ended.since(self.began)
    }
}

impl Lab {
    pub(crate) fn new(config: Config, players: u32) -> Self {
        let flags = ["--json", "--log", "error"].map(str::to_owned).to_vec();
        Self { config, flags, players, record: None, messages: Messages::Unasked }
    }

    /// Every process reads that configuration.
    pub(crate) fn read(&mut self, file: &Path) -> anyhow::Result<()> {
        let file = file.to_str().context("the configuration file has a strange name")?;
        self.flags.extend(["--config".to_owned(), file.to_owned()]);
        Ok(())
    }

    /// A process in that role, which records its calls into that folder.
    pub(crate) fn start(&self, role: &[&str], record: Option<&Path>) -> anyhow::Result<Worker> {
        let flags = self.flags.iter().map(String::as_str);
        let kept = if self.messages == Messages::Kept { "true" } else { "false" };
        let settings = [("AGON_LOG__MESSAGES", kept)];
        Worker::start(flags.chain(role.iter().copied()), &settings, record)
    }

    /// A process in that role on a free port, and the endpoint that it announces.
    async fn listening(&self, role: &[&str]) -> anyhow::Result<(Worker, String)> {
        let mut worker = self.start(&[role, &LISTEN].concat(), self.record.as_deref())?;
        let endpoint = worker.endpoint().await?;
        Ok((worker, endpoint))
    }

    /// A manager on a free port, whose season begins with so many players.
    pub(crate) async fn open(&self, start_when: u32) -> anyhow::Result<RunningLeague> {
        let dir = temporary_folder()?;
        let data = dir.path().to_str().context("the temporary folder has a strange name")?;
        let role = ["manager", "--data", data, "--start-when", &start_when.to_string()];
        let (manager, at) = self.listening(&role).await?;
        Ok(RunningLeague { lab: self.clone(), manager, at, dir })
    }

    /// Plays a season.
    pub(crate) async fn play(&self) -> anyhow::Result<Played> {
        // One player more than there are: nobody but the operator starts this season.
        let league = self.open(self.players + 1).await?;
        let (referee, referee_at) = league.referee(CAPACITY).await?;
        let (players, mut endpoints) = league.players().await?;
        endpoints.splice(0..0, [league.at.clone(), referee_at]);
        let everybody = [&league.manager, &referee, &players];
        let before = cpu_since(Cpu::default(), everybody)?;
        league.begin().await?;
        league.wait_for(|state| state.phase == LeaguePhase::Completed).await?;
        tokio::time::sleep(SETTLE).await;
        let cpu = cpu_since(before, everybody)?;
        report(&league.folded()?, league.dir.path(), cpu, endpoints)
    }
}

impl RunningLeague {
    /// A referee of that capacity, and its endpoint.
    pub(crate) async fn referee(&self, capacity: u32) -> anyhow::Result<(Worker, String)> {
        let capacity = capacity.to_string();
        let role = ["referee", "--manager", &self.at, "--capacity", &capacity, "--stay"];
        let dir = self.dir.path().join("referee");
        let dir = dir.to_str().context("the temporary folder has a strange name")?;
        let own = if self.lab.messages == Messages::Unasked { &[][..] } else { &["--data", dir] };
        self.lab.listening(&[&role[..], own].concat()).await
    }

    /// All players in one process, and their endpoints.
    pub(crate) async fn players(&self) -> anyhow::Result<(Worker, Vec<String>)> {
        let count = self.lab.players.to_string();
        let role = ["player", "--manager", &self.at, "--count", &count, "--stay"];
        let mut players = self.lab.start(&[&role[..], &LISTEN].concat(), None)?;
        let mut endpoints = Vec::new();
        for _ in 0..self.lab.players {
            endpoints.push(players.endpoint().await?);
        }
        self.wait_for(|state| state.players == self.lab.players && state.referees == 1).await?;
        Ok((players, endpoints))
    }

    /// Begins the season.
    pub(crate) async fn begin(&self) -> anyhow::Result<()> {
        let token = std::fs::read_to_string(self.dir.path().join("operator.token"));
        let token = token.context("the manager made no token for its operator")?;
        let auth_token = Some(AuthToken::from(token.trim()));
        let operator = ToolParams { auth_token, ..ToolParams::default() };
        self.ask(Tool::Command(Command::StartLeague), &operator).await?;
        Ok(())
    }

    /// Where the league stands.
    pub(crate) async fn state(&self) -> anyhow::Result<LeagueState> {
        self.ask(Tool::GetLeagueState, &ToolParams::default()).await
    }

    async fn ask(&self, tool: Tool, params: &ToolParams) -> anyhow::Result<LeagueState> {
        match ask(&self.lab.config, &self.at, tool, params).await? {
            ToolResponse::Answered(ToolAnswer::League(state)) => Ok(*state),
            ToolResponse::Answered(_) => bail!("the manager answered something else"),
            ToolResponse::Refused(fault) => bail!("the manager refused: {}", fault.message),
        }
    }

    pub(crate) async fn wait_for(
        &self,
        reached: impl Fn(&LeagueState) -> bool,
    ) -> anyhow::Result<LeagueState> {
        let look = async {
            loop {
                let state = self.state().await?;
                if reached(&state) {
                    return Ok(state);
                }
                tokio::time::sleep(LOOK).await;
            }
        };
        let seen = tokio::time::timeout(SEASON_MAX, look).await;
        seen.context("a season took too long; is the machine very busy?")?
    }

    /// The league as its journal has it.
    pub(crate) fn folded(&self) -> anyhow::Result<League> {
        let mut league = League::new(agon_node::settings(&self.lab.config));
        facts(self.dir.path(), |fact| league.apply(&fact))?;
        Ok(league)
    }
}

/// Asks a process what anybody may ask it.
pub(crate) async fn ask(
    config: &Config,
    endpoint: &str,
    tool: Tool,
    params: &ToolParams,
) -> anyhow::Result<ToolResponse> {
    let endpoint = EndpointUrl::parse(endpoint).context("a process has no address")?;
    Ok(agon_node::ask(config, &endpoint, tool, params).await?)
}

/// A folder that goes with what is returned.
pub(crate) fn temporary_folder() -> anyhow::Result<TempDir> {
    TempDir::new().context("could not make a temporary folder")
}

/// Hands every fact of the journal in that folder to `each`, oldest first.
pub(crate) fn facts<F: DeserializeOwned + Send>(
    dir: &Path,
    each: impl FnMut(F),
) -> anyhow::Result<()> {
    let read = Journal::read_only(dir).and_then(|journal| journal.replay(each));
    read.with_context(|| format!("could not read the journal in {}", dir.display()))?;
    Ok(())
}

/// Where a process listens.
pub(crate) fn address(endpoint: &str) -> anyhow::Result<SocketAddr> {
    let address = endpoint.split('/').nth(2).and_then(|address| address.parse().ok());
    address.with_context(|| format!("{endpoint} names no address"))
}

/// Every process takes a free port.
const LISTEN: [&str; 2] = ["--listen", "127.0.0.1:0"];

fn report(league: &League, dir: &Path, cpu: Cpu, endpoints: Vec<String>) -> anyhow::Result<Played> {
    let season = league.season();
    let (began, _) = season.round_times(1).context("no round was announced")?;
    let (_, ended) = season.round_times(season.round()).unwrap_or_default();
    let ended = ended.context("the last round was not completed")?;
    let mut results = season.ids().filter_map(|id| season.result(id));
    ensure!(
        results.all(|kept| kept.verdict.cause == Cause::Played),
        "some matches were not played to their end: this machine is too busy to measure anything"
    );
    let (matches, match_times) = (season.completed, match_times(dir)?);
    Ok(Played { began, ended, matches, cpu, match_times, endpoints })
}

/// How long each match took, by its referee's clock.
fn match_times(dir: &Path) -> anyhow::Result<Vec<Duration>> {
    let (mut times, mut damaged) = (Vec::new(), 0);
    let journal = Journal::<LeagueFact>::read_only(dir).context("could not open the journal")?;
    let read = journal.exhibits(|key, body| match serde_json::from_slice::<Transcript>(body) {
        Ok(transcript) => times.extend(transcript.length()),
        Err(_) => damaged += u32::from(!is_piece(key)),
    });
    read.context("could not read the transcripts")?;
    ensure!(damaged == 0, "{damaged} transcripts cannot be read");
    Ok(times)
}
