//! Who is in the league, where they can be called, and what proves it.
//!
//! An agent keeps its id for ever; registering again gives it a fresh token and the old one dies.
//!
//! Spec: docs/protocol/registration.md

mod list;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;

use agon_proto::{AgentId, Contact, DisplayName, GroupId, PlayerId, RefereeId, Timestamp, folded};

use crate::TokenHash;
use crate::fact::{Provenance, Registration};
use crate::format::Lineup;
use list::AgentList;

/// One agent: what its last registration says, and what became of it since.
#[derive(Debug, Clone)]
pub(crate) struct RegisteredAgent {
    pub(crate) id: AgentId,
    pub(crate) name: DisplayName,
    pub(crate) contact: Contact,
    pub(crate) token: Option<TokenHash>,
    pub(crate) provenance: Provenance,
    pub(crate) said_at: Timestamp,
    pub(crate) at: Timestamp,
    /// How many tokens it has been given.
    pub(crate) number: u32,
    /// The operator has reset it, and it has not come back yet: only its token lets it in.
    pub(crate) is_reset: bool,
    /// Nothing of nearly every player.
    more: Option<Box<More>>,
}

/// A hundred thousand are kept.
const _: () = assert!(size_of::<RegisteredAgent>() <= 160);

/// What referees have, members of teams, and who is reached in two ways.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct More {
    also: Option<Contact>,
    pub(crate) group: Option<GroupId>,
    capacity: u32,
    pub(crate) says_told: bool,
    /// How much a referee was given so far, in parts of its capacity: the least burdened comes
    /// next.
    burden: u64,
}

impl More {
    const NOTHING: Self =
        Self { also: None, group: None, capacity: 0, says_told: false, burden: 0 };
}

impl Deref for RegisteredAgent {
    type Target = More;

    fn deref(&self) -> &More {
        self.more.as_deref().unwrap_or(&const { More::NOTHING })
    }
}

impl RegisteredAgent {
    pub(crate) fn is_referee(&self) -> bool {
        matches!(self.id, AgentId::Referee(_))
    }

    /// Where somebody finds it who goes that way itself: by a carrier that vouches, or by call.
    pub(crate) fn contact_for(&self, vouched: bool) -> &Contact {
        let also = self.also.as_ref().filter(|also| also.vouches() == vouched);
        also.filter(|_| self.contact.vouches() != vouched).unwrap_or(&self.contact)
    }

    fn set_burden(&mut self, burden: u64) {
        if burden != self.burden {
            self.more.get_or_insert_with(|| Box::new(More::NOTHING)).burden = burden;
        }
    }

    /// Its team, or nothing.
    pub(crate) fn group(&self) -> GroupId {
        self.group.clone().unwrap_or_else(|| GroupId::new(""))
    }
}

impl From<&Registration> for RegisteredAgent {
    fn from(said: &Registration) -> Self {
        let (also, group) = (said.also.clone(), said.group.clone());
        let Registration { capacity, says_told, .. } = *said;
        let more = More { also, group, capacity, says_told, burden: 0 };
        Self {
            id: said.agent,
            name: said.name.clone(),
            contact: said.contact.clone(),
            token: said.token,
            provenance: said.provenance,
            said_at: said.said_at,
            at: said.at,
            number: 1,
            is_reset: false,
            more: (more != More::NOTHING).then(|| Box::new(more)),
        }
    }
}

/// What one more match adds to the burden of who has that capacity, where so many are played at a
/// time. Room for more than these is worth nothing, or whoever claims to have it would be given
/// everything.
pub(crate) fn share(capacity: u32, matches_at_once: u32) -> u64 {
    let capacity = capacity.min(matches_at_once).max(1);
    (BURDEN / u64::from(capacity)).max(1)
}

/// Parts into which a capacity divides one match's worth of burden.
const BURDEN: u64 = 1 << 20;

#[derive(Debug, Default)]
pub(crate) struct Registry {
    /// Players and referees, each in the order of registration.
    agents: [AgentList; 2],
    by_contact: Index,
    /// Who plays and who referees for each team, in whatever case its name is written.
    by_group: BTreeMap<(String, bool), AgentId>,
    by_token: Index,
    /// How many are vouched for by whoever carries their messages, which lie where they were
    /// delivered until somebody looks.
    pub(crate) vouched: usize,
}

/// Finds agents by the first bytes of a hash. Few share them: whoever looks compares the rest.
type Index = BTreeSet<(u64, AgentId)>;

/// Those with these first bytes.
fn find(index: &Index, key: u64) -> impl Iterator<Item = AgentId> {
    let last = AgentId::Referee(RefereeId::new(u32::MAX));
    let all = index.range((key, AgentId::Player(PlayerId::new(0)))..=(key, last));
    all.map(|(_, id)| *id)
}

/// What something is found by. A contact is chosen by its owner, and many with one key would be
/// slow to look up: nobody can find such contacts.
fn key(of: &[u8]) -> u64 {
    let hash = blake3::hash(of);
    u64::from_le_bytes(*hash.as_bytes().first_chunk().expect("a hash has 32 bytes"))
}

/// In which of two lists an agent stands, and where. Nobody has the number 0.
pub(crate) const fn place(id: AgentId) -> (usize, usize) {
    match id {
        AgentId::Player(id) => (0, (id.number() as usize).wrapping_sub(1)),
        AgentId::Referee(id) => (1, (id.number() as usize).wrapping_sub(1)),
    }
}

impl Registry {
    pub(crate) fn player_count(&self) -> u32 {
        u32::try_from(self.agents[0].len()).expect("bounded by players_max")
    }

    pub(crate) fn referee_count(&self) -> u32 {
        u32::try_from(self.agents[1].len()).expect("bounded by referees_max")
    }

