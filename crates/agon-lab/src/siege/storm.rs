//! A season in quiet and under siege, in turn: how fast it goes, and what the manager holds.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use agon_node::config::Config;
use anyhow::ensure;
use serde::Serialize;
use tokio::time::sleep;

use super::crowd::Crowd;
use crate::SiegeOptions;
use crate::figures::{broken, median, tenths, thousandths};
use crate::lab::{CAPACITY, Lab, RunningLeague, address};

/// Quiet and siege take turns so often.
const WINDOWS: u32 = 3;
/// Faster than any machine plays, so that the season outlasts the windows.
const RATE_MAX: f64 = 8_000.0;
/// Between two windows everybody gets so long to come or to go.
const SETTLE: Duration = Duration::from_millis(300);
/// How often the memory of the manager is looked at.
const LOOK: Duration = Duration::from_millis(50);
/// A window in which nothing is played for so long has failed.
const WINDOW_MAX: Duration = Duration::from_secs(30);
/// One silent connection in so many goes to the referee.
const REFEREES_SHARE: usize = 10;

/// What a silent connection may cost the manager.
const IDLE_BYTES: u64 = 4 * 1024;
/// What a connection with a request may cost besides the body: two buffers, a task, an answer.
const TALK_BYTES: u64 = 64 * 1024;
/// What a result may cost: it is kept for the table, and its transcript passes through.
const MATCH_BYTES: u64 = 4 * 1024;
/// What a process takes or leaves as it likes.
const SLACK_BYTES: u64 = 16 * 1024 * 1024;

#[derive(Debug, Default, Serialize)]
pub struct Storm {
    pub quiet_matches_per_s: f64,
    pub siege_matches_per_s: f64,
    /// The rate under siege to that of the quiet window before it, median.
    pub ratio: f64,
    pub ratios: Vec<f64>,
    /// Silent connections that were really open, at the least.
    pub idle: usize,
    pub clients: u32,
    pub flood_per_s: f64,
    pub flood_too_many: u64,
    /// What the manager held at most in the worst hostile window, in the quiet one before it, and
    /// what it was allowed to hold.
    pub rss_siege_bytes: u64,
    pub rss_quiet_bytes: u64,
    pub rss_bound_bytes: u64,
}

/// A window that was watched.
struct Seen {
    matches: u64,
    rate: f64,
    rss: u64,
}

pub(super) async fn measure(lab: &Lab, options: &SiegeOptions) -> anyhow::Result<Storm> {
    let length = Duration::from_secs_f64(options.seconds);
    let matches = RATE_MAX * f64::from(2 * WINDOWS) * (length + 2 * SETTLE).as_secs_f64();
    let lab = &Lab::new(lab.config.clone(), (2.0 * matches).sqrt().ceil() as u32);
    let league = lab.open(lab.players + 1).await?;
    let (_referee, referee_at) = league.referee(CAPACITY).await?;
    let (_players, _) = league.players().await?;
    league.begin().await?;
    let (manager_at, referee_at) = (address(&league.at)?, address(&referee_at)?);
    let (mut quiet, mut siege, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let mut storm = Storm { idle: usize::MAX, clients: options.clients, ..Storm::default() };
    let mut under_siege = Duration::ZERO;
    for _ in 0..WINDOWS {
        sleep(SETTLE).await;
        let before = watch(&league, length).await?;
        let mut crowd = Crowd::default();
        let to_referee = options.idle as usize / REFEREES_SHARE;
        crowd.sit_down(manager_at, options.idle as usize - to_referee).await;
        crowd.sit_down(referee_at, to_referee).await;
        for number in 0..options.clients as usize {
            crowd.shout(manager_at, number);
        }
        sleep(SETTLE).await;
        let (requests, began) = (crowd.deeds.requests.load(Ordering::Relaxed), Instant::now());
        let under = watch(&league, length).await?;
        under_siege += began.elapsed();
        storm.idle = storm.idle.min(crowd.idle());
        let shouted = crowd.deeds.requests.load(Ordering::Relaxed) - requests;
        storm.flood_per_s += shouted as f64;
        storm.flood_too_many += crowd.deeds.too_many.load(Ordering::Relaxed);
        storm.note_memory(&before, &under, allowance(&lab.config, options, &under));
        ratios.push(under.rate / before.rate);
        quiet.push(before.rate);
        siege.push(under.rate);
    }
    storm.flood_per_s = tenths(storm.flood_per_s / under_siege.as_secs_f64());
    storm.quiet_matches_per_s = tenths(median(&quiet));
    storm.siege_matches_per_s = tenths(median(&siege));
    storm.ratio = thousandths(median(&ratios));
    storm.ratios = ratios.into_iter().map(thousandths).collect();
    Ok(storm)
}

impl Storm {
    /// Keeps the window in which the manager came nearest to its bound, or went furthest beyond.
    fn note_memory(&mut self, quiet: &Seen, siege: &Seen, allowance: u64) {
        let bound = quiet.rss + allowance;
        let left = |held: u64, bound: u64| i128::from(bound) - i128::from(held);
        let is_first = self.rss_bound_bytes == 0;
        if is_first || left(siege.rss, bound) < left(self.rss_siege_bytes, self.rss_bound_bytes) {
            self.rss_quiet_bytes = quiet.rss;
            self.rss_siege_bytes = siege.rss;
            self.rss_bound_bytes = bound;
        }
    }

    /// What was promised and not kept.
    pub(super) fn broken(&self, options: &SiegeOptions) -> Vec<String> {
        let Self { ratio, idle, rss_siege_bytes: held, rss_bound_bytes: bound, .. } = *self;
        // Some are always between two seats: whoever says nothing is let go after a while.
        let sat = idle >= options.idle as usize * 9 / 10;
        broken([
            (ratio >= 0.5, format!("under siege the season kept only {ratio} of its quiet rate")),
            (held <= bound, format!("the manager held {held} bytes, and its bound is {bound}")),
            (sat, format!("only {idle} silent connections could be held")),
        ])
    }
}

/// What a manager of that configuration may hold more under siege.
fn allowance(config: &Config, options: &SiegeOptions, seen: &Seen) -> u64 {
    u64::from(options.idle) * IDLE_BYTES
        + u64::from(options.clients) * (config.server.body_max as u64 + TALK_BYTES)
        + seen.matches * MATCH_BYTES
        + SLACK_BYTES
}

/// Watches a season for one window.
async fn watch(league: &RunningLeague, length: Duration) -> anyhow::Result<Seen> {
    let (before, began) = (league.state().await?.matches_completed, Instant::now());
    let mut rss = league.manager.rss()?;
    while began.elapsed() < length {
        sleep(LOOK.min(length)).await;
        rss = rss.max(league.manager.rss()?);
    }
    loop {
        let matches = league.state().await?.matches_completed - before;
        let time = began.elapsed();
        if matches > 0 {
            return Ok(Seen { matches, rate: matches as f64 / time.as_secs_f64(), rss });
        }
        // A short window on a busy machine: it lasts until there is something to count.
        ensure!(time < WINDOW_MAX, "no match was played for {WINDOW_MAX:?}");
        sleep(LOOK).await;
    }
}
