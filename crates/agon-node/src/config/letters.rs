//! The sections of a league that is played by letters: what it plays by, and how its mailboxes are
//! used.

use agon_proto::{DisplayName, LeagueId, SeasonId};
use serde::Deserialize;

use super::values::{self, Seconds};

/// What such a league plays by.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LettersSection {
    pub league: LeagueId,
    pub season: SeasonId,
    #[serde(deserialize_with = "values::text")]
    season_name: Option<String>,
    pub season_number: u32,
    pub rounds: u32,
    pub pace: RoundPace,
    pub round_every_s: Seconds,
    pub round_max_s: Seconds,
    pub dedicated_referees: bool,
    pub keep_alive: bool,
    pub keep_alive_s: Seconds,
    pub warmup_s: Seconds,
    pub questions_s: Seconds,
    pub guess_s: Seconds,
    pub points_from: [f64; 3],
    pub referee_lost_points: u32,
    pub player_callbacks_s: [Seconds; 4],
    pub referee_callbacks_s: [Seconds; 4],
}

/// When a round begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoundPace {
    /// As soon as the last one is over.
    Completion,
    /// At fixed times.
    Clock,
}

impl LettersSection {
    /// The season's name for people.
    pub fn name(&self) -> DisplayName {
        DisplayName::new(self.season_name.as_deref().unwrap_or(self.season.as_str()))
    }

    /// Multiplies the times by `scale`. A program thinks no faster for it.
    pub(super) fn apply_scale(&mut self, scale: f64) {
        let Self { round_every_s, round_max_s, keep_alive_s, .. } = self;
        let Self { warmup_s, questions_s, guess_s, .. } = self;
        for time in [round_every_s, round_max_s, keep_alive_s, warmup_s, questions_s, guess_s] {
            time.0 = time.mul_f64(scale);
        }
    }
}

/// How mailboxes are used.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MailSection {
    pub poll_s: Seconds,
    pub spacing_s: Seconds,
    pub margin_s: Seconds,
    pub per_day_max: u32,
    pub size_max: u32,
    pub quarantine: String,
}
