//! `agon bench`: what the rig finds out, for machines as one object and for people as a table with
//! a sentence each.
//!
//! Spec: docs/bench.md

use std::process::ExitCode;

use agon_lab::bench::{self, BenchFigures, BenchOptions, CpuPerMatch};
use agon_node::config::Tls;
use toml::Table;

use crate::args::{Bench, BenchBare, Common};
use crate::{life, logs, output};

/// One process of the bare stack; nobody but `agon bench` starts it.
pub(super) fn bare(args: &BenchBare) -> anyhow::Result<ExitCode> {
    life::runtime()?.block_on(bench::serve_bare(args.listeners))?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn run(common: &Common, args: &Bench) -> anyhow::Result<ExitCode> {
    let mut config = common.load(Table::new())?;
    config.tls = Tls::default(); // The bare stack has none either.
    if common.log.is_some() {
        logs::start(&config)?; // Otherwise only the figures speak.
    }
    let &Bench { players, pairs, quick } = args;
    let options = BenchOptions { config, file: common.config.clone(), players, pairs, quick };
    let figures = life::runtime()?.block_on(bench::run(options))?;
    if common.json {
        output::json(&figures)?;
    } else {
        output::line(output::figures(rows(&figures)));
    }
    Ok(ExitCode::SUCCESS)
}

fn rows(figures: &BenchFigures) -> Vec<(String, &'static str, String)> {
    let (cpu, bare) = (figures.cpu_us_per_match, figures.bare_cpu_us_per_match);
    vec![
        (
            format!("{:.2}", figures.ratio),
            "ratio",
            format!("speed of a season to that of bare HTTP, median of {}", figures.pairs),
        ),
        (
            format!("{:.0}", figures.http_matches_per_s),
            "matches/s",
            format!("a season of {} players, every result durable", figures.players),
        ),
        (
            format!("{:.0}", figures.bare_matches_per_s),
            "matches/s",
            "bare hyper with the same calls, no rules, no journal".to_owned(),
        ),
        (
            format!("{:.1}", figures.calls_per_match),
            "calls",
            "HTTP calls of one match, with its share of the broadcasts".to_owned(),
        ),
        (format!("{:.0}", sum(cpu)), "µs CPU", format!("of one match: {}", text(cpu))),
        (
            format!("{:.0}", sum(bare)),
            "µs CPU",
            format!("of one match on bare HTTP: {}", text(bare)),
        ),
        (
            format!("{:.1}", figures.match_p50_ms),
            "ms",
            format!("half of all matches; 99 of 100 take {:.1} ms", figures.match_p99_ms),
        ),
        (
            format!("{:.0}", figures.choice_skew_p99_us),
            "µs",
            format!(
                "between the two choice calls, 99 of 100 matches; half {:.0} µs",
                figures.choice_skew_p50_us
            ),
        ),
        (
            format!("{:.0}", figures.inprocess_matches_per_s),
            "matches/s",
            format!("without a wire, one league on each of {} cores", figures.cores),
        ),
        (
            format!("{:.0}", figures.commits_per_s),
            "commits/s",
            "one durable result at a time".to_owned(),
        ),
        (format!("{:.0}", figures.facts_per_s), "results/s", "durable, in batches".to_owned()),
        (
            format!("{:.2}", figures.reopen_s),
            "s",
            format!("to come back with {} results", figures.reopen_results),
        ),
    ]
}

fn sum(cpu: CpuPerMatch) -> f64 {
    cpu.manager + cpu.referee + cpu.players
}

fn text(cpu: CpuPerMatch) -> String {
    let CpuPerMatch { manager, referee, players } = cpu;
    format!("manager {manager:.0}, referee {referee:.0}, players {players:.0}")
}
