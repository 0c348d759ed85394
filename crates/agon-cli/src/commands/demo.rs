//! `agon demo`: a whole season on this machine, over real HTTP on loopback, in one process.
//!
//! Agents register one after the other, so ids do not depend on chance; with a seed nothing does.

pub(super) mod company;
pub(super) mod show;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use agon_core::{Player, Referee};
use agon_node::config::{Config, Tls};
use agon_node::{Dice, Listener, ListenerError, Node, Role, player_times, profile, random_nonce};
use agon_player::{Chance, ChildTerms, names_for, strategy};
use agon_proto::Endpoint;
use anyhow::{Context, bail};
use toml::Table;

use super::q21;
use crate::archive::Archive;
use crate::args::{Common, Demo, put, section};
use crate::{data, life, logs, output};
use company::Company;
use show::Show;

/// So many strategies are played with, in turn. None of the first ones depends on the order of the
/// news.
const STRATEGIES: usize = 4;
/// Names for the first players; the others are numbered.
const NAMES: [&str; 8] = ["Ada", "Blaise", "Carl", "Daphne", "Emmy", "Fermat", "Grace", "Hypatia"];

pub(crate) fn run(common: &Common, args: &Demo) -> anyhow::Result<ExitCode> {
    let mut log = Table::new();
    put(&mut log, "level", common.log.is_none().then_some("warn"));
    let mut flags = if common.log.is_none() { section("log", log) } else { Table::new() };
    flags.extend(args.season.flags());
    let mut config = common.load(flags)?;
    config.tls = Tls::default(); // All of it stays on this machine, whatever certificate it has.
    logs::start(&config)?;
    let folder = Folder::choose(args)?;
    if !common.json {
        output::talk(format!("data folder: {}", folder.path().display()));
    }
    life::runtime()?.block_on(season(common, args, &config, folder.path()))?;
    let report = show::report(&Archive::open(folder.path(), &config)?)?;
    output::show(common, &report, || show::finish(&report))?;
    folder.leave(common.json, &config);
    Ok(ExitCode::SUCCESS)
}

/// Where the demo's data lives.
enum Folder {
    Temporary(tempfile::TempDir),
    Kept(PathBuf),
}

impl Folder {
    fn choose(args: &Demo) -> anyhow::Result<Self> {
        if let Some(dir) = &args.data {
            if dir.join("journal.sqlite3").exists() {
                bail!("{} holds a league already; name another folder", dir.display());
            }
            data::create(dir)?;
            return Ok(Self::Kept(dir.clone()));
        }
        let dir = tempfile::Builder::new().prefix("agon-demo-").tempdir();
        let dir = dir.context("could not create a temporary folder")?;
        Ok(if args.keep { Self::Kept(dir.keep()) } else { Self::Temporary(dir) })
    }

    fn path(&self) -> &Path {
        match self {
            Self::Temporary(dir) => dir.path(),
            Self::Kept(dir) => dir,
        }
    }

    fn leave(self, json: bool, config: &Config) {
        let note = match &self {
            Self::Temporary(_) => "data folder removed; say --keep to keep it".to_owned(),
            Self::Kept(dir) => {
                let dir = dir.display();
                let game = if q21::is_played(config) { " --game q21" } else { "" };
                format!("data folder kept: look again with agon manager{game} --data {dir}")
            }
        };
        if !json || matches!(self, Self::Kept(_)) {
            output::talk(note);
        }
    }
}

/// Plays the season to its end.
async fn season(common: &Common, args: &Demo, config: &Config, dir: &Path) -> anyhow::Result<()> {
    let by_letters = q21::is_played(config);
    let (wanted, matches) = match by_letters {
        true => (args.teams, u64::from(args.teams) * u64::from(args.teams / 3)),
        false => (args.players, u64::from(args.players) * u64::from(args.players - 1) / 2),
    };
    let show = Show::new(common.json, matches);
    let mut company = Company::open(config, dir, wanted, show).await?;
    if by_letters {
        q21::demo::gather(args, config, &mut company).await?;
    } else {
        gather(args, config, &mut company).await?;
    }
    company.end().await
}

/// Everybody comes, one after the other.
async fn gather(args: &Demo, config: &Config, company: &mut Company) -> anyhow::Result<()> {
    for number in 0..args.referees {
        company.join(referee(args, config, number, company.manager.clone()).await?).await?;
    }
    for number in 0..args.players {
        company.join(player(args, config, number, company.manager.clone()).await?).await?;
    }
    Ok(())
}

/// Takes the usual port, or a free one if somebody else has it.
pub(super) async fn open(usual: SocketAddr, config: &Config) -> anyhow::Result<Listener> {
    match Listener::open(usual, config, false).await {
        Ok(listener) => Ok(listener),
        Err(ListenerError::Bind(_)) => {
            let free = SocketAddr::new(usual.ip(), 0);
            Ok(Listener::open(free, config, false).await?)
        }
        Err(error) => Err(error.into()),
    }
}

/// The `number`th port after the first; any free one if the first is no matter.
pub(super) fn next(first: SocketAddr, number: u32) -> SocketAddr {
    if first.port() == 0 {
        return first;
    }
    let port = u32::from(first.port()).saturating_add(number);
    SocketAddr::new(first.ip(), u16::try_from(port).unwrap_or(0))
}

async fn referee(
    args: &Demo,
    config: &Config,
    number: u32,
    manager: Endpoint,
) -> anyhow::Result<Node<Referee>> {
    let listener = open(next(config.referee.listen, number), config).await?;
    let name = format!("Referee {}", number + 1);
    let matches = args.players / 2;
    let capacity = Some(matches.div_ceil(args.referees).clamp(config.referee.capacity, 32));
    let profile = profile(config, &name, listener.endpoint(), manager, capacity, random_nonce());
    let dice = args.seed.map_or(Dice::Fair, Dice::Seeded);
    Ok(Node { dice, ..life::node(Referee::new(profile), Role::Referee, listener) })
}

async fn player(
    args: &Demo,
    config: &Config,
    number: u32,
    manager: Endpoint,
) -> anyhow::Result<Node<Player>> {
    let listener = open(next(config.player.listen, number), config).await?;
    let place = number as usize;
    let game = config.league.game_type();
    let strategies = names_for(game.as_str());
    let thinks = strategies.iter().take(STRATEGIES).cycle().nth(place);
    let thinks = thinks.with_context(|| format!("nobody here plays {game}"))?;
    let name = match NAMES.get(place) {
        Some(name) => format!("{name} ({thinks})"),
        None => format!("Player {} ({thinks})", number + 1),
    };
    let chance = args.seed.map_or(Chance::Fair, Chance::Seeded);
    let mind = strategy(game.as_str(), thinks, chance, &ChildTerms::default())?;
    let profile = profile(config, &name, listener.endpoint(), manager, None, random_nonce());
    let role = Player::new(profile, player_times(config));
    Ok(Node { mind, ..life::node(role, Role::Player, listener) })
}
