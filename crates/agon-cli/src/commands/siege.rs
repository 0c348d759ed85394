//! `agon siege`: what the rig finds out, for machines as one object and for people as a table.
//!
//! Spec: docs/operate.md

use std::process::ExitCode;

use agon_lab::siege::{self, SiegeFigures, SiegeOptions};
use agon_node::config::Tls;

use crate::args::{Common, Siege, exit};
use crate::{life, output};

pub(super) fn run(common: &Common, args: &Siege) -> anyhow::Result<ExitCode> {
    let mut config = super::load_rig(common)?;
    config.tls = Tls::default(); // The crowd does not speak it.
    let &Siege { seconds, idle, clients, matches } = args;
    let options = SiegeOptions { seconds, idle, clients, matches };
    let figures = life::runtime()?.block_on(life::unless_stopped(siege::run(config, &options)))?;
    output::show(common, &figures, || text(&figures))?;
    for sentence in &figures.broken {
        output::talk(format!("agon: {sentence}"));
    }
    Ok(exit(figures.broken.is_empty()))
}

fn text(figures: &SiegeFigures) -> String {
    let table = output::figures(&rows(figures));
    let verdict = match figures.broken.as_slice() {
        [] => "every promise was kept".to_owned(),
        broken => format!("BROKEN: {}", broken.join("; ")),
    };
    format!("{table}\n{verdict}")
}

fn rows(SiegeFigures { storm, silent, endless, .. }: &SiegeFigures) -> [String; 7] {
    let [held, quiet, bound] =
        [storm.rss_siege_bytes, storm.rss_quiet_bytes, storm.rss_bound_bytes].map(mib);
    let [growth, growth_bound] = [endless.growth_bytes, endless.bound_bytes].map(mib);
    let (deadlines, others) = (silent.deadlines, silent.matches_in_flight);
    let (half, most) = (silent.late_p50_ms, silent.late_max_ms);
    [
        format!(
            "{:.2}\tratio\tspeed of a season under {} silent connections and a flood of {} clients",
            storm.ratio, storm.idle, storm.clients
        ),
        format!(
            "{:.0}\tmatches/s\tunder siege; in quiet {:.0}",
            storm.siege_matches_per_s, storm.quiet_matches_per_s
        ),
        format!(
            "{:.0}\trequests/s\tbad ones, which is all that the flood could place",
            storm.flood_per_s
        ),
        format!("{held}\tMiB\theld by the manager at most; in quiet {quiet}, bound {bound}"),
        format!(
            "{:.1}\tms late\t99 of 100 of {deadlines} deadlines with {others} other matches under \
             way; half {half:.1}, most {most:.1}",
            silent.late_p99_ms
        ),
        format!(
            "{growth}\tMiB\tmore in a referee with {} endless answers, all {} judged as oversized; \
             bound {growth_bound}",
            endless.players, endless.judged
        ),
        format!(
            "{}\tmatches\tof honest players beside all this, played as ever",
            silent.others_played + endless.others_played
        ),
    ]
}

fn mib(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / (1024.0 * 1024.0))
}
