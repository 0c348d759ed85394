//! Who asks to be let in: somebody whom the league knows, and how it shows that, or a newcomer.
//!
//! A token proves an agent, whatever its clock says. Without it only the request that let the agent
//! in last, said again because its answer was lost, leads to the same token. An agent that keeps
//! its token is replaced by nobody who has not got it; one that does not is known by its address.
//!
//! Spec: docs/protocol/registration.md

use agon_proto::message::{PlayerMeta, RefereeMeta};
use agon_proto::{AgentId, AuthToken, DisplayName, Endpoint, GameType, REPEAT_MAX, Timestamp};

use super::super::Manager;
use super::Application;
use crate::effect::{Caller, CallerPlace, Origin};
use crate::league::registry::Agent;
use crate::{CodeHash, Provenance, Refusal, RequestDigest, TokenHash};

/// What an application shows of its author.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// It has the token of this agent.
    Proved(AgentId),
    /// It is the request that let this agent in, said again.
    Repeated(AgentId),
    /// It calls from where this agent is, which keeps no token.
    AtItsPlace(AgentId),
    /// Nobody knows it yet.
    New,
}

impl Standing {
    pub(super) fn agent(self) -> Option<AgentId> {
        match self {
            Self::Proved(agent) | Self::Repeated(agent) | Self::AtItsPlace(agent) => Some(agent),
            Self::New => None,
        }
    }

    pub(super) const fn is_repeat(self) -> bool {
        matches!(self, Self::Repeated(_))
    }
}

impl Manager {
    pub(super) fn standing(
        &self,
        said: &Applicant<'_>,
        application: &Application,
        now: Timestamp,
    ) -> Result<Standing, Refusal> {
        let origin = application.caller.origin;
        if origin == Origin::Forbidden {
            return Err(Refusal::EndpointForbidden);
        }
        let resident = self.league.registry.at(&said.endpoint.clone().into());
        if let Some(holder) = self.holder_of(application.token.as_ref()) {
            let taken = resident.is_some_and(|resident| resident != holder);
            return if taken { Err(Refusal::EndpointTaken) } else { Ok(Standing::Proved(holder)) };
        }
        let agent = resident.and_then(|resident| self.league.registry.agent(resident));
        let (Some(resident), Some(agent)) = (resident, agent) else {
            return Ok(Standing::New);
        };
        if agent.is_reset {
            return Err(Refusal::NotPermitted(
                "the operator has reset this agent; register with the token that it was given",
            ));
        }
        if self.is_repeated((resident, agent), said.digest(application), application, now) {
            return Ok(Standing::Repeated(resident));
        }
        if agent.provenance.keeps_token {
            return Err(Refusal::TokenKept);
        }
        if origin != Origin::Endpoint {
            return Err(Refusal::EndpointTaken);
        }
        // A letter of a process that died must not lock out the one that took its place.
        if application.said_at < agent.said_at {
            return Err(Refusal::OutOfTurn("this agent has registered again since then"));
        }
        Ok(Standing::AtItsPlace(resident))
    }

    /// Whose token that is now.
    pub(super) fn holder_of(&self, token: Option<&AuthToken>) -> Option<AgentId> {
        token.and_then(TokenHash::of).and_then(|hash| self.league.registry.holder(&hash))
    }

    fn is_repeated(
        &self,
        (id, agent): (AgentId, &Agent),
        digest: RequestDigest,
        application: &Application,
        now: Timestamp,
    ) -> bool {
        let Provenance { request, address, .. } = agent.provenance;
        let (_, token) = self.token((id, agent.number), digest);
        request == Some(digest)
            && address == application.caller.address
            && now.since(agent.registered_at) <= REPEAT_MAX
            && !self.shown.contains(&(id, agent.number))
            && Some(token) == agent.token
    }

