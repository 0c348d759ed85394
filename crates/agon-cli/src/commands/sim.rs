//! `agon sim`: seeded seasons in virtual time, on all cores, held to every promise of the league.

use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;

use agon_sim::{Broken, Plan, Report, narrate, run_all};
use serde::Serialize;

use crate::args::{Common, Sim, exit};
use crate::output;

/// So many broken seasons are told to people; machines get them all.
const TOLD_MAX: usize = 10;

pub(super) fn run(common: &Common, args: &Sim) -> anyhow::Result<ExitCode> {
    let began = Instant::now();
    let mut sum = match args.seed {
        Some(seed) => one(common, args, seed),
        None => many(common, args),
    };
    let rate = sum.seasons as f64 / began.elapsed().as_secs_f64();
    sum.seasons_per_s = (rate * 10.0).round() / 10.0;
    output::show(common, &sum, || sum.text())?;
    Ok(exit(sum.broken.is_empty()))
}

/// What came of all seasons.
#[derive(Debug, Default, Serialize)]
struct Sum {
    seasons: u64,
    matches: u64,
    /// Of those, matches that were cancelled.
    cancelled: u64,
    /// Attempts beyond the first one of each match.
    attempts: u64,
    faults: Faults,
    virtual_seconds: u64,
    seasons_per_s: f64,
    broken: Vec<Found>,
}

/// The trouble that was invented.
#[derive(Debug, Default, Serialize)]
struct Faults {
    crashes: u64,
    letters_lost: u64,
    letters_doubled: u64,
    letters_delayed: u64,
    /// Calls that did not leave: their host had no port for them.
    calls_kept_back: u64,
    /// Calls that were not made: their peer had failed too often.
    calls_failed_fast: u64,
}

/// A broken promise, and how to see it again.
#[derive(Debug, Serialize)]
struct Found {
    seed: u64,
    invariant: &'static str,
    what: String,
    show: String,
}

/// The season of that seed, with the game that was asked for.
fn plan(args: &Sim, seed: u64) -> Plan {
    match &args.game {
        Some(game) => Plan::of_game(seed, game.info()),
        None => Plan::from_seed(seed),
    }
}

/// One season, told line by line.
fn one(common: &Common, args: &Sim, seed: u64) -> Sum {
    let mut tell = |line: &str| {
        if !common.json {
            output::line(line);
        }
    };
    let plan = plan(args, seed);
    tell(&format!("{plan:#?}"));
    let report = narrate(plan, &mut tell);
    let mut sum = Sum::default();
    sum.add(args, report);
    sum
}

fn many(common: &Common, args: &Sim) -> Sum {
    let seeds = u64::from(args.seeds);
    let bar = output::bar(common.json, seeds, "{bar:30} {pos}/{len} seasons {per_sec}");
    let sum = Mutex::new(Sum::default());
    let told = |report| {
        sum.lock().expect("nobody panics while adding").add(args, report);
        bar.inc(1);
    };
    run_all(seeds, |seed| plan(args, seed), told);
    bar.finish_and_clear();
    let mut sum = sum.into_inner().expect("nobody panics while adding");
    sum.broken.sort_by_key(|found| found.seed);
    sum
}

impl Sum {
    fn add(&mut self, args: &Sim, report: Report) {
        self.seasons += 1;
        self.matches += report.matches;
        self.cancelled += report.cancelled;
        self.attempts += report.attempts;
        self.faults.crashes += report.crashes;
        self.faults.letters_lost += report.lost;
        self.faults.letters_doubled += report.duplicated;
        self.faults.letters_delayed += report.delayed;
        self.faults.calls_kept_back += report.kept_back;
        self.faults.calls_failed_fast += report.failed_fast;
        self.virtual_seconds += report.virtual_seconds;
        let seed = report.seed;
        self.broken.extend(report.broken.map(|broken| found(args, seed, broken)));
    }

    fn text(&self) -> String {
        let Self { seasons, matches, cancelled, attempts, faults, virtual_seconds, .. } = self;
        let Faults { crashes, letters_lost, letters_doubled, letters_delayed, .. } = faults;
        let mut text = format!(
            "{seasons} seasons, {matches} matches ({cancelled} cancelled, {attempts} attempts \
             repeated), {} virtual hours, {} seasons/s\n\
             faults: {crashes} crashes; {letters_lost} letters lost, {letters_doubled} doubled, \
             {letters_delayed} delayed; {} calls kept back by their host, {} by a breaker",
            virtual_seconds / 3600,
            self.seasons_per_s,
            faults.calls_kept_back,
            faults.calls_failed_fast,
        );
        if self.broken.is_empty() {
            return text + "\nevery promise was kept";
        }
        text += &format!("\n{} seasons broke a promise:", self.broken.len());
        for Found { seed, invariant, what, show } in self.broken.iter().take(TOLD_MAX) {
            text += &format!("\n  seed {seed}: {invariant}: {what}\n    {show}");
        }
        text
    }
}

fn found(args: &Sim, seed: u64, broken: Broken) -> Found {
    let game = args.game.as_ref().map(|game| format!(" --game {}", game.info().name));
    let show = format!("agon sim{} --seed {seed}", game.unwrap_or_default());
    Found { seed, invariant: broken.promise, what: broken.finding.what, show }
}

#[cfg(test)]
mod tests;
