//! What a league with seasons plays by, besides what all leagues do: who may come, and when rounds
//! begin.
//!
//! Spec: docs/protocol/q21.md

use std::time::Duration;

use agon_proto::{Address, Dialect, DisplayName, GroupId, SeasonId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::Thresholds;

/// What a league with seasons plays by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SeasonSettings {
    pub season: SeasonId,
    /// The first two digits of every game id.
    pub season_number: u32,
    /// The season's name for people.
    pub name: DisplayName,
    /// The league manager's own address, where letters travel by mail.
    pub address: Option<Address>,
    /// Who is expected.
    pub roster: Vec<RosterEntry>,
    /// Whether others may come too, until the season begins.
    pub open_registration: bool,
    /// How many rounds; `None`: as many as the format needs to be fair.
    pub rounds: Option<u32>,
    pub pace: Pace,
    /// A round ends then at the latest; whoever has not reported by then is lost.
    pub round_time_max_ms: u64,
    /// The season begins by itself so long after it was announced, as soon as enough are in.
    pub registration_ms: Option<u64>,
    pub thresholds: Thresholds,
    /// What a player gets who could not play, and was not to blame.
    pub referee_lost_points: u32,
    /// Before each round everybody is asked whether they are there, and has so long to answer; 0:
    /// nobody is asked.
    pub keep_alive_ms: u64,
}

/// A team that is expected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RosterEntry {
    pub group: GroupId,
    pub name: DisplayName,
    pub player: Address,
    /// `None` where others referee.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee: Option<Address>,
}

/// When rounds begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// As soon as the one before is over.
    #[default]
    Completion,
    /// At fixed times.
    Clock {
        every_ms: u64,
        /// When the first one begins, in milliseconds since 1970; `None`: with the season.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        first_at_ms: Option<u64>,
    },
}

/// A game is broken off after half an hour, says the course.
const ROUND_TIME_MAX_MS: u64 = 30 * 60 * 1_000;

impl Default for SeasonSettings {
    fn default() -> Self {
        Self {
            season: SeasonId::new("S01"),
            season_number: 1,
            name: DisplayName::new("S01"),
            address: None,
            roster: Vec::new(),
            open_registration: true,
            rounds: None,
            pace: Pace::Completion,
            round_time_max_ms: ROUND_TIME_MAX_MS,
            registration_ms: None,
            thresholds: Thresholds::default(),
            referee_lost_points: 2,
            keep_alive_ms: 0,
        }
    }
}

impl SeasonSettings {
    /// These terms for the season after `last`. Where they name the same season again, the next
    /// one gets an id and a number of its own, so that nobody takes a letter of the one for a
    /// letter of the other: `S01-2` after `S01`, then `S01-3`.
    #[must_use]
    pub fn after(self, last: &Self) -> Self {
        let Some(times) = self.times_played(&last.season) else { return self };
        let season = SeasonId::new(&format!("{}-{}", self.season.as_str(), times + 1));
        self.called(season, last.next_number())
    }

    /// The same terms for another season.
    #[must_use]
    pub(crate) fn called(self, season: SeasonId, season_number: u32) -> Self {
        // A season without a name for people goes by its id.
        let nameless = self.name.as_str() == self.season.as_str();
        let name = if nameless { DisplayName::new(season.as_str()) } else { self.name };
        Self { season, season_number, name, ..self }
    }

    /// The number of the season after this one.
    pub(crate) fn next_number(&self) -> u32 {
        self.season_number % Dialect::spoken(true).abilities().seasons_max + 1
    }

    /// How often the season of these terms was played, if `last` was one of those times.
    fn times_played(&self, last: &SeasonId) -> Option<u32> {
        match last.as_str().strip_prefix(self.season.as_str())? {
            "" => Some(1),
            ending => ending.strip_prefix('-')?.parse().ok(),
        }
    }

    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    pub(crate) fn round_time_max(&self) -> Duration {
        Duration::from_millis(self.round_time_max_ms)
    }

    pub(crate) fn keep_alive(&self) -> Duration {
        Duration::from_millis(self.keep_alive_ms)
    }
}

impl Pace {
    /// When that round is to begin, in a season that began at `start`; `None`: when the one before
    /// is over.
    pub(crate) fn begins(self, round: u32, start: Timestamp) -> Option<Timestamp> {
        match self {
            Self::Completion => None,
            Self::Clock { every_ms, first_at_ms } => {
                let first = first_at_ms.map_or(start, |first_at_ms| {
                    let since_1970 = Duration::from_millis(first_at_ms);
                    start.max(Timestamp::from_micros(0) + since_1970)
                });
                let later = u64::from(round.saturating_sub(1)).saturating_mul(every_ms);
                Some(first + Duration::from_millis(later))
            }
        }
    }
}

#[cfg(test)]
mod tests;
