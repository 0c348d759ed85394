//! `agon bench`: what the rig finds out, for machines as one object and for people as a table with
//! a sentence each.
//!
//! Spec: docs/bench.md

use std::process::ExitCode;

use agon_lab::bench::{self, BenchFigures, BenchOptions, CpuPerMatch};
use agon_node::config::Tls;

use crate::args::{Bench, BenchBare, Common};
use crate::{life, output};

/// One process of the bare stack; nobody but `agon bench` starts it.
pub(super) fn bare(args: &BenchBare) -> anyhow::Result<ExitCode> {
    life::runtime()?.block_on(bench::serve_bare(args.listeners))?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn run(common: &Common, args: &Bench) -> anyhow::Result<ExitCode> {
    let mut config = super::load_rig(common)?;
    config.tls = Tls::default(); // The bare stack has none either.
    let &Bench { players, pairs, quick } = args;
    let options = BenchOptions { config, file: common.config.clone(), players, pairs, quick };
    let figures = life::runtime()?.block_on(bench::run(options))?;
    output::show(common, &figures, || output::figures(&rows(&figures)))?;
    Ok(ExitCode::SUCCESS)
}

fn rows(figures: &BenchFigures) -> [String; 12] {
    let BenchFigures { ratio, pairs, players, cores, reopen_results, .. } = figures;
    let BenchFigures { http_matches_per_s: season, bare_matches_per_s: bare, .. } = figures;
    let BenchFigures { inprocess_matches_per_s: inprocess, calls_per_match: calls, .. } = figures;
    let BenchFigures { match_p50_ms: half, match_p99_ms: most, commits_per_s, .. } = figures;
    let BenchFigures { choice_skew_p50_us: skew, choice_skew_p99_us: skew_most, .. } = figures;
    let BenchFigures { facts_per_s, reopen_s, .. } = figures;
    let (cpu, bare_cpu) = (figures.cpu_us_per_match, figures.bare_cpu_us_per_match);
    [
        format!("{ratio:.2}\tratio\tspeed of a season to that of bare HTTP, median of {pairs}"),
        format!("{season:.0}\tmatches/s\ta season of {players} players, every result durable"),
        format!("{bare:.0}\tmatches/s\tbare hyper with the same calls, no rules, no journal"),
        format!("{calls:.1}\tcalls\tHTTP calls of one match, with its share of the broadcasts"),
        format!("{:.0}\tµs CPU\tof one match: {}", sum(cpu), text(cpu)),
        format!("{:.0}\tµs CPU\tof one match on bare HTTP: {}", sum(bare_cpu), text(bare_cpu)),
        format!("{half:.1}\tms\thalf of all matches; 99 of 100 take {most:.1} ms"),
        format!(
            "{skew_most:.0}\tµs\tbetween the two choice calls, 99 of 100 matches; half {skew:.0} µs"
        ),
        format!("{inprocess:.0}\tmatches/s\twithout a wire, one league on each of {cores} cores"),
        format!("{commits_per_s:.0}\tcommits/s\tone durable result at a time"),
        format!("{facts_per_s:.0}\tresults/s\tdurable, in batches"),
        format!("{reopen_s:.2}\ts\tto come back with {reopen_results} results"),
    ]
}

fn sum(cpu: CpuPerMatch) -> f64 {
    cpu.manager + cpu.referee + cpu.players
}

fn text(cpu: CpuPerMatch) -> String {
    let CpuPerMatch { manager, referee, players } = cpu;
    format!("manager {manager:.0}, referee {referee:.0}, players {players:.0}")
}
