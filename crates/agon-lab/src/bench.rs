//! The bench: how fast this machine plays, as a ratio to what its HTTP stack can do at all.
//!
//! Every measurement is bounded in time.
//!
//! Spec: docs/bench.md

mod bare;
mod inprocess;
mod journal;
mod skew;

use std::path::Path;
use std::time::Duration;

use agon_node::config::Config;
use agon_node::settings;
use anyhow::ensure;
use serde::Serialize;

use crate::BenchOptions;
use crate::figures::{median, millis, quantile, tenths, thousandths};
use crate::lab::{Cpu, Lab, Messages, Played};
use bare::Replayed;
pub use bare::serve as serve_bare;
use journal::Sample;

/// Everything that `agon bench` finds out.
#[derive(Debug, Serialize)]
pub struct BenchFigures {
    pub version: &'static str,
    pub cores: usize,
    pub quick: bool,
    pub players: u32,
    pub matches: u64,
    pub pairs: u32,
    pub http_matches_per_s: f64,
    pub bare_matches_per_s: f64,
    pub ratio: f64,
    /// The ratio of each pair.
    pub ratios: Vec<f64>,
    /// The speed of a season whose manager and referee keep every message, and what is left of the
    /// speed that it has without.
    pub message_log_matches_per_s: f64,
    pub message_log_ratio: f64,
    pub calls_per_match: f64,
    pub cpu_us_per_match: CpuPerMatch,
    pub bare_cpu_us_per_match: CpuPerMatch,
    pub match_p50_ms: f64,
    pub match_p99_ms: f64,
    pub choice_skew_p50_us: f64,
    pub choice_skew_p99_us: f64,
    pub inprocess_matches_per_s: f64,
    pub commits_per_s: f64,
    pub facts_per_s: f64,
    /// How many results the journal held that was opened again, and how long that took.
    pub reopen_results: u64,
    pub reopen_s: f64,
    /// The same if they were a million; nothing is scaled.
    pub reopen_million_s: Option<f64>,
}

/// Processor time of one match, by process.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct CpuPerMatch {
    pub manager: f64,
    pub referee: f64,
    pub players: f64,
}

impl CpuPerMatch {
    /// The average over some seasons of so many matches each.
    fn of(seasons: &[Cpu], matches: u64) -> Self {
        let all = seasons.len() as f64 * matches as f64;
        let [manager, referee, players] = [0, 1, 2].map(|place| {
            let sum: Duration = seasons.iter().map(|cpu| cpu[place]).sum();
            tenths(sum.as_secs_f64() * 1e6 / all)
        });
        Self { manager, referee, players }
    }
}

/// Measures everything, and tells on stderr what it is about. If the configuration came from a
/// file the processes read that too.
///
/// # Errors
/// When a process cannot be started, breaks down or is too slow to measure anything.
pub async fn run(
    config: Config,
    file: Option<&Path>,
    options: &BenchOptions,
) -> anyhow::Result<BenchFigures> {
    let &BenchOptions { players, pairs, quick } = options;
    let mut lab = Lab::new(config, players.unwrap_or(usual(quick, 64, 16)));
    file.map_or(Ok(()), |file| lab.read(file))?;
    measure(&lab, pairs.unwrap_or(usual(quick, 5, 1)), quick).await
}

/// How much of something is done: that much, or less of it.
const fn usual(quick: bool, full: u32, less: u32) -> u32 {
    if quick { less } else { full }
}

