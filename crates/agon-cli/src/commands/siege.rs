//! `agon siege`: what the rig finds out, for machines as one object and for people as a table.
//!
//! Spec: docs/operate.md

use std::process::ExitCode;

use agon_lab::siege::{self, SiegeFigures, SiegeOptions};
use agon_node::config::Tls;
use toml::Table;

use crate::args::{Common, EXIT_REFUSED, Siege};
use crate::{life, logs, output};

pub(super) fn run(common: &Common, args: &Siege) -> anyhow::Result<ExitCode> {
    let mut config = common.load(Table::new())?;
    config.tls = Tls::default(); // The crowd does not speak it.
    if common.log.is_some() {
        logs::start(&config)?; // Otherwise only the figures speak.
    }
    let &Siege { seconds, idle, clients, matches } = args;
    let options = SiegeOptions { seconds, idle, clients, matches };
    let figures = life::runtime()?.block_on(life::unless_stopped(siege::run(config, &options)))?;
    if common.json {
        output::json(&figures)?;
    } else {
        output::line(text(&figures));
    }
    for sentence in &figures.broken {
        output::talk(format!("agon: {sentence}"));
    }
    let kept = figures.broken.is_empty();
    Ok(if kept { ExitCode::SUCCESS } else { ExitCode::from(EXIT_REFUSED) })
}

fn text(figures: &SiegeFigures) -> String {
    let table = output::figures(rows(figures));
    let verdict = match figures.broken.as_slice() {
        [] => "every promise was kept".to_owned(),
        broken => format!("BROKEN: {}", broken.join("; ")),
    };
    format!("{table}\n{verdict}")
}

fn rows(figures: &SiegeFigures) -> Vec<(String, &'static str, String)> {
    let SiegeFigures { storm, silent, endless, .. } = figures;
    vec![
        (
            format!("{:.2}", storm.ratio),
            "ratio",
            format!(
                "speed of a season under {} silent connections and a flood of {} clients",
                storm.idle, storm.clients
            ),
        ),
        (
            format!("{:.0}", storm.siege_matches_per_s),
            "matches/s",
            format!("under siege; in quiet {:.0}", storm.quiet_matches_per_s),
        ),
        (
            format!("{:.0}", storm.flood_per_s),
            "requests/s",
            "bad ones, which is all that the flood could place".to_owned(),
        ),
        (
            mib(storm.rss_siege_bytes),
            "MiB",
            format!(
                "held by the manager at most; in quiet {}, bound {}",
                mib(storm.rss_quiet_bytes),
                mib(storm.rss_bound_bytes)
            ),
        ),
        (
            format!("{:.1}", silent.late_p99_ms),
            "ms late",
            format!(
                "99 of 100 of {} deadlines with {} other matches under way; half {:.1}, most \
                 {:.1}",
                silent.deadlines, silent.matches_in_flight, silent.late_p50_ms, silent.late_max_ms
            ),
        ),
        (
            mib(endless.growth_bytes),
            "MiB",
            format!(
                "more in a referee with {} endless answers, all {} judged as oversized; \
                 bound {}",
                endless.players,
                endless.judged,
                mib(endless.bound_bytes)
            ),
        ),
        (
            (silent.others_played + endless.others_played).to_string(),
            "matches",
            "of honest players beside all this, played as ever".to_owned(),
        ),
    ]
}

fn mib(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / (1024.0 * 1024.0))
}
