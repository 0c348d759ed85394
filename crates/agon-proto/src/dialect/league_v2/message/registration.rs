//! Joining as REFEREE_REGISTER_* and LEAGUE_REGISTER_* spell it.
//!
//! Spec: docs/protocol/registration.md

use serde::{Deserialize, Serialize};

use super::MessageType;
use crate::act::{Applying, Decided, Denial};
use crate::{
    AgentId, AuthToken, Contact, DisplayName, Endpoint, GameType, InvitationCode, LeagueId,
    PlayerId, RefereeId, Role,
};

/// REFEREE_REGISTER_REQUEST.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct RefereeRegisterRequest {
    /// Who wants to referee.
    referee_meta: RefereeMeta,
}

/// What a referee says of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct RefereeMeta {
    /// Name for people.
    display_name: DisplayName,
    /// The agent's own version.
    version: DisplayName,
    /// What it can referee.
    game_types: Vec<GameType>,
    /// Where the manager can call it.
    contact_endpoint: Endpoint,
    /// How many matches it runs at once.
    max_concurrent_matches: u32,
    /// The version of the protocol that it speaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    protocol_version: Option<DisplayName>,
    /// Whether it tells the players after it has reported, and then says whom it has told. Ours.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    says_told: bool,
    /// Whether it has its token after a restart: then nobody takes its place without it. Ours.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    keeps_token: bool,
    /// The code that the operator gave to those who referee from other machines. Ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    invitation_code: Option<InvitationCode>,
}

/// REFEREE_REGISTER_RESPONSE.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct RefereeRegisterResponse {
    /// Admitted or not.
    status: RegistrationStatus,
    /// The id it goes by from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    referee_id: Option<RefereeId>,
    /// Its secret, shown this once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    auth_token: Option<AuthToken>,
    /// The league it is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    league_id: Option<LeagueId>,
    /// Whether the manager's own calls carry a derived token. Ours.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    signed_calls: bool,
    /// How often the manager wants a HEARTBEAT. Ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    heartbeat_ms: Option<u32>,
    /// Why not, if not.
    #[serde(default)]
    reason: Option<Box<str>>,
}

/// LEAGUE_REGISTER_REQUEST.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct LeagueRegisterRequest {
    /// Who wants to play.
    player_meta: PlayerMeta,
}

/// What a player says of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct PlayerMeta {
    /// Name for people.
    display_name: DisplayName,
    /// The agent's own version.
    version: DisplayName,
    /// What it can play.
    game_types: Vec<GameType>,
    /// Where it can be called.
    contact_endpoint: Endpoint,
    /// The version of the protocol that it speaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    protocol_version: Option<DisplayName>,
    /// Whether it has its token after a restart: then nobody takes its place without it. Ours.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    keeps_token: bool,
}

/// LEAGUE_REGISTER_RESPONSE.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct LeagueRegisterResponse {
    /// Admitted or not.
    status: RegistrationStatus,
    /// The id it goes by from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    player_id: Option<PlayerId>,
    /// Its secret, shown this once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    auth_token: Option<AuthToken>,
    /// The league it is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    league_id: Option<LeagueId>,
    /// Whether the manager's own calls carry a derived token. Ours.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    signed_calls: bool,
    /// Why not, if not.
    #[serde(default)]
    reason: Option<Box<str>>,
}

/// Admitted or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum RegistrationStatus {
    /// In.
    #[serde(alias = "REGISTERED")]
    Accepted,
    /// Out.
    Rejected,
}

/// The request by which somebody asks to come as that.
pub(super) fn request_of(role: Option<Role>) -> MessageType {
    if role == Some(Role::Referee) {
        MessageType::RefereeRegisterRequest
    } else {
        MessageType::LeagueRegisterRequest
    }
}

/// The answer to it.
pub(super) fn response_to(role: Option<Role>) -> MessageType {
    if role == Some(Role::Referee) {
        MessageType::RefereeRegisterResponse
    } else {
        MessageType::LeagueRegisterResponse
    }
}

impl From<PlayerMeta> for Applying {
    fn from(meta: PlayerMeta) -> Self {
        Self {
            role: Some(Role::Player),
            name: Some(meta.display_name),
            version: Some(meta.version),
            games: Some(meta.game_types),
            contact: Some(meta.contact_endpoint.into()),
            protocol: meta.protocol_version,
            keeps_token: meta.keeps_token,
            ..Self::default()
        }
    }
}

impl From<LeagueRegisterRequest> for Applying {
    fn from(said: LeagueRegisterRequest) -> Self {
        said.player_meta.into()
    }
}

