//! Registration: REFEREE_REGISTER_* and LEAGUE_REGISTER_*.
//!
//! Spec: docs/protocol/registration.md

use serde::{Deserialize, Serialize};

use crate::{
    AuthToken, DisplayName, Endpoint, GameType, InvitationCode, LeagueId, PlayerId, RefereeId,
};

/// REFEREE_REGISTER_REQUEST.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RefereeRegisterRequest {
    /// Who wants to referee.
    pub referee_meta: RefereeMeta,
}

/// What a referee says of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RefereeMeta {
    /// Name for people.
    pub display_name: DisplayName,
    /// The agent's own version.
    pub version: DisplayName,
    /// What it can referee.
    pub game_types: Vec<GameType>,
    /// Where the manager can call it.
    pub contact_endpoint: Endpoint,
    /// How many matches it runs at once.
    pub max_concurrent_matches: u32,
    /// The version of the protocol that it speaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol_version: Option<DisplayName>,
    /// Whether it tells the players after it has reported, and then says whom it has told. Ours.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub says_told: bool,
    /// Whether it has its token after a restart: then nobody takes its place without it. Ours.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keeps_token: bool,
    /// The code that the operator gave to those who referee from other machines. Ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitation_code: Option<InvitationCode>,
}

/// REFEREE_REGISTER_RESPONSE.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RefereeRegisterResponse {
    /// Admitted or not.
    pub status: RegistrationStatus,
    /// The id it goes by from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee_id: Option<RefereeId>,
    /// Its secret, shown this once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth_token: Option<AuthToken>,
    /// The league it is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub league_id: Option<LeagueId>,
    /// Whether the manager's own calls carry a derived token. Ours.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub signed_calls: bool,
    /// How often the manager wants a HEARTBEAT. Ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heartbeat_ms: Option<u32>,
    /// Why not, if not.
    #[serde(default)]
    pub reason: Option<Box<str>>,
}

/// LEAGUE_REGISTER_REQUEST.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeagueRegisterRequest {
    /// Who wants to play.
    pub player_meta: PlayerMeta,
}

/// What a player says of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayerMeta {
    /// Name for people.
    pub display_name: DisplayName,
    /// The agent's own version.
    pub version: DisplayName,
    /// What it can play.
    pub game_types: Vec<GameType>,
    /// Where it can be called.
    pub contact_endpoint: Endpoint,
    /// The version of the protocol that it speaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol_version: Option<DisplayName>,
    /// Whether it has its token after a restart: then nobody takes its place without it. Ours.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keeps_token: bool,
}

/// LEAGUE_REGISTER_RESPONSE.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeagueRegisterResponse {
    /// Admitted or not.
    pub status: RegistrationStatus,
    /// The id it goes by from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player_id: Option<PlayerId>,
    /// Its secret, shown this once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth_token: Option<AuthToken>,
    /// The league it is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub league_id: Option<LeagueId>,
    /// Whether the manager's own calls carry a derived token. Ours.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub signed_calls: bool,
    /// Why not, if not.
    #[serde(default)]
    pub reason: Option<Box<str>>,
}

/// Admitted or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RegistrationStatus {
    /// In.
    #[serde(alias = "REGISTERED")]
    Accepted,
    /// Out.
    Rejected,
}
