//! `agon season new`: the next season of a league, with the same agents, in the same folder.
//!
//! The new folder is made beside the old one, whole, with the same secrets and with everybody who
//! is expected again. Then the old one gets the name under which it is kept, and the new one takes
//! its place: two steps of the file system. Whoever dies before the first finds the finished
//! season; between the two the next `agon manager` or `agon season new` takes the second step. The
//! old season is read, and moved, and never written.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use agon_core::{LeagueFact, Order, SeasonSettings, Settings, next_season};
use agon_node::clock::Clock;
use agon_node::failpoint::{Failpoint, Point};
use agon_node::manager_settings;
use agon_proto::DisplayName;
use agon_proto::message::settings_in_limits;
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
/// Stands in a folder that this command is making.
const BEGUN: &str = "next-season.begun";
/// Stands in one that is whole, until it is in its place.
const MARK: &str = "next-season.mark";

pub(super) async fn new(common: &Common, args: &NewSeason) -> anyhow::Result<ExitCode> {
    let dir = &*args.data;
    let shown = dir.display();
    if complete(dir)? {
        eprintln!("agon: {shown} holds the next season now: an opening that had died is finished");
    }
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
    let mut opening = Failpoint::from_env()?;
    build(&path, &staging, facts, &mut opening).await?;
    opening.pass(Point::BeforeSeasonStep);
    journal.put_aside(&kept).context("could not keep the finished season under another name")?;
    opening.pass(Point::BeforeSeasonStep);
    complete(dir)?;
    ensure!(
        !staging.exists(),
        "somebody else has made {shown} anew. End whoever uses it, move it elsewhere and start the \
         manager: {} takes its place. The season before is kept in {}",
        staging.display(),
        kept.display()
    );
    info!(data = %shown, kept = %kept.display(), "the next season is open");
    let opened = Archive::open(dir, &common.load(Table::new())?)?.league.state();
    let shown_as = output::object()
        .with("league_id", &opened.league_id)
        .with("season_id", &opened.season_id)
        .with("game", settings.game.info().name)
        .with("format", settings.format.name())
        .with("agents_expected", opened.agents_expected)
        .with("kept", kept.display().to_string());
    let start = start_command(common, dir, &settings)?;
    output::show(common, &shown_as, || told(args, &opened, &settings, &kept, &start))
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
    // What every referee is told with its limits is a rule like the others.
    let is_apart = !settings_in_limits(&settings.game_type());
    if same_game && is_apart && unsaid.league.game_settings.is_empty() {
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
async fn build(
    path: &Path,
    staging: &Path,
    facts: Vec<LeagueFact>,
    opening: &mut Failpoint,
) -> anyhow::Result<()> {
    forget(path)?;
    ensure!(!staging.exists(), "{} is in the way; move it elsewhere", staging.display());
    opening.pass(Point::BeforeSeasonStep);
    data::create(staging)?;
    opening.pass(Point::BeforeSeasonStep);
    let begun = staging.join(BEGUN);
    File::create(&begun).context("could not mark the next season's folder")?;
    opening.pass(Point::BeforeSeasonStep);
    for secret in [data::OPERATOR_FILE, data::KEY_FILE] {
        if let Some(text) = data::read_if_there(&path.join(secret))? {
            data::write_atomically(&staging.join(secret), text.as_bytes())?;
        }
    }
    opening.pass(Point::BeforeSeasonStep);
    let mut journal: Journal<LeagueFact> = life::open(staging)?;
    let batch = Batch { facts, exhibits: Vec::new() };
    journal.append(0, batch).await.context("could not write the next season")?;
    drop(journal);
    opening.pass(Point::BeforeSeasonStep);
    give_away(path, staging).context("could not give the next season to the owner of the last")?;
    let marked = fs::rename(begun, staging.join(MARK)).and_then(|()| sync(staging));
    marked.context("could not mark the next season's folder")
}

/// Whoever runs the league goes on to own it, although somebody else (root) opens its next season.
fn give_away(path: &Path, staging: &Path) -> std::io::Result<()> {
    let (owner, ours) = (fs::metadata(path)?, fs::metadata(staging)?);
    if (owner.uid(), owner.gid()) == (ours.uid(), ours.gid()) {
        return Ok(());
    }
    let to = |place: &Path| chown(place, Some(owner.uid()), Some(owner.gid()));
    fs::read_dir(staging)?.try_for_each(|entry| to(&entry?.path()))?;
    to(staging)
}

/// Where the next season's folder is made.
fn staging(path: &Path) -> anyhow::Result<PathBuf> {
    let name = path.file_name().context("the folder has no name of its own; say --data DIR")?;
    Ok(path.with_file_name(format!("{}.{ENDING}", name.to_string_lossy())))
}

/// Removes what an opening that died before its first step has left: all of it follows from the
/// season that is there. For whoever owns that one.
pub(super) fn forget(dir: &Path) -> anyhow::Result<()> {
    let path = std::path::absolute(dir).context("could not tell where the folder is")?;
    let Ok(staging) = staging(&path) else { return Ok(()) };
    let [begun, mark] = [BEGUN, MARK].map(|name| staging.join(name));
    let is_empty = fs::read_dir(&staging).is_ok_and(|mut entries| entries.next().is_none());
    if !is_empty && !begun.exists() && !mark.exists() {
        return Ok(());
    }
    // Half removed it is not whole any more.
    let unmarked = if mark.exists() { fs::rename(mark, begun) } else { Ok(()) };
    let removed = unmarked.and_then(|()| fs::remove_dir_all(&staging));
    removed.with_context(|| format!("could not remove {}", staging.display()))
}

/// Takes the last step of a change of seasons, if somebody died before it: the old season has
/// another name already, and the new one is whole. Says whether there was one to take.
pub(super) fn complete(dir: &Path) -> anyhow::Result<bool> {
    let path = std::path::absolute(dir).context("could not tell where the folder is")?;
    let Ok(staging) = staging(&path) else { return Ok(false) };
    if path.symlink_metadata().is_ok() || !staging.join(MARK).exists() {
        return Ok(false);
    }
    let failed = || format!("could not put {} into its place", staging.display());
    match fs::rename(&staging, &path) {
        // Somebody else has taken it just now.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        renamed => renamed.with_context(failed)?,
    }
    path.parent().map_or(Ok(()), sync).with_context(failed)?;
    fs::remove_file(path.join(MARK)).with_context(failed)?;
    Ok(true)
}

fn sync(dir: &Path) -> std::io::Result<()> {
    File::open(dir).and_then(|dir| dir.sync_all())
}

/// How the manager of that league is started: with its game, if nothing else says it.
pub(super) fn start_command(
    common: &Common,
    dir: &Path,
    settings: &Settings,
) -> anyhow::Result<String> {
    let mut command = format!("agon manager --data {}", dir.display());
    if common.load(Table::new())?.league.game_type() != settings.game_type() {
        command = format!("{command} --game {}", settings.game_type());
    }
    let config = common.config.iter().map(|file| format!(" --config {}", file.display()));
    Ok(config.fold(command, |command, config| command + &config))
}

/// For people: what is open, who is expected, and what to type.
fn told(
    args: &NewSeason,
    opened: &LeagueState,
    settings: &Settings,
    kept: &Path,
    start: &str,
) -> String {
    let (dir, kept) = (args.data.display(), kept.display());
    let (game, format) = (settings.game.info().name, settings.format.name());
    let season = opened.season_id.as_ref().map_or_else(String::new, |id| format!(" {id}"));
    let expected = match opened.agents_expected {
        0 => "Everybody registers anew".to_owned(),
        count => format!("{} of the season before may come back", output::counted(count, "agent")),
    };
    format!(
        "Season{season} of {} is open in {dir}: {game}, {format}.\n\
         {expected}; nobody is in before it was started again.\n\
         The season before is kept in {kept}\n\
         Next: {start}",
        opened.league_id
    )
}
