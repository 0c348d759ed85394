//! Who is in the league, where they can be called, and what proves it.
//!
//! An agent keeps its id for ever; registering again gives it a fresh token and the old one dies.
//!
//! Spec: docs/protocol/registration.md

use std::collections::BTreeMap;

use agon_proto::{
    Address, AgentId, Contact, DisplayName, Endpoint, GroupId, PlayerId, RefereeId, Timestamp,
};

use super::Lineup;
use crate::fact::Registration;
use crate::{Provenance, TokenHash};

/// One agent.
#[derive(Debug, Clone)]
pub(crate) struct Agent {
    pub(crate) name: DisplayName,
    pub(crate) contact: Contact,
    /// Where it is reached as well, by another way.
    pub(crate) also: Option<Contact>,
    /// Its team, where there are teams.
    pub(crate) group: Option<GroupId>,
    /// What proves it; nothing, if its carrier does.
    pub(crate) token: Option<TokenHash>,
    /// When it wrote the request that let it in, by its own clock.
    pub(crate) said_at: Timestamp,
    /// When that was.
    pub(crate) registered_at: Timestamp,
    /// How many tokens it has been given.
    pub(crate) number: u32,
    pub(crate) provenance: Provenance,
    /// The operator has reset it, and it has not come back yet: only its token lets it in.
    pub(crate) is_reset: bool,
}

impl Agent {
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

/// What a referee has besides.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Duty {
    pub(crate) capacity: u32,
    /// Whether it says which players know how their match ended.
    pub(crate) says_told: bool,
    /// How much it was given so far, in parts of its capacity: the least burdened comes next.
    pub(crate) burden: u64,
}

impl Duty {
    /// What one more match adds, where so many are played at a time. Room for more than these is
    /// worth nothing, or whoever claims to have it would be given everything.
    pub(crate) fn share(self, matches_at_once: u32) -> u64 {
        let capacity = self.capacity.min(matches_at_once).max(1);
        (BURDEN / u64::from(capacity)).max(1)
    }
}

/// Parts into which a capacity divides one match's worth of burden.
const BURDEN: u64 = 1 << 20;

#[derive(Debug, Default)]
pub(crate) struct Registry {
    players: Vec<Agent>,
    referees: Vec<(Agent, Duty)>,
    by_contact: BTreeMap<Contact, AgentId>,
    /// Who plays and who referees for each team, in whatever case its name is written.
    by_group: BTreeMap<(String, bool), AgentId>,
    by_token: BTreeMap<TokenHash, AgentId>,
}

impl Registry {
    pub(crate) fn player_count(&self) -> u32 {
        u32::try_from(self.players.len()).expect("bounded by players_max")
    }

    pub(crate) fn referee_count(&self) -> u32 {
        u32::try_from(self.referees.len()).expect("bounded by referees_max")
    }

    pub(crate) fn player(&self, id: PlayerId) -> Option<&Agent> {
        self.players.get(id.number().checked_sub(1)? as usize)
    }

    pub(crate) fn referee(&self, id: RefereeId) -> Option<&Agent> {
        self.referees.get(id.number().checked_sub(1)? as usize).map(|(agent, _)| agent)
    }

    pub(crate) fn agent(&self, id: AgentId) -> Option<&Agent> {
        match id {
            AgentId::Player(id) => self.player(id),
            AgentId::Referee(id) => self.referee(id),
        }
    }

    pub(crate) fn duty(&self, id: RefereeId) -> Duty {
        let place = (id.number() as usize).checked_sub(1);
        place.and_then(|place| self.referees.get(place)).map_or(Duty::default(), |(_, duty)| *duty)
    }

    pub(crate) fn referee_ids(&self) -> impl Iterator<Item = RefereeId> + use<> {
        (1..=self.referee_count()).map(RefereeId::new)
    }

