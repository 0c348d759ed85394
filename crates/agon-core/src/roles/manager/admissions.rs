//! Who belongs to the league, by the operator's word: invitations, agents that wait for a yes,
//! agents that are taken out; and the list of all of them.
//!
//! The code of an invitation is made from our key, its number and its time: the same order again
//! shows the same code, and only its hash is written down.
//!
//! Spec: docs/protocol/registration.md, docs/protocol/query.md

use agon_proto::tool::{
    AgentEntry, AgentPlace, AgentRole, AgentsAnswer, InvitationEntry, Invited, LeaguePhase,
    ToolParams,
};
use agon_proto::{AgentId, ShortText, Timestamp};

use super::conduct::Conduct;
use super::probes::{Probes, Probing};
use super::tools::{agent_of, said, signed};
use crate::effect::{Effect, RequestId, Viewer};
use crate::fact::LeagueFact;
use crate::gate::{DECLINED, REMOVED};
use crate::league::registry::{Admission, RegisteredAgent};
use crate::league::{Invitation, Issued, League};
use crate::{CodeHash, Refusal};

/// So many agents are listed at a time.
const LISTED_MAX: usize = 100;
/// So many may come by one invitation.
const USES_MAX: u32 = 100_000;

/// Who is let in, and who is not any more.
pub(super) struct Admissions<'a>(pub(super) Conduct<'a>);

impl Admissions<'_> {
    /// Whoever shows a code may come. For whom there is an invitation already, it is shown again.
    pub(super) fn invite(&mut self, params: &ToolParams) -> Result<Box<Invited>, Refusal> {
        let (role, uses) = (params.role.unwrap_or(AgentRole::Player), params.uses.unwrap_or(1));
        if uses == 0 || uses > USES_MAX {
            return Err(Refusal::BadValue("uses must be from 1 to 100000"));
        }
        let (at, until) = (self.0.book.now, params.until);
        if until.is_some_and(|until| until <= at) {
            return Err(Refusal::BadValue("until must lie ahead"));
        }
        let label = said(params.label.as_ref());
        let records = self.0.book.records();
        let (invitations, secrets) = (&records.league.invitations, &records.options.secrets);
        let is_it = |it: &&Issued| {
            it.invitation.label == label
                && (it.invitation.role, it.invitation.uses) == (role, uses)
                && it.invitation.until == until
                && !it.revoked
        };
        let again = |it: &Issued| {
            let Invitation { code, number, .. } = it.invitation;
            let made = [Some(it.at), None].map(|at| secrets.code(number, at));
            let made = made.into_iter().find(|made| CodeHash::of(made.reveal()) == code);
            Some((number, made?))
        };
        let mut alike = invitations.all().iter().filter(is_it).filter(|_| label.is_some());
        let shown = alike.find_map(again);
        let known = shown.is_some();
        let number = invitations.next_number();
        let (number, code) = shown.unwrap_or_else(|| (number, secrets.code(number, Some(at))));
        if !known {
            let invitation = Invitation {
                number,
                code: CodeHash::of(code.reveal()),
                role,
                label: label.clone(),
                uses,
                until,
            };
            let (invitation, order) = (Box::new(invitation), signed(params));
            self.0.book.record(LeagueFact::Invited { invitation, order, at });
        }
        let manager = &self.0.book.records().options.admission.address;
        let address = code.in_address(manager.as_str()).into();
        Ok(Box::new(Invited { number, role, label, uses, until, code, address, known }))
    }

    /// Nobody new comes by that invitation; who came by it stays.
    pub(super) fn revoke(&mut self, params: &ToolParams) -> Result<(), Refusal> {
        let number = params.invitation.ok_or(Refusal::BadValue("invitation is missing"))?;
        let issued = self.0.book.league().invitations.get(number);
        let issued = issued.ok_or(Refusal::BadValue("there is no such invitation"))?;
        if !issued.revoked {
            let (order, at) = (signed(params), self.0.book.now);
            self.0.book.record(LeagueFact::InvitationRevoked { number, order, at });
        }
        Ok(())
    }

    /// One who waits is in.
    pub(super) fn approve(&mut self, params: &ToolParams) -> Result<(), Refusal> {
        let (id, agent) = self.known(params)?;
        match agent.admission {
            Admission::In | Admission::Reset => return Ok(()),
            Admission::Waiting => {}
            Admission::Declined | Admission::Removed | Admission::Expected => {
                return Err(Refusal::OutOfTurn("this agent does not wait; it must register again"));
            }
        }
        let League { registry, settings, season, .. } = self.0.book.league();
        let (count, bound) = match id {
            AgentId::Player(_) => (registry.player_count(), settings.players_max),
            AgentId::Referee(_) => (registry.referee_count(), settings.referees_max),
        };
        if count >= bound.min(settings.says().agents_max) {
            return Err(Refusal::LeagueFull);
        }
        let later = matches!(id, AgentId::Referee(_)) && settings.says().assigns;
        if season.phase != LeaguePhase::AcceptingRegistrations && !later {
            return Err(Refusal::RegistrationClosed);
        }
        let (order, at) = (signed(params), self.0.book.now);
        self.0.book.record(LeagueFact::Approved { agent: id, order, at });
        Probing(self.0.lend()).plan_at_once(id);
        if let AgentId::Referee(referee) = id {
            self.0.hear(referee);
            self.0.catch_up(id);
            self.0.hand_out(referee);
        }
        Ok(())
    }

    /// An agent is taken out: one that waits is told no, one that is in plays and referees no more.
    pub(super) fn remove(&mut self, params: &ToolParams) -> Result<(), Refusal> {
        let order = Some(signed(params));
        let (agent, known) = self.known(params)?;
        let was_waiting = known.admission == Admission::Waiting;
        if matches!(known.admission, Admission::Declined | Admission::Removed) {
            return Ok(());
        }
        let (at, season) = (self.0.book.now, &self.0.book.league().season);
        if season.phase == LeaguePhase::Running
            && let AgentId::Player(player) = agent
        {
            self.0.withdraw(player, order.clone());
        }
        let reason = order.as_ref().map_or("", |order| order.reason.as_str());
        let what = if was_waiting { DECLINED } else { REMOVED };
        self.0.book.tell_dismissed(agent, format!("{what}: {reason}").into());
        self.0.book.record(LeagueFact::Removed { agent, order, at });
        if let AgentId::Referee(referee) = agent {
            self.0.give_up_on(referee);
        }
        Ok(())
    }

    /// Nobody waits for the operator for ever.
    pub(super) fn expire(&mut self) {
        let at = self.0.book.now;
        while let Some((due, agent)) = waits_until(self.0.book.records()) {
            if due > at {
                return;
            }
            self.0.decline(agent, "nobody has said yes in time");
        }
    }

    fn known(&self, params: &ToolParams) -> Result<(AgentId, &RegisteredAgent), Refusal> {
        let id = agent_of(params)?;
        let known = self.0.book.league().registry.agent(id);
        Ok((id, known.ok_or(Refusal::Unknown(id))?))
    }
}

