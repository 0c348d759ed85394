//! What the journal alone can do: durable commits a second, facts a second in batches, and how long
//! a manager takes to come back from one that holds a million results with their transcripts.
//!
//! Spec: docs/bench.md

use std::path::Path;
use std::time::{Duration, Instant};

use agon_core::format::Paper;
use agon_core::{LeagueFact, Machine, Manager, Settings};
use agon_proto::MatchId;
use agon_store::Journal;
use anyhow::ensure;

use super::ledger::{self, Sample};
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
        let mut manager = Manager::new(settings.clone(), ledger::options()?);
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

#[cfg(test)]
mod tests;
