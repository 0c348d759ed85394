//! Measures the journal: batched appends, single commits, and the replay of what was written.
//!
//! `cargo run --profile dist -p agon-store --example replay -- [FACTS]`, a million unless told.

#![expect(clippy::print_stdout, reason = "a measurement is there to be printed")]

use std::{
    error::Error,
    hint::black_box,
    time::{Duration, Instant},
};

use agon_store::{Batch, Exhibit, Journal};
use serde::{Deserialize, Serialize};

const FACTS: u64 = 1_000_000;
const BATCH: u64 = 500;
const SINGLES: u64 = 2_000;

/// Shaped like the facts of a league, about 220 bytes of JSON each.
#[derive(Serialize, Deserialize)]
enum Fact {
    Finished {
        match_id: String,
        conversation_id: String,
        attempt: u32,
        referee: String,
        players: [String; 2],
        choices: [Choice; 2],
        drawn: u8,
        winner: Option<String>,
        blame: Option<String>,
        at: u64,
    },
    RoundCompleted {
        round: u32,
    },
}

#[derive(Serialize, Deserialize)]
enum Choice {
    Even,
    Odd,
}

fn fact(n: u64) -> Fact {
    if n.is_multiple_of(1000) {
        return Fact::RoundCompleted { round: u32::try_from(n / 1000).unwrap_or(u32::MAX) };
    }
    let player = format!("P{:05}", n % 1000);
    Fact::Finished {
        match_id: key(n),
        conversation_id: format!("conv-{}-001", key(n)),
        attempt: 1,
        referee: format!("REF{:02}", n % 16),
        players: [player.clone(), format!("P{:05}", n % 997)],
        choices: [Choice::Even, Choice::Odd],
        drawn: 8,
        winner: Some(player),
        blame: None,
        at: 1_760_000_000_000_000 + n,
    }
}

fn key(n: u64) -> String {
    format!("R{}M{}", n / 1000, n % 1000)
}

fn batch(numbers: impl Iterator<Item = u64> + Clone) -> Batch<Fact> {
    Batch {
        facts: numbers.clone().map(fact).collect(),
        exhibits: numbers.map(|n| Exhibit { key: key(n), body: vec![b'x'; 700] }).collect(),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let facts = std::env::args().nth(1).map_or(Ok(FACTS), |text| text.parse())?;
    let dir = tempfile::tempdir()?;
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    runtime.block_on(write(Journal::open(dir.path())?, facts))?;

    let journal = Journal::<Fact>::open(dir.path())?;
    for round in 1..=3 {
        let start = Instant::now();
        let count = journal.replay(|fact| drop(black_box(fact)))?;
        println!("replay {round}: {count} facts in {:.3} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}

/// Single commits come first: after the batches the disk is busy with what it still has to write.
async fn write(mut journal: Journal<Fact>, facts: u64) -> Result<(), agon_store::JournalError> {
    append(&mut journal, "single commits", SINGLES.min(facts), 1).await?;
    append(&mut journal, "batched appends", facts, BATCH).await
}

/// Appends up to fact `until` and prints how fast.
async fn append(
    journal: &mut Journal<Fact>,
    what: &str,
    until: u64,
    size: u64,
) -> Result<(), agon_store::JournalError> {
    let (start, first) = (Instant::now(), journal.last());
    let mut slowest = Duration::ZERO;
    while journal.last() < until {
        let last = journal.last();
        let one = batch(last + 1..=(last + size).min(until));
        let asked = Instant::now();
        journal.append(last, one).await?;
        slowest = slowest.max(asked.elapsed());
    }
    report(what, until - first, start, slowest);
    Ok(())
}

fn report(what: &str, count: u64, start: Instant, slowest: Duration) {
    let seconds = start.elapsed().as_secs_f64();
    #[expect(clippy::cast_precision_loss, reason = "a rate for people needs no last digit")]
    let rate = count as f64 / seconds;
    println!("{what}: {count} in {seconds:.2} s, {rate:.0}/s, slowest {slowest:.1?}");
}
