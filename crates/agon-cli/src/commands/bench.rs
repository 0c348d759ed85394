//! `agon bench`: how fast this machine plays, as a ratio to what its HTTP stack can do at all.
//!
//! Every measurement is bounded in time, stays on loopback and in a temporary folder, and ends the
//! processes that it began.
//!
//! Spec: docs/bench.md

mod bare;
mod commits;
pub(super) mod figures;
mod inprocess;
mod ledger;
pub(super) mod processes;
mod record;
mod reopen;
pub(super) mod season;
mod skew;

use std::process::ExitCode;
use std::time::Duration;

use agon_node::config::Tls;
use agon_node::settings;
use anyhow::{Context, ensure};
use tempfile::TempDir;
use toml::Table;

use crate::args::{Bench, BenchBare, Common};
use crate::{life, logs, output};
use figures::{CpuPerMatch, Figures, median, quantile, tenths, thousandths};
use record::Call;
use season::{Cpu, Lab, Played};

/// How much of everything is done.
struct Effort {
    inprocess: Duration,
    commits: Duration,
    skew_players: u32,
    pairs: u32,
}

const FULL: Effort = Effort {
    inprocess: Duration::from_secs(2),
    commits: Duration::from_secs(1),
    skew_players: 32,
    pairs: 5,
};
const QUICK: Effort = Effort {
    inprocess: Duration::from_millis(300),
    commits: Duration::from_millis(200),
    skew_players: 8,
    pairs: 1,
};

/// One process of the bare stack; nobody but `agon bench` starts it.
pub(super) fn bare(args: &BenchBare) -> anyhow::Result<ExitCode> {
    bare::run(args)
}

pub(super) fn run(common: &Common, args: &Bench) -> anyhow::Result<ExitCode> {
    let mut config = common.load(Table::new())?;
    config.tls = Tls::default(); // The bare stack has none either.
    if common.log.is_some() {
        logs::start(&config)?; // Otherwise only the figures speak.
    }
    let effort = if args.quick { QUICK } else { FULL };
    let mut flags = vec!["--json".to_owned(), "--log".to_owned(), "error".to_owned()];
    if let Some(file) = &common.config {
        let file = file.to_str().context("the configuration file has a strange name")?;
        flags.extend(["--config".to_owned(), file.to_owned()]);
    }
    let players = args.players.unwrap_or(if args.quick { 16 } else { 64 });
    let lab = Lab { config, flags, players };
    let pairs = args.pairs.unwrap_or(effort.pairs);
    let figures = life::runtime()?.block_on(measure(&lab, &effort, pairs, args.quick))?;
    if common.json {
        output::json(&figures)?;
    } else {
        output::line(figures.table());
    }
    Ok(ExitCode::SUCCESS)
}

async fn measure(lab: &Lab, effort: &Effort, pairs: u32, quick: bool) -> anyhow::Result<Figures> {
    let settings = settings(&lab.config);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    output::talk("1/5 seasons without a wire …");
    let inprocess = inprocess::measure(&settings, cores, effort.inprocess)?;
    output::talk("2/5 the journal …");
    let commits = commits::measure(effort.commits).await?;
    output::talk("3/5 a long journal is written and opened again …");
    let reopened = reopen::measure(&settings, quick).await?;
    output::talk("4/5 the skew of choice calls …");
    let mut skews = skew::measure(lab, effort.skew_players).await?;
    ensure!(!skews.is_empty(), "no match was played");
    output::talk(format!("5/5 seasons of {} players and bare HTTP in turn …", lab.players));
    let mut compared = compare(lab, pairs).await?;
    let reopen_s = thousandths(reopened.length.as_secs_f64());
    let matches = compared.matches;
    let length = |duration: &Duration| matches as f64 / duration.as_secs_f64();
    let rates = |lengths: &[Duration]| median(&lengths.iter().map(length).collect::<Vec<_>>());
    let micros = |duration: Duration| tenths(duration.as_secs_f64() * 1e6);
    let millis = |duration: Duration| thousandths(duration.as_secs_f64() * 1e3);
    Ok(Figures {
        version: env!("CARGO_PKG_VERSION"),
        cores,
        quick,
        players: lab.players,
        matches,
        pairs,
        http_matches_per_s: tenths(rates(&compared.seasons)),
        bare_matches_per_s: tenths(rates(&compared.replays)),
        ratio: thousandths(median(&compared.ratios)),
        ratios: compared.ratios.iter().copied().map(thousandths).collect(),
        calls_per_match: thousandths(compared.calls as f64 / matches as f64),
        cpu_us_per_match: CpuPerMatch::of(&compared.cpu, matches),
        bare_cpu_us_per_match: CpuPerMatch::of(&compared.bare_cpu, matches),
        match_p50_ms: millis(quantile(&mut compared.match_times, 0.5)),
        match_p99_ms: millis(quantile(&mut compared.match_times, 0.99)),
        choice_skew_p50_us: micros(quantile(&mut skews, 0.5)),
        choice_skew_p99_us: micros(quantile(&mut skews, 0.99)),
        inprocess_matches_per_s: inprocess.round(),
        commits_per_s: commits.single_per_s.round(),
        facts_per_s: commits.facts_per_s.round(),
        reopen_results: reopened.results,
        reopen_s,
        reopen_million_s: reopened.whole.then_some(reopen_s),
    })
}

/// Seasons and replays, in turn.
#[derive(Default)]
struct Compared {
    matches: u64,
    calls: usize,
    seasons: Vec<Duration>,
    replays: Vec<Duration>,
    ratios: Vec<f64>,
    cpu: Vec<Cpu>,
    bare_cpu: Vec<Cpu>,
    match_times: Vec<Duration>,
}

async fn compare(lab: &Lab, pairs: u32) -> anyhow::Result<Compared> {
    let calls = recorded(lab).await?;
    let mut compared = Compared { calls: calls.iter().map(Vec::len).sum(), ..Compared::default() };
    for _ in 0..pairs {
        let season = lab.play(None).await?;
        let replayed = bare::replay(lab, &calls).await?;
        let length = season.length();
        let Played { matches, cpu, match_times, .. } = season;
        let ratio = replayed.length.as_secs_f64() / length.as_secs_f64();
        output::talk(format!(
            "    {:.0} matches/s, bare {:.0} matches/s",
            matches as f64 / length.as_secs_f64(),
            matches as f64 / replayed.length.as_secs_f64(),
        ));
        compared.matches = matches;
        compared.seasons.push(length);
        compared.replays.push(replayed.length);
        compared.ratios.push(ratio);
        compared.cpu.push(cpu);
        compared.bare_cpu.push(replayed.cpu);
        compared.match_times.extend(match_times);
    }
    Ok(compared)
}

/// The calls of a season that is not timed, because recording costs time.
async fn recorded(lab: &Lab) -> anyhow::Result<[Vec<Call>; 2]> {
    let folder = TempDir::new().context("could not make a temporary folder")?;
    let season = lab.play(Some(folder.path())).await?;
    let calls = record::read(folder.path(), &season)?;
    ensure!(calls.iter().all(|of| !of.is_empty()), "no calls were recorded");
    Ok(calls)
}
