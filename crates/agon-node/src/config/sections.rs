//! The sections of the configuration. What each key means stands in `agon.default.toml`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use agon_core::format::FormatKind;
use agon_core::{BadRules, Rules, TieBreaker};
use agon_proto::message::game_settings_of;
use agon_proto::{DisplayName, GameType, LeagueId};
use serde::Deserialize;

use super::values;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
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
            Some(own) if said.is_empty() => Rules::new(name, &own),
            None if said.is_empty() => Rules::new(name, "{}"),
            Some(_) | None => Rules::new(name, said),
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
#[serde(deny_unknown_fields)]
pub struct Times {
    #[serde(rename = "join_s", deserialize_with = "values::seconds")]
    pub join: Duration,
    #[serde(rename = "choice_s", deserialize_with = "values::seconds")]
    pub choice: Duration,
    #[serde(rename = "notice_s", deserialize_with = "values::seconds")]
    pub notice: Duration,
    #[serde(rename = "report_s", deserialize_with = "values::seconds")]
    pub report: Duration,
    #[serde(rename = "registration_s", deserialize_with = "values::seconds")]
    pub registration: Duration,
    #[serde(rename = "ask_backoff_s", deserialize_with = "values::seconds_each")]
    pub ask_backoff: Vec<Duration>,
    #[serde(rename = "retry_backoff_s", deserialize_with = "values::seconds_each")]
    pub retry_backoff: Vec<Duration>,
    pub registration_tries: u32,
    #[serde(rename = "match_time_max_s", deserialize_with = "values::seconds")]
    pub match_time_max: Duration,
    #[serde(rename = "lease_s", deserialize_with = "values::seconds")]
    pub lease: Duration,
    #[serde(rename = "heartbeat_s", deserialize_with = "values::seconds")]
    pub heartbeat: Duration,
    #[serde(rename = "lateness_max_s", deserialize_with = "values::seconds")]
    pub lateness_max: Duration,
    #[serde(rename = "breaker_open_s", deserialize_with = "values::seconds")]
    pub breaker_open: Duration,
    pub breaker_failures: u32,
    pub(super) scale: f64,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Server {
    pub body_max: usize,
    #[serde(rename = "header_timeout_s", deserialize_with = "values::seconds")]
    pub header_timeout: Duration,
    #[serde(rename = "body_timeout_s", deserialize_with = "values::seconds")]
    pub body_timeout: Duration,
    pub connections_max: usize,
    pub inbox_max: usize,
    pub batch_max: usize,
    pub depth_max: usize,
    pub refusals_per_s: u32,
    pub refusals_burst: u32,
    #[serde(rename = "refusal_wait_s", deserialize_with = "values::seconds")]
    pub refusal_wait: Duration,
    pub refusals_waiting_max: usize,
    pub requests_per_s: u32,
    pub referee_requests_per_s: u32,
    pub hosts: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClientSection {
    pub answer_max: usize,
    #[serde(rename = "connect_timeout_s", deserialize_with = "values::seconds")]
    pub connect_timeout: Duration,
    #[serde(rename = "idle_timeout_s", deserialize_with = "values::seconds")]
    pub idle_timeout: Duration,
    pub calls_in_flight_max: usize,
    #[serde(rename = "shortage_pause_s", deserialize_with = "values::seconds")]
    pub shortage_pause: Duration,
    pub notices_max: usize,
}

/// Files, all of them PEM. None named: plain HTTP, and whoever the system trusts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tls {
    #[serde(deserialize_with = "values::file")]
    pub cert: Option<PathBuf>,
    #[serde(deserialize_with = "values::file")]
    pub key: Option<PathBuf>,
    #[serde(deserialize_with = "values::file")]
    pub ca: Option<PathBuf>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManagerSection {
    pub listen: SocketAddr,
    #[serde(deserialize_with = "values::text")]
    pub advertise: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefereeSection {
    pub listen: SocketAddr,
    #[serde(deserialize_with = "values::text")]
    pub advertise: Option<String>,
    pub capacity: u32,
    pub name: DisplayName,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerSection {
    pub listen: SocketAddr,
    #[serde(deserialize_with = "values::text")]
    pub advertise: Option<String>,
    pub strategy: String,
    pub env: Vec<String>,
    #[serde(rename = "margin_s", deserialize_with = "values::seconds")]
    pub margin: Duration,
    pub name: DisplayName,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Log {
    pub level: String,
    pub format: LogFormat,
}

/// What a line of the log looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    Auto,
    Text,
    Json,
}

impl Times {
    /// Multiplies every time by `scale`. How late a loop runs depends on the machine, and that does
    /// not run any faster.
    pub(super) fn apply_scale(&mut self) {
        let all = [
            &mut self.join,
            &mut self.choice,
            &mut self.notice,
            &mut self.report,
            &mut self.registration,
            &mut self.match_time_max,
            &mut self.lease,
            &mut self.heartbeat,
            &mut self.breaker_open,
        ];
        let waits = self.ask_backoff.iter_mut().chain(&mut self.retry_backoff);
        for time in all.into_iter().chain(waits) {
            *time = time.mul_f64(self.scale);
        }
    }
}
