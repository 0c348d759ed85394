//! What the journal alone can do: durable commits a second, facts a second in batches, and how long
//! a manager takes to come back from one that holds a million results with their transcripts.
//!
//! Spec: docs/bench.md

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use agon_core::format::Paper;
use agon_core::{LeagueFact, Machine, Manager, Settings};
use agon_proto::MatchId;
use agon_store::Journal;
use anyhow::ensure;

use super::ledger;
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
pub(super) async fn rate(settings: &Settings, size: u32, length: Duration) -> anyhow::Result<f64> {
    let dir = temporary_folder()?;
    let mut journal: Journal<LeagueFact> = Journal::open(dir.path())?;
    let body = ledger::transcript(settings)?;
    let (mut round, mut written) = (0, 0);
    let began = Instant::now();
    while began.elapsed() < length {
        round += 1;
        let facts = (1..=size).map(|number| ledger::result(MatchId::new(round, number)));
        written = ledger::append(&mut journal, facts.collect(), &body).await?;
    }
    Ok(written as f64 / began.elapsed().as_secs_f64())
}

/// How many results a journal held, and how long it took to open it again and to replay it into a
/// fresh manager.
pub(super) async fn reopen(settings: &Settings, quick: bool) -> anyhow::Result<(u64, Duration)> {
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
    write(dir.path(), settings, players, paper).await?;
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
async fn write(dir: &Path, settings: &Settings, players: u32, paper: Paper) -> anyhow::Result<()> {
    let mut journal: Journal<LeagueFact> = Journal::open(dir)?;
    let body = ledger::transcript(settings)?;
    let rounds = (1..=paper.rounds()).flat_map(|round| ledger::round(paper, round));
    let mut facts = ledger::opening(settings, players)?.into_iter().chain(rounds).peekable();
    while facts.peek().is_some() {
        ledger::append(&mut journal, facts.by_ref().take(LONG_BATCH).collect(), &body).await?;
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
