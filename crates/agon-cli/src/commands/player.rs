//! `agon player`: runs one player or many until the league is complete or it is told to stop.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use agon_core::{Ending, Player as Role, PlayerFact};
use agon_node::config::Config;
use agon_node::{Dice, Node, Role as Kind, Street, player_patience, profile, random_nonce};
use agon_player::{Chance, ExecTerms, Thinker, strategy};
use agon_proto::Endpoint;
use anyhow::Context;
use tokio::sync::watch;
use tokio::task::JoinSet;
use toml::Table;
use tracing::info;

use super::announce;
use super::referee::farewell;
use crate::args::{Common, Player};
use crate::life::Render;
use crate::{data, life, logs};

pub(crate) fn run(common: &Common, args: Player) -> anyhow::Result<ExitCode> {
    let config = common.load(Table::new())?;
    logs::start(&config)?;
    life::runtime()?.block_on(async {
        let stop = life::stop_on_signal()?;
        let metrics = life::meters()?;
        let mut players = JoinSet::new();
        for number in 0..args.count {
            let node = build(common, &args, &config, number, &metrics).await?;
            let (config, stop) = (config.clone(), stop.clone());
            players.spawn(async move { live(node, &config, stop).await });
        }
        let mut code = ExitCode::SUCCESS;
        while let Some(ended) = players.join_next().await {
            let ending = ended.context("a player broke down")??;
            if matches!(ending, Some(Ending::NotAdmitted(_))) {
                code = farewell(ending);
            }
        }
        Ok(code)
    })
}

async fn live(
    node: Node<Role>,
    config: &Config,
    stop: watch::Receiver<bool>,
) -> anyhow::Result<Option<Ending>> {
    Ok(node.run(config, stop).await?)
}

async fn build(
    common: &Common,
    args: &Player,
    config: &Config,
    number: u32,
    metrics: &Render,
) -> anyhow::Result<Node<Role>> {
    let listen = listen(args.listen.unwrap_or(config.player.listen), number)?;
    let street = Street::open(listen, config, args.insecure).await?;
    let endpoint = street.endpoint();
    let name = args.name.as_deref().unwrap_or(config.player.name.as_str());
    let name = if args.count == 1 { name.to_owned() } else { format!("{name} {}", number + 1) };
    let spec = args.strategy.as_deref().unwrap_or(&config.player.strategy);
    let strategy = strategy(spec, Chance::Fair, &ExecTerms::default())?;
    let manager = Endpoint::new(&args.manager);
    let profile = profile(config, &name, endpoint.clone(), manager, None, random_nonce());
    let mut role = Role::new(profile, player_patience(config));
    let dir = args.data.as_deref().map(|dir| folder(dir, args.count, number));
    let ledger = life::ledger(&mut role, dir.as_deref())?;
    announce(common, "player", endpoint.as_str())?;
    Ok(Node {
        role,
        kind: Kind::Player,
        street,
        ledger,
        mind: Box::new(Thinker::new(strategy)),
        dice: Dice::Fair,
        witness: Some(Box::new(move |role, fact| remember(role, fact, dir.as_deref()))),
        stay: args.stay,
        metrics: Some(metrics.clone()),
    })
}

/// Several players take the ports that follow; port 0 takes a free one for each.
fn listen(first: SocketAddr, number: u32) -> anyhow::Result<SocketAddr> {
    let mut address = first;
    if first.port() != 0 {
        let port = u32::from(first.port()) + number;
        address
            .set_port(u16::try_from(port).context("there are not enough ports; listen on port 0")?);
    }
    Ok(address)
}

fn folder(dir: &Path, count: u32, number: u32) -> PathBuf {
    if count == 1 { dir.to_owned() } else { dir.join(format!("player-{}", number + 1)) }
}

/// Logs what a player learns, and keeps its history where its author can read it.
fn remember(role: &Role, fact: &PlayerFact, dir: Option<&Path>) {
    match fact {
        PlayerFact::Registered(given) => {
            info!(player = %given.agent, league = %given.league, "registered");
        }
        PlayerFact::Chosen { match_id, attempt, choice } => {
            // The log is the player's own; the choice is no secret from itself.
            info!(%match_id, attempt, %choice, "chosen");
        }
        PlayerFact::Over(played) => {
            info!(match_id = %played.match_id, result = ?played.result, "match over");
            let Some(dir) = dir else { return };
            let written = serde_json::to_vec_pretty(&role.state())
                .map_err(anyhow::Error::from)
                .and_then(|history| data::write_atomically(&dir.join("history.json"), &history));
            if let Err(error) = written {
                tracing::warn!("could not keep the history: {error:#}");
            }
        }
    }
}
