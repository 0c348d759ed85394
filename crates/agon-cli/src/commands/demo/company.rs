//! Everybody who takes part in a demo: the manager, and the agents that come one after the other.

use std::path::Path;

use agon_core::{Ending, League, LeagueFact, Machine, Manager, ManagerOptions};
use agon_node::config::Config;
use agon_node::{Node, NodeError, Role, manager_settings};
use agon_proto::Endpoint;
use anyhow::{Context, bail};
use tokio::sync::{mpsc, watch};
use tokio::task::{JoinHandle, JoinSet};

use super::Show;
use super::cast::open;
use crate::{data, life};

type Ended = Result<Option<Ending>, NodeError>;

/// A season under way in this process.
pub(super) struct Company {
    pub(super) manager: Endpoint,
    config: Config,
    signal: watch::Receiver<bool>,
    stop_manager: watch::Sender<bool>,
    running: JoinHandle<Ended>,
    agents: JoinSet<Ended>,
    /// Tells that the league is open, and then of each agent that is in.
    enrolled: mpsc::UnboundedReceiver<()>,
}

impl Company {
    /// Starts the manager; the season begins once so many players, or teams, are in.
    pub(super) async fn open(
        config: &Config,
        dir: &Path,
        start_when: u32,
        mut show: Show,
    ) -> anyhow::Result<Self> {
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
        let listener = open(config.manager.listen, config).await?;
        let manager = listener.endpoint();
        let start_when = Some(start_when);
        let options = ManagerOptions { start_when, ..data::manager_options(dir)? };
        let role = Manager::new(manager_settings(config, None), options);
        let node = Node {
            ledger: life::open(dir)?.into(),
            stay: true,
            witness: Some(witness),
            ..Node::new(role, Role::Manager, listener)
        };
        let config = config.clone();
        let running = tokio::spawn({
            let config = config.clone();
            async move { node.run(&config, stopped).await }
        });
        enrolled.recv().await.context("the manager did not start")?;
        let agents = JoinSet::new();
        Ok(Self { manager, config, signal, stop_manager, running, agents, enrolled })
    }

    /// An agent comes, and is let in.
    pub(super) async fn join<M: Machine + Send + 'static>(
        &mut self,
        node: Node<M>,
    ) -> anyhow::Result<()> {
        let (config, stop) = (self.config.clone(), self.signal.clone());
        self.agents.spawn(async move { node.run(&config, stop).await });
        self.enrolled.recv().await.context("the manager stopped")
    }

    /// Waits until everybody has gone home; then the manager may go too.
    pub(super) async fn end(mut self) -> anyhow::Result<()> {
        while let Some(ended) = self.agents.join_next().await {
            if let Some(Ending::NotAdmitted(why)) = ended.context("an agent broke down")?? {
                bail!("an agent was not admitted: {why}");
            }
        }
        let _ = self.stop_manager.send(true);
        self.running.await.context("the manager broke down")??;
        if *self.signal.borrow() {
            bail!("stopped before the season was over");
        }
        Ok(())
    }
}
