//! `agon crash-test`: real seasons of separate processes that are killed, stopped and started at
//! random moments and at named points, and a checker that reads what all of them wrote down.
//!
//! Where a process dies is chance. A seed repeats the choices, although two runs of real processes
//! are never quite the same.
//!
//! Spec: docs/operate.md

mod chance;
mod check;
mod history;
mod lab;
mod member;
mod season;
mod strikes;
mod tally;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_node::random_nonce;
use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use tempfile::TempDir;
use toml::Table;

use crate::args::{Common, CrashTest, EXIT_REFUSED};
use crate::{life, logs, output};
use chance::Chance;
use lab::Lab;
use season::Season;
use strikes::Until;
use tally::Tally;

/// How long it strikes unless somebody says otherwise.
const MINUTES: f64 = 1.0;
/// How often the line that shows the progress moves.
const TICK: Duration = Duration::from_millis(120);

pub(super) fn run(common: &Common, args: &CrashTest) -> anyhow::Result<ExitCode> {
    let config = common.load(Table::new())?;
    if common.log.is_some() {
        logs::start(&config)?; // Otherwise only the figures speak.
    }
    let lab = Arc::new(Lab::new(config, args)?);
    let folder = tempfile::Builder::new().prefix("agon-crash-test-").tempdir();
    let folder = folder.context("could not create a temporary folder")?;
    // A number that survives every JSON reader.
    let seed = args.seed.unwrap_or_else(|| random_nonce() >> 32);
    let began = Instant::now();
    let tally = life::runtime()?.block_on(play(common, args, &lab, (&folder, seed)))?;
    let keep = args.keep || !tally.problems.is_empty() || tally.completed < tally.seasons;
    let kept = keep.then(|| folder.keep());
    let figures = tally.figures(seed, began.elapsed(), kept.as_deref());
    if common.json {
        output::json(&figures)?;
    } else {
        output::line(figures.text());
    }
    if let Some(kept) = kept {
        output::talk(format!("journals and logs kept: {}", kept.display()));
    }
    Ok(if figures.is_clean() { ExitCode::SUCCESS } else { ExitCode::from(EXIT_REFUSED) })
}

/// Season after season, until it is enough or something is wrong.
async fn play(
    common: &Common,
    args: &CrashTest,
    lab: &Arc<Lab>,
    (folder, seed): (&TempDir, u64),
) -> anyhow::Result<Tally> {
    let mut signal = life::stop_on_signal()?;
    let minutes = Duration::from_secs_f64(args.minutes.unwrap_or(MINUTES) * 60.0);
    let until = match args.kills {
        Some(kills) => Until::Kills(u64::from(kills)),
        None => Until::Time(Instant::now() + minutes),
    };
    let bar = bar(common);
    let (chance, mut tally) = (Chance::new(seed), Tally::default());
    while !until.is_reached(tally.kills()) && tally.problems.is_empty() {
        let number = tally.seasons + 1;
        bar.set_message(format!("season {number} · {}", tally.summary()));
        let dir = folder.path().join(format!("season-{number}"));
        let season = Season::open(lab, &dir, chance.branch(number), until, &mut tally)?;
        let found = tokio::select! {
            found = season.play() => found,
            _ = signal.changed() => bail!("stopped before the end; nothing is proved"),
        };
        tally.found(number, &found);
        if !common.json {
            bar.suspend(|| output::talk(format!("season {number} · {}", tally.summary())));
        }
        if found.is_empty() && !args.keep {
            let _ = std::fs::remove_dir_all(&dir); // Long runs would fill the disk.
        }
    }
    bar.finish_and_clear();
    Ok(tally)
}

fn bar(common: &Common) -> ProgressBar {
    let bar = if common.json { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
    let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.enable_steady_tick(TICK);
    bar
}
