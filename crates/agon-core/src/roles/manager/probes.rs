//! Whether agents can be called where they say they are: tried after they were let in and had
//! their answer, and again with growing pauses, until the season begins. Whoever came too late to
//! be tried before is tried once all the same, unless it takes the news of its first round.
//!
//! Somebody who may be asked by whoever likes calls nobody for strangers: only the endpoint of an
//! agent that is in, once at a time, so many in all and for each address from which agents came.
//! The agent hears whether it was reached, and the operator why not. Nothing of it is durable.
//!
//! Spec: docs/protocol/registration.md

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use agon_proto::{AgentId, Contact, Endpoint, ShortText, Timestamp};

use super::Records;
use super::conduct::Conduct;
use crate::AddressKey;
use crate::effect::{Alert, Effect, Tag};
use crate::league::League;

/// Between two probes, whoever they are for.
const PAUSE: Duration = Duration::from_millis(50);
/// Between two probes of agents that came from one address, or of IPv6 from one network.
const PAUSE_PER_ADDRESS: Duration = Duration::from_millis(250);
/// The longest pause before an agent is tried again.
const AGAIN_MAX: Duration = Duration::from_secs(60);

/// What is known of those who are in.
#[derive(Debug, Default)]
pub(super) struct Probes {
    /// The season has begun: nobody is tried twice any more.
    has_ended: bool,
    agents: BTreeMap<AgentId, Probe>,
    due: BTreeSet<(Timestamp, AgentId)>,
    /// When the next one may leave, for anybody and for agents of an address.
    free_at: Timestamp,
    free_for: BTreeMap<AddressKey, Timestamp>,
}

/// One agent's endpoint.
#[derive(Debug)]
struct Probe {
    endpoint: Endpoint,
    /// When it is tried next; `None` while it is tried, and once it was reached.
    due: Option<Timestamp>,
    /// How often in a row it was tried in vain, also elsewhere.
    failures: u32,
    /// The operator was told that it does not answer there.
    said: bool,
    /// What came of the last try.
    found: Option<Result<(), ShortText>>,
}

impl Probes {
    /// Whether that agent was reached, as far as that is known, and why not.
    pub(super) fn found(&self, agent: AgentId) -> Option<&Result<(), ShortText>> {
        self.agents.get(&agent)?.found.as_ref()
    }

    /// When the next one leaves.
    pub(super) fn deadline(&self) -> Option<Timestamp> {
        self.due.first().map(|(due, _)| (*due).max(self.free_at))
    }

    /// The season has begun.
    fn end(&mut self) {
        let Self { has_ended, agents, due, .. } = self;
        if !std::mem::replace(has_ended, true) {
            due.retain(|(_, id)| agents.get(id).is_some_and(|probe| probe.found.is_none()));
        }
    }

    /// That agent is called already, so nobody has to try.
    fn reached(&mut self, agent: AgentId) {
        if let Some(probe) = self.agents.get_mut(&agent)
            && let Some(due) = probe.due.take()
        {
            self.due.remove(&(due, agent));
            probe.found = Some(Ok(()));
        }
    }

    /// That agent is tried after a while. Whoever names one endpoint after the other waits as long
    /// as for one that fails.
    fn plan(&mut self, agent: AgentId, endpoint: Endpoint, now: Timestamp, after: Duration) {
        let before = self.agents.remove(&agent);
        if let Some(due) = before.as_ref().and_then(|probe| probe.due) {
            self.due.remove(&(due, agent));
        }
        let failures = before.as_ref().map_or(0, |probe| probe.failures);
        let said = before.is_some_and(|probe| probe.said && probe.endpoint == endpoint);
        let due = now + pause(after, failures);
        self.due.insert((due, agent));
        let probe = Probe { endpoint, due: Some(due), failures, said, found: None };
        self.agents.insert(agent, probe);
    }

    /// The next one that may leave by now: of whom, and whether it is too early for its address.
    fn next(&mut self, league: &League, now: Timestamp) -> Option<Effect> {
        while let Some((due, id)) = self.due.first().copied() {
            if due > now || self.free_at > now {
                return None;
            }
            self.due.pop_first();
            let agent = league.registry.agent(id).filter(|agent| agent.is_in());
            let (Some(agent), Some(probe)) = (agent, self.agents.get_mut(&id)) else {
                self.agents.remove(&id);
                continue;
            };
            let free = self.free_for.entry(agent.provenance.address.network()).or_default();
            if *free > now {
                probe.due = Some(*free);
                self.due.insert((*free, id));
                continue;
            }
            probe.due = None;
            (self.free_at, *free) = (now + PAUSE, now + PAUSE_PER_ADDRESS);
            return Some(Effect::Probe { agent: id, endpoint: probe.endpoint.clone() });
        }
        None
    }
}