    /// Everybody, players first, each in the order of registration.
    pub(crate) fn everybody(&self) -> impl Iterator<Item = (AgentId, &Agent)> {
        let players = (1..).map(PlayerId::new).map(AgentId::Player).zip(&self.players);
        let referees = self.referees.iter().map(|(agent, _)| agent);
        players.chain((1..).map(RefereeId::new).map(AgentId::Referee).zip(referees))
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
        let taking_part = || self.everybody().filter(|(id, _)| lineup.holds(*id));
        let is_referee = |id: &AgentId| matches!(id, AgentId::Referee(_));
        [false, true].into_iter().all(|vouched| {
            let mut players = taking_part().filter(|(id, _)| !is_referee(id));
            let mut referees = taking_part().filter(|(id, _)| is_referee(id));
            !players.any(|(_, player)| player.contact.vouches() == vouched)
                || referees.all(|(_, it)| it.contact_for(vouched).vouches() == vouched)
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
        let players = (1..).map(PlayerId::new).zip(&self.players);
        players.filter_map(|(id, player)| match self.of_group(player.group.as_ref()?, true)? {
            AgentId::Referee(referee) => Some((id, referee)),
            AgentId::Player(_) => None,
        })
    }

    /// Somebody is in, or in again.
    pub(crate) fn admit(&mut self, registration: &Registration) {
        let agent = self.entry(registration);
        let Registration { capacity, says_told, .. } = *registration;
        match registration.agent {
            AgentId::Player(id) => match self.players.get_mut(id.number() as usize - 1) {
                Some(known) => *known = agent,
                None => self.players.push(agent),
            },
            AgentId::Referee(id) => {
                // A newcomer begins level with the least burdened, or it would be given everything.
                let burden = self.referees.iter().map(|(_, duty)| duty.burden).min().unwrap_or(0);
                match self.referees.get_mut(id.number() as usize - 1) {
                    Some((known, duty)) => {
                        *known = agent;
                        (duty.capacity, duty.says_told) = (capacity, says_told);
                    }
                    None => self.referees.push((agent, Duty { capacity, says_told, burden })),
                }
            }
        }
    }

    fn entry(&mut self, registration: &Registration) -> Agent {
        let Registration {
            agent: id,
            name,
            contact,
            also,
            group,
            token,
            provenance,
            said_at,
            at,
            ..
        } = registration;
        let old = self.agent(*id).map(|old| (old.contact.clone(), old.token, old.number));
        let number = old.as_ref().map_or(0, |(_, _, number)| *number) + 1;
        if let Some((contact, token, _)) = old {
            self.by_contact.remove(&contact);
            token.and_then(|token| self.by_token.remove(&token));
        }
        self.by_contact.insert(contact.clone(), *id);
        if let Some(token) = token {
            self.by_token.insert(*token, *id);
        }
        if let Some(group) = group {
            let referees = matches!(id, AgentId::Referee(_));
            self.by_group.insert((plain(group), referees), *id);
        }
        Agent {
            name: name.clone(),
            contact: contact.clone(),
            also: also.clone(),
            group: group.clone(),
            token: *token,
            said_at: *said_at,
            registered_at: *at,
            number,
            provenance: *provenance,
            is_reset: false,
        }
    }

    fn agent_mut(&mut self, id: AgentId) -> Option<&mut Agent> {
        match id {
            AgentId::Player(id) => self.players.get_mut(id.number().checked_sub(1)? as usize),
            AgentId::Referee(id) => {
                let place = id.number().checked_sub(1)? as usize;
                self.referees.get_mut(place).map(|(agent, _)| agent)
            }
        }
    }

    /// Gives an agent a fresh token. The old one dies, and with it whatever the agent wrote before:
    /// the clock of another machine may be behind.
    pub(crate) fn reset(&mut self, id: AgentId, token: TokenHash) {
        let Some(agent) = self.agent_mut(id) else { return };
        let old = agent.token.replace(token);
        agent.number += 1;
        agent.said_at = Timestamp::from_micros(0);
        agent.provenance.request = None;
        agent.is_reset = true;
        old.and_then(|old| self.by_token.remove(&old));
        self.by_token.insert(token, id);
    }

    /// A match was given to that referee, one of so many at a time.
    pub(crate) fn burden(&mut self, id: RefereeId, matches_at_once: u32) {
        if let Some((_, duty)) = self.referees.get_mut(id.number() as usize - 1) {
            duty.burden += duty.share(matches_at_once);
        }
    }
}

fn plain(group: &GroupId) -> String {
    group.as_str().to_lowercase()
}

#[cfg(test)]
mod tests;
