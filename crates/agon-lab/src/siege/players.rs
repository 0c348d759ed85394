//! Players who do not play as they should, and what they cost the others: silent ones, and ones
//! whose answer never ends.

use std::time::Duration;

use agon_proto::message::Cause;
use anyhow::Context;
use serde::Serialize;
use tokio::time::sleep;

use super::cast::Manner;
use super::league::{League, count};
use crate::SiegeOptions;
use crate::figures::{broken, millis, quantile};
use crate::lab::Lab;

/// Each of them meets four deadlines: the first question and three more.
const SILENT: usize = 60;
const DEADLINES: usize = 4;
/// Of so many honest matches one is lively; the others wait until the silent ones are judged.
const LIVELY: u64 = 5;
/// The silent ones are judged within this time.
const JUDGED_MS: u64 = 9_000;
/// Over this time the others are then played.
const SPREAD_MS: u64 = 1_000;
const REFEREES: u32 = 4;
/// The promise: 99 of 100 are not later than this.
const LATE_MAX_MS: f64 = 50.0;

/// What came of silent players.
#[derive(Debug, Serialize)]
pub struct Silent {
    pub players: usize,
    /// Honest matches that were under way at every deadline, at the least.
    pub matches_in_flight: usize,
    pub deadlines: usize,
    /// How late the silent player heard that its time was up (E001), or that it had lost.
    pub late_p50_ms: f64,
    pub late_p99_ms: f64,
    pub late_max_ms: f64,
    pub verdicts: usize,
    /// The verdict alone: recorded by the manager, then told.
    pub verdict_late_p99_ms: f64,
    pub timed_out: usize,
    pub others: usize,
    pub others_played: usize,
}

/// Silent players while very many matches are under way: how late the league is at their deadlines.
pub(super) async fn silent(lab: &Lab, options: &SiegeOptions) -> anyhow::Result<Silent> {
    let wanted = options.matches as usize;
    let pairs = wanted + wanted.div_ceil(LIVELY as usize - 1) + 1;
    let silent = SILENT.min(2 * pairs);
    // A silent player's opponent is honest; how many of them meet each other is the schedule's.
    let mut players = vec![Manner::Honest; 2 * pairs + silent];
    players.extend(vec![Manner::Silent; silent]);
    let league = League::open(lab, (&players, patience), REFEREES).await?;
    league.running.wait_for(|state| state.round > 1).await?;
    let [bad, good] = league.causes(1)?;
    let (mut warned, mut judged, in_flight) = league.cast.diary(|diary| {
        let in_flight = diary.in_flight.unwrap_or(0);
        (std::mem::take(&mut diary.warned), std::mem::take(&mut diary.judged), in_flight)
    });
    let verdict_late_p99_ms = millis(quantile(&mut judged, 0.99));
    let verdicts = judged.len();
    warned.extend(judged);
    Ok(Silent {
        players: silent,
        matches_in_flight: in_flight,
        deadlines: warned.len(),
        late_p50_ms: millis(quantile(&mut warned, 0.5)),
        late_p99_ms: millis(quantile(&mut warned, 0.99)),
        late_max_ms: millis(quantile(&mut warned, 1.0)),
        verdicts,
        verdict_late_p99_ms,
        timed_out: count(&bad, Cause::TimedOut),
        others: good.len(),
        others_played: count(&good, Cause::Played),
    })
}

impl Silent {
    /// What was promised and not kept.
    pub(super) fn broken(&self, options: &SiegeOptions) -> Vec<String> {
        let Self { late_p99_ms: late, deadlines, verdicts, players, .. } = *self;
        let (open, lost) = (self.matches_in_flight, self.others - self.others_played);
        let heard = deadlines >= DEADLINES * players && verdicts >= players;
        let (in_time, under_way) = (late <= LATE_MAX_MS, open >= options.matches as usize);
        broken([
            (in_time, format!("one deadline in a hundred was kept {late} ms late or later")),
            (heard, format!("only {deadlines} deadlines and {verdicts} verdicts were heard")),
            (lost == 0, format!("{lost} matches of honest players were not played")),
            (under_way, format!("only {open} other matches were under way at a deadline")),
        ])
    }
}

/// How long two honest players wait before they join.
fn patience(number: u64) -> Duration {
    let mixed = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
    Duration::from_millis(match number % LIVELY {
        0 => mixed % JUDGED_MS,
        _ => JUDGED_MS + mixed % SPREAD_MS,
    })
}

/// So many answer without an end.
const ENDLESS: usize = 48;
/// Honest players; some of them meet each other.
const HONEST: usize = 64;
/// Rounds that are played before anything is measured.
const WARM: u32 = 2;
const LOOK: Duration = Duration::from_millis(5);
/// What a process takes or leaves as it likes.
const SLACK_BYTES: u64 = 4 * 1024 * 1024;

/// What came of endless answers.
#[derive(Debug, Serialize)]
pub struct Endless {
    pub players: usize,
    pub rss_before_bytes: u64,
    pub rss_peak_bytes: u64,
    pub growth_bytes: u64,
    /// The longest answer that is read, for each of them, and some slack.
    pub bound_bytes: u64,
    pub judged: usize,
    pub oversized: usize,
    pub others: usize,
    pub others_played: usize,
}

/// Players whose answer never ends: what the referee holds meanwhile, and how it judges.
pub(super) async fn endless(lab: &Lab) -> anyhow::Result<Endless> {
    let mut players = vec![Manner::Honest; HONEST];
    players.extend([Manner::Endless; ENDLESS]);
    let league = League::open(lab, (&players, |_| Duration::ZERO), 1).await?;
    // Everybody plays at first, and what that takes is taken before we measure.
    let warm = league.running.wait_for(|state| state.round > WARM).await?.round;
    let referee = league.referees.first().context("there is no referee")?;
    let before = referee.rss()?;
    let mut peak = before;
    league.cast.diary(|diary| diary.unleashed = true);
    let watch = async {
        loop {
            sleep(LOOK).await;
            match referee.rss() {
                Ok(rss) => peak = peak.max(rss),
                Err(error) => break error,
            }
        }
    };
    let _over = tokio::select! {
        error = watch => return Err(error),
        // The first round that nobody had begun by then is endless from its first question on.
        over = league.running.wait_for(|state| state.round > warm + 2) => over?,
    };
    let [bad, good] = league.causes(warm + 2)?;
    Ok(Endless {
        players: ENDLESS,
        rss_before_bytes: before,
        rss_peak_bytes: peak,
        growth_bytes: peak - before,
        bound_bytes: ENDLESS as u64 * lab.config.client.answer_max as u64 + SLACK_BYTES,
        judged: bad.len(),
        oversized: count(&bad, Cause::OversizedAnswer),
        others: good.len(),
        others_played: count(&good, Cause::Played),
    })
}

impl Endless {
    /// What was promised and not kept.
    pub(super) fn broken(&self) -> Vec<String> {
        let Self { growth_bytes: growth, bound_bytes: bound, judged, oversized, .. } = *self;
        let (other, lost) = (judged - oversized, self.others - self.others_played);
        let (bounded, as_such) = (growth <= bound, other == 0 && judged > 0);
        broken([
            (bounded, format!("a referee grew by {growth} bytes, and its bound is {bound}")),
            (as_such, format!("{other} endless answers were judged as something else")),
            (lost == 0, format!("{lost} matches of honest players were not played")),
        ])
    }
}
