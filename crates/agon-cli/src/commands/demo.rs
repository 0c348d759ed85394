//! `agon demo`: a whole season on this machine, over real HTTP on loopback, in one process.
//!
//! Agents register one after the other, so ids do not depend on chance; with a seed nothing does.

mod company;
mod show;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use agon_node::config::{Config, Tls};
use anyhow::{Context, bail};
use tempfile::TempDir;
use toml::Table;

use crate::archive::Archive;
use crate::args::{Common, Demo, put};
use crate::{data, life, output};
use company::Company;
use show::Show;

pub(crate) async fn run(common: &Common, args: &Demo) -> anyhow::Result<ExitCode> {
    let mut flags = Table::new();
    put(&mut flags, "log", "level", Some("warn")); // Unless somebody says otherwise.
    args.season.put(&mut flags);
    let mut config = common.load(flags)?;
    config.tls = Tls::default(); // All of it stays on this machine, whatever certificate it has.
    life::start_logs(&config)?;
    let folder = Folder::choose(args)?;
    if !common.json {
        output::talk(format!("data folder: {}", folder.path.display()));
    }
    season(common, args, &config, &folder.path).await?;
    show::finish(common, &Archive::open(&folder.path, &config)?)?;
    folder.leave(common.json, args.season.played.name());
    Ok(ExitCode::SUCCESS)
}

/// Where the demo's data lives.
struct Folder {
    path: PathBuf,
    /// What removes it, unless it is kept.
    temporary: Option<TempDir>,
}

impl Folder {
    fn choose(args: &Demo) -> anyhow::Result<Self> {
        if let Some(dir) = &args.data {
            if dir.join("journal.sqlite3").exists() {
                bail!("{} holds a league already; name another folder", dir.display());
            }
            data::create(dir)?;
            return Ok(Self { path: dir.clone(), temporary: None });
        }
        let mut dir = tempfile::Builder::new();
        let dir = dir.prefix("agon-demo-").disable_cleanup(args.keep).tempdir();
        let dir = dir.context("could not create a temporary folder")?;
        let path = dir.path().to_owned();
        Ok(Self { path, temporary: (!args.keep).then_some(dir) })
    }

    fn leave(self, json: bool, game: Option<&str>) {
        if self.temporary.is_none() {
            let dir = self.path.display();
            let game = game.map_or(String::new(), |game| format!(" --game {game}"));
            output::talk(format!(
                "data folder kept: look again with agon manager{game} --data {dir}"
            ));
        } else if !json {
            output::talk("data folder removed; say --keep to keep it");
        }
    }
}

/// Plays the season to its end.
async fn season(common: &Common, args: &Demo, config: &Config, dir: &Path) -> anyhow::Result<()> {
    // Teams play in some rounds and referee in others.
    let (wanted, matches) = match config.league.is_by_letters() {
        true => (args.teams, u64::from(args.teams) * u64::from(args.teams / 3)),
        false => (args.players, u64::from(args.players) * u64::from(args.players - 1) / 2),
    };
    let show = Show::new(common.json, matches);
    let mut company = Company::open(args, config, dir, wanted, show).await?;
    company.gather().await?;
    company.end().await
}
