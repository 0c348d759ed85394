//! How fair the clock is: the time between the two players' receipt of their choice calls, with one
//! match at a time on a machine that does nothing else.
//!
//! The manager and the referee are processes; all players live here, on one thread, and note when
//! they are asked. What their own thread takes for the first question is part of the figure.
//!
//! Spec: docs/bench.md

use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use agon_player::{Guest, Known, MatchId, Mind, Question, Thinking, play};
use anyhow::Context;
use tokio::task::JoinSet;

use crate::lab::Lab;

/// When each player of each match was asked.
type Asked = Arc<Mutex<HashMap<MatchId, Vec<Instant>>>>;

/// A player's mind that looks at the clock and says the same every time.
struct Watchful(Asked);

impl Mind for Watchful {
    fn think(&mut self, question: &Question, _: &Known<'_>) -> Thinking {
        let at = Instant::now();
        if let Ok(mut asked) = self.0.lock() {
            asked.entry(question.match_id).or_default().push(at);
        }
        Thinking::Now(Ok(question.options().first().cloned().unwrap_or_default()))
    }
}

/// The skew of every match of a season of so many players.
pub(super) async fn measure(lab: &Lab, players: u32) -> anyhow::Result<Vec<Duration>> {
    let league = lab.open(players).await?;
    let (_referee, _) = league.referee(1).await?;
    let asked = Asked::default();
    let mut config = lab.config.clone();
    config.player.advertise = None; // Nobody calls them from elsewhere.
    let mut guests = JoinSet::new();
    for number in 1..=players {
        let guest = Guest {
            manager: league.at.clone(),
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            name: format!("Player {number}"),
            insecure: false,
            config: config.clone(),
        };
        guests.spawn(play(guest, Box::new(Watchful(asked.clone()))));
    }
    while let Some(ended) = guests.join_next().await {
        ended.context("a player broke down")??;
    }
    let asked = asked.lock().ok().context("a player broke down")?;
    // A match with one of them only tells nothing.
    let both = asked.values().filter_map(|times| Some((times.first()?, times.get(1)?)));
    Ok(both.map(|(first, second)| second.saturating_duration_since(*first)).collect())
}
