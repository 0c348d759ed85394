//! The crash test: real seasons of separate processes that are killed, stopped and started at
//! random moments and at named points, and an auditor that reads what all of them wrote down.
//!
//! Where a process dies is chance. A seed repeats the choices, although two runs of real processes
//! are never quite the same.
//!
//! Spec: docs/operate.md

mod books;
mod lab;
mod member;
mod season;
mod strikes;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_node::config::Config;
use agon_node::{Role, random_nonce};
use agon_sim::{Finding, FindingKind, Rng};
use anyhow::Context;
use serde::Serialize;

use crate::CrashOptions;
use crate::figures::{quantile, tenths};
use lab::Lab;
use member::Blow;
use season::CrashSeason;
use strikes::Enough;

/// Where a run stands, in a line for people.
pub enum CrashProgress<'a> {
    Began(&'a str),
    Over(&'a str),
}

/// Season after season, until it is enough or something is wrong.
///
/// # Errors
/// When there is no folder or port for its processes.
pub async fn run(
    config: Config,
    options: &CrashOptions,
    progress: impl Fn(CrashProgress<'_>),
) -> anyhow::Result<CrashFigures> {
    let lab = Arc::new(Lab::new(config, options)?);
    let folder = tempfile::Builder::new().prefix("agon-crash-test-").tempdir();
    let folder = folder.context("could not create a temporary folder")?;
    let (began, enough) = (Instant::now(), Enough::of(options));
    // A number that survives every JSON reader.
    let seed = options.seed.unwrap_or_else(|| random_nonce() >> 32);
    let (chance, mut tally) = (Rng::new(seed), CrashFigures { seed, ..CrashFigures::default() });
    while !enough.is_reached(tally.kills) && tally.problems.is_empty() {
        let number = tally.seasons + 1;
        progress(CrashProgress::Began(&format!("season {number} · {}", tally.summary())));
        let dir = folder.path().join(format!("season-{number}"));
        let season = CrashSeason::open(&lab, &dir, chance.branch(number), enough, &mut tally)?;
        let found = season.play().await;
        tally.found(number, &found);
        progress(CrashProgress::Over(&format!("season {number} · {}", tally.summary())));
        if found.is_empty() && !options.keep {
            let _ = std::fs::remove_dir_all(&dir); // Long runs would fill the disk.
        }
    }
    tally.sum_up();
    tally.seconds = tenths(began.elapsed().as_secs_f64());
    let keep = options.keep || !tally.is_clean();
    tally.folder = keep.then(|| folder.keep().display().to_string());
    Ok(tally)
}

impl CrashFigures {
    fn of(&mut self, role: Role) -> &mut RoleFigures {
        match role {
            Role::Manager => &mut self.manager,
            Role::Referee => &mut self.referees,
            Role::Player => &mut self.players,
        }
    }

    fn felled(&mut self, role: Role, blow: Blow) {
        self.kills += 1;
        self.of(role).kills += 1;
        self.of(role).at_failpoints += u64::from(blow != Blow::Signal);
    }

    /// The run so far, in one line.
    fn summary(&self) -> String {
        let Self { kills, matches, lost, duplicated, .. } = self;
        format!("{kills} kills · {matches} matches · {lost} lost · {duplicated} duplicated")
    }

    /// Adds what was found in one season.
    fn found(&mut self, season: u64, found: &[Finding]) {
        self.lost += count(found, FindingKind::Lost);
        self.duplicated += count(found, FindingKind::Duplicated);
        self.unacknowledged += count(found, FindingKind::Unacknowledged);
        let told = found.iter().map(|finding| format!("season {season}: {}", finding.what));
        self.problems.extend(told);
    }

    /// Sums up how long everybody took to come back.
    fn sum_up(&mut self) {
        let mut all = Vec::new();
        for role in [&mut self.manager, &mut self.referees, &mut self.players] {
            role.recoveries = role.times.len() as u64;
            role.recover_p50_ms = millis(&mut role.times, 0.5);
            role.recover_p99_ms = millis(&mut role.times, 0.99);
            all.append(&mut role.times);
        }
        self.recoveries = all.len() as u64;
        self.recover_p50_ms = millis(&mut all, 0.5);
        self.recover_p99_ms = millis(&mut all, 0.99);
    }

    /// Whether nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.problems.is_empty() && self.completed == self.seasons
    }
}

/// How many matches have that fault.
fn count(found: &[Finding], fault: FindingKind) -> u64 {
    let of_it = found.iter().filter(|finding| finding.kind == fault);
    let matches: BTreeSet<_> = of_it.map(|finding| finding.match_id).collect();
    matches.len() as u64
}

fn millis(times: &mut [Duration], share: f64) -> f64 {
    tenths(quantile(times, share).as_secs_f64() * 1e3)
}

/// The figures of one role.
#[derive(Debug, Default, Serialize)]
pub struct RoleFigures {
    pub kills: u64,
    /// Of those, deaths at a named point.
    pub at_failpoints: u64,
    pub stops: u64,
    pub recoveries: u64,
    pub recover_p50_ms: f64,
    pub recover_p99_ms: f64,
    /// How long each of its processes took to come back, each time.
    #[serde(skip)]
    pub times: Vec<Duration>,
}

/// What came of it.
#[derive(Debug, Default, Serialize)]
pub struct CrashFigures {
    pub seed: u64,
    pub seconds: f64,
    pub seasons: u64,
    pub completed: u64,
    pub kills: u64,
    /// Fewer than the kills: some processes were killed again before they were back.
    pub recoveries: u64,
    pub recover_p50_ms: f64,
    pub recover_p99_ms: f64,
    pub manager: RoleFigures,
    pub referees: RoleFigures,
    pub players: RoleFigures,
    /// Processes that ended by themselves with an error and were started again.
    pub gave_up: u64,
    pub matches: u64,
    pub cancelled: u64,
    pub lost: u64,
    pub duplicated: u64,
    pub unacknowledged: u64,
    pub problems: Vec<String>,
    pub folder: Option<String>,
}

#[cfg(test)]
mod tests;
