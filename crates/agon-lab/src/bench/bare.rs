//! The bare stack: three processes that replay the calls of a season with hyper and nothing else.
//!
//! Equal to the season: the processes and their listeners, the number of calls, who calls whom in
//! which order, the sizes of requests and answers, pooled connections, and for each call how many
//! others of its process were under way. Not equal: nobody waits for anybody else's call, as a
//! season waits for answers and rounds; bodies are filling, so nothing is read, decided or written
//! down.
//!
//! Spec: docs/bench.md

mod replay;

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};

use super::record::Call;
use crate::lab::{Cpu, Lab, cpu_since};
use crate::processes::Worker;
pub use replay::serve;

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
