//! How long a manager takes to come back: a journal of a million results with their transcripts is
//! opened and replayed into a fresh manager.
//!
//! Spec: docs/bench.md

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use agon_core::format::Paper;
use agon_core::{LeagueFact, Machine, Manager, Settings};
use agon_store::Journal;
use anyhow::{Context, ensure};
use tempfile::TempDir;

use super::ledger;

/// Players of a season of a million matches, and of one of a hundred thousand.
const MILLION: u32 = 1415;
const QUICK: u32 = 448;
/// Facts of one commit, as many as a busy manager has.
const BATCH: usize = 512;
/// The best of so many counts: everything else is the machine's doing.
const TRIES: usize = 3;
/// Room for one result with its transcript and the indexes, generously.
const BYTES_PER_RESULT: u64 = 4096;

/// How many results a journal held, and how long it took to open it again.
pub(super) async fn measure(settings: &Settings, quick: bool) -> anyhow::Result<(u64, Duration)> {
    let players = if quick { QUICK } else { MILLION };
    let format = Paper::round_robin(players, 1);
    let dir = TempDir::new().context("could not make a temporary folder")?;
    let needed = format.matches() * BYTES_PER_RESULT;
    if let Some(free) = free_space(dir.path()) {
        ensure!(
            free > needed,
            "{} has {} MB left and this needs {} MB; set TMPDIR, or say --quick",
            dir.path().display(),
            free >> 20,
            needed >> 20
        );
    }
    write(dir.path(), settings, players).await?;
    let mut length = Duration::MAX;
    for _ in 0..TRIES {
        let mut manager = Manager::new(settings.clone(), ledger::options()?);
        let began = Instant::now();
        let journal = Journal::open(dir.path())?;
        journal.replay(|fact| manager.apply(&fact))?;
        length = length.min(began.elapsed());
        let found = manager.league().season().completed();
        ensure!(found == format.matches(), "the journal lost something");
        drop(journal);
    }
    Ok((format.matches(), length))
}

/// Writes the season as its manager would: in batches, each durable before the next.
async fn write(dir: &Path, settings: &Settings, players: u32) -> anyhow::Result<()> {
    let mut journal: Journal<LeagueFact> = Journal::open(dir)?;
    let format = Paper::round_robin(players, 1);
    let body = ledger::transcript(settings)?;
    let mut facts = ledger::opening(settings, players)?
        .into_iter()
        .chain((1..=format.rounds()).flat_map(|round| ledger::round(format, round)))
        .peekable();
    while facts.peek().is_some() {
        ledger::append(&mut journal, facts.by_ref().take(BATCH).collect(), &body).await?;
    }
    Ok(())
}

/// Bytes left in a folder, if the system can tell.
fn free_space(dir: &Path) -> Option<u64> {
    let output = Command::new("df").arg("-Pk").arg(dir).output().ok()?;
    available(std::str::from_utf8(&output.stdout).ok()?)
}

/// The fourth column of the last line, in kilobytes.
fn available(listing: &str) -> Option<u64> {
    let line = listing.lines().last()?;
    let kilobytes: u64 = line.split_whitespace().nth(3)?.parse().ok()?;
    Some(kilobytes << 10)
}

#[cfg(test)]
mod tests;