    pub(crate) fn player(&self, id: PlayerId) -> Option<&RegisteredAgent> {
        self.agent(AgentId::Player(id))
    }

    pub(crate) fn referee(&self, id: RefereeId) -> Option<&RegisteredAgent> {
        self.agent(AgentId::Referee(id))
    }

    pub(crate) fn agent(&self, id: AgentId) -> Option<&RegisteredAgent> {
        let (role, place) = place(id);
        self.agents[role].get(place)
    }

    fn agent_mut(&mut self, id: AgentId) -> Option<&mut RegisteredAgent> {
        let (role, place) = place(id);
        self.agents[role].get_mut(place)
    }

    /// Most matches at once that this referee gets.
    pub(crate) fn capacity(&self, id: RefereeId) -> u32 {
        self.referee(id).map_or(0, |agent| agent.capacity)
    }

    pub(crate) fn burden_of(&self, id: RefereeId) -> u64 {
        self.referee(id).map_or(0, |agent| agent.burden)
    }

    pub(crate) fn referee_ids(&self) -> impl Iterator<Item = RefereeId> + use<> {
        (1..=self.referee_count()).map(RefereeId::new)
    }

    /// Everybody, players first, each in the order of registration.
    pub(crate) fn everybody(&self) -> impl Iterator<Item = &RegisteredAgent> {
        self.agents.iter().flat_map(AgentList::iter)
    }

    /// Who is reached there.
    pub(crate) fn at(&self, contact: &Contact) -> Option<AgentId> {
        let is_there = |id: &AgentId| self.agent(*id).is_some_and(|it| it.contact == *contact);
        find(&self.by_contact, key(folded(contact.as_str()).as_bytes())).find(is_there)
    }

    /// Whether every referee of that lineup can be met by every player of it. Nearly always all
    /// come the same way.
    pub(crate) fn is_everybody_reached(&self, lineup: &Lineup) -> bool {
        if self.vouched == 0 || self.vouched == self.everybody().count() {
            return true;
        }
        let taking_part = |role: usize| self.agents[role].iter().filter(|it| lineup.holds(it.id));
        [false, true].into_iter().all(|vouched| {
            !taking_part(0).any(|player| player.contact.vouches() == vouched)
                || taking_part(1).all(|it| it.contact_for(vouched).vouches() == vouched)
        })
    }

    pub(crate) fn holder(&self, token: &TokenHash) -> Option<AgentId> {
        let has_it = |id: &AgentId| self.agent(*id).is_some_and(|it| it.token == Some(*token));
        find(&self.by_token, key(token.as_bytes())).find(has_it)
    }

    /// Who referees, or else plays, for that team.
    pub(crate) fn of_group(&self, group: &GroupId, referees: bool) -> Option<AgentId> {
        self.by_group.get(&(plain(group), referees)).copied()
    }

    /// Player and referee of every team that has both, in the order in which the players came.
    pub(crate) fn teams(&self) -> impl Iterator<Item = (PlayerId, RefereeId)> {
        let players = (1..).map(PlayerId::new).zip(self.agents[0].iter());
        players.filter_map(|(id, player)| match self.of_group(player.group.as_ref()?, true)? {
            AgentId::Referee(referee) => Some((id, referee)),
            AgentId::Player(_) => None,
        })
    }

    /// Somebody is in, or in again.
    pub(crate) fn admit(&mut self, registration: &Registration) {
        let Registration { agent: id, contact, token, .. } = registration;
        let (role, place) = place(*id);
        let agents = &mut self.agents[role];
        let mut agent = RegisteredAgent::from(registration);
        if let Some(known) = agents.get_mut(place) {
            agent.number = known.number + 1;
            agent.set_burden(known.burden);
            self.by_contact.remove(&(key(folded(known.contact.as_str()).as_bytes()), *id));
            known.token.map(|token| self.by_token.remove(&(key(token.as_bytes()), *id)));
            self.vouched -= usize::from(known.contact.vouches());
            *known = agent;
        } else {
            // A newcomer begins level with the least burdened, or it would be given everything.
            if agent.is_referee() {
                agent.set_burden(agents.iter().map(|agent| agent.burden).min().unwrap_or(0));
            }
            agents.push(agent);
        }
        self.by_contact.insert((key(folded(contact.as_str()).as_bytes()), *id));
        self.by_token.extend(token.map(|token| (key(token.as_bytes()), *id)));
        self.vouched += usize::from(contact.vouches());
        if let Some(group) = &registration.group {
            let referees = matches!(id, AgentId::Referee(_));
            self.by_group.insert((plain(group), referees), *id);
        }
    }

    /// Gives an agent a fresh token. The old one dies, and with it whatever the agent wrote before:
    /// the clock of another machine may be behind.
    pub(crate) fn reset(&mut self, id: AgentId, token: TokenHash) {
        let Some(agent) = self.agent_mut(id) else { return };
        agent.number += 1;
        agent.is_reset = true;
        agent.said_at = Timestamp::from_micros(0);
        agent.provenance.request = None;
        if let Some(old) = agent.token.replace(token) {
            self.by_token.remove(&(key(old.as_bytes()), id));
        }
        self.by_token.insert((key(token.as_bytes()), id));
    }

    /// A match was given to that referee, one of so many at a time.
    pub(crate) fn burden(&mut self, id: RefereeId, matches_at_once: u32) {
        if let Some(agent) = self.agent_mut(AgentId::Referee(id)) {
            agent.set_burden(agent.burden + share(agent.capacity, matches_at_once));
        }
    }
}

fn plain(group: &GroupId) -> String {
    group.as_str().to_lowercase()
}

#[cfg(test)]
mod tests;
