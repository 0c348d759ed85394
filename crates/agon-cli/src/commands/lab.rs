//! `agon bench`, `agon crash-test` and `agon siege`: what the rigs find out, for machines as one
//! object and for people as a table.
//!
//! Spec: docs/bench.md
//! Spec: docs/operate.md

use std::fmt::Display;
use std::process::ExitCode;
use std::time::Duration;

use agon_lab::bench::{self, BenchFigures, CpuPerMatch};
use agon_lab::crash_test::{self, CrashFigures, CrashProgress, RoleFigures};
use agon_lab::siege::{self, SiegeFigures};
use agon_lab::{BenchOptions, CrashOptions, SiegeOptions};
use agon_node::config::{Config, Tls};
use toml::Table;

use crate::args::{Common, exit};
use crate::{life, output};

pub(super) async fn bench(common: &Common, args: &BenchOptions) -> anyhow::Result<ExitCode> {
    let mut config = configured(common)?;
    config.tls = Tls::default(); // The bare stack has none either.
    let figures = bench::run(config, common.config.as_deref(), args).await?;
    output::show(common, &figures, || table(&bench_rows(&figures)))
}

fn bench_rows(figures: &BenchFigures) -> [String; 13] {
    let BenchFigures { ratio, pairs, players, cores, reopen_results, .. } = figures;
    let BenchFigures { http_matches_per_s: season, bare_matches_per_s: bare, .. } = figures;
    let BenchFigures { inprocess_matches_per_s: inprocess, calls_per_match: calls, .. } = figures;
    let BenchFigures { match_p50_ms: half, match_p99_ms: most, commits_per_s, .. } = figures;
    let BenchFigures { choice_skew_p50_us: skew, choice_skew_p99_us: skew_most, .. } = figures;
    let BenchFigures { facts_per_s, reopen_s, message_log_ratio: log, .. } = figures;
    let BenchFigures { message_log_matches_per_s: logged, .. } = figures;
    [
        format!("{ratio:.2}\tratio\tspeed of a season to that of bare HTTP, median of {pairs}"),
        format!("{season:.0}\tmatches/s\ta season of {players} players, every result durable"),
        format!("{bare:.0}\tmatches/s\tbare hyper with the same calls, no rules, no journal"),
        format!(
            "{log:.2}\tratio\tspeed with every message kept, {logged:.0} matches/s, to without"
        ),
        format!("{calls:.1}\tcalls\tHTTP calls of one match, with its share of the broadcasts"),
        cpu("of one match", figures.cpu_us_per_match),
        cpu("of one match on bare HTTP", figures.bare_cpu_us_per_match),
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

fn cpu(what: &str, CpuPerMatch { manager, referee, players }: CpuPerMatch) -> String {
    let sum = manager + referee + players;
    let parts = format!("manager {manager:.0}, referee {referee:.0}, players {players:.0}");
    format!("{sum:.0}\tµs CPU\t{what}: {parts}")
}

pub(super) async fn siege(common: &Common, args: &SiegeOptions) -> anyhow::Result<ExitCode> {
    let mut config = configured(common)?;
    config.tls = Tls::default(); // The crowd does not speak it.
    let figures = unless_stopped(siege::run(config, args)).await?;
    output::show(common, &figures, || siege_text(&figures))?;
    for sentence in &figures.broken {
        eprintln!("agon: {sentence}");
    }
    Ok(exit(figures.broken.is_empty()))
}

fn siege_text(figures: &SiegeFigures) -> String {
    let table = table(&siege_rows(figures));
    let verdict = match figures.broken.as_slice() {
        [] => "every promise was kept".to_owned(),
        broken => format!("BROKEN: {}", broken.join("; ")),
    };
    format!("{table}\n{verdict}")
}

fn siege_rows(SiegeFigures { storm, silent, endless, .. }: &SiegeFigures) -> [String; 7] {
    let [held, quiet, bound] =
        [storm.rss_siege_bytes, storm.rss_quiet_bytes, storm.rss_bound_bytes].map(mib);
    let [growth, growth_bound] = [endless.growth_bytes, endless.bound_bytes].map(mib);
    let (ratio, idle, clients, flood) = (storm.ratio, storm.idle, storm.clients, storm.flood_per_s);
    let (deadlines, others) = (silent.deadlines, silent.matches_in_flight);
    let (half, late, most) = (silent.late_p50_ms, silent.late_p99_ms, silent.late_max_ms);
    let honest = silent.others_played + endless.others_played;
    [
        format!(
            "{ratio:.2}\tratio\tspeed of a season under {idle} silent connections and a flood of \
             {clients} clients"
        ),
        format!(
            "{:.0}\tmatches/s\tunder siege; in quiet {:.0}",
            storm.siege_matches_per_s, storm.quiet_matches_per_s
        ),
        format!("{flood:.0}\trequests/s\tbad ones, which is all that the flood could place"),
        format!("{held}\tMiB\theld by the manager at most; in quiet {quiet}, bound {bound}"),
        format!(
            "{late:.1}\tms late\t99 of 100 of {deadlines} deadlines with {others} other matches \
             under way; half {half:.1}, most {most:.1}"
        ),
        format!(
            "{growth}\tMiB\tmore in a referee with {} endless answers, all {} judged as oversized; \
             bound {growth_bound}",
            endless.players, endless.judged
        ),
        format!("{honest}\tmatches\tof honest players beside all this, played as ever"),
    ]
}

fn mib(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / (1024.0 * 1024.0))
}

/// How often the line that shows the progress moves.
const TICK: Duration = Duration::from_millis(120);
/// So many problems are told to people; machines get them all.
const TOLD_MAX: usize = 20;

pub(super) async fn crash_test(common: &Common, args: &CrashOptions) -> anyhow::Result<ExitCode> {
    let config = configured(common)?;
    let bar = output::bar(common.json, 0, "{spinner} {elapsed} {msg}");
    bar.enable_steady_tick(TICK);
    let progress = |progress: CrashProgress<'_>| match progress {
        CrashProgress::Began(line) => bar.set_message(line.to_owned()),
        CrashProgress::Over(line) if !common.json => bar.suspend(|| eprintln!("{line}")),
        CrashProgress::Over(_) => {}
    };
    let figures = unless_stopped(crash_test::run(config, args, progress)).await?;
    bar.finish_and_clear();
    output::show(common, &figures, || crash_text(&figures))?;
    if let Some(kept) = &figures.folder {
        eprintln!("journals and logs kept: {kept}");
    }
    Ok(exit(figures.is_clean()))
}

