//! `agon player`: runs one player or many until the league is complete or it is told to stop.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use agon_core::{Ending, Machine, Player as Role, PlayerFact, Profile};
use agon_node::config::Config;
use agon_node::{Listener, Node, Render, Role as Kind, TlsFiles};
use agon_node::{player_times, profile, random_nonce};
use agon_player::{Chance, ChildTerms, strategy, try_out};
use agon_proto::Endpoint;
use agon_store::Journal;
use anyhow::{Context, bail};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tracing::info;

use super::referee::{farewell, log_admission};
use super::{announce, q21};
use crate::args::{Common, Player};
use crate::{data, life, logs};

pub(crate) fn run(common: &Common, args: Player) -> anyhow::Result<ExitCode> {
    let mut flags = args.reach.flags("player");
    flags.extend(args.played.flags());
    let config = common.load(flags)?;
    if q21::is_played(&config) {
        return q21::player(common, &args, &config);
    }
    q21::is_not_meant(&args.team)?;
    logs::start(&config)?;
    life::runtime()?.block_on(async {
        let stop = life::stop_on_signal()?;
        let metrics = life::meters();
        let tls_files = TlsFiles::load(&config.tls)?;
        // A program that cannot be asked would lose the whole season.
        if let Err(mishap) = try_out(spec(&args, &config), &terms(&args, &config)).await {
            bail!("{} cannot be used: {}", spec(&args, &config), mishap.text);
        }
        let mut places = BTreeSet::new();
        let mut players = JoinSet::new();
        for number in 0..args.count {
            let dir = args.data.as_deref().map(|dir| folder(dir, args.count, number));
            let listener = place(&args, &config, number, &tls_files).await?;
            let endpoint = listener.endpoint();
            if !places.insert(endpoint.clone()) {
                bail!("several players cannot share {endpoint}; advertise a host without a port");
            }
            let node = build(common, &args, &config, number, (listener, &metrics, dir.as_deref()))?;
            let (config, stop) = (config.clone(), stop.clone());
            let own = dir.map(|dir| (dir, name(&args, &config, number)));
            players.spawn(async move { live(node, &config, stop, own).await });
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
    own: Option<(PathBuf, String)>,
) -> anyhow::Result<Option<Ending>> {
    let ending = node.run(config, stop).await?;
    if let Some((dir, name)) = own {
        keep_history(&dir, &name, config)?;
    }
    Ok(ending)
}

/// Writes what the journal holds where the player's author can read it. Once, at the end: the
/// journal is what must be safe after every match.
fn keep_history(dir: &Path, name: &str, config: &Config) -> anyhow::Result<()> {
    let nowhere = Endpoint::new("");
    let profile = profile(config, name, nowhere.clone(), nowhere, None, 0);
    let mut memory = Role::new(profile, player_times(config));
    Journal::read_only(dir)?.replay(|fact| memory.apply(&fact))?;
    let history = serde_json::to_vec_pretty(&memory.state())?;
    data::write_atomically(&dir.join("history.json"), &history)
}

/// The `number`th player's listener. Its certificate is that of all.
async fn place(
    args: &Player,
    config: &Config,
    number: u32,
    tls_files: &TlsFiles,
) -> anyhow::Result<Listener> {
    let listen = listen(args.listen.unwrap_or(config.player.listen), number)?;
    let listener = Listener::open_with(tls_files, listen, config, args.reach.insecure).await?;
    Ok(listener.advertised(config.player.advertise.as_deref())?)
}

fn build(
    common: &Common,
    args: &Player,
    config: &Config,
    number: u32,
    (listener, metrics, dir): (Listener, &Render, Option<&Path>),
) -> anyhow::Result<Node<Role>> {
    let endpoint = listener.endpoint();
    let name = name(args, config, number);
    let game = config.league.game_type();
    let mind = strategy(game.as_str(), spec(args, config), Chance::Fair, &terms(args, config))?;
    let manager = Endpoint::new(&args.manager);
    let profile = profile(config, &name, endpoint.clone(), manager, None, random_nonce());
    let profile = Profile { keeps_token: dir.is_some(), ..profile };
    let mut role = Role::new(profile, player_times(config));
    let ledger = life::ledger(&mut role, dir)?;
    if let Some(file) = &args.token_file {
        role.show(data::agent_token(file)?);
    }
    announce(common, "player", endpoint.as_str())?;
    let (stay, witness) = (args.stay, Some(Box::new(log) as _));
    let metrics = Some(metrics.clone());
    let node = life::node(role, Kind::Player, listener);
    Ok(Node { ledger, mind, witness, stay, metrics, ..node })
}

/// How it chooses.
fn spec<'a>(args: &'a Player, config: &'a Config) -> &'a str {
    args.strategy.as_deref().unwrap_or(&config.player.strategy)
}

/// What holds for a program that chooses.
fn terms(args: &Player, config: &Config) -> ChildTerms {
    let env = config.player.env.iter().chain(&args.team.env).cloned().collect();
    ChildTerms { env, ..ChildTerms::default() }
}

/// Several players of one name are numbered.
fn name(args: &Player, config: &Config, number: u32) -> String {
    let name = args.name.as_deref().unwrap_or(config.player.name.as_str());
    if args.count == 1 { name.to_owned() } else { format!("{name} {}", number + 1) }
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

/// What a player learns, one line for each fact.
fn log(_: &Role, fact: &PlayerFact) {
    match fact {
        PlayerFact::Agent(fact) => log_admission("player", fact),
        PlayerFact::Chosen { match_id, attempt, choice, .. } => {
            // The log is the player's own; the choice is no secret from itself.
            info!(%match_id, attempt, choice = choice.as_str(), "chosen");
        }
        PlayerFact::Over(played) => {
            info!(match_id = %played.match_id, result = ?played.result, "match over");
        }
        // Only who speaks by letters learns of these.
        PlayerFact::Assigned { .. }
        | PlayerFact::RoundStarted { .. }
        | PlayerFact::RoundStopped { .. }
        | PlayerFact::Received { .. }
        | PlayerFact::Noted(_)
        | PlayerFact::Ranked { .. } => {}
    }
}
