//! `agon siege`: real seasons of separate processes under a hostile crowd. A season must keep its
//! speed and its memory, deadlines must be kept, and an endless answer must cost its bound.
//!
//! The processes are those of a league; the siege itself plays the hostile parts.
//!
//! Spec: docs/operate.md

mod cast;
mod crowd;
mod endless;
mod figures;
mod league;
mod silent;
mod storm;

use std::process::ExitCode;

use agon_node::config::Tls;
use anyhow::ensure;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use toml::Table;

use super::bench::season::Lab;
use crate::args::{Common, EXIT_REFUSED, Siege};
use crate::{life, logs, output};
use figures::Figures;

/// Files that the siege needs besides one for each silent connection.
const FILES: u64 = 1_000;

pub(super) fn run(common: &Common, args: &Siege) -> anyhow::Result<ExitCode> {
    let mut config = common.load(Table::new())?;
    config.tls = Tls::default(); // The crowd does not speak it.
    if common.log.is_some() {
        logs::start(&config)?; // Otherwise only the figures speak.
    }
    raise_file_limit(args)?;
    let flags = vec!["--json".to_owned(), "--log".to_owned(), "error".to_owned()];
    let lab = Lab { config, flags, players: 0 };
    let figures = life::runtime()?.block_on(besiege(&lab, args))?;
    if common.json {
        output::json(&figures)?;
    } else {
        output::line(figures.text());
    }
    for sentence in &figures.broken {
        output::talk(format!("agon: {sentence}"));
    }
    let kept = figures.broken.is_empty();
    Ok(if kept { ExitCode::SUCCESS } else { ExitCode::from(EXIT_REFUSED) })
}

async fn besiege(lab: &Lab, args: &Siege) -> anyhow::Result<Figures> {
    let mut signal = life::stop_on_signal()?;
    let parts = async {
        output::talk("1/3 a season in quiet and under siege, in turn …");
        let storm = storm::measure(lab, args).await?;
        output::talk(format!("2/3 silent players beside {} other matches …", args.matches));
        let silent = silent::measure(lab, args).await?;
        output::talk("3/3 answers without an end …");
        let endless = endless::measure(lab).await?;
        let broken = [storm.broken(args), silent.broken(args), endless.broken()].concat();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let version = env!("CARGO_PKG_VERSION");
        anyhow::Ok(Figures { version, cores, storm, silent, endless, broken })
    };
    tokio::select! {
        figures = parts => figures,
        _ = signal.changed() => anyhow::bail!("stopped before the end; nothing is proved"),
    }
}

/// Asks the system for as many files as it grants. The manager does so itself.
fn raise_file_limit(args: &Siege) -> anyhow::Result<()> {
    let maximum = getrlimit(Resource::Nofile).maximum;
    // If it is refused we look at what we have.
    let _refused = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    let have = getrlimit(Resource::Nofile).current;
    // The manager keeps a quarter of its files for other things than connections.
    let need = (u64::from(args.idle) + FILES) / 3 * 4;
    ensure!(
        have.is_none_or(|have| have >= need),
        "{} silent connections need {need} open files and the system grants {}; raise the limit \
         (ulimit -Hn {need}) or say a smaller --idle",
        args.idle,
        have.unwrap_or(0)
    );
    Ok(())
}
