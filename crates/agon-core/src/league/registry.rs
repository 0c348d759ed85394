//! Who is in the league, where they can be called, and what proves it.
//!
//! An agent keeps its id for ever; registering again gives it a fresh token and the old one dies.
//!
//! Spec: docs/protocol/registration.md

mod agent;
mod list;

use std::collections::{BTreeMap, BTreeSet};

use agon_proto::tool::AgentRole;
use agon_proto::{AgentId, Contact, DisplayName, GroupId, PlayerId, RefereeId, Timestamp, folded};

use crate::fact::Registration;
use crate::format::Lineup;
use crate::{AddressKey, TokenHash};
pub(crate) use agent::{Admission, RegisteredAgent};
use list::AgentList;

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
    by_look: Index,
    /// How many of each role are not in, whatever the reason.
    outside: [u32; 2],
    /// How many were in the season before, and have not come yet.
    expected: u32,
    /// Who waits for the operator's word, the one that came first in front.
    waiting: BTreeSet<(Timestamp, AgentId)>,
    /// Numbers that were given to somebody who never came in.
    free: BTreeSet<AgentId>,
    /// How many of each address came uninvited; of IPv6, of each network.
    uninvited: BTreeMap<AddressKey, u32>,
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
    /// How many players are in.
    pub(crate) fn player_count(&self) -> u32 {
        self.numbers()[0] - self.outside[0]
    }

    /// How many referees are in.
    pub(crate) fn referee_count(&self) -> u32 {
        self.numbers()[1] - self.outside[1]
    }

    /// How many were in the season before, and have not come yet.
    pub(crate) fn expected(&self) -> u32 {
        self.expected
    }

    /// How many numbers players and referees were given.
    pub(crate) fn numbers(&self) -> [u32; 2] {
        let count = |list: &AgentList| u32::try_from(list.len()).expect("numbers have 32 bits");
        [count(&self.agents[0]), count(&self.agents[1])]
    }

    /// A number for one more: one that nobody has had in the league, or the next.
    pub(crate) fn next_id(&self, is_referee: bool) -> AgentId {
        let free = self.free.iter().find(|id| matches!(id, AgentId::Referee(_)) == is_referee);
        let [players, referees] = self.numbers();
        free.copied().unwrap_or(match is_referee {
            true => AgentId::Referee(RefereeId::new(referees + 1)),
            false => AgentId::Player(PlayerId::new(players + 1)),
        })
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

    pub(crate) fn is_in(&self, id: AgentId) -> bool {
        self.agent(id).is_some_and(RegisteredAgent::is_in)
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

    /// The referees that are in.
    pub(crate) fn referee_ids(&self) -> impl Iterator<Item = RefereeId> {
        let referees = (1..).map(RefereeId::new).zip(self.agents[1].iter());
        referees.filter(|(_, agent)| agent.is_in()).map(|(id, _)| id)
    }

    /// Everybody who is in, players first, each in the order of registration.
    pub(crate) fn everybody(&self) -> impl Iterator<Item = &RegisteredAgent> {
        self.known().filter(|agent| agent.is_in())
    }

    /// Everybody who ever asked to be in, and got an answer.
    pub(crate) fn known(&self) -> impl Iterator<Item = &RegisteredAgent> {
        self.agents.iter().flat_map(AgentList::iter)
    }

    /// Whether everybody who got a number of that role is in.
    pub(crate) fn is_without_gaps(&self) -> bool {
        self.outside == [0, 0]
    }

    /// How many wait for the operator's word, and since when the first one does.
    pub(crate) fn waiting(&self) -> (usize, Option<(Timestamp, AgentId)>) {
        (self.waiting.len(), self.waiting.first().copied())
    }

    pub(crate) fn all_waiting(&self) -> impl Iterator<Item = AgentId> {
        self.waiting.iter().map(|(_, id)| *id)
    }

    /// How many came uninvited from there.
    pub(crate) fn uninvited(&self, from: AddressKey) -> u32 {
        self.uninvited.get(&from).copied().unwrap_or(0)
    }

    /// Under which name that one may come: another one must not look the same.
    pub(crate) fn distinct(&self, name: DisplayName, of: AgentId) -> DisplayName {
        let is_taken = |name: &DisplayName| {
            let mut others = find(&self.by_look, key(name.look().as_bytes()));
            // A team's player and its referee may share the team's name.
            others.any(|id| id != of && AgentRole::of(id) == AgentRole::of(of))
        };
        if name.look().is_empty() {
            return DisplayName::new(&of.to_string());
        }
        if !is_taken(&name) {
            return name;
        }
        // Longer than a name may be, it would lose what tells it apart.
        let start: String = name.as_str().chars().take(DisplayName::LENGTH_MAX / 2).collect();
        let own = format!("{start} ({of})");
        // Somebody may have called itself that, to be in the way; but there are more numbers than
        // agents, and a name has room for all of them.
        let others = (2u64..).map(|number| DisplayName::new(&format!("{number} {own}")));
        let mut all = std::iter::once(DisplayName::new(&own)).chain(others);
        all.find(|name| !is_taken(name)).unwrap_or_else(|| DisplayName::new(&of.to_string()))
    }

    /// Who is reached there.
    pub(crate) fn at(&self, contact: &Contact) -> Option<AgentId> {
        let is_there = |id: &AgentId| self.agent(*id).is_some_and(|it| it.contact == *contact);
        find(&self.by_contact, contact_key(contact)).find(is_there)
    }

    /// Whether every referee of that lineup can be met by every player of it. Nearly always all
    /// come the same way.
    pub(crate) fn is_everybody_reached(&self, lineup: &Lineup) -> bool {
        if self.vouched == 0 || self.vouched == self.everybody().count() {
            return true;
        }
        let in_it = |it: &&RegisteredAgent| it.is_in() && lineup.holds(it.id);
        let taking_part = |role: usize| self.agents[role].iter().filter(in_it);
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
            AgentId::Referee(referee) => {
                let both = player.is_in() && self.referee(referee)?.is_in();
                both.then_some((id, referee))
            }
            AgentId::Player(_) => None,
        })
    }

    /// Somebody is in, or in again, or waits for the operator's word.
    pub(crate) fn admit(&mut self, registration: &Registration) {
        let id = registration.agent;
        let (role, place) = place(id);
        let (mut agent, level) = (RegisteredAgent::from(registration), self.level(role));
        let known = self.agents[role].get(place);
        agent.set_burden(known.map_or(level, |known| known.burden_among(level)));
        if let Some(known) = known {
            agent.number = known.number + 1;
            if let (Some(more), known) = (&mut agent.more, known.reports) {
                more.reports = known;
            }
            self.forget(id);
        }
        self.count(&agent);
        self.index(&agent);
        self.free.remove(&id);
        let agents = &mut self.agents[role];
        match agents.get_mut(place) {
            Some(known) => *known = agent,
            None => agents.push(agent),
        }
    }

    /// The burden of the least burdened referee. Whoever comes in begins with no less, or it would
    /// be given everything.
    fn level(&self, role: usize) -> u64 {
        let referees = self.agents[role].iter().take_while(|agent| agent.is_referee());
        referees.filter(|agent| agent.is_in()).map(|agent| agent.burden).min().unwrap_or(0)
    }

    /// The operator has said yes to one who waits.
    pub(crate) fn take_in(&mut self, id: AgentId) {
        self.set_admission(id, Admission::In);
    }

    /// One who was in is not any more; one who waited never was, and its number is free.
    pub(crate) fn let_go(&mut self, id: AgentId) {
        let belonged =
            |agent: &RegisteredAgent| agent.is_in() || agent.admission == Admission::Expected;
        let belonged = self.agent(id).is_some_and(belonged);
        self.set_admission(id, if belonged { Admission::Removed } else { Admission::Declined });
    }

    fn set_admission(&mut self, id: AgentId, admission: Admission) {
        self.forget(id);
        let (role, place) = place(id);
        let level = self.level(role);
        let Some(agent) = self.agents[role].get_mut(place) else { return };
        agent.set_burden(agent.burden_among(level));
        agent.admission = admission;
        let agent = agent.clone();
        self.count(&agent);
        if admission == Admission::Declined {
            self.free.insert(id);
        } else {
            self.index(&agent);
        }
    }

    /// Whether it is in, among how many are not.
    fn count(&mut self, agent: &RegisteredAgent) {
        self.outside[place(agent.id).0] += u32::from(!agent.is_in());
        self.expected += u32::from(agent.admission == Admission::Expected);
    }

    /// By what an agent is found.
    fn index(&mut self, agent: &RegisteredAgent) {
        let id = agent.id;
        self.by_contact.insert((contact_key(&agent.contact), id));
        self.by_token.extend(agent.token.map(|token| (key(token.as_bytes()), id)));
        self.by_look.insert((key(agent.name.look().as_bytes()), id));
        self.vouched += usize::from(agent.contact.vouches());
        if let Some(group) = &agent.group {
            self.by_group.insert((plain(group), agent.is_referee()), id);
        }
        if agent.admission == Admission::Waiting {
            self.waiting.insert((agent.at, id));
        }
        if agent.invitation.is_none() {
            *self.uninvited.entry(agent.provenance.address.network()).or_default() += 1;
        }
    }

    /// It is found by nothing of this any more.
    fn forget(&mut self, id: AgentId) {
        let (role, place) = place(id);
        let Some(known) = self.agents[role].get(place) else { return };
        self.outside[role] -= u32::from(!known.is_in());
        self.expected -= u32::from(known.admission == Admission::Expected);
        if known.admission == Admission::Declined {
            return;
        }
        self.by_contact.remove(&(contact_key(&known.contact), id));
        known.token.map(|token| self.by_token.remove(&(key(token.as_bytes()), id)));
        self.by_look.remove(&(key(known.name.look().as_bytes()), id));
        self.vouched -= usize::from(known.contact.vouches());
        self.waiting.remove(&(known.at, id));
        if let Some(group) = &known.group {
            self.by_group.remove(&(plain(group), known.is_referee()));
        }
        let from = known.provenance.address.network();
        if known.invitation.is_none()
            && let Some(count) = self.uninvited.get_mut(&from)
        {
            *count -= 1;
            let is_last = *count == 0;
            is_last.then(|| self.uninvited.remove(&from));
        }
    }

    /// Gives an agent a fresh token. The old one dies, and with it whatever the agent wrote before:
    /// the clock of another machine may be behind.
    pub(crate) fn reset(&mut self, id: AgentId, token: TokenHash) {
        let Some(agent) = self.agent_mut(id) else { return };
        agent.number += 1;
        let is_expected = agent.admission == Admission::Expected;
        agent.provenance.keeps_token |= is_expected;
        agent.said_at = Timestamp::from_micros(0);
        agent.provenance.request = None;
        if let Some(old) = agent.token.replace(token) {
            self.by_token.remove(&(key(old.as_bytes()), id));
        }
        self.by_token.insert((key(token.as_bytes()), id));
        // One that has not come to this season yet is not in by that.
        self.set_admission(id, if is_expected { Admission::Expected } else { Admission::Reset });
    }

    /// A report of that referee's counts, or does not.
    pub(crate) fn note_report(&mut self, id: RefereeId, counts: bool) {
        let agent = self.agent_mut(AgentId::Referee(id));
        if let Some(more) = agent.and_then(|agent| agent.more.as_mut()) {
            more.reports[usize::from(!counts)] += 1;
        }
    }

    /// A match was given to that referee, one of so many at a time.
    pub(crate) fn burden(&mut self, id: RefereeId, matches_at_once: u32) {
        if let Some(agent) = self.agent_mut(AgentId::Referee(id)) {
            agent.set_burden(agent.burden + share(agent.capacity, matches_at_once));
        }
    }
}

fn contact_key(contact: &Contact) -> u64 {
    key(folded(contact.as_str()).as_bytes())
}

fn plain(group: &GroupId) -> String {
    group.as_str().to_lowercase()
}

#[cfg(test)]
mod tests;
