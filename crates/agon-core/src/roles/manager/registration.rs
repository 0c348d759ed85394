//! Letting agents in, once or again.
//!
//! Spec: docs/protocol/registration.md

use agon_proto::message::{
    LeagueRegisterResponse, PlayerMeta, RefereeMeta, RefereeRegisterResponse, RegistrationStatus,
};
use agon_proto::tool::LeaguePhase;
use agon_proto::{
    AgentId, AuthToken, ConversationId, DisplayName, Endpoint, GameType, PROTOCOL_MAJOR_MIN,
    PlayerId, RefereeId, Timestamp,
};

use super::{Manager, Out};
use crate::effect::{Origin, RequestId};
use crate::fact::LeagueFact;
use crate::registry::Papers;
use crate::{Refusal, TokenHash};

/// A request to be let in: where its answer goes, and what came with it.
pub(super) struct Application {
    pub(super) request: RequestId,
    pub(super) origin: Origin,
    pub(super) conversation: ConversationId,
    /// The old token, if one was shown.
    pub(super) token: Option<AuthToken>,
    /// When it was written, by the agent's own clock.
    pub(super) said_at: Timestamp,
}

impl Manager {
    pub(super) fn register_player(
        &mut self,
        meta: PlayerMeta,
        application: Application,
        now: Timestamp,
        out: &mut Out,
    ) {
        let known = self
            .check(&meta.game_types, meta.protocol_version.as_ref())
            .and_then(|()| self.known(&meta.contact_endpoint, &application))
            .and_then(|known| self.player_place(known));
        let Application { request, conversation, said_at, .. } = application;
        let response = match known {
            Err(refusal) => rejected_player(&refusal),
            Ok(player) => {
                let (token, hash) =
                    self.token(AgentId::Player(player), &meta.contact_endpoint, &conversation);
                let fact = LeagueFact::PlayerRegistered {
                    player,
                    name: meta.display_name,
                    endpoint: meta.contact_endpoint,
                    token: hash,
                    said_at,
                    at: now,
                };
                self.record(fact, out);
                LeagueRegisterResponse {
                    status: RegistrationStatus::Accepted,
                    player_id: Some(player),
                    auth_token: Some(token),
                    league_id: Some(self.settings.league_id.clone()),
                    signed_calls: true,
                    reason: None,
                }
            }
        };
        let admitted = response.player_id;
        out.reply(request, Self::letter(conversation, response.into(), now));
        if let Some(player) = admitted {
            self.tell_end_to(AgentId::Player(player), now, out);
        }
        self.start_if_ready(now, out);
    }

    pub(super) fn register_referee(
        &mut self,
        meta: RefereeMeta,
        application: Application,
        now: Timestamp,
        out: &mut Out,
    ) {
        let known = self
            .check(&meta.game_types, meta.protocol_version.as_ref())
            .and_then(|()| capacity(meta.max_concurrent_matches))
            .and_then(|()| self.known(&meta.contact_endpoint, &application))
            .and_then(|known| self.referee_place(known));
        let Application { request, conversation, said_at, token: application_token, .. } =
            application;
        let (mut lost, mut forgot, mut comes) = (None, false, false);
        let response = match known {
            Err(refusal) => rejected_referee(&refusal),
            Ok(referee) => {
                let known = self.registry.referee(referee).map(|agent| agent.token);
                let (token, hash) =
                    self.token(AgentId::Referee(referee), &meta.contact_endpoint, &conversation);
                // A repeat of the same request is no restart: nothing it holds is lost.
                lost = known.filter(|known| *known != hash).map(|_| referee);
                let shown = application_token.as_ref().and_then(TokenHash::of);
                forgot = lost.is_some() && shown != known;
                comes = known != Some(hash);
                let fact = LeagueFact::RefereeRegistered {
                    referee,
                    name: meta.display_name,
                    endpoint: meta.contact_endpoint,
                    token: hash,
                    capacity: meta.max_concurrent_matches,
                    says_told: meta.says_told,
                    said_at,
                    at: now,
                };
                self.record(fact, out);
                self.hear(referee, now, out);
                RefereeRegisterResponse {
                    status: RegistrationStatus::Accepted,
                    referee_id: Some(referee),
                    auth_token: Some(token),
                    league_id: Some(self.settings.league_id.clone()),
                    signed_calls: true,
                    heartbeat_ms: Some(self.settings.heartbeat_ms).filter(|ms| *ms > 0),
                    reason: None,
                }
            }
        };
        let admitted = response.referee_id;
        out.reply(request, Self::letter(conversation, response.into(), now));
        if let Some(referee) = admitted {
            self.tell_end_to(AgentId::Referee(referee), now, out);
            if forgot {
                self.expect_nothing_of(referee, out);
            }
            if comes {
                self.catch_up(referee, now, out);
            }
        }
        if let Some(referee) = lost {
            self.referee_restarted(referee, now, out);
        }
        self.start_if_ready(now, out);
    }

    /// Somebody is in, or in again. Only `apply` calls it.
    pub(super) fn admit(&mut self, fact: &LeagueFact) {
        let league = &self.settings.league_id;
        #[expect(clippy::wildcard_enum_match_arm, reason = "two facts let somebody in")]
        match fact {
            LeagueFact::PlayerRegistered { player, name, endpoint, token, said_at, .. } => {
                let papers = Papers { name, endpoint, token: *token, said_at: *said_at };
                self.registry.admit_player(*player, papers, league);
            }
            LeagueFact::RefereeRegistered {
                referee,
                name,
                endpoint,
                token,
                capacity,
                says_told,
                said_at,
                ..
            } => {
                let papers = Papers { name, endpoint, token: *token, said_at: *said_at };
                self.registry.admit_referee(*referee, papers, (*capacity, *says_told), league);
            }
            _ => {}
        }
    }

