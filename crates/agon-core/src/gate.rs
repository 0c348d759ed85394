//! The gate: who speaks, and may they? Nothing passes into a role but what is [`Admitted`] here, or
//! said by somebody who is [`Proved`].
//!
//! A sender is a claim. By call a token proves it; by mail whoever carried the letter vouches for
//! its address. What is refused changes nothing. To the manager speaks somebody whom the league
//! knows, by call or by letter, or somebody who wants in: only an application needs no proof where
//! it comes by call, because its answer goes to the endpoint that it names and nowhere else.
//!
//! Spec: docs/protocol/errors.md

mod agent;

use agon_proto::act::{Act, Task};
use agon_proto::{
    Address, AgentId, AuthToken, Contact, Envelope, Letter, MessageType, PlayerId, RefereeId,
    Sender,
};

use crate::effect::{Caller, Proof, Viewer};
use crate::league::League;
use crate::league::registry::{Admission, RegisteredAgent, Registry};
use crate::secret::Signing;
use crate::{Refusal, TokenHash};

pub(crate) use agent::{
    Arrival, Author, Voice, Written, at_agent, game_of, manager, player, referee, voice, wrong,
};

/// Somebody who has proved who it is. There is no way to make one but the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Proved<T>(T);

impl<T> Proved<T> {
    pub(crate) fn get(&self) -> &T {
        &self.0
    }
}

/// The league manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TheManager;

/// Who speaks, proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speaker {
    Manager(Proved<TheManager>),
    Referee(Proved<RefereeId>),
    Player(Proved<PlayerId>),
    /// Somebody who wants in. Proves nothing but may say that one thing.
    Newcomer,
}

impl Speaker {
    /// The agent that it is.
    pub(crate) fn agent(self) -> Option<AgentId> {
        match self {
            Self::Referee(id) => Some(AgentId::Referee(*id.get())),
            Self::Player(id) => Some(AgentId::Player(*id.get())),
            Self::Manager(_) | Self::Newcomer => None,
        }
    }

    /// An agent, after it was proved.
    const fn proved(agent: AgentId) -> Self {
        match agent {
            AgentId::Referee(id) => Self::Referee(Proved(id)),
            AgentId::Player(id) => Self::Player(Proved(id)),
        }
    }
}

/// A letter whose speaker is known. There is no way to make one but the gate.
#[derive(Debug)]
pub(crate) struct Admitted {
    speaker: Speaker,
    /// For a referee's letter, the attempt it is about.
    attempt: Option<u32>,
    letter: Box<Envelope>,
}

impl Admitted {
    pub(crate) fn open(self) -> (Speaker, Option<u32>, Box<Envelope>) {
        (self.speaker, self.attempt, self.letter)
    }
}

/// Why a letter does not pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// It may pass later, when we know more.
    Early(Refusal),
    Never(Refusal),
}

/// The answer to a letter where none are written.
pub(crate) const NO_LETTERS: Refusal =
    Refusal::Unsupported("letters: agents of this league are called");

/// What an agent is told that waits for the operator's word.
const WAITS: &str = "this agent waits for the operator's approval";
/// What an agent is told that never came in.
pub(crate) const DECLINED: &str = "the operator has not let this agent in";
/// What an agent is told that was taken out.
pub(crate) const REMOVED: &str = "the operator has taken this agent out of the league";

/// The answer to a message that this role does not take.
pub(crate) fn not_for_us(said: &Act) -> Refusal {
    Refusal::Unsupported(MessageType::name_of(said))
}

/// The manager's gate: only registration needs no token.
pub(crate) fn at_manager(
    (registry, signing): (&Registry, &Signing),
    letter: Box<Envelope>,
) -> Result<Admitted, Refusal> {
    if matches!(letter.act, Act::Apply(_)) {
        return Ok(Admitted { speaker: Speaker::Newcomer, attempt: None, letter });
    }
    let id = match &letter.head.sender {
        Sender::Player(id) => AgentId::Player(*id),
        Sender::Referee(id) => AgentId::Referee(*id),
        Sender::NewPlayer(_) | Sender::NewReferee(_) => return Err(Refusal::NotRegistered),
        Sender::LeagueManager => return Err(Refusal::NotPermitted("there is one manager")),
    };
    let agent = registry.agent(id).ok_or(Refusal::Unknown(id))?;
    let shown = letter.auth_token.as_ref();
    // Nearly always it is known without hashing it.
    let known = shown.zip(agent.token.as_ref());
    if !known.is_some_and(|(token, hash)| signing.knows(id, token, hash)) {
        prove(shown, agent.token)?;
    }
    match agent.admission {
        Admission::In | Admission::Reset => {}
        // What it was given was for the season before: it has to come to this one.
        Admission::Expected => {
            return Err(shown.map_or(Refusal::TokenMissing, |it| Refusal::TokenInvalid(it.clone())));
        }
        Admission::Waiting if matches!(letter.act, Act::Heartbeat(_)) => {
            return Ok(Admitted { speaker: Speaker::Newcomer, attempt: None, letter });
        }
        Admission::Waiting => return Err(Refusal::NotPermitted(WAITS)),
        Admission::Declined => return Err(Refusal::NotPermitted(DECLINED)),
        Admission::Removed => return Err(Refusal::NotPermitted(REMOVED)),
    }
    Ok(Admitted { speaker: Speaker::proved(id), attempt: None, letter })
}

