//! Who is in the league, where they can be called, and what proves it.
//!
//! An agent keeps its id for ever; registering again gives it a fresh token and the old one dies.
//!
//! Spec: docs/protocol/registration.md

use std::collections::BTreeMap;
use std::ops::Deref;

use agon_proto::{Address, AgentId, Contact, Endpoint, GroupId, PlayerId, RefereeId, Timestamp};

use super::Lineup;
use crate::TokenHash;
use crate::fact::Registration;

/// One agent: what its last registration says, and what became of it since.
#[derive(Debug, Clone)]
pub(crate) struct Agent {
    registration: Registration,
    /// How many tokens it has been given.
    pub(crate) number: u32,
    /// How much a referee was given so far, in parts of its capacity: the least burdened comes
    /// next.
    pub(crate) burden: u64,
    /// The operator has reset it, and it has not come back yet: only its token lets it in.
    pub(crate) is_reset: bool,
}

impl Deref for Agent {
    type Target = Registration;

    fn deref(&self) -> &Registration {
        &self.registration
    }
}

impl Agent {
    pub(crate) fn id(&self) -> AgentId {
        self.agent
    }

    pub(crate) fn is_referee(&self) -> bool {
        matches!(self.agent, AgentId::Referee(_))
    }

    /// Where `league.v2` says that it is.
    pub(crate) fn endpoint(&self) -> Endpoint {
        self.contact.endpoint()
    }

    /// Where letters say that it is.
    pub(crate) fn address(&self) -> Address {
        self.contact.address()
    }

    /// Where somebody finds it who goes that way itself: by a carrier that vouches, or by call.
    pub(crate) fn contact_for(&self, vouched: bool) -> &Contact {
        let also = self.also.as_ref().filter(|also| also.vouches() == vouched);
        also.filter(|_| self.contact.vouches() != vouched).unwrap_or(&self.contact)
    }

    /// Its team, or nothing.
    pub(crate) fn group(&self) -> GroupId {
        self.group.clone().unwrap_or_else(|| GroupId::new(""))
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
    agents: [Vec<Agent>; 2],
    by_contact: BTreeMap<Contact, AgentId>,
    /// Who plays and who referees for each team, in whatever case its name is written.
    by_group: BTreeMap<(String, bool), AgentId>,
    by_token: BTreeMap<TokenHash, AgentId>,
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

    pub(crate) fn player(&self, id: PlayerId) -> Option<&Agent> {
        self.agent(AgentId::Player(id))
    }

    pub(crate) fn referee(&self, id: RefereeId) -> Option<&Agent> {
        self.agent(AgentId::Referee(id))
    }

    pub(crate) fn agent(&self, id: AgentId) -> Option<&Agent> {
        let (role, place) = place(id);
        self.agents[role].get(place)
    }

    fn agent_mut(&mut self, id: AgentId) -> Option<&mut Agent> {
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
    pub(crate) fn everybody(&self) -> impl Iterator<Item = &Agent> {
        self.agents.iter().flatten()
    }

    /// Who is reached there.
    pub(crate) fn at(&self, contact: &Contact) -> Option<AgentId> {
        self.by_contact.get(contact).copied()
    }

    /// Whether every referee of that lineup can be met by every player of it. Nearly always all
    /// come the same way.
    pub(crate) fn is_everybody_reached(&self, lineup: &Lineup) -> bool {
        let (Some((first, _)), Some((last, _))) =
            (self.by_contact.first_key_value(), self.by_contact.last_key_value())
        else {
            return true;
        };
        if first.vouches() == last.vouches() {
            return true;
        }
        let taking_part = |role: usize| self.agents[role].iter().filter(|it| lineup.holds(it.id()));
        [false, true].into_iter().all(|vouched| {
            !taking_part(0).any(|player| player.contact.vouches() == vouched)
                || taking_part(1).all(|it| it.contact_for(vouched).vouches() == vouched)
        })
    }

    /// Whether somebody is vouched for by whoever carries its messages. They lie where they were
    /// delivered until somebody looks.
    pub(crate) fn is_any_vouched(&self) -> bool {
        self.by_contact.last_key_value().is_some_and(|(contact, _)| contact.vouches())
    }

    pub(crate) fn holder(&self, token: &TokenHash) -> Option<AgentId> {
        self.by_token.get(token).copied()
    }

    /// Who referees, or else plays, for that team.
    pub(crate) fn of_group(&self, group: &GroupId, referees: bool) -> Option<AgentId> {
        self.by_group.get(&(plain(group), referees)).copied()
    }

    /// Player and referee of every team that has both, in the order in which the players came.
    pub(crate) fn teams(&self) -> impl Iterator<Item = (PlayerId, RefereeId)> {
        let players = (1..).map(PlayerId::new).zip(&self.agents[0]);
        players.filter_map(|(id, player)| match self.of_group(player.group.as_ref()?, true)? {
            AgentId::Referee(referee) => Some((id, referee)),
            AgentId::Player(_) => None,
        })
    }

    /// Somebody is in, or in again.
    pub(crate) fn admit(&mut self, registration: &Registration) {
        let Registration { agent: id, contact, group, token, .. } = registration;
        let (role, place) = place(*id);
        let agents = &mut self.agents[role];
        let mut agent =
            Agent { registration: registration.clone(), number: 1, burden: 0, is_reset: false };
        if let Some(known) = agents.get_mut(place) {
            (agent.number, agent.burden) = (known.number + 1, known.burden);
            self.by_contact.remove(&known.contact);
            known.token.and_then(|token| self.by_token.remove(&token));
            *known = agent;
        } else {
            // A newcomer begins level with the least burdened, or it would be given everything.
            if agent.is_referee() {
                agent.burden = agents.iter().map(|agent| agent.burden).min().unwrap_or(0);
            }
            agents.push(agent);
        }
        self.by_contact.insert(contact.clone(), *id);
        if let Some(token) = token {
            self.by_token.insert(*token, *id);
        }
        if let Some(group) = group {
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
        let entry = &mut agent.registration;
        let old = entry.token.replace(token);
        entry.said_at = Timestamp::from_micros(0);
        entry.provenance.request = None;
        old.and_then(|old| self.by_token.remove(&old));
        self.by_token.insert(token, id);
    }

    /// A match was given to that referee, one of so many at a time.
    pub(crate) fn burden(&mut self, id: RefereeId, matches_at_once: u32) {
        if let Some(agent) = self.agent_mut(AgentId::Referee(id)) {
            agent.burden += share(agent.capacity, matches_at_once);
        }
    }
}

fn plain(group: &GroupId) -> String {
    group.as_str().to_lowercase()
}

#[cfg(test)]
mod tests;
