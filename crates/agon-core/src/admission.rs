//! Who is let in, as the operator has it: a policy for each role, and bounds.
//!
//! It is said at every start, and holds for whoever comes from then on; who is in stays in.
//!
//! Spec: docs/protocol/registration.md

use std::time::Duration;

use agon_proto::tool::AgentRole;
use agon_proto::{Contact, Endpoint};

/// Who may come unasked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdmissionPolicy {
    /// Everybody.
    Open,
    /// Whoever calls from this machine and speaks for nobody else.
    Local,
    /// Nobody.
    Invited,
    /// Everybody, once the operator has said yes.
    Approved,
    /// Whoever is reached there.
    Listed(Vec<Contact>),
}

/// Who is let in, and how many.
#[derive(Debug, Clone)]
pub struct AdmissionRules {
    pub players: AdmissionPolicy,
    pub referees: AdmissionPolicy,
    /// So many may wait for the operator's word.
    pub waiting_max: u32,
    /// And so long; then they have to ask again.
    pub waiting: Duration,
    /// So many uninvited agents one address may bring, other than this machine's own.
    pub per_address_max: u32,
    /// How we are called, for whoever is invited.
    pub address: Endpoint,
    /// So long after its registration an agent is tried where it says it is called; never, if
    /// this is nothing.
    pub probe_after: Option<Duration>,
}

impl AdmissionRules {
    /// For a league on one machine.
    pub fn local() -> Self {
        Self {
            players: AdmissionPolicy::Local,
            referees: AdmissionPolicy::Local,
            waiting_max: 500,
            waiting: Duration::from_secs(604_800),
            per_address_max: 256,
            address: Endpoint::new(""),
            probe_after: None,
        }
    }

    pub(crate) fn of(&self, role: AgentRole) -> &AdmissionPolicy {
        match role {
            AgentRole::Referee => &self.referees,
            AgentRole::Player => &self.players,
        }
    }
}