async fn measure(lab: &Lab, pairs: u32, quick: bool) -> anyhow::Result<BenchFigures> {
    let settings = settings(&lab.config);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let millis_of = |full, less| Duration::from_millis(usual(quick, full, less).into());
    eprintln!("1/6 seasons without a wire …");
    let inprocess = inprocess::measure(&lab.config, cores, millis_of(2_000, 300))?;
    eprintln!("2/6 the journal …");
    let sample = Sample::of(&lab.config)?;
    let commits_per_s = journal::rate(&sample, 1, millis_of(1_000, 200)).await?;
    let facts_per_s = journal::rate(&sample, journal::BATCH, millis_of(1_000, 200)).await?;
    eprintln!("3/6 a long journal is written and opened again …");
    let (reopen_results, reopened) = journal::reopen(&sample, &settings, quick).await?;
    eprintln!("4/6 the skew of choice calls …");
    let mut skews = skew::measure(lab, usual(quick, 32, 8)).await?;
    ensure!(!skews.is_empty(), "no match was played");
    eprintln!("5/6 seasons of {} players and bare HTTP in turn …", lab.players);
    let (calls, compared) = compare(lab, pairs).await?;
    eprintln!("6/6 seasons with every message kept and without, in turn …");
    let kept = with_and_without_log(lab, pairs).await?;
    let (logged, log_ratios): (Vec<f64>, Vec<f64>) = kept.into_iter().unzip();
    let reopen_s = thousandths(reopened.as_secs_f64());
    let (seasons, replays): (Vec<Played>, Vec<Replayed>) = compared.into_iter().unzip();
    let matches = seasons.first().map_or(0, |season| season.matches);
    let rate = |length: Duration| matches as f64 / length.as_secs_f64();
    let rates: Vec<f64> = seasons.iter().map(|season| rate(season.length())).collect();
    let bare_rates: Vec<f64> = replays.iter().map(|replayed| rate(replayed.length)).collect();
    let ratios: Vec<f64> = rates.iter().zip(&bare_rates).map(|(rate, bare)| rate / bare).collect();
    let cpu: Vec<Cpu> = seasons.iter().map(|season| season.cpu).collect();
    let bare_cpu: Vec<Cpu> = replays.iter().map(|replayed| replayed.cpu).collect();
    let mut match_times: Vec<Duration> =
        seasons.into_iter().flat_map(|season| season.match_times).collect();
    let micros = |duration: Duration| tenths(duration.as_secs_f64() * 1e6);
    Ok(BenchFigures {
        version: env!("CARGO_PKG_VERSION"),
        cores,
        quick,
        players: lab.players,
        matches,
        pairs,
        http_matches_per_s: tenths(median(&rates)),
        bare_matches_per_s: tenths(median(&bare_rates)),
        ratio: thousandths(median(&ratios)),
        ratios: ratios.into_iter().map(thousandths).collect(),
        message_log_matches_per_s: tenths(median(&logged)),
        message_log_ratio: thousandths(median(&log_ratios)),
        calls_per_match: thousandths(calls as f64 / matches as f64),
        cpu_us_per_match: CpuPerMatch::of(&cpu, matches),
        bare_cpu_us_per_match: CpuPerMatch::of(&bare_cpu, matches),
        match_p50_ms: millis(quantile(&mut match_times, 0.5)),
        match_p99_ms: millis(quantile(&mut match_times, 0.99)),
        choice_skew_p50_us: micros(quantile(&mut skews, 0.5)),
        choice_skew_p99_us: micros(quantile(&mut skews, 0.99)),
        inprocess_matches_per_s: inprocess.round(),
        commits_per_s: commits_per_s.round(),
        facts_per_s: facts_per_s.round(),
        reopen_results,
        reopen_s,
        reopen_million_s: (!quick).then_some(reopen_s),
    })
}

/// How many calls a season makes; and seasons and replays of them, in turn.
async fn compare(lab: &Lab, pairs: u32) -> anyhow::Result<(usize, Vec<(Played, Replayed)>)> {
    let calls = bare::recorded(lab).await?;
    let mut compared = Vec::new();
    for _ in 0..pairs {
        let season = lab.play().await?;
        let replayed = bare::replay(lab, &calls).await?;
        eprintln!(
            "    {:.0} matches/s, bare {:.0} matches/s",
            season.matches as f64 / season.length().as_secs_f64(),
            season.matches as f64 / replayed.length.as_secs_f64(),
        );
        compared.push((season, replayed));
    }
    Ok((calls.iter().map(Vec::len).sum(), compared))
}

/// How fast seasons are in which every message is kept, and that divided by how fast they are
/// without.
async fn with_and_without_log(lab: &Lab, pairs: u32) -> anyhow::Result<Vec<(f64, f64)>> {
    let mut rates = Vec::new();
    for _ in 0..pairs {
        let mut pair = [0.0; 2];
        for (rate, messages) in pair.iter_mut().zip([Messages::Unkept, Messages::Kept]) {
            let mut lab = lab.clone();
            lab.messages = messages;
            let season = lab.play().await?;
            *rate = season.matches as f64 / season.length().as_secs_f64();
        }
        let [without, with] = pair;
        eprintln!("    {with:.0} matches/s, without {without:.0} matches/s");
        rates.push((with, with / without));
    }
    Ok(rates)
}

#[cfg(test)]
mod tests;
