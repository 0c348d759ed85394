//! A season that is over: what its folder says of itself, so that nobody takes it for a new one.

use std::path::Path;

use agon_core::League;
use agon_node::clock::Clock;
use agon_node::config::Config;
use agon_proto::tool::LeaguePhase;
use agon_proto::{LeagueId, PlayerId, Timestamp};
use serde_json::{Value, json};
use tracing::warn;

/// A season that has its champion.
pub(super) struct Finished {
    league: LeagueId,
    champion: PlayerId,
    name: String,
    matches: u64,
    /// When it ended.
    pub(super) ended: Timestamp,
}

impl Finished {
    /// That league's season, if it is over.
    pub(super) fn of(league: &League) -> Option<Self> {
        let season = league.season();
        if season.phase() != LeaguePhase::Completed {
            return None;
        }
        let champion = season.champion()?;
        Some(Self {
            league: league.settings().league_id.clone(),
            champion,
            name: league.player(champion).map_or_else(String::new, |(name, _)| name.to_owned()),
            matches: season.completed(),
            ended: season.ended()?,
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
             champion {name} ({champion}). For a new season say --new, which keeps this one under \
             another name, or --data DIR for another folder"
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
            what_to_do = "--new for a new season, or --data DIR",
            "the season in this folder is over"
        );
    }
}
