//! Joining as REFEREE_REGISTER_* and LEAGUE_REGISTER_* spell it.
//!
//! Spec: docs/protocol/registration.md

use serde::{Deserialize, Serialize};

use super::MessageType;
use crate::act::{Applying, Decided, Denial};
use crate::json::objects;
use crate::{
    AgentId, AuthToken, Contact, DisplayName, Endpoint, GameType, InvitationCode, LeagueId,
    PlayerId, RefereeId, Role, SeasonId,
};

objects! {
    /// REFEREE_REGISTER_REQUEST.
    pub(super) struct RefereeRegisterRequest {
        /// Who wants to referee.
        required referee_meta: RefereeMeta => RefereeMeta,
    }

    /// What a referee says of itself.
    pub(super) struct RefereeMeta {
        /// Name for people.
        required display_name: DisplayName,
        /// The agent's own version.
        required version: DisplayName,
        /// What it can referee.
        required game_types: Vec<GameType>,
        /// Where the manager can call it.
        required contact_endpoint: Endpoint,
        /// How many matches it runs at once.
        required max_concurrent_matches: u32,
        /// The version of the protocol that it speaks.
        optional protocol_version: Option<DisplayName>,
        /// Whether it tells the players after it has reported, and then says whom it has told.
        /// Ours.
        optional says_told: bool,
        /// Whether it has its token after a restart: then nobody takes its place without it. Ours.
        optional keeps_token: bool,
        /// The code of its invitation. Ours.
        optional invitation_code: Option<InvitationCode>,
    }

    /// REFEREE_REGISTER_RESPONSE.
    pub(super) struct RefereeRegisterResponse {
        /// Admitted or not.
        required status: RegistrationStatus,
        /// The id it goes by from now on.
        optional referee_id: Option<RefereeId>,
        /// Its secret, shown this once.
        optional auth_token: Option<AuthToken>,
        /// The league it is in.
        optional league_id: Option<LeagueId>,
        /// Whether the manager's own calls carry a derived token. Ours.
        optional signed_calls: bool,
        /// Said if the operator has to say yes first; until then it gets no match. Ours.
        optional admission: Option<AdmissionState>,
        /// Its name here, if that is another than it wanted. Ours.
        optional display_name: Option<DisplayName>,
        /// How often the manager wants a HEARTBEAT. Ours.
        optional heartbeat_ms: Option<u32>,
        /// After so long the manager tries whether the endpoint can be called. Ours.
        optional probe_ms: Option<u32>,
        /// The season, in every one after a league's first. Ours.
        #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
        optional season_id: Option<SeasonId>,
        /// Why not, if not.
        defaulted reason: Option<Box<str>>,
    }

    /// LEAGUE_REGISTER_REQUEST.
    pub(super) struct LeagueRegisterRequest {
        /// Who wants to play.
        required player_meta: PlayerMeta => PlayerMeta,
    }

    /// What a player says of itself.
    pub(super) struct PlayerMeta {
        /// Name for people.
        required display_name: DisplayName,
        /// The agent's own version.
        required version: DisplayName,
        /// What it can play.
        required game_types: Vec<GameType>,
        /// Where it can be called.
        required contact_endpoint: Endpoint,
        /// The version of the protocol that it speaks.
        optional protocol_version: Option<DisplayName>,
        /// Whether it has its token after a restart: then nobody takes its place without it. Ours.
        optional keeps_token: bool,
        /// The code of its invitation. Ours.
        optional invitation_code: Option<InvitationCode>,
    }

    /// LEAGUE_REGISTER_RESPONSE.
    pub(super) struct LeagueRegisterResponse {
        /// Admitted or not.
        required status: RegistrationStatus,
        /// The id it goes by from now on.
        optional player_id: Option<PlayerId>,
        /// Its secret, shown this once.
        optional auth_token: Option<AuthToken>,
        /// The league it is in.
        optional league_id: Option<LeagueId>,
        /// Whether the manager's own calls carry a derived token. Ours.
        optional signed_calls: bool,
        /// Said if the operator has to say yes first; until then it gets no match. Ours.
        optional admission: Option<AdmissionState>,
        /// Its name here, if that is another than it wanted. Ours.
        optional display_name: Option<DisplayName>,
        /// After so long the manager tries whether the endpoint can be called. Ours.
        optional probe_ms: Option<u32>,
        /// The season, in every one after a league's first. Ours.
        #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
        optional season_id: Option<SeasonId>,
        /// Why not, if not.
        defaulted reason: Option<Box<str>>,
    }
}