    /// Whether somebody who has no token yet may come as a referee.
    pub(in crate::roles::manager) fn may_referee(
        &self,
        caller: &Caller,
        shown: Option<CodeHash>,
    ) -> Result<(), Refusal> {
        let mut shown = [caller.code, shown].into_iter().flatten().peekable();
        let is_shown = shown.peek().is_some();
        let good = self.options.referee_code;
        if shown.any(|code| Some(code) != good) {
            return Err(Refusal::NotPermitted(match good {
                Some(_) => "this is not the code of this league; ask its operator for it",
                None => "this league has no code for referees; its operator sets --referee-code",
            }));
        }
        match (caller.place, is_shown) {
            (CallerPlace::ThisMachine, _) | (CallerPlace::Beyond, true) => Ok(()),
            (CallerPlace::Beyond, false) => Err(Refusal::NotPermitted(
                "a referee on another machine needs the operator's code: send it as \
                 referee_meta.invitation_code (agon referee --referee-code CODE), or call the \
                 manager at http://HOST:PORT/join/CODE/mcp",
            )),
        }
    }

    /// The token of that agent's `number`th registration.
    pub(super) fn token(
        &self,
        agent: (AgentId, u32),
        request: RequestDigest,
    ) -> (AuthToken, TokenHash) {
        let token = self.options.secrets.mint(agent, Some(request));
        let hash = TokenHash::of(&token).expect("a minted token is one of ours");
        (token, hash)
    }
}

/// What a request says, apart from when it was written and which code it shows.
pub(super) struct Applicant<'a> {
    role: &'static str,
    name: &'a DisplayName,
    version: &'a DisplayName,
    games: &'a [GameType],
    endpoint: &'a Endpoint,
    protocol: Option<&'a DisplayName>,
    keeps_token: bool,
    says_told: bool,
    capacity: u32,
}

impl<'a> From<&'a PlayerMeta> for Applicant<'a> {
    fn from(meta: &'a PlayerMeta) -> Self {
        Self {
            role: "player",
            name: &meta.display_name,
            version: &meta.version,
            games: &meta.game_types,
            endpoint: &meta.contact_endpoint,
            protocol: meta.protocol_version.as_ref(),
            keeps_token: meta.keeps_token,
            says_told: false,
            capacity: 0,
        }
    }
}

impl<'a> From<&'a RefereeMeta> for Applicant<'a> {
    fn from(meta: &'a RefereeMeta) -> Self {
        Self {
            role: "referee",
            name: &meta.display_name,
            version: &meta.version,
            games: &meta.game_types,
            endpoint: &meta.contact_endpoint,
            protocol: meta.protocol_version.as_ref(),
            keeps_token: meta.keeps_token,
            says_told: meta.says_told,
            capacity: meta.max_concurrent_matches,
        }
    }
}

impl Applicant<'_> {
    /// A value that is the same for the same request, shown with the same token.
    pub(super) fn digest(&self, application: &Application) -> RequestDigest {
        let conversation = application.conversation.to_string();
        let flags = [self.keeps_token, self.says_told, false, false].map(u8::from);
        let numbers = [flags, self.capacity.to_le_bytes()];
        let token = application.token.as_ref().and_then(TokenHash::of);
        let texts = [
            self.role,
            self.name.as_str(),
            self.version.as_str(),
            self.endpoint.as_str(),
            self.protocol.map_or("", DisplayName::as_str),
            &conversation,
        ];
        let games = self.games.iter().map(|game| game.as_str().as_bytes());
        let parts = texts.iter().map(|text| text.as_bytes());
        let parts = parts.chain(numbers.iter().map(|number| &number[..]));
        let parts = parts.chain(token.as_ref().map(|token| &token.as_bytes()[..]));
        RequestDigest::of(parts.chain(games))
    }

    /// What is kept of it.
    pub(super) fn provenance(&self, application: &Application) -> Provenance {
        let (request, address) = (Some(self.digest(application)), application.caller.address);
        Provenance { request, address, keeps_token: self.keeps_token }
    }
}
