//! The figures of a siege, for machines as one object and for people as a table.

use serde::Serialize;

use super::endless::Endless;
use super::silent::Silent;
use super::storm::Storm;
use crate::output;

#[derive(Debug, Serialize)]
pub(super) struct Figures {
    pub(super) version: &'static str,
    pub(super) cores: usize,
    pub(super) storm: Storm,
    pub(super) silent: Silent,
    pub(super) endless: Endless,
    /// Every promise that was not kept, a sentence each.
    pub(super) broken: Vec<String>,
}

impl Figures {
    pub(super) fn text(&self) -> String {
        let table = output::figures(self.rows());
        let verdict = match self.broken.as_slice() {
            [] => "every promise was kept".to_owned(),
            broken => format!("BROKEN: {}", broken.join("; ")),
        };
        format!("{table}\n{verdict}")
    }

    fn rows(&self) -> Vec<(String, &'static str, String)> {
        let Self { storm, silent, endless, .. } = self;
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
                    silent.deadlines,
                    silent.matches_in_flight,
                    silent.late_p50_ms,
                    silent.late_max_ms
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
}

fn mib(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / (1024.0 * 1024.0))
}
