//! `agon demo`: a whole season on this machine, over real HTTP on loopback, in one process.
//!
//! Agents register one after the other, so ids do not depend on chance; with a seed nothing does.
//! They are players and referees, or teams of one each in a league by letters.

mod show;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use agon_core::{
    Ending, League, LeagueFact, Machine, Manager, ManagerOptions, Player, Profile, Referee,
};
use agon_node::config::{Config, Tls};
use agon_node::{Dice, Listener, ListenerError, Mind, Node, NodeError, Role};
use agon_node::{manager_settings, player_times, profile, random_nonce, referee_settings};
use agon_player::{BuiltinPlayer, BuiltinReferee, Chance, ChildTerms, names_for, strategy, typed};
use agon_proto::{Endpoint, GroupId};
use anyhow::{Context, bail, ensure};
use tempfile::TempDir;
use tokio::sync::{mpsc, watch};
use tokio::task::{JoinHandle, JoinSet};
use toml::Table;

use super::nth_address;
use crate::archive::Archive;
use crate::args::{Common, Demo, put};
use crate::{data, life};
use show::Show;

/// So many strategies are played with, in turn. None of the first ones depends on the order of the
/// news.
const STRATEGIES: usize = 4;
/// Names for the first players, and for the first teams; the others are numbered.
const NAMES: [&str; 8] = ["Ada", "Blaise", "Carl", "Daphne", "Emmy", "Fermat", "Grace", "Hypatia"];
const TEAMS: [&str; 8] = ["Amber", "Birch", "Cedar", "Dune", "Ember", "Fjord", "Grove", "Harbour"];

pub(crate) async fn run(common: &Common, args: &Demo) -> anyhow::Result<ExitCode> {
    let mut flags = Table::new();
    put(&mut flags, "log", "level", Some("warn")); // Unless somebody says otherwise.
    args.season.put(&mut flags);
    let mut config = common.load(flags)?;
    config.tls = Tls::default(); // All of it stays on this machine, whatever certificate it has.
    life::start_logs(&config)?;
    let (dir, temporary) = folder(args)?;
    if !common.json {
        eprintln!("data folder: {}", dir.display());
    }
    let mut company = Company::open(common, args, &config, &dir).await?;
    company.gather().await?;
    company.end().await?;
    show::finish(common, &Archive::open(&dir, &config)?)?;
    if temporary.is_none() {
        let (game, dir) = (args.season.played.name(), dir.display());
        let game = game.map_or(String::new(), |game| format!(" --game {game}"));
        eprintln!("data folder kept: look again with agon manager{game} --data {dir}");
    } else if !common.json {
        eprintln!("data folder removed; say --keep to keep it");
    }
    Ok(ExitCode::SUCCESS)
}

/// Where the demo's data lives, and what removes it, unless it is kept.
fn folder(args: &Demo) -> anyhow::Result<(PathBuf, Option<TempDir>)> {
    if let Some(dir) = &args.data {
        if dir.join("journal.sqlite3").exists() {
            bail!("{} holds a league already; name another folder", dir.display());
        }
        data::create(dir)?;
        return Ok((dir.clone(), None));
    }
    let mut dir = tempfile::Builder::new();
    let dir = dir.prefix("agon-demo-").disable_cleanup(args.keep).tempdir();
    let dir = dir.context("could not create a temporary folder")?;
    Ok((dir.path().to_owned(), (!args.keep).then_some(dir)))
}

type Ended = Result<Option<Ending>, NodeError>;

/// A season under way in this process.
struct Company<'a> {
    args: &'a Demo,
    config: &'a Config,
    manager: Endpoint,
    signal: watch::Receiver<bool>,
    stop_manager: watch::Sender<bool>,
    running: JoinHandle<Ended>,
    agents: JoinSet<Ended>,
    /// Tells that the league is open, and then of each agent that is in.
    enrolled: mpsc::UnboundedReceiver<()>,
}

impl<'a> Company<'a> {
    /// Starts the manager; the season begins once all players, or teams, are in.
    async fn open(
        common: &Common,
        args: &'a Demo,
        config: &'a Config,
        dir: &Path,
    ) -> anyhow::Result<Self> {
        // Teams play in some rounds and referee in others.
        let (wanted, matches) = match config.league.is_by_letters() {
            true => (args.teams, u64::from(args.teams) * u64::from(args.teams / 3)),
            false => (args.players, u64::from(args.players) * u64::from(args.players - 1) / 2),
        };
        let mut show = Show::new(common.json, matches);
        let (told, mut enrolled) = mpsc::unbounded_channel();
        // What is shown is the league as far as it is durable; the manager's own may be ahead.
        let mut league = League::new(manager_settings(config, None));
        let witness = Box::new(move |_: &Manager, fact: &LeagueFact| {
            league.apply(fact);
            show.see(&league, fact);
            if let LeagueFact::Opened { .. } | LeagueFact::Registered(_) = fact {
                let _ = told.send(());
            }
        });
        let signal = life::stop_on_signal()?;
        let (stop_manager, stopped) = watch::channel(false);
        let listener = listen(config.manager.listen, 0, config).await?;
        let manager = listener.endpoint();
        let options = ManagerOptions { start_when: Some(wanted), ..data::manager_options(dir)? };
        let role = Manager::new(manager_settings(config, None), options);
        let node = Node {
            ledger: life::open(dir)?.into(),
            stay: true,
            witness: Some(witness),
            messages: (args.keep || args.data.is_some()).then(|| dir.to_owned()),
            ..Node::new(role, Role::Manager, listener)
        };
        let own = config.clone();
        let running = tokio::spawn(async move { node.run(&own, stopped).await });
        enrolled.recv().await.context("the manager did not start")?;
        let agents = JoinSet::new();
        Ok(Self { args, config, manager, signal, stop_manager, running, agents, enrolled })
    }