/// Until when the first one waits for the operator's word, and who it is.
pub(super) fn waits_until(records: &super::Records) -> Option<(Timestamp, AgentId)> {
    let (since, agent) = records.league.registry.waiting().1?;
    Some((since + records.options.admission.waiting, agent))
}

/// The agents of a league, behind the one that was asked for.
pub(super) fn list(
    (league, probes): (&League, &Probes),
    (request, params): (RequestId, &ToolParams),
    viewer: Viewer,
) -> Effect {
    let after = agent_of(params).ok();
    let mut agents = league.registry.known().filter(|agent| after.is_none_or(|it| agent.id > it));
    let shown: Vec<_> = agents.by_ref().take(LISTED_MAX).collect();
    let more = agents.next().is_some();
    let places = shown.iter().map(|it| (it.provenance.address, it.contact.clone())).collect();
    let found = |agent: &RegisteredAgent| match viewer {
        Viewer::Everybody | Viewer::Player(_) => None,
        Viewer::Operator => probes.found(agent.id),
    };
    let entries = shown.into_iter().map(|agent| AgentEntry {
        invitation: agent.invitation.filter(|_| viewer == Viewer::Operator),
        reachable: found(agent).map(Result::is_ok),
        problem: found(agent).and_then(|found| found.clone().err()),
        ..entry(league, agent)
    });
    let entries = entries.collect();
    let invitations = (!more && viewer == Viewer::Operator).then_some(&league.invitations);
    let invitations = invitations.into_iter().flat_map(|all| all.all()).map(|issued| {
        let Invitation { number, role, uses, until, .. } = issued.invitation;
        let label = issued.invitation.label.clone();
        let (used, revoked) = (issued.used, issued.revoked);
        InvitationEntry { number, role, label, uses, used, until, revoked }
    });
    let (league_id, invitations) = (league.settings.league_id.clone(), invitations.collect());
    let list = Box::new(AgentsAnswer { league_id, agents: entries, invitations, more });
    Effect::ListAgents { request, list, places, viewer }
}

fn entry(league: &League, agent: &RegisteredAgent) -> AgentEntry {
    let (player_id, referee_id, [matches, mistakes]) = match agent.id {
        AgentId::Player(id) => {
            let row = league.season.standings.row(id);
            (Some(id), None, [row.played, row.technical_losses])
        }
        AgentId::Referee(id) => (None, Some(id), agent.reports),
    };
    let is_withdrawn = player_id.is_some_and(|id| league.season.is_withdrawn(id));
    AgentEntry {
        player_id,
        referee_id,
        display_name: agent.name.clone(),
        state: match agent.admission {
            Admission::Waiting => AgentPlace::Waiting,
            Admission::Expected => AgentPlace::Expected,
            Admission::Declined => AgentPlace::Declined,
            Admission::Removed => AgentPlace::Removed,
            Admission::In | Admission::Reset if is_withdrawn => AgentPlace::Withdrawn,
            Admission::In | Admission::Reset => AgentPlace::In,
        },
        since: agent.at,
        contact: None::<ShortText>,
        called_from: None,
        invitation: None,
        unproved: agent.unproved,
        matches,
        mistakes,
        last_contact: None,
        breaker_open: false,
        reachable: None,
        problem: None,
    }
}
