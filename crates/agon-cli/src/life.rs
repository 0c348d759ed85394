//! The life of a process: its logs, its runtime, its signals, the journals of its roles.
//!
//! Logs go to stderr: for people on a terminal, as JSON lines on request.

mod columns;

use std::io::{IsTerminal, stderr};
use std::path::Path;

use agon_core::Machine;
use agon_node::Ledger;
use agon_node::config::{Config, LogFormat};
use agon_store::Journal;
use anyhow::Context;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tracing::info;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::data;
use columns::Columns;

/// Starts logging. Once per process.
pub(crate) fn start_logs(config: &Config) -> anyhow::Result<()> {
    let filter: Targets = config.log.level.parse().context("the log level does not work")?;
    let all = tracing_subscriber::registry().with(filter);
    let text =
        |colours| fmt::layer().with_target(false).with_writer(Columns::new).with_ansi(colours);
    match config.log.format {
        LogFormat::Json => {
            let layer = fmt::layer().with_writer(stderr).with_target(false);
            all.with(layer.json().flatten_event(true)).init();
        }
        LogFormat::Text => all.with(text(false)).init(),
        LogFormat::Auto => all.with(text(stderr().is_terminal())).init(),
    }
    Ok(())
}

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

/// Opens the journal in a folder.
pub(crate) fn open<F>(dir: &Path) -> anyhow::Result<Journal<F>>
where
    F: Serialize + DeserializeOwned + Send + 'static,
{
    Journal::open(dir).with_context(|| format!("could not open the journal in {}", dir.display()))
}

/// Brings a role up to date with its journal.
pub(crate) fn catch_up<M: Machine>(
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

/// A journal in that folder, with which the role is up to date; or none.
pub(crate) fn ledger<M: Machine>(
    role: &mut M,
    dir: Option<&Path>,
) -> anyhow::Result<Ledger<M::Fact>> {
    let Some(dir) = dir else { return Ok(Ledger::forgetful()) };
    data::create(dir)?;
    let journal = open(dir)?;
    catch_up(role, &journal, dir)?;
    Ok(journal.into())
}
