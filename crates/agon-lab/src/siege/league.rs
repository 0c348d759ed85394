//! A league whose players the siege plays itself: real manager, real referees, and a [`Cast`].

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use agon_net::{AddressPolicy, Client, ClientConfig, EndpointUrl, Trust};
use agon_node::clock::Clock;
use agon_proto::GameType;
use agon_proto::message::Cause;
use agon_proto::tool::LeagueState;
use anyhow::Context;
use serde_json::{Value, json};
use tempfile::NamedTempFile;
use tokio::task::JoinSet;

use super::cast::{Cast, Manner, Patience};
use crate::lab::{Lab, RunningLeague};
use crate::processes::Worker;

/// So many register at a time.
const AT_ONCE: usize = 32;
/// Longer than a registration takes on any machine.
const CALL: Duration = Duration::from_secs(60);

/// The terms: a second for a choice, and soon again. Deadlines are whole seconds on the clock, so
/// a little less than a second, asked a little after one, ends with the next. Joining may take
/// long, because it is by joining late that matches are kept open.
const TERMS: &str = include_str!("terms.toml");

pub(super) struct League {
    pub(super) running: RunningLeague,
    pub(super) referees: Vec<Worker>,
    pub(super) cast: Cast,
}

impl League {
    /// Lets everybody in, and begins the season.
    pub(super) async fn open(
        lab: &Lab,
        (players, patience): (&[Manner], Patience),
        referees: u32,
    ) -> anyhow::Result<Self> {
        let terms = NamedTempFile::new().and_then(|mut file| {
            file.write_all(TERMS.as_bytes())?;
            Ok(file.into_temp_path())
        });
        let terms = terms.context("could not write the terms of a league")?;
        let mut lab = lab.clone();
        lab.read(&terms)?;
        let count = u32::try_from(players.len()).context("too many players")?;
        let running = lab.open(count + 1).await?;
        // Room for every match of a round, so that all of them are under way at once.
        let capacity = (count / 2).div_ceil(referees) + 1;
        let mut judges = Vec::new();
        for _ in 0..referees {
            judges.push(running.referee(capacity).await?.0);
        }
        let cast = Cast::open(patience).await?;
        register(&lab, &running.at, &cast, players).await?;
        let all_in = |state: &LeagueState| state.players == count && state.referees == referees;
        running.wait_for(all_in).await?;
        running.begin().await?;
        Ok(Self { running, referees: judges, cast })
    }

    /// How the matches of a round ended: those of players who are not honest, and the others.
    pub(super) fn causes(&self, round: u32) -> anyhow::Result<[Vec<Cause>; 2]> {
        let league = self.running.folded()?;
        let season = league.season();
        let (mut bad, mut good) = (Vec::new(), Vec::new());
        for id in season.matches_in(round) {
            let kept = season.result(id).with_context(|| format!("{id} has no result"))?;
            let fixture = season.fixture(id).with_context(|| format!("{id} has no players"))?;
            let honest = [fixture.a, fixture.b].iter().all(|id| self.cast.is_honest(*id));
            if honest { &mut good } else { &mut bad }.push(kept.verdict.cause);
        }
        Ok([bad, good])
    }
}

/// How many of them ended so.
pub(super) fn count(causes: &[Cause], wanted: Cause) -> usize {
    causes.iter().filter(|cause| **cause == wanted).count()
}

/// Registers everybody, some at a time. Ids are the manager's choice.
async fn register(lab: &Lab, manager: &str, cast: &Cast, players: &[Manner]) -> anyhow::Result<()> {
    let manager = EndpointUrl::parse(manager).context("the manager has no address")?;
    let at_home = AddressPolicy { loopback: true, private: true, public: false };
    let calls = lab.config.calls(at_home, Trust::system());
    let client = Client::new(ClientConfig { idle_per_host_max: AT_ONCE, ..calls });
    let client = Arc::new(client);
    let clock = Clock::start();
    for (step, manners) in players.chunks(AT_ONCE).enumerate() {
        let mut calls = JoinSet::new();
        for place in 0..manners.len() {
            let number = step * AT_ONCE + place;
            let (client, manager) = (Arc::clone(&client), manager.clone());
            let game = lab.config.league.game_type();
            let letter = request(number, &game, &cast.endpoint(number), &clock);
            calls.spawn(async move {
                let answer = client.post(&manager, letter.to_string().into(), CALL).await?;
                anyhow::Ok((number, serde_json::from_slice::<Value>(&answer.body)?))
            });
        }
        while let Some(answer) = calls.join_next().await {
            let (number, answer) = answer.context("a registration broke down")??;
            let id = answer["result"]["player_id"].as_str().and_then(|id| id.parse().ok());
            let id = id.with_context(|| format!("a player was not let in: {answer}"))?;
            cast.admit(number, id, players[number]);
        }
    }
    Ok(())
}

fn request(number: usize, game: &GameType, endpoint: &str, clock: &Clock) -> Value {
    json!({ "jsonrpc": "2.0", "method": "register_player", "id": number, "params": {
        "protocol": "league.v2",
        "message_type": "LEAGUE_REGISTER_REQUEST",
        "sender": format!("player:siege{number}"),
        "timestamp": clock.now(),
        "conversation_id": format!("conv-siege-{number}"),
        "player_meta": {
            "display_name": format!("Siege {number}"),
            "version": "1.0.0",
            "game_types": [game],
            "contact_endpoint": endpoint,
            "protocol_version": "2.1.0",
        },
    }})
}
