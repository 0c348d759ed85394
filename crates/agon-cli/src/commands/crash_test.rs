//! `agon crash-test`: what the rig does and finds, an object for machines and a table for people.
//!
//! Spec: docs/operate.md

use std::fmt::Display;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use agon_lab::crash_test::{self, CrashFigures, CrashOptions, CrashProgress, Enough, RoleFigures};
use agon_node::random_nonce;

use crate::args::{Common, CrashTest, exit};
use crate::{life, output};

/// How long it strikes unless somebody says otherwise.
const MINUTES: f64 = 1.0;
/// How often the line that shows the progress moves.
const TICK: Duration = Duration::from_millis(120);
/// So many problems are told to people; machines get them all.
const TOLD_MAX: usize = 20;

pub(super) fn run(common: &Common, args: &CrashTest) -> anyhow::Result<ExitCode> {
    let config = super::load_rig(common)?;
    let minutes = Duration::from_secs_f64(args.minutes.unwrap_or(MINUTES) * 60.0);
    let options = CrashOptions {
        players: args.players,
        referees: args.referees,
        enough: match args.kills {
            Some(kills) => Enough::Kills(kills.into()),
            None => Enough::Time(Instant::now() + minutes),
        },
        // A number that survives every JSON reader.
        seed: args.seed.unwrap_or_else(|| random_nonce() >> 32),
        keep: args.keep,
    };
    let bar = output::bar(common.json, 0, "{spinner} {elapsed} {msg}");
    bar.enable_steady_tick(TICK);
    let progress = |progress: CrashProgress<'_>| match progress {
        CrashProgress::Began(line) => bar.set_message(line.to_owned()),
        CrashProgress::Over(line) if !common.json => bar.suspend(|| output::talk(line)),
        CrashProgress::Over(_) => {}
    };
    let played = crash_test::run(config, &options, progress);
    let figures = life::runtime()?.block_on(life::unless_stopped(played))?;
    bar.finish_and_clear();
    output::show(common, &figures, || text(&figures))?;
    if let Some(kept) = &figures.folder {
        output::talk(format!("journals and logs kept: {kept}"));
    }
    Ok(exit(figures.is_clean()))
}

fn text(figures: &CrashFigures) -> String {
    let head = ["", "kills", "at points", "stops", "recovered", "p50 ms", "p99 ms"];
    let CrashFigures { manager, referees, players, .. } = figures;
    let all = all(figures);
    let roles = [("manager", manager), ("referees", referees), ("players", players), ("all", &all)];
    let rows = roles.iter().map(|(name, role)| row(name, role));
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
    }
}

fn row(name: &str, role: &RoleFigures) -> [String; 7] {
    let RoleFigures { kills, at_failpoints, stops, recoveries, .. } = role;
    let RoleFigures { recover_p50_ms, recover_p99_ms, .. } = role;
    let figures: [&dyn Display; 7] =
        [&name, kills, at_failpoints, stops, recoveries, recover_p50_ms, recover_p99_ms];
    figures.map(ToString::to_string)
}
