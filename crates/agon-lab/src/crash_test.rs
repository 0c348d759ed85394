//! The crash test: real seasons of separate processes that are killed, stopped and started at
//! random moments and at named points, and an auditor that reads what all of them wrote down.
//!
//! Where a process dies is chance. A seed repeats the choices, although two runs of real processes
//! are never quite the same.
//!
//! Spec: docs/operate.md

mod lab;
mod member;
mod season;
mod strikes;
mod tally;

use std::sync::Arc;
use std::time::Instant;

use agon_node::config::Config;
use agon_sim::Rng;
use anyhow::Context;

use lab::Lab;
use season::Season;
pub use strikes::Enough;
use tally::Tally;
pub use tally::{CrashFigures, RoleFigures};

/// What a run is.
pub struct CrashOptions {
    /// How many players, each a process.
    pub players: u32,
    /// How many referees, each a process.
    pub referees: u32,
    pub enough: Enough,
    pub seed: u64,
    /// Whether the folder with all journals and logs is kept, whatever comes of it.
    pub keep: bool,
}

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
    let began = Instant::now();
    let (chance, mut tally) = (Rng::new(options.seed), Tally::default());
    while !options.enough.is_reached(tally.so_far.kills) && tally.so_far.problems.is_empty() {
        let number = tally.so_far.seasons + 1;
        progress(CrashProgress::Began(&format!("season {number} · {}", tally.summary())));
        let dir = folder.path().join(format!("season-{number}"));
        let season = Season::open(&lab, &dir, chance.branch(number), options.enough, &mut tally)?;
        let found = season.play().await;
        tally.found(number, &found);
        progress(CrashProgress::Over(&format!("season {number} · {}", tally.summary())));
        if found.is_empty() && !options.keep {
            let _ = std::fs::remove_dir_all(&dir); // Long runs would fill the disk.
        }
    }
    let keep = options.keep
        || !tally.so_far.problems.is_empty()
        || tally.so_far.completed < tally.so_far.seasons;
    let kept = keep.then(|| folder.keep());
    Ok(tally.figures(options.seed, began.elapsed(), kept.as_deref()))
}
