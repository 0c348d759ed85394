//! `agon crash-test`: what the rig does and finds, an object for machines and a table for people.
//!
//! Spec: docs/operate.md

use std::process::ExitCode;
use std::time::Duration;

use agon_lab::crash_test::{self, CrashFigures, CrashOptions, Enough, Progress, RoleFigures};
use agon_node::random_nonce;
use comfy_table::{CellAlignment, Table as Grid, presets};
use indicatif::{ProgressBar, ProgressStyle};
use toml::Table;

use crate::args::{Common, CrashTest, EXIT_REFUSED};
use crate::{life, logs, output};

/// How long it strikes unless somebody says otherwise.
const MINUTES: f64 = 1.0;
/// How often the line that shows the progress moves.
const TICK: Duration = Duration::from_millis(120);
/// So many problems are told to people; machines get them all.
const TOLD_MAX: usize = 20;

pub(super) fn run(common: &Common, args: &CrashTest) -> anyhow::Result<ExitCode> {
    let config = common.load(Table::new())?;
    if common.log.is_some() {
        logs::start(&config)?; // Otherwise only the figures speak.
    }
    let minutes = Duration::from_secs_f64(args.minutes.unwrap_or(MINUTES) * 60.0);
    let options = CrashOptions {
        players: args.players,
        referees: args.referees,
        enough: args.kills.map_or(Enough::Time(minutes), |kills| Enough::Kills(kills.into())),
        // A number that survives every JSON reader.
        seed: args.seed.unwrap_or_else(|| random_nonce() >> 32),
        keep: args.keep,
    };
    let bar = bar(common);
    let progress = |progress: Progress<'_>| match progress {
        Progress::Began(line) => bar.set_message(line.to_owned()),
        Progress::Over(line) if !common.json => bar.suspend(|| output::talk(line)),
        Progress::Over(_) => {}
    };
    let played = crash_test::run(config, &options, progress);
    let figures = life::runtime()?.block_on(life::unless_stopped(played))?;
    bar.finish_and_clear();
    if common.json {
        output::json(&figures)?;
    } else {
        output::line(text(&figures));
    }
    if let Some(kept) = &figures.folder {
        output::talk(format!("journals and logs kept: {kept}"));
    }
    Ok(if figures.is_clean() { ExitCode::SUCCESS } else { ExitCode::from(EXIT_REFUSED) })
}

fn bar(common: &Common) -> ProgressBar {
    let bar = if common.json { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
    let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.enable_steady_tick(TICK);
    bar
}

fn text(figures: &CrashFigures) -> String {
    let mut table = Grid::new();
    table.load_style(presets::NOTHING);
    let head = ["", "kills", "at points", "stops", "recovered", "p50 ms", "p99 ms"];
    table.set_header(head);
    let roles = [
        ("manager", &figures.manager),
        ("referees", &figures.referees),
        ("players", &figures.players),
    ];
    for (name, role) in roles {
        table.add_row(row(name, role));
    }
    table.add_row(row("all", &all(figures)));
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let mut text = format!(
        "{table}\n\n{} of {} seasons complete, {} matches ({} cancelled), {} s\n\
         lost {}, duplicated {}, unacknowledged {}\nseed {}",
        figures.completed,
        figures.seasons,
        figures.matches,
        figures.cancelled,
        figures.seconds,
        figures.lost,
        figures.duplicated,
        figures.unacknowledged,
        figures.seed,
    );
    for problem in figures.problems.iter().take(TOLD_MAX) {
        text += &format!("\n  {problem}");
    }
    if let Some(more) = figures.problems.len().checked_sub(TOLD_MAX + 1) {
        text += &format!("\n  … and {} more; --json has them all", more + 1);
    }
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
    [
        name.to_owned(),
        role.kills.to_string(),
        role.at_failpoints.to_string(),
        role.stops.to_string(),
        role.recoveries.to_string(),
        role.recover_p50_ms.to_string(),
        role.recover_p99_ms.to_string(),
    ]
}
