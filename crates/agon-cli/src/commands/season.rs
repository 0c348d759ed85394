//! `agon season new`: the next season of a league, with the same agents, in the same folder.
//!
//! The new folder is made beside the old one, whole, with the same secrets and with everybody who
//! is expected again. Then the old one gets the name under which it is kept, and the new one takes
//! its place: two steps of the file system. Whoever dies before the first finds the finished
//! season; between the two the next command that needs the folder takes the second step. The old
//! season is read, and moved, and never written.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use agon_core::{LeagueFact, Order, SeasonSettings, Settings, next_season};
use agon_node::clock::Clock;
use agon_node::manager_settings;
use agon_proto::DisplayName;
use agon_proto::tool::LeagueState;
use agon_store::{Batch, Journal};
use anyhow::{Context, bail, ensure};
use toml::Table;
use tracing::info;

use super::manager::finished::{Finished, free_name, movable};
use crate::archive::Archive;
use crate::args::{Common, NewSeason, put};
use crate::{data, life, output};

/// What a folder that is being made is called, behind the name that it will have.
const ENDING: &str = "next-season";
/// Stands in a folder that this command made, until it is in its place.
const MARK: &str = "next-season.mark";

pub(super) async fn new(common: &Common, args: &NewSeason) -> anyhow::Result<ExitCode> {
    let dir = &*args.data;
    complete(dir)?;
    let shown = dir.display();
    ensure!(dir.exists(), "there is no {shown}; a league's first season begins with agon manager");
    let journal: Journal<LeagueFact> = life::open(dir)
        .with_context(|| format!("the next season of {shown} cannot be opened now"))?;
    let last = Archive::open(dir, &common.load(Table::new())?)?.league;
    let Some(finished) = Finished::of(&last) else {
        let LeagueState { league_id, matches_completed, matches, .. } = last.state();
        bail!(
            "the season of {league_id} in {shown} is not over ({matches_completed} of {matches} \
             matches have a result); the next one comes after it"
        );
    };
    let settings = settings(common, args, last.settings())?;
    let order = Order {
        by: DisplayName::new(&args.by.clone().or(user()).unwrap_or_else(|| "operator".to_owned())),
        reason: DisplayName::new(args.reason.as_deref().unwrap_or("the next season")),
    };
    let path = movable(dir)?;
    let (kept, staging) = (free_name(&path, &finished)?, staging(&path)?);
    let facts = next_season(&last, settings.clone(), &order, Clock::start().now());
    build(&path, &staging, facts).await?;
    journal.put_aside(&kept).context("could not keep the finished season under another name")?;
    complete(dir)?;
    info!(data = %shown, kept = %kept.display(), "the next season is open");
    let opened = Archive::open(dir, &common.load(Table::new())?)?.league.state();
    let shown_as = output::object()
        .with("league_id", &opened.league_id)
        .with("season_id", &opened.season_id)
        .with("game", settings.game.info().name)
        .with("format", settings.format.name())
        .with("agents_expected", opened.agents_expected)
        .with("kept", kept.display().to_string());
    output::show(common, &shown_as, || told(args, &opened, &settings, &kept))
}

/// Who gives the order, if nobody says it.
fn user() -> Option<String> {
    std::env::var("USER").ok()
}

/// The rules of the next season: those of the configuration, for the same league. What is played
/// stays, unless something else is said.
fn settings(common: &Common, args: &NewSeason, last: &Settings) -> anyhow::Result<Settings> {
    let unsaid = common.load(Table::new())?;
    let mut flags = Table::new();
    args.season.put(&mut flags);
    let same_game = args.season.played.game.is_none()
        && unsaid.league.game_type() == Settings::course(last.league_id.clone()).game_type();
    if same_game {
        put(&mut flags, "league", "game", Some(last.game.info().name));
    }
    let config = common.load(flags)?;
    let mut settings = manager_settings(&config, None);
    if same_game && unsaid.league.game_settings.is_empty() {
        settings.game = last.game.clone();
    }
    let (old, new) = (last.game.info(), settings.game.info());
    ensure!(
        old.is_judged() == new.is_judged(),
        "agents of a league of {} do not speak what {} is played by; begin another folder",
        old.name,
        new.name
    );
    if config.league.format.is_none() {
        settings.format = last.format;
    }
    if new.is_judged() {
        // Who is on the list, and where the manager is written to, is the league's.
        let SeasonSettings { address, roster, open_registration, .. } = last.seasons.clone();
        settings.seasons =
            SeasonSettings { address, roster, open_registration, ..settings.seasons };
    }
    settings.league_id = last.league_id.clone();
    Ok(settings.after(last))
}