/// What a referee says besides what everybody says.
impl From<RefereeRegisterRequest> for Applying {
    fn from(RefereeRegisterRequest { referee_meta: meta }: RefereeRegisterRequest) -> Self {
        let anybody = PlayerMeta {
            display_name: meta.display_name,
            version: meta.version,
            game_types: meta.game_types,
            contact_endpoint: meta.contact_endpoint,
            protocol_version: meta.protocol_version,
            keeps_token: meta.keeps_token,
        };
        Self {
            role: Some(Role::Referee),
            capacity: Some(meta.max_concurrent_matches),
            says_told: meta.says_told,
            code: meta.invitation_code,
            ..Self::from(anybody)
        }
    }
}

impl From<&Applying> for LeagueRegisterRequest {
    fn from(said: &Applying) -> Self {
        let Applying { name, version, games, contact, protocol, keeps_token, .. } = said.clone();
        let text = |text: Option<DisplayName>| text.unwrap_or_else(|| DisplayName::new(""));
        let contact = contact.as_ref().map(Contact::endpoint);
        Self {
            player_meta: PlayerMeta {
                display_name: text(name),
                version: text(version),
                game_types: games.unwrap_or_default(),
                contact_endpoint: contact.unwrap_or_else(|| Endpoint::new("")),
                protocol_version: protocol,
                keeps_token,
            },
        }
    }
}

impl From<&Applying> for RefereeRegisterRequest {
    fn from(said: &Applying) -> Self {
        let LeagueRegisterRequest { player_meta: meta } = said.into();
        Self {
            referee_meta: RefereeMeta {
                display_name: meta.display_name,
                version: meta.version,
                game_types: meta.game_types,
                contact_endpoint: meta.contact_endpoint,
                max_concurrent_matches: said.capacity.unwrap_or(0),
                protocol_version: meta.protocol_version,
                says_told: said.says_told,
                keeps_token: meta.keeps_token,
                invitation_code: said.code.clone(),
            },
        }
    }
}

/// Both answers say the same of it.
struct Answered {
    role: Role,
    status: RegistrationStatus,
    agent: Option<AgentId>,
    reason: Option<Box<str>>,
}

impl From<Answered> for Decided {
    fn from(Answered { role, status, agent, reason }: Answered) -> Self {
        let rejected = status == RegistrationStatus::Rejected;
        let denial = rejected.then(|| Denial::Other(Box::default()));
        Self { role: Some(role), denial, agent, text: reason, ..Self::default() }
    }
}

impl From<LeagueRegisterResponse> for Decided {
    fn from(said: LeagueRegisterResponse) -> Self {
        let LeagueRegisterResponse { status, player_id, reason, .. } = said;
        let agent = player_id.map(AgentId::Player);
        Self {
            token: said.auth_token,
            league: said.league_id,
            signed_calls: said.signed_calls,
            ..Answered { role: Role::Player, status, agent, reason }.into()
        }
    }
}

impl From<RefereeRegisterResponse> for Decided {
    fn from(said: RefereeRegisterResponse) -> Self {
        let RefereeRegisterResponse { status, referee_id, reason, .. } = said;
        let agent = referee_id.map(AgentId::Referee);
        Self {
            token: said.auth_token,
            league: said.league_id,
            signed_calls: said.signed_calls,
            heartbeat_ms: said.heartbeat_ms,
            ..Answered { role: Role::Referee, status, agent, reason }.into()
        }
    }
}

impl RegistrationStatus {
    fn of(said: &Decided) -> Self {
        if said.denial.is_none() { Self::Accepted } else { Self::Rejected }
    }
}

/// Why not, in one text.
fn reason(said: &Decided) -> Option<Box<str>> {
    match (&said.code, &said.text) {
        (Some(code), Some(text)) => Some(format!("{code}: {text}").into()),
        (_, text) => text.clone(),
    }
}

impl From<&Decided> for LeagueRegisterResponse {
    fn from(said: &Decided) -> Self {
        let player_id = match said.agent {
            Some(AgentId::Player(player)) => Some(player),
            Some(AgentId::Referee(_)) | None => None,
        };
        Self {
            status: RegistrationStatus::of(said),
            player_id,
            auth_token: said.token.clone(),
            league_id: said.league.clone(),
            signed_calls: said.signed_calls,
            reason: reason(said),
        }
    }
}

impl From<&Decided> for RefereeRegisterResponse {
    fn from(said: &Decided) -> Self {
        let referee_id = match said.agent {
            Some(AgentId::Referee(referee)) => Some(referee),
            Some(AgentId::Player(_)) | None => None,
        };
        let LeagueRegisterResponse { status, auth_token, league_id, signed_calls, reason, .. } =
            said.into();
        let heartbeat_ms = said.heartbeat_ms;
        Self { status, referee_id, auth_token, league_id, signed_calls, heartbeat_ms, reason }
    }
}
