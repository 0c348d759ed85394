//! Letting agents in, once or again.
//!
//! Spec: docs/protocol/registration.md

mod identity;

use agon_proto::message::{
    LeagueRegisterResponse, PlayerMeta, RefereeMeta, RefereeRegisterResponse, RegistrationStatus,
};
use agon_proto::tool::LeaguePhase;
use agon_proto::{
    AgentId, AuthToken, ConversationId, DisplayName, GameType, PROTOCOL_MAJOR_MIN, PlayerId,
    REPEAT_MAX, RefereeId, Timestamp,
};

use super::{Manager, Out};
use crate::effect::{Alert, Caller, Effect, RequestId};
use crate::fact::{LeagueFact, Registration};
use crate::gate::Speaker;
use crate::league::registry::Agent;
use crate::{CodeHash, Refusal, TokenHash};
use identity::{Applicant, Standing};

/// A request to be let in: where its answer goes, and what came with it.
pub(super) struct Application {
    pub(super) request: RequestId,
    pub(super) caller: Caller,
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
        let said = Applicant::from(&meta);
        let place = self
            .check(&meta.game_types, meta.protocol_version.as_ref())
            .and_then(|()| self.standing(&said, &application, now))
            .and_then(|standing| Ok((standing, self.player_place(standing.agent())?)));
        let response = match place {
            Err(refusal) => rejected_player(&refusal),
            Ok((standing, player)) => {
                let provenance = said.provenance(&application);
                let (token, hash) =
                    self.token_for(AgentId::Player(player), standing, &said, &application);
                if !standing.is_repeat() {
                    let registration = Registration {
                        agent: AgentId::Player(player),
                        name: meta.display_name,
                        contact: meta.contact_endpoint.into(),
                        group: None,
                        token: Some(hash),
                        provenance,
                        capacity: 0,
                        says_told: false,
                        said_at: application.said_at.min(written_now(now)),
                        at: now,
                    };
                    self.record(LeagueFact::Registered(registration.into()), out);
                }
                LeagueRegisterResponse {
                    status: RegistrationStatus::Accepted,
                    player_id: Some(player),
                    auth_token: Some(token),
                    league_id: Some(self.league.settings.league_id.clone()),
                    signed_calls: true,
                    reason: None,
                }
            }
        };
        let admitted = response.player_id;
        let Application { request, conversation, .. } = application;
        out.reply(request, Self::letter(conversation, response.into(), now));
        if let Some(player) = admitted {
            self.tell_end_to(AgentId::Player(player), now, out);
        }
    }

    pub(super) fn register_referee(
        &mut self,
        meta: RefereeMeta,
        application: Application,
        now: Timestamp,
        out: &mut Out,
    ) {
        let place = self
            .check(&meta.game_types, meta.protocol_version.as_ref())
            .and_then(|()| capacity(meta.max_concurrent_matches))
            .and_then(|()| self.referee_standing(&meta, &application, now))
            .and_then(|standing| Ok((standing, self.referee_place(standing.agent())?)));
        let (mut lost, mut forgot, mut comes) = (None, false, false);
        let response = match place {
            Err(refusal) => rejected_referee(&refusal),
            Ok((standing, referee)) => {
                let known = self.league.registry.referee(referee).is_some();
                let token = self.admit_referee(meta, (referee, standing), &application, now, out);
                // A repeat of the same request is no restart: nothing it holds is lost.
                lost = Some(referee).filter(|_| known && !standing.is_repeat());
                forgot = lost.is_some() && !matches!(standing, Standing::Proved(_));
                comes = !standing.is_repeat();
                RefereeRegisterResponse {
                    status: RegistrationStatus::Accepted,
                    referee_id: Some(referee),
                    auth_token: Some(token),
                    league_id: Some(self.league.settings.league_id.clone()),
                    signed_calls: true,
                    heartbeat_ms: Some(self.league.settings.heartbeat_ms).filter(|ms| *ms > 0),
                    reason: None,
                }
            }
        };
        let admitted = response.referee_id;
        let Application { request, conversation, .. } = application;
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
    }

    /// Writes down that a referee is in, and says what the operator should know of it.
    fn admit_referee(
        &mut self,
        meta: RefereeMeta,
        (referee, standing): (RefereeId, Standing),
        application: &Application,
        now: Timestamp,
        out: &mut Out,
    ) -> AuthToken {
        let said = Applicant::from(&meta);
        let provenance = said.provenance(application);
        let (token, hash) = self.token_for(AgentId::Referee(referee), standing, &said, application);
        if !standing.is_repeat() {
            let said = meta.max_concurrent_matches;
            let capacity = said.min(self.league.settings.capacity_max);
            let (name, endpoint) = (meta.display_name, meta.contact_endpoint);
            let registration = Registration {
                agent: AgentId::Referee(referee),
                name: name.clone(),
                contact: endpoint.clone().into(),
                group: None,
                token: Some(hash),
                provenance,
                capacity,
                says_told: meta.says_told,
                said_at: application.said_at.min(written_now(now)),
                at: now,
            };
            self.record(LeagueFact::Registered(registration.into()), out);
            if capacity < said {
                out.push(Effect::Alert(Alert::CapacityCapped { referee, said, capacity }));
            }
            if standing == Standing::New && self.league.season.phase() == LeaguePhase::Running {
                let address = application.caller.address;
                let late = Alert::RefereeJoinedLate { referee, name, endpoint, address };
                out.push(Effect::Alert(late));
            }
        }
        self.hear(referee, now, out);
        token
    }

    /// Who has no token yet needs the operator's leave.
    fn referee_standing(
        &self,
        meta: &RefereeMeta,
        application: &Application,
        now: Timestamp,
    ) -> Result<Standing, Refusal> {
        if self.holder_of(application.token.as_ref()).is_none() {
            let code = meta.invitation_code.as_ref().map(|code| CodeHash::of(code.reveal()));
            self.may_referee(&application.caller, code)?;
        }
        self.standing(&Applicant::from(meta), application, now)
    }

    /// The token that an agent is given: another one each time, and the same for a repeat.
    fn token_for(
        &mut self,
        agent: AgentId,
        standing: Standing,
        said: &Applicant<'_>,
        application: &Application,
    ) -> (AuthToken, TokenHash) {
        let number = match self.league.registry.agent(agent).map(|agent| agent.number) {
            Some(number) if standing.is_repeat() => number,
            Some(number) => {
                self.shown.remove(&(agent, number));
                number + 1
            }
            None => 1,
        };
        self.token((agent, number), said.digest(application))
    }

    /// Whoever speaks has its token: from now on that is given to nobody again. After a while it
    /// would not be anyway.
    pub(super) fn note_use(&mut self, speaker: Speaker, now: Timestamp) {
        let id = match speaker {
            Speaker::Referee(id) => AgentId::Referee(id),
            Speaker::Player(id) => AgentId::Player(id),
            Speaker::Manager | Speaker::Newcomer => return,
        };
        let fresh = |agent: &&Agent| now.since(agent.registered_at) <= REPEAT_MAX;
        if let Some(agent) = self.league.registry.agent(id).filter(fresh) {
            self.shown.insert((id, agent.number));
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

    fn player_place(&self, known: Option<AgentId>) -> Result<PlayerId, Refusal> {
        match known {
            Some(AgentId::Player(id)) if self.league.season.is_withdrawn(id) => {
                Err(Refusal::NotPermitted("this player was withdrawn"))
            }
            Some(AgentId::Player(id)) => Ok(id),
            Some(AgentId::Referee(_)) => Err(Refusal::EndpointTaken),
            None if self.league.season.phase() != LeaguePhase::AcceptingRegistrations => {
                Err(Refusal::RegistrationClosed)
            }
            None if self.league.registry.player_count() >= self.league.settings.players_max => {
                Err(Refusal::LeagueFull)
            }
            None => Ok(PlayerId::new(self.league.registry.player_count() + 1)),
        }
    }

    /// A referee may come at any time: a season can always use one more.
    fn referee_place(&self, known: Option<AgentId>) -> Result<RefereeId, Refusal> {
        match known {
            Some(AgentId::Referee(id)) => Ok(id),
            Some(AgentId::Player(_)) => Err(Refusal::EndpointTaken),
            None if self.league.season.phase() == LeaguePhase::Completed => {
                Err(Refusal::RegistrationClosed)
            }
            None if self.league.registry.referee_count() >= self.league.settings.referees_max => {
                Err(Refusal::LeagueFull)
            }
            None => Ok(RefereeId::new(self.league.registry.referee_count() + 1)),
        }
    }
}

/// The latest that a request can have been written. Its time has whole seconds.
fn written_now(now: Timestamp) -> Timestamp {
    Timestamp::from_micros(now.micros() - now.micros().rem_euclid(1_000_000))
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
