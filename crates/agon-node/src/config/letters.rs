//! The sections of a league that is played by letters: what it plays by, and how its mailboxes are
//! used.

use std::time::Duration;

use agon_proto::{DisplayName, LeagueId, SeasonId};
use serde::Deserialize;

use super::values;

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
    #[serde(rename = "round_every_s", deserialize_with = "values::seconds")]
    pub round_every: Duration,
    #[serde(rename = "round_max_s", deserialize_with = "values::seconds")]
    pub round_max: Duration,
    pub dedicated_referees: bool,
    pub keep_alive: bool,
    #[serde(rename = "keep_alive_s", deserialize_with = "values::seconds")]
    pub keep_alive_window: Duration,
    #[serde(rename = "warmup_s", deserialize_with = "values::seconds")]
    pub warmup: Duration,
    #[serde(rename = "questions_s", deserialize_with = "values::seconds")]
    pub questions: Duration,
    #[serde(rename = "guess_s", deserialize_with = "values::seconds")]
    pub guess: Duration,
    pub points_from: [f64; 3],
    pub referee_lost_points: u32,
    #[serde(rename = "player_callbacks_s", deserialize_with = "values::four_seconds")]
    pub player_callbacks: [Duration; 4],
    #[serde(rename = "referee_callbacks_s", deserialize_with = "values::four_seconds")]
    pub referee_callbacks: [Duration; 4],
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
        let Self { round_every, round_max, keep_alive_window, warmup, questions, guess, .. } = self;
        for time in [round_every, round_max, keep_alive_window, warmup, questions, guess] {
            *time = time.mul_f64(scale);
        }
    }
}

/// How mailboxes are used.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MailSection {
    #[serde(rename = "poll_s", deserialize_with = "values::seconds")]
    pub poll: Duration,
    #[serde(rename = "spacing_s", deserialize_with = "values::seconds")]
    pub spacing: Duration,
    #[serde(rename = "margin_s", deserialize_with = "values::seconds")]
    pub margin: Duration,
    pub per_day_max: u32,
    pub size_max: u32,
    pub quarantine: String,
}
