//! The sections of the configuration. What each key means stands in `agon.default.toml`.

use std::net::SocketAddr;
use std::path::PathBuf;

use agon_core::format::FormatKind;
use agon_core::{AdmissionPolicy, BadRules, Rules, TieBreaker};
use agon_net::Network;
use agon_proto::message::game_settings_of;
use agon_proto::{DisplayName, GameType, LeagueId, SeasonId};
use serde::Deserialize;

use super::values::{self, Seconds};

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct LeagueSection {
    pub id: LeagueId,
    pub game: GameType,
    pub game_settings: String,
    pub hints: bool,
    #[serde(deserialize_with = "values::format")]
    pub format: Option<FormatKind>,
    pub players_max: u32,
    pub referees_max: u32,
    pub capacity_max: u32,
    pub draw_min: u32,
    pub draw_max: u32,
    pub win_points: u32,
    pub draw_points: u32,
    pub loss_points: u32,
    pub technical_loss_points: u32,
    pub tie_breakers: Vec<TieBreaker>,
    pub no_show: NoShow,
    pub attempts_max: u32,
    pub withdraw_after: u32,
    pub broadcast_full_max: u32,
    pub standings_top: u32,
}

impl LeagueSection {
    /// What is played, with what was set for it.
    pub fn rules(&self) -> Result<Rules, BadRules> {
        let (name, said) = (self.game.as_str(), self.game_settings.as_str());
        // The range of the draw has settings of its own, which every referee is told anyway.
        match game_settings_of(&self.game, (self.draw_min, self.draw_max)) {
            Some(own) => Rules::new(name, &own),
            None if said.is_empty() => Rules::new(name, "{}"),
            None => Rules::new(name, said),
        }
    }

    /// Whether it is played by letters, as every game is that asks for a referee's judgement.
    pub fn is_by_letters(&self) -> bool {
        self.rules().is_ok_and(|rules| rules.info().is_judged())
    }

    /// The game, as the protocol calls it.
    pub fn game_type(&self) -> GameType {
        self.rules().map_or_else(|_| self.game.clone(), |rules| GameType::new(rules.info().name))
    }
}

/// What becomes of a match whose player does not come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoShow {
    TechnicalLoss,
    Cancel,
}

/// How long is waited for what.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Times {
    pub join_s: Seconds,
    pub choice_s: Seconds,
    pub notice_s: Seconds,
    pub report_s: Seconds,
    pub registration_s: Seconds,
    pub ask_backoff_s: Vec<Seconds>,
    pub slow_budget_s: Seconds,
    pub retry_backoff_s: Vec<Seconds>,
    pub registration_tries: u32,
    pub manager_wait_s: Seconds,
    pub match_time_max_s: Seconds,
    pub lease_s: Seconds,
    pub heartbeat_s: Seconds,
    pub lateness_max_s: Seconds,
    pub breaker_open_s: Seconds,
    pub breaker_failures: u32,
    pub(super) scale: f64,
}

impl Times {
    /// Multiplies every time by `scale`. How late a loop runs depends on the machine, and that does
    /// not run any faster.
    pub(super) fn apply_scale(&mut self) {
        let Self { join_s, choice_s, notice_s, report_s, registration_s, .. } = self;
        let Self { match_time_max_s, lease_s, heartbeat_s, .. } = self;
        let Self { breaker_open_s, slow_budget_s, manager_wait_s, .. } = self;
        let steps = [join_s, choice_s, notice_s, report_s, registration_s, manager_wait_s];
        let spans = [match_time_max_s, lease_s, heartbeat_s, breaker_open_s, slow_budget_s];
        let waits = self.ask_backoff_s.iter_mut().chain(&mut self.retry_backoff_s);
        for time in steps.into_iter().chain(spans).chain(waits) {
            time.0 = time.mul_f64(self.scale);
        }
    }
}

/// What a league plays by that is played by letters.
#[derive(Debug, Clone, PartialEq, Deserialize)]
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
pub struct MailSection {
    pub poll_s: Seconds,
    pub spacing_s: Seconds,
    pub margin_s: Seconds,
    pub per_day_max: u32,
    pub size_max: u32,
    pub quarantine: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Server {
    pub body_max: usize,
    pub header_timeout_s: Seconds,
    pub body_timeout_s: Seconds,
    pub body_grace_s: Seconds,
    pub body_bytes_per_s: u32,
    pub bodies_max: usize,
    pub connections_max: usize,
    pub connections_per_address_max: usize,
    #[serde(deserialize_with = "values::networks")]
    pub trusted_proxies: Vec<Network>,
    pub inbox_max: usize,
    pub batch_max: usize,
    pub depth_max: usize,
    pub refusals_per_s: u32,
    pub refusals_burst: u32,
    pub refusal_wait_s: Seconds,
    pub refusals_waiting_max: usize,
    pub requests_per_s: u32,
    pub referee_requests_per_s: u32,
    pub hosts: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ClientSection {
    pub answer_max: usize,
    pub connect_timeout_s: Seconds,
    pub idle_timeout_s: Seconds,
    pub calls_in_flight_max: usize,
    pub shortage_pause_s: Seconds,
    pub notices_max: usize,
}

/// Files, all of them PEM. None named: plain HTTP, and whoever the system trusts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Tls {
    #[serde(deserialize_with = "values::file")]
    pub cert: Option<PathBuf>,
    #[serde(deserialize_with = "values::file")]
    pub key: Option<PathBuf>,
    #[serde(deserialize_with = "values::file")]
    pub ca: Option<PathBuf>,
}

/// Who is let in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct AdmissionSection {
    #[serde(deserialize_with = "values::policy")]
    pub players: AdmissionPolicy,
    #[serde(deserialize_with = "values::policy")]
    pub referees: AdmissionPolicy,
    pub waiting_max: u32,
    pub waiting_s: Seconds,
    pub per_address_max: u32,
    pub registrations_per_s: u32,
    pub probes: bool,
    pub probe_after_s: Seconds,
    #[serde(deserialize_with = "values::text")]
    pub public_url: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ManagerSection {
    pub listen: SocketAddr,
    #[serde(deserialize_with = "values::text")]
    pub advertise: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RefereeSection {
    pub listen: SocketAddr,
    #[serde(deserialize_with = "values::text")]
    pub advertise: Option<String>,
    pub capacity: u32,
    pub name: DisplayName,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct PlayerSection {
    pub listen: SocketAddr,
    #[serde(deserialize_with = "values::text")]
    pub advertise: Option<String>,
    pub strategy: String,
    pub env: Vec<String>,
    pub margin_s: Seconds,
    pub name: DisplayName,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Log {
    pub level: String,
    pub format: LogFormat,
    pub messages: bool,
    pub messages_bytes_max: u64,
    pub messages_files: u32,
    pub messages_body_max: usize,
}

/// What a line of the log looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    Auto,
    Text,
    Json,
}
