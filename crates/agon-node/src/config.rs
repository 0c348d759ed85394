//! The configuration: the embedded default file, then agon.toml, the environment and the flags.
//!
//! `agon.default.toml` is the only place with default numbers. Every layer is checked key by key,
//! so an error names the key and the layer it stands in. What was loaded is within its bounds.

mod layers;
mod mailbox;
mod sections;
mod validate;
mod values;

use std::io;
use std::path::{Path, PathBuf};

use agon_link::{BreakerLimits, LinkSettings};
use agon_net::{AddressPolicy, ClientConfig, Trust};
use serde::Deserialize;
use toml::Table;

pub use layers::{Layer, SettingInForce, slips};
pub use mailbox::{BadMailbox, MailboxFile, MailboxSecret, OAuth2Keys, Team};
pub use sections::{
    AdmissionSection, ClientSection, LeagueSection, LettersSection, Log, LogFormat, MailSection,
    ManagerSection, NoShow, PlayerSection, RefereeSection, RoundPace, Server, Times, Tls,
};
pub use values::Seconds;

/// The default file, with a comment for every key.
pub const DEFAULT_FILE: &str = include_str!("../agon.default.toml");

/// Largest head that is read, of a request and of an answer.
pub(crate) const HEAD_MAX: usize = 16 * 1024;
/// Connections that are kept for each call that may be in flight. The next call may leave a moment
/// before the connection of the last one is free, and makes one of its own.
const CONNECTIONS_PER_CALL: usize = 2;

/// Everything that can be set. What each field means stands in the default file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Config {
    pub league: LeagueSection,
    /// Multiplied by their `scale` already, as are those of `letters`.
    pub times: Times,
    pub letters: LettersSection,
    pub mail: MailSection,
    pub server: Server,
    pub client: ClientSection,
    pub tls: Tls,
    pub admission: AdmissionSection,
    pub manager: ManagerSection,
    pub referee: RefereeSection,
    pub player: PlayerSection,
    pub log: Log,
}

/// Why there is no configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("could not read the configuration {}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("could not understand {} as TOML", path.display())]
    NotToml { path: PathBuf, source: Box<toml::de::Error> },
    #[error("{from} sets `{key}`, which does not exist; {hint}")]
    UnknownKey { from: Layer, key: String, hint: String },
    #[error("could not use the value of `{key}` in {from}: {problem}")]
    BadValue { from: Layer, key: String, problem: String },
    #[error("`{key}` {problem}")]
    OutOfBounds { key: &'static str, problem: String },
}

/// What a check or a layer comes to, if it is good.
type Checked = Result<(), ConfigError>;

impl Config {
    /// Puts the layers on top of each other: the default file, `file` (or ./agon.toml if there is
    /// one), the `AGON_<SECTION>__<KEY>` of `env`, and `overrides`, which come from the flags.
    ///
    /// # Errors
    /// When a layer cannot be read, names an unknown key or has a value that does not fit.
    pub fn load(
        file: Option<&Path>,
        env: impl Iterator<Item = (String, String)>,
        overrides: Table,
    ) -> Result<Self, ConfigError> {
        let mut config = layers::Merged::of(file, env, overrides)?.config;
        config.letters.apply_scale(config.times.scale);
        config.times.apply_scale();
        Ok(config)
    }

    /// The same, setting by setting: what each is, as people write it, and where it was set.
    ///
    /// # Errors
    /// As `load`.
    pub fn settings(
        file: Option<&Path>,
        env: impl Iterator<Item = (String, String)>,
        overrides: Table,
    ) -> Result<Vec<SettingInForce>, ConfigError> {
        Ok(layers::Merged::of(file, env, overrides)?.settings())
    }

    /// How others are called.
    pub fn calls(&self, policy: AddressPolicy, trust: Trust) -> ClientConfig {
        ClientConfig {
            answer_max: self.client.answer_max,
            head_max: HEAD_MAX,
            connect_timeout: *self.client.connect_timeout_s,
            idle_timeout: *self.client.idle_timeout_s,
            idle_per_host_max: CONNECTIONS_PER_CALL * self.client.calls_in_flight_max,
            policy,
            trust,
        }
    }

    /// What holds for every link of this node.
    pub fn link(&self) -> LinkSettings {
        let times = &self.times;
        let (failures_max, open_for) = (times.breaker_failures, *times.breaker_open_s);
        LinkSettings {
            breaker: BreakerLimits { failures_max, open_for },
            in_flight_max: self.client.calls_in_flight_max,
            shortage_pause: *self.client.shortage_pause_s,
            notice_timeout: *times.notice_s,
            notices_max: self.client.notices_max,
            report_timeout: *times.report_s,
            waits: times.retry_backoff_s.iter().map(|wait| wait.0).collect(),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
