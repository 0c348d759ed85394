//! Players whose answer never ends: what the referee holds meanwhile, and how it judges.

use std::time::Duration;

use agon_proto::message::Cause;
use anyhow::Context;
use serde::Serialize;
use tokio::time::sleep;

use super::cast::Manner;
use super::league::{League, count};
use crate::figures::broken;
use crate::lab::Lab;

const ENDLESS: usize = 48;
/// Honest players; some of them meet each other.
const HONEST: usize = 64;
/// Rounds that are played before anything is measured.
const WARM: u32 = 2;
const LOOK: Duration = Duration::from_millis(5);
/// What a process takes or leaves as it likes.
const SLACK_BYTES: u64 = 4 * 1024 * 1024;

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

pub(super) async fn measure(lab: &Lab) -> anyhow::Result<Endless> {
    let mut players = vec![Manner::Honest; HONEST];
    players.extend([Manner::Endless; ENDLESS]);
    let league = League::open(lab, (&players, |_| Duration::ZERO), 1).await?;
    // Everybody plays at first, and what that takes is taken before we measure.
    let warm = league.running.wait_for(|state| state.round > WARM).await?.round;
    let referee = league.referees.first().context("there is no referee")?;
    let before = referee.rss()?;
    let mut peak = before;
    league.cast.unleash();
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
        broken([
            (
                growth <= bound,
                format!("a referee grew by {growth} bytes, and its bound is {bound}"),
            ),
            (
                other == 0 && judged > 0,
                format!("{other} endless answers were judged as something else"),
            ),
            (lost == 0, format!("{lost} matches of honest players were not played")),
        ])
    }
}
