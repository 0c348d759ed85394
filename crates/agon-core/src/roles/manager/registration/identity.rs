//! Who asks to be let in: somebody whom the league knows, and how it shows that, or a newcomer.
//!
//! A token proves an agent, whatever its clock says. Without it only the request that let the agent
//! in last, said again because its answer was lost, leads to the same token. An agent that keeps
//! its token is replaced by nobody who has not got it; one that does not is known by its address.
//!
//! Spec: docs/protocol/registration.md

use agon_proto::act::Applying;
use agon_proto::{AgentId, AuthToken, CODE_NEEDED, DisplayName, REPEAT_MAX, Role};

use super::{Application, Applications};
use crate::effect::{Caller, CallerPlace, Origin};
use crate::league::registry::Agent;
use crate::{CodeHash, Provenance, Refusal, RequestDigest, Settings, TokenHash};

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

impl Applications<'_> {
    pub(super) fn standing(&self, application: &Application) -> Result<Standing, Refusal> {
        let (Application { said, contact, .. }, league) = (application, self.0.book.league());
        let resident = league.registry.at(contact);
        // Who always asks in the same words has its answer by another way, and needs it once.
        let (Some(caller), Some(_)) = (application.caller, &application.conversation) else {
            return if resident.is_some() { Err(Refusal::AlreadyIn) } else { Ok(Standing::New) };
        };
        if caller.origin == Origin::Forbidden {
            return Err(Refusal::EndpointForbidden);
        }
        if let Some(holder) = self.holder_of(application.token.as_ref()) {
            let taken = resident.is_some_and(|resident| resident != holder);
            return if taken { Err(Refusal::EndpointTaken) } else { Ok(Standing::Proved(holder)) };
        }
        if said.role == Some(Role::Referee) {
            self.may_referee(&caller, said)?;
        }
        let Some(agent) = resident.and_then(|resident| league.registry.agent(resident)) else {
            return Ok(Standing::New);
        };
        if agent.is_reset {
            return Err(Refusal::NotPermitted(
                "the operator has reset this agent; register with the token that it was given",
            ));
        }
        let digest = request_digest(application, &league.settings);
        if self.is_repeated(agent, digest, caller) {
            return Ok(Standing::Repeated(agent.id()));
        }
        if agent.provenance.keeps_token {
            return Err(Refusal::TokenKept);
        }
        if caller.origin != Origin::Endpoint {
            return Err(Refusal::EndpointTaken);
        }
        // A letter of a process that died must not lock out the one that took its place.
        if application.said_at < agent.said_at {
            return Err(Refusal::OutOfTurn("this agent has registered again since then"));
        }
        Ok(Standing::AtItsPlace(agent.id()))
    }

    /// Whose token that is now.
    fn holder_of(&self, token: Option<&AuthToken>) -> Option<AgentId> {
        token.and_then(TokenHash::of).and_then(|hash| self.0.book.league().registry.holder(&hash))
    }

    fn is_repeated(&self, agent: &Agent, digest: RequestDigest, caller: Caller) -> bool {
        let Provenance { request, address, .. } = agent.provenance;
        let (_, token) = self.0.book.records().mint((agent.id(), agent.number), Some(digest));
        request == Some(digest)
            && address == caller.address
            && self.0.book.now.since(agent.at) <= REPEAT_MAX
            && !self.0.book.heard.shown.contains(&(agent.id(), agent.number))
            && Some(token) == agent.token
    }

    /// Whether somebody who has no token yet may come as a referee.
    pub(super) fn may_referee(&self, caller: &Caller, said: &Applying) -> Result<(), Refusal> {
        let code = said.code.as_ref().map(|code| CodeHash::of(code.reveal()));
        let mut shown = [caller.code, code].into_iter().flatten().peekable();
        let is_shown = shown.peek().is_some();
        let good = self.0.book.records().options.referee_code;
        if shown.any(|code| Some(code) != good) {
            return Err(Refusal::LeaveNeeded(match good {
                Some(_) => "this is not the code of this league; ask its operator for it",
                None => "this league has no code for referees; its operator sets --referee-code",
            }));
        }
        match (caller.place, is_shown) {
            (CallerPlace::ThisMachine, _) | (CallerPlace::Beyond, true) => Ok(()),
            (CallerPlace::Beyond, false) => Err(Refusal::LeaveNeeded(CODE_NEEDED)),
        }
    }
}

/// A value that is the same for the same request, shown with the same token. Who always asks in the
/// same words is given the same token for a season, however often it asks.
pub(super) fn request_digest(application: &Application, settings: &Settings) -> RequestDigest {
    let Application { said, contact, conversation, token, .. } = application;
    let Some(conversation) = conversation else {
        let season = settings.seasons.season.as_str().as_bytes();
        return RequestDigest::of([season, contact.address().as_str().as_bytes()]);
    };
    let conversation = conversation.to_string();
    let flags = [said.keeps_token, said.says_told, false, false].map(u8::from);
    let numbers = [flags, said.capacity.unwrap_or(0).to_le_bytes()];
    let token = token.as_ref().and_then(TokenHash::of);
    let text = |text: &Option<DisplayName>| text.clone().unwrap_or_else(|| DisplayName::new(""));
    let (name, version, protocol) = (text(&said.name), text(&said.version), text(&said.protocol));
    let texts = [
        if said.role == Some(Role::Referee) { "referee" } else { "player" },
        name.as_str(),
        version.as_str(),
        contact.as_str(),
        protocol.as_str(),
        &conversation,
    ];
    let games = said.games.iter().flatten().map(|game| game.as_str().as_bytes());
    let parts = texts.iter().map(|text| text.as_bytes());
    let parts = parts.chain(numbers.iter().map(|number| &number[..]));
    let parts = parts.chain(token.as_ref().map(|token| &token.as_bytes()[..]));
    RequestDigest::of(parts.chain(games))
}
