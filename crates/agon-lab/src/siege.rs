//! The siege: real seasons of separate processes under a hostile crowd. A season must keep its
//! speed and its memory, deadlines must be kept, and an endless answer must cost its bound.
//!
//! The processes are those of a league; the siege itself plays the hostile parts.
//!
//! Spec: docs/operate.md

mod cast;
mod crowd;
mod league;
mod players;
mod storm;

use agon_node::config::Config;
use anyhow::ensure;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde::Serialize;

use crate::SiegeOptions;
use crate::lab::Lab;
pub use players::{Endless, Silent};
pub use storm::Storm;

/// Files that the siege needs besides one for each silent connection.
const FILES: u64 = 1_000;

/// What came of it.
#[derive(Debug, Serialize)]
pub struct SiegeFigures {
    pub version: &'static str,
    pub cores: usize,
    pub storm: Storm,
    pub silent: Silent,
    pub endless: Endless,
    /// Every promise that was not kept, a sentence each.
    pub broken: Vec<String>,
}

/// Besieges three leagues, and tells on stderr what it is about.
///
/// # Errors
/// When the system grants too few files, or a process cannot be started or breaks down.
pub async fn run(config: Config, options: &SiegeOptions) -> anyhow::Result<SiegeFigures> {
    raise_file_limit(options)?;
    let lab = &Lab::new(config, 0);
    eprintln!("1/3 a season in quiet and under siege, in turn …");
    let storm = storm::measure(lab, options).await?;
    eprintln!("2/3 silent players beside {} other matches …", options.matches);
    let silent = players::silent(lab, options).await?;
    eprintln!("3/3 answers without an end …");
    let endless = players::endless(lab).await?;
    let broken = [storm.broken(options), silent.broken(options), endless.broken()].concat();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let version = env!("CARGO_PKG_VERSION");
    Ok(SiegeFigures { version, cores, storm, silent, endless, broken })
}

/// Asks the system for as many files as it grants. The manager does so itself.
fn raise_file_limit(options: &SiegeOptions) -> anyhow::Result<()> {
    let maximum = getrlimit(Resource::Nofile).maximum;
    // If it is refused we look at what we have.
    let _refused = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    let have = getrlimit(Resource::Nofile).current;
    // The manager keeps a quarter of its files for other things than connections.
    let need = (u64::from(options.idle) + FILES) / 3 * 4;
    ensure!(
        have.is_none_or(|have| have >= need),
        "{} silent connections need {need} open files and the system grants {}; raise the limit \
         (ulimit -Hn {need}) or say a smaller --idle",
        options.idle,
        have.unwrap_or(0)
    );
    Ok(())
}