/// How long one waits who was tried in vain so often.
fn pause(after: Duration, failures: u32) -> Duration {
    after.saturating_mul(2u32.saturating_pow(failures)).min(AGAIN_MAX.max(after))
}

/// How long after its registration an agent is tried, if it is: nobody is once matches may be under
/// way.
pub(super) fn after(records: &Records) -> Option<Duration> {
    records.options.admission.probe_after.filter(|_| !records.league.season.has_begun())
}

/// The probes of a league.
pub(super) struct Probing<'a>(pub(super) Conduct<'a>);

impl Probing<'_> {
    /// That agent is in, and is about to hear it; it may not listen yet.
    pub(super) fn plan(&mut self, agent: AgentId) {
        self.plan_after(agent, after(self.0.book.records()));
    }

    /// The operator has said yes to that agent, which waits for it.
    pub(super) fn plan_at_once(&mut self, agent: AgentId) {
        self.plan_after(agent, after(self.0.book.records()).and(Some(Duration::ZERO)));
    }

    fn plan_after(&mut self, agent: AgentId, after: Option<Duration>) {
        let now = self.0.book.now;
        let known = self.0.book.league().registry.agent(agent).filter(|agent| agent.is_in());
        if let (Some(after), Some(Contact::Call(endpoint))) = (after, known.map(|it| &it.contact)) {
            let endpoint = endpoint.clone();
            self.0.in_play.probes.plan(agent, endpoint, now, after);
        }
    }

    /// After a restart nothing is known of anybody.
    pub(super) fn plan_all(&mut self) {
        let everybody = self.0.book.league().registry.everybody().map(|agent| agent.id);
        for agent in everybody.collect::<Vec<_>>() {
            self.plan(agent);
        }
    }

    /// Tries whoever is due.
    pub(super) fn send(&mut self) {
        let (now, league) = (self.0.book.now, self.0.book.league());
        if league.season.has_begun() {
            self.0.in_play.probes.end();
        }
        while let Some(probe) = self.0.in_play.probes.next(self.0.book.league(), now) {
            self.0.book.out.push(probe);
        }
    }

    /// Somebody has taken that news, which proves as much as a try.
    pub(super) fn heard(&mut self, tag: Tag) {
        if self.0.in_play.probes.due.is_empty() {
            return;
        }
        let season = &self.0.book.league().season;
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest does not say who has it")]
        let agent = match tag {
            Tag::Announce { match_id, seat } => {
                season.fixture(match_id).map(|it| AgentId::Player(it.players()[seat.index()]))
            }
            Tag::AnnounceTo { referee, .. } => Some(AgentId::Referee(referee)),
            _ => None,
        };
        agent.into_iter().for_each(|agent| self.0.in_play.probes.reached(agent));
    }

    /// A probe came back. The operator hears once of whoever does not answer, and once if it does.
    pub(super) fn probed(
        &mut self,
        agent: AgentId,
        endpoint: &Endpoint,
        found: Result<(), ShortText>,
    ) {
        let (now, wait) = (self.0.book.now, after(self.0.book.records()));
        let (probes, league) = (&mut self.0.in_play.probes, self.0.book.league());
        // Whoever has registered again since then is tried again, wherever it is.
        let is_it = |probe: &&mut Probe| probe.endpoint == *endpoint && probe.due.is_none();
        let probe = probes.agents.get_mut(&agent).filter(is_it);
        let (Some(probe), Some(known)) = (probe, league.registry.agent(agent)) else { return };
        let said = std::mem::replace(&mut probe.said, found.is_err());
        let name = known.name.clone();
        let alert = match &found {
            Err(problem) if !said => {
                let (endpoint, problem) = (endpoint.clone(), problem.clone());
                Some(Alert::NotReached { agent, name, endpoint, problem, again: wait.is_some() })
            }
            Ok(()) if said => Some(Alert::Reached { agent, name }),
            Ok(()) | Err(_) => None,
        };
        probe.failures = if found.is_ok() { 0 } else { probe.failures.saturating_add(1) };
        if let Some(wait) = wait.filter(|_| found.is_err()) {
            let due = now + pause(wait, probe.failures);
            probe.due = Some(due);
            probes.due.insert((due, agent));
        }
        probe.found = Some(found);
        self.0.book.out.effects.extend(alert.map(Effect::Alert));
    }
}
