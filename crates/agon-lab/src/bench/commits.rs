//! What the journal alone can do: durable commits a second, and facts a second in batches.

use std::time::{Duration, Instant};

use agon_core::{LeagueFact, Settings};
use agon_proto::MatchId;
use agon_store::Journal;
use anyhow::Context;
use tempfile::TempDir;

use super::ledger;

/// Facts of one batch: about what a busy manager commits at once.
pub(super) const BATCH: u32 = 64;

/// Results a second that become durable in batches of that size, each with its transcript.
pub(super) async fn rate(settings: &Settings, size: u32, length: Duration) -> anyhow::Result<f64> {
    let dir = TempDir::new().context("could not make a temporary folder")?;
    let mut journal: Journal<LeagueFact> = Journal::open(dir.path())?;
    let body = ledger::transcript(settings)?;
    let (mut round, mut written) = (0, 0);
    let began = Instant::now();
    while began.elapsed() < length {
        round += 1;
        let numbers = 1..=size;
        let facts = numbers.map(|number| ledger::result(MatchId::new(round, number)));
        written = ledger::append(&mut journal, facts.collect(), &body).await?;
    }
    Ok(written as f64 / began.elapsed().as_secs_f64())
}