/// The referee whose token is shown to a tool of the manager's.
pub(crate) fn referee_by_token(
    registry: &Registry,
    shown: Option<&AuthToken>,
) -> Result<Proved<RefereeId>, Refusal> {
    let shown = shown.ok_or(Refusal::TokenMissing)?;
    let holder = TokenHash::of(shown).and_then(|hash| registry.holder(&hash));
    let agent = holder.and_then(|id| registry.agent(id));
    match agent.map(|agent| (agent.id, agent.is_in())) {
        Some((AgentId::Referee(id), true)) => Ok(Proved(id)),
        Some((AgentId::Referee(_), false)) => Err(Refusal::NotPermitted(REMOVED)),
        Some((AgentId::Player(_), _)) => {
            Err(Refusal::NotPermitted("messages of matches come from their referees"))
        }
        None => Err(Refusal::TokenInvalid(shown.clone())),
    }
}

/// Who looks. Anybody may; a token that is neither the operator's nor a player's is none.
pub(crate) fn viewer(league: &League, shown: Option<&AuthToken>, operator: TokenHash) -> Viewer {
    let holder = shown.and_then(TokenHash::of).and_then(|hash| league.registry.holder(&hash));
    match (prove(shown, Some(operator)), holder) {
        (Ok(()), _) => Viewer::Operator,
        (Err(_), Some(AgentId::Player(id))) => Viewer::Player(id),
        (Err(_), Some(AgentId::Referee(_)) | None) => Viewer::Everybody,
    }
}

/// Whether that token is the one of which this was kept.
pub(crate) fn prove(token: Option<&AuthToken>, kept: Option<TokenHash>) -> Result<(), Refusal> {
    let token = token.ok_or(Refusal::TokenMissing)?;
    match TokenHash::of(token) {
        Some(hash) if Some(hash) == kept => Ok(()),
        Some(_) | None => Err(Refusal::TokenInvalid(token.clone())),
    }
}

/// A letter to the manager whose writer is known: it is reached there, and nobody else could have
/// written this. There is no way to make one but the gate.
#[derive(Debug)]
pub(crate) struct Posted<'a> {
    pub(crate) address: Address,
    /// Whether its writer is in the season that is open or under way.
    pub(crate) enrolled: bool,
    speaker: Speaker,
    pub(crate) letter: &'a Letter,
    /// From where it was called in, and with what; by mail the roster says who may come.
    pub(crate) caller: Option<Caller>,
}

impl<'a> Posted<'a> {
    /// That letter, if somebody proves to have written it.
    pub(crate) fn at_manager(
        league: &League,
        (proof, caller): (&Proof, Option<Caller>),
        letter: &'a Letter,
    ) -> Result<Self, Refusal> {
        let address = match proof {
            Proof::Vouched(from) => from.clone(),
            Proof::Token => by_token(league, letter)?,
        };
        agrees(letter, &address)?;
        let contact = Contact::of(&address);
        let known = league.registry.at(&contact).and_then(|id| league.registry.agent(id));
        let enrolled = known.is_some_and(RegisteredAgent::is_in);
        // An application by call proves nothing.
        let is_proved = contact.vouches() || !is_application(letter);
        let agent = league.agent_at(&address).filter(|_| is_proved && enrolled);
        let speaker = agent.map_or(Speaker::Newcomer, Speaker::proved);
        Ok(Self { address, enrolled, speaker, letter, caller })
    }

    /// Who wrote it, in a season that has begun.
    pub(crate) fn speaker(&self) -> Speaker {
        self.speaker
    }
}

/// Real agents leave their address out; one that names another than is proved is not believed.
pub(crate) fn agrees(letter: &Letter, proved: &Address) -> Result<(), Refusal> {
    match &letter.head.from.address {
        Some(claim) if !claim.is_empty() && claim != proved => {
            Err(Refusal::NotPermitted("the letter names another sender than the post"))
        }
        Some(_) | None => Ok(()),
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

#[cfg(test)]
mod tests;
