//! A manager whose disk fails: it answers questions, and tries again until it can write.

use std::path::Path;
use std::time::Duration;

use agon_core::{LeagueFact, Manager};
use agon_node::config::Config;
use agon_node::{Listener, NodeError, ReadOnlyNode};
use agon_store::Journal;
use anyhow::Context;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::sleep;
use tracing::{error, info};

use crate::archive::Archive;
use crate::data;

/// However times are scaled, a disk is left alone for so long.
const PAUSE_MIN: Duration = Duration::from_millis(20);

/// Serves reads of a manager that could not write until its journal can be written, and returns
/// that; `None` if it is told to stop meanwhile.
///
/// # Errors
/// When the journal cannot even be read, or is damaged: then somebody has to look at it.
pub(super) async fn wait(
    (data, listener): (&Path, Listener),
    error: NodeError,
    config: &Config,
    mut stop: watch::Receiver<bool>,
) -> anyhow::Result<Option<Journal<LeagueFact>>> {
    let folder = data.display();
    let why = format!("{:#}", anyhow::Error::from(error));
    error!(data = %folder, why, "the journal cannot be written, so the league is only read");
    let room = ReadOnlyNode {
        role: Manager::reader(Archive::open(data, config)?.league, data::manager_options(data)?),
        listener,
        data: data.to_owned(),
    };
    let until = async {
        tokio::select! {
            journal = writable(data, config) => journal.map(Some),
            _ = stop.changed() => Ok(None),
        }
    };
    let journal = room.run(config, until).await?;
    if journal.is_some() {
        info!(data = %folder, "the journal can be written again");
    }
    Ok(journal)
}

/// Tries to open the journal, with the waits of a failed report, until it takes something.
async fn writable(data: &Path, config: &Config) -> anyhow::Result<Journal<LeagueFact>> {
    let mut waits = config.times.retry_backoff_s.iter().map(|wait| wait.0);
    let mut wait = PAUSE_MIN;
    loop {
        wait = waits.next().unwrap_or(wait).max(PAUSE_MIN);
        sleep(wait).await;
        let data = data.to_owned();
        let opened = spawn_blocking(move || Journal::open(&data)).await;
        match opened.context("the thread that opens the journal panicked")? {
            Ok(journal) => return Ok(journal),
            Err(error) if error.may_pass() => {}
            Err(error) => return Err(error).context("could not open the journal again"),
        }
    }
}