    /// Everybody comes, one after the other, so that ids and teams do not depend on chance.
    async fn gather(&mut self) -> anyhow::Result<()> {
        let &Demo { teams, players, referees, .. } = self.args;
        if self.config.league.is_by_letters() {
            for number in 0..teams {
                self.join(self.referee(number).await?).await?;
                self.join(self.player(number).await?).await?;
            }
            return Ok(());
        }
        for number in 0..referees {
            self.join(self.referee(number).await?).await?;
        }
        for number in 0..players {
            self.join(self.player(number).await?).await?;
        }
        Ok(())
    }

    /// An agent comes, and is let in.
    async fn join<M: Machine + Send + 'static>(&mut self, node: Node<M>) -> anyhow::Result<()> {
        let (config, stop) = (self.config.clone(), self.signal.clone());
        self.agents.spawn(async move { node.run(&config, stop).await });
        self.enrolled.recv().await.context("the manager stopped")
    }

    /// Waits until everybody has gone home; then the manager may go too.
    async fn end(mut self) -> anyhow::Result<()> {
        while let Some(ended) = self.agents.join_next().await {
            if let Some(Ending::NotAdmitted(why) | Ending::NoManager(why)) =
                ended.context("an agent broke down")??
            {
                bail!("an agent was not admitted: {why}");
            }
        }
        let _ = self.stop_manager.send(true);
        self.running.await.context("the manager broke down")??;
        ensure!(!*self.signal.borrow(), "stopped before the season was over");
        Ok(())
    }

    async fn player(&self, number: u32) -> anyhow::Result<Node<Player>> {
        let listener = listen(self.config.player.listen, number, self.config).await?;
        let (profile, mind): (_, Box<dyn Mind>) = if self.config.league.is_by_letters() {
            (self.team(&listener, number, None), typed(BuiltinPlayer { seed: self.seed(number) }))
        } else {
            let (thinks, mind) = self.strategy(number)?;
            let name = format!("{} ({thinks})", named(&NAMES, "Player", number));
            (self.profile(&name, &listener, None), mind)
        };
        let role = Player::new(profile, player_times(self.config));
        Ok(Node { mind, ..Node::new(role, Role::Player, listener) })
    }

    async fn referee(&self, number: u32) -> anyhow::Result<Node<Referee>> {
        let listener = listen(self.config.referee.listen, number, self.config).await?;
        if self.config.league.is_by_letters() {
            let profile = self.team(&listener, number, Some(1));
            let role = Referee::by_letter(profile, referee_settings(self.config));
            let mind = Box::new(BuiltinReferee { seed: self.seed(number) });
            return Ok(Node { mind, ..Node::new(role, Role::Referee, listener) });
        }
        let matches = (self.args.players / 2).div_ceil(self.args.referees);
        let capacity = matches.clamp(self.config.referee.capacity, 32);
        let profile = self.profile(&named(&[], "Referee", number), &listener, Some(capacity));
        let dice = self.args.seed.map_or(Dice::Fair, Dice::Seeded);
        Ok(Node { dice, ..Node::new(Referee::new(profile), Role::Referee, listener) })
    }

    fn profile(&self, name: &str, listener: &Listener, capacity: Option<u32>) -> Profile {
        let (here, manager) = (listener.endpoint(), self.manager.clone());
        profile(self.config, name, here, manager, capacity, random_nonce())
    }

    /// A member of a team.
    fn team(&self, listener: &Listener, number: u32, capacity: Option<u32>) -> Profile {
        let group = GroupId::new(&format!("team{:04}", number + 1));
        Profile { group, ..self.profile(&named(&TEAMS, "Team", number), listener, capacity) }
    }

    fn strategy(&self, number: u32) -> anyhow::Result<(&'static str, Box<dyn Mind>)> {
        let game = self.config.league.game_type();
        let thinks = names_for(game.as_str()).take(STRATEGIES).cycle().nth(number as usize);
        let thinks = thinks.with_context(|| format!("nobody here plays {game}"))?;
        let chance = self.args.seed.map_or(Chance::Fair, Chance::Seeded);
        let mind = strategy(game.as_str(), thinks, chance, &ChildTerms::default())?;
        Ok((thinks, mind))
    }

    /// Without a seed it is chance, and the same for the whole life of the agent.
    fn seed(&self, number: u32) -> u64 {
        let seeded = |seed: u64| seed.wrapping_mul(1_000_003) + u64::from(number);
        self.args.seed.map_or_else(random_nonce, seeded)
    }
}

/// The `number`th of these names, or a number behind a word.
fn named(names: &[&str], word: &str, number: u32) -> String {
    let name = names.get(number as usize).map(|name| (*name).to_owned());
    name.unwrap_or_else(|| format!("{word} {}", number + 1))
}

/// Takes the `number`th port after the first, or a free one if somebody else has it.
async fn listen(first: SocketAddr, number: u32, config: &Config) -> anyhow::Result<Listener> {
    let free = SocketAddr::new(first.ip(), 0);
    let usual = nth_address(first, number).unwrap_or(free);
    match Listener::open(usual, config, false).await {
        Err(ListenerError::Bind(_)) => Ok(Listener::open(free, config, false).await?),
        opened => Ok(opened?),
    }
}
