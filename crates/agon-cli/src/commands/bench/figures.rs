//! The figures, for machines as one object and for people as a table with a sentence each.

use std::time::Duration;

use serde::Serialize;

use super::season::Cpu;
use crate::output;

/// Everything that `agon bench` finds out.
#[derive(Debug, Serialize)]
pub(super) struct Figures {
    pub(super) version: &'static str,
    pub(super) cores: usize,
    pub(super) quick: bool,
    pub(super) players: u32,
    pub(super) matches: u64,
    pub(super) pairs: u32,
    pub(super) http_matches_per_s: f64,
    pub(super) bare_matches_per_s: f64,
    pub(super) ratio: f64,
    /// The ratio of each pair.
    pub(super) ratios: Vec<f64>,
    pub(super) calls_per_match: f64,
    pub(super) cpu_us_per_match: CpuPerMatch,
    pub(super) bare_cpu_us_per_match: CpuPerMatch,
    pub(super) match_p50_ms: f64,
    pub(super) match_p99_ms: f64,
    pub(super) choice_skew_p50_us: f64,
    pub(super) choice_skew_p99_us: f64,
    pub(super) inprocess_matches_per_s: f64,
    pub(super) commits_per_s: f64,
    pub(super) facts_per_s: f64,
    /// How many results the journal held that was opened again, and how long that took.
    pub(super) reopen_results: u64,
    pub(super) reopen_s: f64,
    /// The same if they were a million; nothing is scaled.
    pub(super) reopen_million_s: Option<f64>,
}

/// Processor time of one match, by process.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct CpuPerMatch {
    pub(super) manager: f64,
    pub(super) referee: f64,
    pub(super) players: f64,
}

impl CpuPerMatch {
    /// The average over some seasons of so many matches each.
    pub(super) fn of(seasons: &[Cpu], matches: u64) -> Self {
        let all = seasons.len() as f64 * matches as f64;
        let each = |of: fn(&Cpu) -> Duration| {
            let sum: Duration = seasons.iter().map(of).sum();
            tenths(sum.as_secs_f64() * 1e6 / all)
        };
        Self {
            manager: each(|cpu| cpu.manager),
            referee: each(|cpu| cpu.referee),
            players: each(|cpu| cpu.players),
        }
    }

    fn sum(self) -> f64 {
        self.manager + self.referee + self.players
    }

    fn text(self) -> String {
        let Self { manager, referee, players } = self;
        format!("manager {manager:.0}, referee {referee:.0}, players {players:.0}")
    }
}

/// Keeps one digit behind the point: more would be noise.
pub(in crate::commands) fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// Keeps three digits behind the point.
pub(in crate::commands) fn thousandths(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

/// The value below which that share of all values lies. Zero of nothing.
pub(in crate::commands) fn quantile(values: &mut [Duration], share: f64) -> Duration {
    values.sort_unstable();
    let place = (values.len() as f64 * share).ceil() as usize;
    let found = values.get(place.saturating_sub(1));
    found.copied().unwrap_or_default()
}

/// The middle value; of an even number the mean of the two in the middle. Zero of nothing.
pub(in crate::commands) fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_unstable_by(f64::total_cmp);
    let upper = values.get(values.len() / 2).copied().unwrap_or(0.0);
    let lower = values.get(values.len().saturating_sub(1) / 2);
    (lower.copied().unwrap_or(0.0) + upper) / 2.0
}

impl Figures {
    /// The table for people.
    pub(super) fn table(&self) -> String {
        output::figures(self.rows())
    }

    fn rows(&self) -> Vec<(String, &'static str, String)> {
        let (cpu, bare) = (self.cpu_us_per_match, self.bare_cpu_us_per_match);
        vec![
            (
                format!("{:.2}", self.ratio),
                "ratio",
                format!("speed of a season to that of bare HTTP, median of {}", self.pairs),
            ),
            (
                format!("{:.0}", self.http_matches_per_s),
                "matches/s",
                format!("a season of {} players, every result durable", self.players),
            ),
            (
                format!("{:.0}", self.bare_matches_per_s),
                "matches/s",
                "bare hyper with the same calls, no rules, no journal".to_owned(),
            ),
            (
                format!("{:.1}", self.calls_per_match),
                "calls",
                "HTTP calls of one match, with its share of the broadcasts".to_owned(),
            ),
            (format!("{:.0}", cpu.sum()), "µs CPU", format!("of one match: {}", cpu.text())),
            (
                format!("{:.0}", bare.sum()),
                "µs CPU",
                format!("of one match on bare HTTP: {}", bare.text()),
            ),
            (
                format!("{:.1}", self.match_p50_ms),
                "ms",
                format!("half of all matches; 99 of 100 take {:.1} ms", self.match_p99_ms),
            ),
            (
                format!("{:.0}", self.choice_skew_p99_us),
                "µs",
                format!(
                    "between the two choice calls, 99 of 100 matches; half {:.0} µs",
                    self.choice_skew_p50_us
                ),
            ),
            (
                format!("{:.0}", self.inprocess_matches_per_s),
                "matches/s",
                format!("without a wire, one league on each of {} cores", self.cores),
            ),
            (
                format!("{:.0}", self.commits_per_s),
                "commits/s",
                "one durable result at a time".to_owned(),
            ),
            (format!("{:.0}", self.facts_per_s), "results/s", "durable, in batches".to_owned()),
            (
                format!("{:.2}", self.reopen_s),
                "s",
                format!("to come back with {} results", self.reopen_results),
            ),
        ]
    }
}

#[cfg(test)]
mod tests;
