//! A season over HTTP on loopback: a manager, a referee and all players, each a process.
//!
//! Its time is read from the journal: from the announcement of the first round to the last result.
//!
//! Spec: docs/bench.md

use std::path::Path;
use std::time::Duration;

use agon_node::config::Config;
use agon_proto::Timestamp;
use agon_proto::message::{Cause, Transcript};
use agon_proto::tool::{Command, LeaguePhase, LeagueState, Tool, ToolAnswer, ToolParams};
use anyhow::{Context, bail, ensure};
use tempfile::TempDir;

use super::processes::Worker;
use crate::archive::Archive;
use crate::caller::{Asked, ask};
use crate::data;

/// How many matches the referee has at once: the best number on small machines.
pub(in crate::commands) const CAPACITY: u32 = 64;
/// How often a season that runs is looked at. The looking itself costs the manager something.
const LOOK: Duration = Duration::from_millis(50);
/// The last letters are delivered and the last records written within this time.
const SETTLE: Duration = Duration::from_millis(300);
/// A season that takes longer than this is stuck.
const SEASON_MAX: Duration = Duration::from_secs(120);

/// What all measurements have in common.
#[derive(Clone)]
pub(in crate::commands) struct Lab {
    pub(in crate::commands) config: Config,
    /// What every process is told besides its role.
    pub(in crate::commands) flags: Vec<String>,
    pub(in crate::commands) players: u32,
}

/// Processor time of each role.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cpu {
    pub(super) manager: Duration,
    pub(super) referee: Duration,
    pub(super) players: Duration,
}

/// A season that was played.
pub(super) struct Played {
    pub(super) began: Timestamp,
    pub(super) ended: Timestamp,
    pub(super) matches: u64,
    pub(super) cpu: Cpu,
    /// From the invitation to the verdict, of every match.
    pub(super) match_times: Vec<Duration>,
    /// Manager, referee, players.
    pub(super) endpoints: Vec<String>,
}

impl Played {
    pub(super) fn length(&self) -> Duration {
        self.ended.since(self.began)
    }
}

impl Lab {
    /// A process in that role.
    pub(in crate::commands) fn start(
        &self,
        role: &[&str],
        record: Option<&Path>,
    ) -> anyhow::Result<Worker> {
        let flags = self.flags.iter().map(String::as_str);
        Worker::start(flags.chain(role.iter().copied()), record)
    }

    /// A manager on a free port with its journal in `dir`, and its endpoint.
    pub(in crate::commands) async fn manager(
        &self,
        dir: &Path,
        start_when: u32,
        record: Option<&Path>,
    ) -> anyhow::Result<(Worker, String)> {
        let dir = dir.to_str().context("the temporary folder has a strange name")?;
        let start_when = start_when.to_string();
        let role = ["manager", "--data", dir, "--start-when", &start_when];
        let mut manager = self.start(&[&role[..], &LISTEN].concat(), record)?;
        let endpoint = manager.endpoint().await?;
        Ok((manager, endpoint))
    }

    /// A referee of that manager, and its endpoint.
    pub(in crate::commands) async fn referee(
        &self,
        manager: &str,
        capacity: u32,
        record: Option<&Path>,
    ) -> anyhow::Result<(Worker, String)> {
        let capacity = capacity.to_string();
        let role = ["referee", "--manager", manager, "--capacity", &capacity, "--stay"];
        let mut referee = self.start(&[&role[..], &LISTEN].concat(), record)?;
        let endpoint = referee.endpoint().await?;
        Ok((referee, endpoint))
    }

