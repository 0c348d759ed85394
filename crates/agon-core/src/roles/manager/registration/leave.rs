//! By whose leave somebody comes: its invitation, or the policy for its role.
//!
//! A code that is wrong or of no use any more is refused from everywhere: its holder would wonder
//! later. What a stranger may have us call is its own address; who is invited may name another.
//!
//! Spec: docs/protocol/registration.md

use agon_proto::act::Applying;
use agon_proto::tool::AgentRole;
use agon_proto::{AgentId, Contact, Role, code_needed};

use super::place::Standing;
use super::{Application, Applications};
use crate::admission::AdmissionPolicy;
use crate::effect::{Caller, CallerPlace, Origin};
use crate::gate::REMOVED;
use crate::league::registry::{Admission, RegisteredAgent};
use crate::league::{Issued, League};
use crate::{CodeHash, Refusal};

/// On what terms somebody comes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Leave {
    /// The operator has to say yes first.
    pub(super) waits: bool,
    pub(super) invitation: Option<u32>,
}

/// What it says of itself, or else it plays.
pub(super) fn role_of(said: &Applying) -> AgentRole {
    if said.role == Some(Role::Referee) { AgentRole::Referee } else { AgentRole::Player }
}

impl Applications<'_> {
    /// The invitation whose code somebody shows, if it shows one.
    pub(super) fn invitation(
        &self,
        caller: Option<&Caller>,
        said: &Applying,
    ) -> Result<Option<&Issued>, Refusal> {
        let in_address = caller.and_then(|caller| caller.code);
        let said_code = said.code.as_ref().map(|code| CodeHash::of(code.reveal()));
        let mut shown = [in_address, said_code].into_iter().flatten();
        let Some(code) = shown.next() else { return Ok(None) };
        let known = self.0.book.league().invitations.with(&code);
        let known = known.filter(|_| shown.all(|other| other == code));
        let known = known.ok_or(Refusal::LeaveNeeded(
            "this is no invitation of this league; ask its operator for one",
        ))?;
        if known.invitation.role != role_of(said) {
            return Err(Refusal::LeaveNeeded("this invitation is for the other role"));
        }
        Ok(Some(known))
    }

    /// By whose leave somebody comes who stands like that.
    pub(super) fn leave(
        &self,
        standing: Standing,
        application: &Application,
    ) -> Result<Leave, Refusal> {
        let Application { said, contact, caller, .. } = application;
        let League { registry, .. } = self.0.book.league();
        let known = standing.agent().and_then(|agent| registry.agent(agent));
        let before = known.and_then(|known| known.invitation);
        match known.map(|known| known.admission) {
            Some(Admission::In | Admission::Reset | Admission::Expected) => {
                if before.is_none() {
                    self.check_place(known, application)?;
                }
                return Ok(Leave { waits: false, invitation: before });
            }
            Some(Admission::Removed) => return Err(Refusal::NotPermitted(REMOVED)),
            Some(Admission::Waiting | Admission::Declined) | None => {}
        }
        if let Some(issued) = self.invitation(caller.as_ref(), said)? {
            let number = issued.invitation.number;
            if before != Some(number) && !issued.is_open(self.0.book.now) {
                return Err(Refusal::LeaveNeeded(
                    "this invitation is used up, over or revoked; ask the operator for another",
                ));
            }
            return Ok(Leave { waits: false, invitation: Some(number) });
        }
        let waits = self.policy_lets(role_of(said), contact, caller.as_ref())?;
        self.check_place(known, application)?;
        let rules = &self.0.book.records().options.admission;
        if waits && known.is_none() && registry.waiting().0 >= rules.waiting_max as usize {
            return Err(Refusal::WaitingFull);
        }
        Ok(Leave { waits, invitation: None })
    }

    /// Who comes uninvited from elsewhere is called at its own address, also when it comes again
    /// with a token; and one address brings only so many.
    fn check_place(
        &self,
        known: Option<&RegisteredAgent>,
        application: &Application,
    ) -> Result<(), Refusal> {
        let records = self.0.book.records();
        let caller = application.caller.filter(|it| it.place == CallerPlace::Beyond);
        let Some(caller) = caller else { return Ok(()) };
        let is_there = known.is_some_and(|known| known.contact == application.contact);
        if caller.origin == Origin::Elsewhere && !is_there {
            return Err(Refusal::EndpointElsewhere);
        }
        let from = caller.address.network();
        let is_counted = known.is_some_and(|known| known.provenance.address.network() == from);
        let count = records.league.registry.uninvited(from);
        if !is_counted && count >= records.options.admission.per_address_max {
            return Err(Refusal::AddressFull);
        }
        Ok(())
    }

    /// Whether somebody who is not invited may come, and must wait then.
    fn policy_lets(
        &self,
        role: AgentRole,
        contact: &Contact,
        caller: Option<&Caller>,
    ) -> Result<bool, Refusal> {
        let league = self.0.book.league();
        // Who is on the roster of the season is on a list.
        if league.settings.seasons.is_on_roster(&contact.address()) {
            return Ok(false);
        }
        let lets = match self.0.book.records().options.admission.of(role) {
            AdmissionPolicy::Open => true,
            AdmissionPolicy::Approved => return Ok(true),
            // By mail nobody is near; there the season says who may come.
            AdmissionPolicy::Local => {
                caller.is_none_or(|caller| caller.place == CallerPlace::ThisMachine)
            }
            AdmissionPolicy::Invited => false,
            AdmissionPolicy::Listed(contacts) => {
                let is_there = caller.is_none_or(|it| it.origin == Origin::Endpoint);
                contacts.contains(contact) && is_there
            }
        };
        if lets { Ok(false) } else { Err(Refusal::LeaveNeeded(code_needed(role))) }
    }

    /// Whether an agent without a token is known by where it is: on our own machine, where the
    /// operator has chosen to believe that.
    pub(super) fn is_known_by_place(&self, agent: AgentId, caller: &Caller) -> bool {
        let role = AgentRole::of(agent);
        let is_local = *self.0.book.records().options.admission.of(role) == AdmissionPolicy::Local;
        is_local && caller.place == CallerPlace::ThisMachine && caller.origin == Origin::Endpoint
    }
}
