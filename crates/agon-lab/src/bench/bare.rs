//! The bare stack: three processes that replay the calls of a season, as its manager and its
//! referee recorded them, with hyper and nothing else.
//!
//! Equal to the season: the processes and their listeners, the number of calls, who calls whom in
//! which order, the sizes of requests and answers, pooled connections, and for each call how many
//! others of its process were under way. Not equal: nobody waits for anybody else's call, as a
//! season waits for answers and rounds; bodies are filling, so nothing is read, decided or written
//! down.
//!
//! Spec: docs/bench.md

mod replay;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use agon_proto::Timestamp;
use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};

use crate::lab::{Cpu, Lab, address, cpu_since, temporary_folder};
use crate::processes::Worker;
pub use replay::serve;

/// One call that was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Call {
    /// To which listener.
    pub(super) to: usize,
    /// How many bytes there.
    pub(super) request: usize,
    /// How many bytes back.
    pub(super) answer: usize,
    /// How many calls of its process were under way then, itself included.
    pub(super) abreast: usize,
}

/// What one process of the bare stack is told: everybody's ports, and its own calls.
#[derive(Debug, Serialize, Deserialize)]
struct Orders {
    ports: Vec<u16>,
    calls: Vec<Call>,
}

/// What a replay took.
pub(super) struct Replayed {
    pub(super) length: Duration,
    pub(super) cpu: Cpu,
}

/// What the manager and the referee called between the start and the end of a season. It is not
/// timed, because recording costs time.
pub(super) async fn recorded(lab: &Lab) -> anyhow::Result<[Vec<Call>; 2]> {
    let folder = temporary_folder()?;
    let mut lab = lab.clone();
    lab.record = Some(folder.path().to_owned());
    let season = lab.play().await?;
    let places = season.endpoints.iter().enumerate();
    let places: HashMap<&str, usize> = places.map(|(place, at)| (at.as_str(), place)).collect();
    let of = |place: usize| -> anyhow::Result<Vec<Call>> {
        let path = folder.path().join(address(&season.endpoints[place])?.port().to_string());
        let text = std::fs::read_to_string(path).context("a process recorded nothing")?;
        Ok(parse(&text, (season.began, season.ended), &places))
    };
    let calls = [of(0)?, of(1)?];
    ensure!(calls.iter().all(|of| !of.is_empty()), "no calls were recorded");
    Ok(calls)
}

/// Lines stand in the order of the answers; calls are wanted in the order in which they went out.
fn parse(
    text: &str,
    (began, ended): (Timestamp, Timestamp),
    places: &HashMap<&str, usize>,
) -> Vec<Call> {
    let of_season = |(at, _): &(i64, Call)| (began.micros()..=ended.micros()).contains(at);
    let found = text.lines().filter_map(|line| line_of(line, places));
    let mut found: Vec<_> = found.filter(of_season).collect();
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, call)| call).collect()
}

fn line_of(line: &str, places: &HashMap<&str, usize>) -> Option<(i64, Call)> {
    let mut words = line.split(' ');
    let at = words.next()?.parse().ok()?;
    let abreast = words.next()?.parse().ok()?;
    let (request, answer) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let to = *places.get(words.next()?)?;
    Some((at, Call { to, request, answer, abreast }))
}

/// Replays a season's calls once.
pub(super) async fn replay(lab: &Lab, calls: &[Vec<Call>; 2]) -> anyhow::Result<Replayed> {
    let mut ports = Vec::new();
    let start =
        |listeners: u32| lab.start(&["bench-bare", "--listeners", &listeners.to_string()], None);
    let mut workers = [start(1)?, start(1)?, start(lab.players)?];
    for worker in &mut workers {
        let line = worker.line().await?;
        let own: Vec<u16> = serde_json::from_str(&line).context("a bare process is confused")?;
        ports.extend(own);
    }
    let [manager, referee] = calls.clone();
    for (worker, calls) in workers.iter_mut().zip([manager, referee, Vec::new()]) {
        let ports = ports.clone();
        let orders = serde_json::to_string(&Orders { ports, calls })?;
        worker.say(&orders).await?;
        hear(worker, "ready").await?;
    }
    let before = cpu_since(Cpu::default(), workers.each_ref())?;
    let began = Instant::now();
    for worker in workers.iter_mut().rev() {
        worker.say("go").await?;
    }
    for worker in &mut workers {
        hear(worker, "done").await?;
    }
    let length = began.elapsed();
    Ok(Replayed { length, cpu: cpu_since(before, workers.each_ref())? })
}

async fn hear(worker: &mut Worker, expected: &str) -> anyhow::Result<()> {
    let line = worker.line().await?;
    ensure!(line == expected, "a bare process said {line:?}");
    Ok(())
}

#[cfg(test)]
mod tests;
