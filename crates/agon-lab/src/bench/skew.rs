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

use agon_core::{Known, Player, Question};
use agon_node::{Listener, Mind, Node, Role, Thinking, player_times, profile, random_nonce};
use agon_proto::{Endpoint, MatchId};
use anyhow::Context;
use tokio::sync::watch;
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
    let (_never, stop) = watch::channel(false);
    let mut nodes = JoinSet::new();
    for number in 1..=players {
        let node = player(lab, number, &league.at, &asked).await?;
        let (config, stop) = (lab.config.clone(), stop.clone());
        nodes.spawn(async move { node.run(&config, stop).await });
    }
    while let Some(ended) = nodes.join_next().await {
        ended.context("a player broke down")??;
    }
    let asked = asked.lock().ok().context("a player broke down")?;
    // A match with one of them only tells nothing.
    let both = asked.values().filter_map(|times| Some((times.first()?, times.get(1)?)));
    Ok(both.map(|(first, second)| second.saturating_duration_since(*first)).collect())
}

async fn player(
    lab: &Lab,
    number: u32,
    manager: &str,
    asked: &Asked,
) -> anyhow::Result<Node<Player>> {
    let free = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let listener = Listener::open(free, &lab.config, false).await?;
    let (name, manager) = (format!("Player {number}"), Endpoint::new(manager));
    let endpoint = listener.endpoint();
    let profile = profile(&lab.config, &name, endpoint, manager, None, random_nonce());
    let role = Player::new(profile, player_times(&lab.config));
    let mind = Box::new(Watchful(asked.clone()));
    Ok(Node { mind, ..Node::new(role, Role::Player, listener) })
}