    /// Plays a season. Calls are recorded into `record`, which costs time.
    pub(super) async fn play(&self, record: Option<&Path>) -> anyhow::Result<Played> {
        let dir = TempDir::new().context("could not make a temporary folder")?;
        // One player more than there are: nobody but the operator starts this season.
        let (manager, manager_at) = self.manager(dir.path(), self.players + 1, record).await?;
        let (referee, referee_at) = self.referee(&manager_at, CAPACITY, record).await?;
        let count = self.players.to_string();
        let role = ["player", "--manager", &manager_at, "--count", &count, "--stay"];
        let mut players = self.start(&[&role[..], &LISTEN].concat(), None)?;
        let mut endpoints = vec![manager_at.clone(), referee_at];
        for _ in 0..self.players {
            endpoints.push(players.endpoint().await?);
        }
        self.wait_for(&manager_at, |state| state.players == self.players && state.referees == 1)
            .await?;
        let used = |after: &Cpu| -> anyhow::Result<Cpu> {
            Ok(Cpu {
                manager: manager.cpu()?.saturating_sub(after.manager),
                referee: referee.cpu()?.saturating_sub(after.referee),
                players: players.cpu()?.saturating_sub(after.players),
            })
        };
        let before = used(&Cpu::default())?;
        self.begin(&manager_at, dir.path()).await?;
        self.wait_for(&manager_at, |state| state.phase == LeaguePhase::Completed).await?;
        tokio::time::sleep(SETTLE).await;
        let cpu = used(&before)?;
        let archive = Archive::open(dir.path(), &self.config)?;
        report(&archive, cpu, endpoints)
    }

    /// Begins the season of a manager whose folder that is.
    pub(in crate::commands) async fn begin(
        &self,
        manager: &str,
        data: &Path,
    ) -> anyhow::Result<()> {
        let auth_token = Some(data::operator_token(data)?);
        let operator = ToolParams { auth_token, ..ToolParams::default() };
        self.state(manager, Tool::Command(Command::StartLeague), &operator).await?;
        Ok(())
    }

    pub(in crate::commands) async fn state(
        &self,
        manager: &str,
        tool: Tool,
        params: &ToolParams,
    ) -> anyhow::Result<LeagueState> {
        match ask(&self.config, manager, tool, params).await? {
            Asked::Answered(ToolAnswer::League(state)) => Ok(*state),
            Asked::Answered(_) => bail!("the manager answered something else"),
            Asked::Refused(fault) => bail!("the manager refused: {}", fault.message),
        }
    }

    pub(in crate::commands) async fn wait_for(
        &self,
        manager: &str,
        reached: impl Fn(&LeagueState) -> bool,
    ) -> anyhow::Result<LeagueState> {
        let look = async {
            let nobody = ToolParams::default();
            loop {
                let state = self.state(manager, Tool::GetLeagueState, &nobody).await?;
                if reached(&state) {
                    return Ok(state);
                }
                tokio::time::sleep(LOOK).await;
            }
        };
        let seen = tokio::time::timeout(SEASON_MAX, look).await;
        seen.context("a season took too long; is the machine very busy?")?
    }
}

/// Every process takes a free port.
pub(in crate::commands) const LISTEN: [&str; 2] = ["--listen", "127.0.0.1:0"];

fn report(archive: &Archive, cpu: Cpu, endpoints: Vec<String>) -> anyhow::Result<Played> {
    let season = archive.league.season();
    let (began, _) = season.round_times(1).context("no round was announced")?;
    let last = season.round_times(season.round());
    let ended = last.and_then(|(_, completed)| completed);
    let ended = ended.context("the last round was not completed")?;
    let played = archive.matches().filter(|id| {
        let record = season.result(*id);
        record.is_some_and(|record| record.verdict.cause == Cause::Played)
    });
    let matches = season.completed();
    ensure!(
        played.count() as u64 == matches,
        "some matches were not played to their end: this machine is too busy to measure anything"
    );
    let mut match_times = Vec::new();
    archive.transcripts(|_, transcript| {
        match_times.extend(length(&transcript));
        Ok(())
    })?;
    Ok(Played { began, ended, matches, cpu, match_times, endpoints })
}

fn length(transcript: &Transcript) -> Option<Duration> {
    let (first, last) = (transcript.0.first()?, transcript.0.last()?);
    Some(last.timestamp.since(first.timestamp))
}