    fn check(&self, games: &[GameType], version: Option<&DisplayName>) -> Result<(), Refusal> {
        if !games.contains(&GameType::EvenOdd) {
            return Err(Refusal::Unsupported("game_types must contain even_odd"));
        }
        // The protocol's own name and silence both mean "some 2.x"; that is what agents send.
        match version.map(DisplayName::as_str) {
            None | Some(agon_proto::PROTOCOL | "") => Ok(()),
            Some(version) => {
                let major = version.split('.').next().and_then(|major| major.parse::<u32>().ok());
                let recent = major.is_some_and(|major| major >= PROTOCOL_MAJOR_MIN);
                if recent { Ok(()) } else { Err(Refusal::VersionTooOld) }
            }
        }
    }

    /// Who this is already, if anybody: by the old token, or by the endpoint it calls from.
    fn known(
        &self,
        endpoint: &Endpoint,
        application: &Application,
    ) -> Result<Option<AgentId>, Refusal> {
        let Application { origin, token, said_at, .. } = application;
        if *origin == Origin::Forbidden {
            return Err(Refusal::EndpointForbidden);
        }
        let hash = token.as_ref().and_then(TokenHash::of);
        let holder = hash.and_then(|hash| self.registry.holder(&hash));
        let known = match (holder, self.registry.at(endpoint)) {
            (Some(holder), Some(resident)) if holder != resident => {
                return Err(Refusal::EndpointTaken);
            }
            (Some(holder), _) => holder,
            (None, Some(resident)) if self.is_reset(resident) => {
                return Err(Refusal::NotPermitted(
                    "the operator has reset this agent; register with the token that it was given",
                ));
            }
            (None, Some(resident)) if *origin == Origin::Endpoint => resident,
            (None, Some(_)) => return Err(Refusal::EndpointTaken),
            (None, None) => return Ok(None),
        };
        // A letter of a process that died must not lock out the one that took its place.
        if self.registry.agent(known).is_some_and(|agent| *said_at < agent.said_at) {
            return Err(Refusal::OutOfTurn("this agent has registered again since then"));
        }
        Ok(Some(known))
    }

    fn is_reset(&self, agent: AgentId) -> bool {
        self.registry.agent(agent).is_some_and(|agent| agent.is_reset)
    }

    fn player_place(&self, known: Option<AgentId>) -> Result<PlayerId, Refusal> {
        match known {
            Some(AgentId::Player(id)) if self.season.is_withdrawn(id) => {
                Err(Refusal::NotPermitted("this player was withdrawn"))
            }
            Some(AgentId::Player(id)) => Ok(id),
            Some(AgentId::Referee(_)) => Err(Refusal::EndpointTaken),
            None if self.season.phase() != LeaguePhase::AcceptingRegistrations => {
                Err(Refusal::RegistrationClosed)
            }
            None if self.registry.player_count() >= self.settings.players_max => {
                Err(Refusal::LeagueFull)
            }
            None => Ok(PlayerId::new(self.registry.player_count() + 1)),
        }
    }

    /// A referee may come at any time: a season can always use one more.
    fn referee_place(&self, known: Option<AgentId>) -> Result<RefereeId, Refusal> {
        match known {
            Some(AgentId::Referee(id)) => Ok(id),
            Some(AgentId::Player(_)) => Err(Refusal::EndpointTaken),
            None if self.season.phase() == LeaguePhase::Completed => {
                Err(Refusal::RegistrationClosed)
            }
            None if self.registry.referee_count() >= self.settings.referees_max => {
                Err(Refusal::LeagueFull)
            }
            None => Ok(RefereeId::new(self.registry.referee_count() + 1)),
        }
    }

    fn token(
        &self,
        agent: AgentId,
        endpoint: &Endpoint,
        conversation: &ConversationId,
    ) -> (AuthToken, TokenHash) {
        let token = self.options.secrets.mint(agent, endpoint, conversation);
        let hash = TokenHash::of(&token).expect("a minted token is one of ours");
        (token, hash)
    }
}

fn capacity(matches: u32) -> Result<(), Refusal> {
    if matches == 0 {
        return Err(Refusal::BadValue("max_concurrent_matches must be at least 1"));
    }
    Ok(())
}

fn reason(refusal: &Refusal) -> Option<Box<str>> {
    Some(format!("{}: {refusal}", refusal.code()).into())
}

fn rejected_player(refusal: &Refusal) -> LeagueRegisterResponse {
    LeagueRegisterResponse {
        status: RegistrationStatus::Rejected,
        player_id: None,
        auth_token: None,
        league_id: None,
        signed_calls: false,
        reason: reason(refusal),
    }
}

fn rejected_referee(refusal: &Refusal) -> RefereeRegisterResponse {
    RefereeRegisterResponse {
        status: RegistrationStatus::Rejected,
        referee_id: None,
        auth_token: None,
        league_id: None,
        signed_calls: false,
        heartbeat_ms: None,
        reason: reason(refusal),
    }
}
