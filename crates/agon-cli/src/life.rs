//! The life of a process: its runtime, its signals, its meters, its roles as nodes.

use std::path::Path;

use agon_core::{CodeHash, LeagueFact, Machine, Manager, ManagerOptions, Settings};
use agon_node::config::{Config, MailboxFile};
use agon_node::{Ledger, Listener, Node, Role, manager_settings};
use agon_proto::LeagueId;
use agon_store::Journal;
use anyhow::{Context, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tracing::info;

use crate::data;

/// One thread carries a process; its disk writes have their own.
pub(crate) fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().build().context("could not start the runtime")
}

/// Says stop once, when somebody wants us to end.
pub(crate) fn stop_on_signal() -> anyhow::Result<watch::Receiver<bool>> {
    let (stop, stopped) = watch::channel(false);
    let mut interrupt = signal(SignalKind::interrupt()).context("could not watch for signals")?;
    let mut terminate = signal(SignalKind::terminate()).context("could not watch for signals")?;
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        info!("stopping");
        let _ = stop.send(true);
        // The sender stays alive, so that nobody takes its end for another word.
        std::future::pending::<()>().await;
    });
    Ok(stopped)
}

/// Does something that is worth nothing if somebody wants us to end meanwhile.
#[cfg(feature = "lab")]
pub(crate) async fn unless_stopped<T>(
    work: impl Future<Output = anyhow::Result<T>>,
) -> anyhow::Result<T> {
    let mut stop = stop_on_signal()?;
    tokio::select! {
        done = work => done,
        _ = stop.changed() => bail!("stopped before the end; nothing is proved"),
    }
}

/// Opens the journal in a folder.
pub(crate) fn open<F>(dir: &Path) -> anyhow::Result<Journal<F>>
where
    F: Serialize + DeserializeOwned + Send + 'static,
{
    Journal::open(dir).with_context(|| format!("could not open the journal in {}", dir.display()))
}

/// Brings a role up to date with its journal.
fn catch_up<M: Machine>(
    role: &mut M,
    journal: &Journal<M::Fact>,
    dir: &Path,
) -> anyhow::Result<()> {
    let facts = journal
        .replay(|fact| role.apply(&fact))
        .with_context(|| format!("could not read the journal in {}", dir.display()))?;
    if facts > 0 {
        info!(facts, data = %dir.display(), "went on from the journal");
    }
    Ok(())
}

/// What a manager is started with.
pub(crate) struct ManagerStart<'a> {
    pub data: &'a Path,
    /// The journal in that folder.
    pub journal: Journal<LeagueFact>,
    pub league: Option<LeagueId>,
    pub start_when: Option<u32>,
    /// The rules of the season that was in this folder before, if this one has just made room.
    pub after: Option<&'a Settings>,
    pub referee_code: Option<CodeHash>,
    pub listener: Listener,
    /// The manager's mailbox, in a league by mail.
    pub mailbox: Option<&'a MailboxFile>,
}

/// A manager, up to date with its journal.
pub(crate) fn manager(config: &Config, start: ManagerStart<'_>) -> anyhow::Result<Node<Manager>> {
    let (start_when, referee_code) = (start.start_when, start.referee_code);
    let options = ManagerOptions { start_when, referee_code, ..data::manager_options(start.data)? };
    let mut settings = manager_settings(config, start.mailbox);
    if let Some(asked) = &start.league {
        settings.league_id = asked.clone();
    }
    if let Some(last) = start.after {
        settings = settings.after(last);
    }
    let mut role = Manager::new(settings, options);
    catch_up(&mut role, &start.journal, start.data)?;
    let (kept, meant) = (role.league().settings().game_type(), config.league.game_type());
    if kept != meant {
        let dir = start.data.display();
        bail!(
            "{dir} holds a league of {kept}, not of {meant}; say --game {kept}, or another --data"
        );
    }
    if let Some(asked) = start.league
        && role.league().settings().league_id != asked
    {
        let kept = &role.league().settings().league_id;
        bail!("{} holds league {kept}, not {asked}; say another --data", start.data.display());
    }
    let ledger = Ledger::from(start.journal);
    Ok(Node { ledger, stay: true, ..Node::new(role, Role::Manager, start.listener) })
}

/// A journal in that folder, with which the role is up to date; or none.
pub(crate) fn ledger<M: Machine>(
    role: &mut M,
    dir: Option<&Path>,
) -> anyhow::Result<Ledger<M::Fact>> {
    let Some(dir) = dir else {
        return Ok(Ledger::forgetful());
    };
    data::create(dir)?;
    let journal = open(dir)?;
    catch_up(role, &journal, dir)?;
    Ok(journal.into())
}