fn crash_text(figures: &CrashFigures) -> String {
    let head = ["", "kills", "at points", "stops", "recovered", "p50 ms", "p99 ms"];
    let CrashFigures { manager, referees, players, .. } = figures;
    let all = all(figures);
    let roles = [("manager", manager), ("referees", referees), ("players", players), ("all", &all)];
    let rows = roles.iter().map(|(name, role)| crash_row(name, role));
    let table = output::grid(&head, rows, |place| place > 0);
    let CrashFigures { completed, seasons, matches, cancelled, seconds, seed, .. } = figures;
    let CrashFigures { lost, duplicated, unacknowledged, .. } = figures;
    let mut text = format!(
        "{table}\n\n{completed} of {seasons} seasons complete, {matches} matches ({cancelled} \
         cancelled), {seconds} s\n\
         lost {lost}, duplicated {duplicated}, unacknowledged {unacknowledged}\nseed {seed}",
    );
    let told = figures.problems.iter().take(TOLD_MAX);
    text.extend(told.map(|problem| format!("\n  {problem}")));
    let more = figures.problems.len().saturating_sub(TOLD_MAX);
    text.extend((more > 0).then(|| format!("\n  … and {more} more; --json has them all")));
    text
}

fn all(figures: &CrashFigures) -> RoleFigures {
    let roles = [&figures.manager, &figures.referees, &figures.players];
    RoleFigures {
        kills: figures.kills,
        at_failpoints: roles.iter().map(|role| role.at_failpoints).sum(),
        stops: roles.iter().map(|role| role.stops).sum(),
        recoveries: figures.recoveries,
        recover_p50_ms: figures.recover_p50_ms,
        recover_p99_ms: figures.recover_p99_ms,
        ..RoleFigures::default()
    }
}

fn crash_row(name: &str, role: &RoleFigures) -> [String; 7] {
    let RoleFigures { kills, at_failpoints, stops, recoveries, .. } = role;
    let RoleFigures { recover_p50_ms, recover_p99_ms, .. } = role;
    let figures: [&dyn Display; 7] =
        [&name, kills, at_failpoints, stops, recoveries, recover_p50_ms, recover_p99_ms];
    figures.map(ToString::to_string)
}

/// The configuration of a rig.
fn configured(common: &Common) -> anyhow::Result<Config> {
    let config = common.load(Table::new())?;
    if common.log.is_some() {
        life::start_logs(&config)?; // Otherwise only the figures speak.
    }
    Ok(config)
}

/// Does something that is worth nothing if somebody wants us to end meanwhile.
async fn unless_stopped<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    let mut stop = life::stop_on_signal()?;
    tokio::select! {
        done = work => done,
        _ = stop.changed() => anyhow::bail!("stopped before the end; nothing is proved"),
    }
}

/// Figures as a table for people: the number, its unit, what it means, with a tab between them.
fn table(rows: &[String]) -> String {
    output::grid(&[], rows.iter().map(|row| row.split('\t')), |place| place == 0)
}
