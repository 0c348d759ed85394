//! Who speaks to the manager: somebody whom the league knows, by call or by letter, or somebody who
//! wants in.
//!
//! Only an application needs no proof where it comes by call: its answer goes to the endpoint that
//! it names and nowhere else.
//!
//! Spec: docs/protocol/errors.md

use agon_proto::act::{Act, Task};
use agon_proto::{
    Address, AgentId, AuthToken, Contact, Envelope, Letter, PlayerId, RefereeId, Sender,
};

use super::{Admitted, Proved, Speaker};
use crate::effect::{Caller, Proof};
use crate::league::League;
use crate::league::registry::{Agent, Registry};
use crate::secret::Signing;
use crate::{Refusal, TokenHash};

/// The manager's gate: only registration needs no token.
pub(crate) fn at_manager(
    (registry, signing): (&Registry, &Signing),
    letter: Box<Envelope>,
) -> Result<Admitted, Refusal> {
    if matches!(letter.act, Act::Apply(_)) {
        return Ok(Admitted { speaker: Speaker::Newcomer, attempt: None, letter });
    }
    let (id, speaker) = match &letter.head.sender {
        Sender::Player(id) => (AgentId::Player(*id), Speaker::Player(Proved(*id))),
        Sender::Referee(id) => (AgentId::Referee(*id), Speaker::Referee(Proved(*id))),
        Sender::NewPlayer(_) | Sender::NewReferee(_) => return Err(Refusal::NotRegistered),
        Sender::LeagueManager => return Err(Refusal::NotPermitted("there is one manager")),
    };
    let agent = registry.agent(id).ok_or(Refusal::Unknown(id))?;
    prove(agent, signing, letter.auth_token.as_ref())?;
    Ok(Admitted { speaker, attempt: None, letter })
}

fn prove(agent: &Agent, signing: &Signing, token: Option<&AuthToken>) -> Result<(), Refusal> {
    let Some(token) = token else { return Err(Refusal::TokenMissing) };
    if agent.token.as_ref().is_some_and(|hash| signing.knows(agent.id(), token, hash)) {
        return Ok(());
    }
    match TokenHash::of(token) {
        Some(hash) if Some(hash) == agent.token => Ok(()),
        Some(_) | None => Err(Refusal::TokenInvalid(token.clone())),
    }
}

/// Who writes to the manager, proved: it is reached there, and nobody else could have written this.
#[derive(Debug)]
pub(crate) struct Writer {
    address: Address,
    enrolled: bool,
    former: bool,
    caller: Option<Caller>,
}

impl Writer {
    /// Who wrote that letter.
    pub(crate) fn of(
        league: &League,
        (proof, caller): (&Proof, Option<&Caller>),
        letter: &Letter,
    ) -> Result<Self, Refusal> {
        let address = match proof {
            Proof::Vouched(from) => from.clone(),
            Proof::Token => by_token(league, letter)?,
        };
        // Real agents leave their address out; one that names another's is not believed.
        if letter
            .head
            .from
            .address
            .as_ref()
            .is_some_and(|claim| !claim.is_empty() && *claim != address)
        {
            return Err(Refusal::NotPermitted("the letter names another sender than the post"));
        }
        let contact = Contact::of(&address);
        let enrolled = league.registry.at(&contact).is_some();
        let former = !enrolled && league.former.contains_key(&contact);
        Ok(Self { address, enrolled, former, caller: caller.copied() })
    }

    pub(crate) fn address(&self) -> &Address {
        &self.address
    }

    /// Whether it is in the season that is open or under way.
    pub(crate) fn is_enrolled(&self) -> bool {
        self.enrolled
    }

    /// Whether it is not, but was before the season was reset.
    pub(crate) fn is_former(&self) -> bool {
        self.former
    }

    /// From where it calls, and with what it shows; by mail the roster says who may come.
    pub(crate) fn caller(&self) -> Option<Caller> {
        self.caller
    }

    /// The referee that it is, in a season that has begun.
    pub(crate) fn referee(&self, league: &League) -> Option<Proved<RefereeId>> {
        match league.agent_at(&self.address)? {
            AgentId::Referee(referee) => Some(Proved(referee)),
            AgentId::Player(_) => None,
        }
    }

    /// The player that it is, in a season that has begun.
    pub(crate) fn player(&self, league: &League) -> Option<Proved<PlayerId>> {
        match league.agent_at(&self.address)? {
            AgentId::Player(player) => Some(Proved(player)),
            AgentId::Referee(_) => None,
        }
    }
}

fn by_token(league: &League, letter: &Letter) -> Result<Address, Refusal> {
    if is_application(letter) {
        let claim = letter.head.from.address.clone().filter(Address::is_endpoint);
        return claim.ok_or(Refusal::BadValue("sender.email must be the agent's endpoint"));
    }
    let token = letter.auth_token.as_ref().ok_or(Refusal::TokenMissing)?;
    let holder = TokenHash::of(token).and_then(|hash| holder(league, &hash, letter));
    holder.ok_or_else(|| Refusal::TokenInvalid(token.clone()))
}

/// Whom that token proves. One of a season that was reset is good for saying that one knows.
fn holder(league: &League, token: &TokenHash, letter: &Letter) -> Option<Address> {
    let registry = &league.registry;
    let member = registry.holder(token).and_then(|id| Some(&registry.agent(id)?.contact));
    let former = || league.former_holder(token).filter(|_| has_forgotten(letter));
    member.or_else(former).map(Contact::address)
}

/// Whether a letter asks to be let in.
pub(crate) fn is_application(letter: &Letter) -> bool {
    matches!(letter.act, Act::Apply(_) | Act::LeagueRegistration(_))
}

/// Whether a letter says that a season was forgotten.
pub(crate) fn has_forgotten(letter: &Letter) -> bool {
    matches!(letter.act, Act::State(Task::Reset, _))
}
