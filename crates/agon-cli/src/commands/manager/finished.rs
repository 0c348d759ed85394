//! A season that is over: what its folder says of itself, so that nobody takes it for a new one,
//! and how it makes room for another one (`agon manager --new`).
//!
//! Its folder keeps everything and gets another name, in one step of the file system. Whoever dies
//! before that step finds the finished season, and after it no season: the next start begins one.
//! A season that is not over is never moved.

use std::env::current_dir;
use std::fs;
use std::path::{Path, PathBuf, absolute};

use agon_core::{League, LeagueFact, Settings};
use agon_node::clock::Clock;
use agon_node::config::Config;
use agon_proto::tool::LeaguePhase;
use agon_proto::{LeagueId, PlayerId, Timestamp};
use agon_store::Journal;
use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};
use tracing::{info, warn};

use crate::archive::Archive;
use crate::commands::season;
use crate::{data, life};

/// A season that has its champion.
pub(in crate::commands) struct Finished {
    league: LeagueId,
    champion: PlayerId,
    name: String,
    matches: u64,
    ended: Timestamp,
}

impl Finished {
    /// That league's season, if it is over.
    pub(in crate::commands) fn of(league: &League) -> Option<Self> {
        let season = league.season();
        if season.phase != LeaguePhase::Completed {
            return None;
        }
        let champion = season.champion?;
        Some(Self {
            league: league.settings().league_id.clone(),
            champion,
            name: league.player(champion).map_or_else(String::new, |(name, _)| name.to_owned()),
            matches: season.completed,
            ended: season.ended?,
        })
    }

    /// Whether somebody may still wait to hear of the end: a player stays with a match for so long.
    /// A manager that died with the news has to spread it, however it is started again.
    pub(super) fn is_news(&self, config: &Config) -> bool {
        Clock::start().now().since(self.ended) < *config.times.match_time_max_s
    }

    /// For people: what is there, and what they can do about it.
    pub(super) fn told(&self, dir: &Path) -> String {
        let Self { league, champion, name, matches, ended } = self;
        let dir = dir.display();
        let plural = if *matches == 1 { "match" } else { "matches" };
        format!(
            "{dir} holds a finished season: {league} ended at {ended} after {matches} {plural}, \
             champion {name} ({champion}). `agon season new --data {dir}` opens the next one with \
             the same agents, --new one with nobody in it; both keep this one under another name. \
             Or say --data DIR for another folder"
        )
    }

    /// The same for scripts.
    pub(super) fn json(&self, dir: &Path) -> Value {
        json!({
            "league_id": self.league,
            "champion": { "player_id": self.champion, "display_name": self.name },
            "matches": self.matches,
            "ended_at": self.ended,
            "note": self.told(dir),
        })
    }

    /// The same in the log.
    pub(super) fn log(&self, dir: &Path) {
        let Self { league, champion, name, matches, ended } = self;
        warn!(
            data = %dir.display(), %league, %champion, name, matches, ended_at = %ended,
            what_to_do = "agon season new, or --new, or --data DIR",
            "the season in this folder is over"
        );
    }
}

/// The season that made room.
pub(super) struct Before {
    /// Where it is now.
    pub(super) kept: PathBuf,
    pub(super) settings: Settings,
}

/// Makes room for a new season in that folder, if there is a finished one.
///
/// # Errors
/// When the season there is not over, belongs to a running manager or cannot be moved.
pub(super) fn make_room(dir: &Path, config: &Config) -> anyhow::Result<Option<Before>> {
    // From here on nobody else can be the manager of that folder.
    let journal: Journal<LeagueFact> = life::open(dir)?;
    let league = Archive::open(dir, config)?.league;
    let Some(finished) = Finished::of(&league) else {
        return if is_untouched(&league) { Ok(None) } else { bail!(unfinished(&league, dir)) };
    };
    let kept = free_name(&movable(dir)?, &finished)?;
    let operator = data::read_if_there(&dir.join(data::OPERATOR_FILE))?;
    // Or it would take the place of the season that begins.
    season::forget(dir)?;
    journal.put_aside(&kept).context(
        "could not keep the finished season under another name; nothing has changed. Say --data \
         DIR for another folder",
    )?;
    // The operator is the same person, with the same scripts. Agents get tokens of another key.
    data::create(dir)?;
    data::keep_operator_secret(dir, operator.as_deref())?;
    info!(data = %dir.display(), kept = %kept.display(), "the finished season was put aside");
    Ok(Some(Before { kept, settings: league.settings().clone() }))
}

/// Whether nobody would miss anything: the league has opened at most, and nobody is in it.
fn is_untouched(league: &League) -> bool {
    let state = league.state();
    let open = matches!(state.phase, LeaguePhase::Startup | LeaguePhase::AcceptingRegistrations);
    open && state.players == 0 && state.referees == 0
}

fn unfinished(league: &League, dir: &Path) -> String {
    let state = league.state();
    format!(
        "{} holds a season of {} that is not over ({} players, {} of {} matches have a result), \
         and --new does not throw it away. It goes on without --new; for another season beside it \
         say --data DIR, or move the folder away yourself",
        dir.display(),
        state.league_id,
        state.players,
        state.matches_completed,
        state.matches,
    )
}

/// The folder's own path, if it can get another name and still be found by the old one.
pub(in crate::commands) fn movable(dir: &Path) -> anyhow::Result<PathBuf> {
    let path = absolute(dir).context("could not tell where the folder is")?;
    let shown = dir.display();
    ensure!(!path.is_symlink(), "{shown} is a link; name the folder itself with --data");
    let (real, here) = (fs::canonicalize(&path)?, current_dir()?);
    if here.starts_with(&real) {
        bail!("{shown} is the current folder; go elsewhere to begin a new season in it");
    }
    Ok(path)
}

/// A name that nothing has: the folder's own, and when its season ended.
pub(in crate::commands) fn free_name(path: &Path, finished: &Finished) -> anyhow::Result<PathBuf> {
    let name = path.file_name().context("the folder has no name of its own; say --data DIR")?;
    // A colon means something else in many places where a path is written.
    let ended = finished.ended.to_string().replace(':', "-");
    let first = format!("{}-{ended}", name.to_string_lossy());
    let others = (1..).map(|number: u32| format!("{first}.{number}"));
    let mut names = std::iter::once(first.clone()).chain(others).map(|it| path.with_file_name(it));
    names.find(|path| path.symlink_metadata().is_err()).context("every name is taken")
}