/// Admitted or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum RegistrationStatus {
    /// In.
    #[serde(alias = "REGISTERED")]
    Accepted,
    /// Out.
    Rejected,
}

/// What is still missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(super) enum AdmissionState {
    /// The operator's word.
    Pending,
}

/// The request by which somebody asks to come as that, and the answer to it.
pub(super) fn kinds(role: Option<Role>) -> [MessageType; 2] {
    if role == Some(Role::Referee) {
        [MessageType::RefereeRegisterRequest, MessageType::RefereeRegisterResponse]
    } else {
        [MessageType::LeagueRegisterRequest, MessageType::LeagueRegisterResponse]
    }
}

impl From<LeagueRegisterRequest> for Applying {
    fn from(LeagueRegisterRequest { player_meta: meta }: LeagueRegisterRequest) -> Self {
        Self {
            role: Some(Role::Player),
            name: Some(meta.display_name),
            version: Some(meta.version),
            games: Some(meta.game_types),
            contact: Some(meta.contact_endpoint.into()),
            protocol: meta.protocol_version,
            keeps_token: meta.keeps_token,
            code: meta.invitation_code,
            ..Self::default()
        }
    }
}

impl From<RefereeRegisterRequest> for Applying {
    fn from(RefereeRegisterRequest { referee_meta: meta }: RefereeRegisterRequest) -> Self {
        Self {
            role: Some(Role::Referee),
            name: Some(meta.display_name),
            version: Some(meta.version),
            games: Some(meta.game_types),
            contact: Some(meta.contact_endpoint.into()),
            capacity: Some(meta.max_concurrent_matches),
            protocol: meta.protocol_version,
            says_told: meta.says_told,
            keeps_token: meta.keeps_token,
            code: meta.invitation_code,
            ..Self::default()
        }
    }
}

impl From<&Applying> for LeagueRegisterRequest {
    fn from(said: &Applying) -> Self {
        let Applying { name, version, games, contact, protocol, keeps_token, code, .. } =
            said.clone();
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
                invitation_code: code,
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
                invitation_code: meta.invitation_code,
            },
        }
    }
}

impl From<LeagueRegisterResponse> for Decided {
    fn from(said: LeagueRegisterResponse) -> Self {
        Self {
            role: Some(Role::Player),
            denial: said.status.denial(),
            agent: said.player_id.map(AgentId::Player),
            token: said.auth_token,
            league: said.league_id,
            signed_calls: said.signed_calls,
            probe_ms: said.probe_ms,
            pending: said.admission.is_some(),
            name: said.display_name,
            season: said.season_id,
            text: said.reason,
            ..Self::default()
        }
    }
}

impl From<RefereeRegisterResponse> for Decided {
    fn from(said: RefereeRegisterResponse) -> Self {
        Self {
            role: Some(Role::Referee),
            denial: said.status.denial(),
            agent: said.referee_id.map(AgentId::Referee),
            token: said.auth_token,
            league: said.league_id,
            signed_calls: said.signed_calls,
            heartbeat_ms: said.heartbeat_ms,
            probe_ms: said.probe_ms,
            pending: said.admission.is_some(),
            name: said.display_name,
            season: said.season_id,
            text: said.reason,
            ..Self::default()
        }
    }
}

impl RegistrationStatus {
    fn of(said: &Decided) -> Self {
        if said.denial.is_none() { Self::Accepted } else { Self::Rejected }
    }

    fn denial(self) -> Option<Denial> {
        (self == Self::Rejected).then(|| Denial::Other(Box::default()))
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
            admission: said.pending.then_some(AdmissionState::Pending),
            display_name: said.name.clone(),
            probe_ms: said.probe_ms,
            season_id: said.season.clone(),
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
        let as_player = LeagueRegisterResponse::from(said);
        Self {
            status: as_player.status,
            referee_id,
            auth_token: as_player.auth_token,
            league_id: as_player.league_id,
            signed_calls: as_player.signed_calls,
            admission: as_player.admission,
            season_id: as_player.season_id,
            display_name: as_player.display_name,
            heartbeat_ms: said.heartbeat_ms,
            probe_ms: said.probe_ms,
            reason: as_player.reason,
        }
    }
}