/// Makes the folder of the next season beside that of the last one.
async fn build(path: &Path, staging: &Path, facts: Vec<LeagueFact>) -> anyhow::Result<()> {
    if staging.exists() {
        let shown = staging.display();
        let is_empty = fs::read_dir(staging).is_ok_and(|mut entries| entries.next().is_none());
        let is_ours = is_empty || staging.join(MARK).exists();
        ensure!(is_ours, "{shown} is in the way; move it elsewhere");
        // It was left by a death before it was needed: all of it follows from the old season.
        fs::remove_dir_all(staging).with_context(|| format!("could not remove {shown}"))?;
    }
    data::create(staging)?;
    File::create(staging.join(MARK)).context("could not mark the next season's folder")?;
    for secret in [data::OPERATOR_FILE, data::KEY_FILE] {
        if let Some(text) = data::read_if_there(&path.join(secret))? {
            data::write_atomically(&staging.join(secret), text.as_bytes())?;
        }
    }
    let mut journal: Journal<LeagueFact> = life::open(staging)?;
    let batch = Batch { facts, exhibits: Vec::new() };
    journal.append(0, batch).await.context("could not write the next season")?;
    Ok(())
}

/// Where the next season's folder is made.
fn staging(path: &Path) -> anyhow::Result<PathBuf> {
    let name = path.file_name().context("the folder has no name of its own; say --data DIR")?;
    Ok(path.with_file_name(format!("{}.{ENDING}", name.to_string_lossy())))
}

/// Takes the last step of a change of seasons, if somebody died before it: the old season has
/// another name already, and the new one is whole.
pub(super) fn complete(dir: &Path) -> anyhow::Result<()> {
    let path = std::path::absolute(dir).context("could not tell where the folder is")?;
    let Ok(staging) = staging(&path) else { return Ok(()) };
    if path.symlink_metadata().is_err() && staging.join(MARK).exists() {
        let failed = || format!("could not put {} into its place", staging.display());
        fs::rename(&staging, &path).with_context(failed)?;
        if let Some(parent) = path.parent() {
            File::open(parent).and_then(|parent| parent.sync_all()).with_context(failed)?;
        }
        fs::remove_file(path.join(MARK)).with_context(failed)?;
    }
    Ok(())
}

/// For people: what is open, who is expected, and what to type.
fn told(args: &NewSeason, opened: &LeagueState, settings: &Settings, kept: &Path) -> String {
    let (dir, kept) = (args.data.display(), kept.display());
    let (game, format) = (settings.game.info().name, settings.format.name());
    let usual = Settings::course(settings.league_id.clone()).game_type();
    let is_usual = settings.game_type() == usual;
    let flag = if is_usual { String::new() } else { format!(" --game {game}") };
    let season = opened.season_id.as_ref().map_or_else(String::new, |id| format!(" {id}"));
    let expected = match opened.agents_expected {
        0 => "Everybody registers anew".to_owned(),
        count => format!("{} of the season before may come back", output::counted(count, "agent")),
    };
    format!(
        "Season{season} of {} is open in {dir}: {game}, {format}.\n\
         {expected}; nobody is in before it was started again.\n\
         The season before is kept in {kept}\n\
         Next: agon manager --data {dir}{flag}",
        opened.league_id
    )
}
