//! What the journal alone can do: durable commits a second, facts a second in batches, and how long
//! a manager takes to come back from one that holds a million results with their transcripts.
//!
//! What is written is made of a short season that was played.
//!
//! Spec: docs/bench.md

use std::path::Path;
use std::time::{Duration, Instant};

use agon_core::format::{Fixtures, Paper};
use agon_core::{LeagueFact, Lineup, Machine, Manager, Registration, Settings};
use agon_node::config::Config;
use agon_proto::{AgentId, DisplayName, Endpoint, MatchId, PlayerId, RefereeId};
use agon_store::{Batch, Exhibit, Journal};
use anyhow::{Context, bail, ensure};

use super::inprocess::{AT, options, sample, token};
use crate::lab::temporary_folder;

/// Facts of one batch: about what a busy manager commits at once.
pub(super) const BATCH: u32 = 64;
/// Players of a season of a million matches, and of one of a hundred thousand.
const MILLION: u32 = 1415;
const QUICK: u32 = 448;
/// Facts of one commit of a long journal, as many as a busy manager has.
const LONG_BATCH: usize = 512;
/// The best of so many counts: everything else is the machine's doing.
const TRIES: usize = 3;
/// Room for one result with its transcript and the indexes, generously.
const BYTES_PER_RESULT: u64 = 4096;

/// Results a second that become durable in batches of that size, each with its transcript.
pub(super) async fn rate(sample: &Sample, size: u32, length: Duration) -> anyhow::Result<f64> {
    let dir = temporary_folder()?;
    let mut journal: Journal<LeagueFact> = Journal::open(dir.path())?;
    let (mut round, mut written) = (0, 0);
    let began = Instant::now();
    while began.elapsed() < length {
        round += 1;
        let facts = (1..=size).map(|number| sample.result(MatchId::new(round, number)));
        written = sample.append(&mut journal, facts.collect()).await?;
    }
    Ok(written as f64 / began.elapsed().as_secs_f64())
}

/// How many results a journal held, and how long it took to open it again and to replay it into a
/// fresh manager.
pub(super) async fn reopen(
    sample: &Sample,
    settings: &Settings,
    quick: bool,
) -> anyhow::Result<(u64, Duration)> {
    let players = if quick { QUICK } else { MILLION };
    let paper = Paper::round_robin(players, 1);
    let dir = temporary_folder()?;
    let needed = paper.matches() * BYTES_PER_RESULT;
    if let Some(free) = free_space(dir.path()) {
        ensure!(
            free > needed,
            "{} has {} MB left and this needs {} MB; set TMPDIR, or say --quick",
            dir.path().display(),
            free >> 20,
            needed >> 20
        );
    }
    write(dir.path(), sample, players, paper).await?;
    let mut length = Duration::MAX;
    for _ in 0..TRIES {
        let mut manager = Manager::new(settings.clone(), options()?);
        let began = Instant::now();
        let journal = Journal::open(dir.path())?;
        journal.replay(|fact| manager.apply(&fact))?;
        length = length.min(began.elapsed());
        let found = manager.league().season().completed();
        ensure!(found == paper.matches(), "the journal lost something");
    }
    Ok((paper.matches(), length))
}

/// Writes the season as its manager would: in batches, each durable before the next.
async fn write(dir: &Path, sample: &Sample, players: u32, paper: Paper) -> anyhow::Result<()> {
    let mut journal: Journal<LeagueFact> = Journal::open(dir)?;
    let rounds = (1..=paper.rounds()).flat_map(|round| sample.round(paper, round));
    let mut facts = sample.opening(players)?.into_iter().chain(rounds).peekable();
    while facts.peek().is_some() {
        sample.append(&mut journal, facts.by_ref().take(LONG_BATCH).collect()).await?;
    }
    Ok(())
}

/// Bytes left in a folder, if the system can tell.
fn free_space(dir: &Path) -> Option<u64> {
    rustix::fs::statvfs(dir).ok().map(|system| system.f_bavail * system.f_frsize)
}

/// A season of two players: longer ones are written as this one was.
pub(super) struct Sample {
    facts: Vec<LeagueFact>,
    result: LeagueFact,
    transcript: Vec<u8>,
}

impl Sample {
    pub(super) fn of(config: &Config) -> anyhow::Result<Self> {
        let (facts, transcript) = sample(config)?;
        let is_result = |fact: &&LeagueFact| matches!(fact, LeagueFact::ResultAccepted { .. });
        let result = facts.iter().find(is_result).context("a season has no result")?.clone();
        let transcript = serde_json::to_vec(&transcript).context("could not write a transcript")?;
        Ok(Self { facts, result, transcript })
    }

    /// Everything that a manager writes down before the first round.
    fn opening(&self, players: u32) -> anyhow::Result<Vec<LeagueFact>> {
        let [opened, referee, LeagueFact::Registered(player), ..] = &self.facts[..] else {
            bail!("a season begins in an unknown way");
        };
        let mut facts = vec![opened.clone(), referee.clone()];
        for number in 1..=players {
            let endpoint = Endpoint::new(&format!("http://127.0.0.1:{}/mcp", 8100 + number));
            facts.push(LeagueFact::Registered(Box::new(Registration {
                agent: AgentId::Player(PlayerId::new(number)),
                name: DisplayName::new(&format!("Player {number}")),
                contact: endpoint.into(),
                token: Some(token(number)?),
                ..Registration::clone(player)
            })));
        }
        let lineup = Lineup::All { players, referees: 1 };
        facts.push(LeagueFact::SeasonStarted { lineup, order: None, at: AT });
        Ok(facts)
    }

    /// One round: announced, every result, completed.
    fn round(&self, paper: Paper, round: u32) -> impl Iterator<Item = LeagueFact> {
        let ids = paper.matches_in(round);
        let announced = LeagueFact::RoundAnnounced {
            round,
            fixtures: Fixtures::OnPaper,
            referees: vec![Some(RefereeId::new(1)); ids.len()],
            at: AT,
        };
        let completed = LeagueFact::RoundCompleted { round, at: AT };
        let results = ids.map(|id| self.result(id));
        std::iter::once(announced).chain(results).chain([completed])
    }

    /// The same result of another match.
    fn result(&self, id: MatchId) -> LeagueFact {
        let mut result = self.result.clone();
        if let LeagueFact::ResultAccepted { match_id, .. } = &mut result {
            *match_id = id;
        }
        result
    }

    /// Makes facts durable, each result with its transcript, and says how many the journal has now.
    async fn append(
        &self,
        journal: &mut Journal<LeagueFact>,
        facts: Vec<LeagueFact>,
    ) -> anyhow::Result<u64> {
        let exhibit = |fact: &LeagueFact| {
            let LeagueFact::ResultAccepted { match_id, .. } = fact else { return None };
            Some(Exhibit { key: match_id.to_string(), body: self.transcript.clone() })
        };
        let exhibits = facts.iter().filter_map(exhibit).collect();
        let expected = journal.last();
        Ok(journal.append(expected, Batch { facts, exhibits }).await?)
    }
}

#[cfg(test)]
mod tests;
