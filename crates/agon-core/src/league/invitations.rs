//! Invitations: codes by which the operator lets agents in, and who came by which.
//!
//! A code is kept as a hash. One for a single agent stays that agent's: whoever comes by it again
//! is that one. One for several proves nothing after it was used.
//!
//! Spec: docs/protocol/registration.md

use std::collections::BTreeMap;

use agon_proto::tool::AgentRole;
use agon_proto::{AgentId, DisplayName, Timestamp};
use serde::{Deserialize, Serialize};

use crate::CodeHash;

/// What the operator has promised to whoever shows a code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitation {
    /// Which one: the first is 1.
    pub number: u32,
    pub code: CodeHash,
    /// As what its holder may come.
    pub role: AgentRole,
    /// For whom it is, for the operator to read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<DisplayName>,
    /// How many agents may come by it.
    pub uses: u32,
    /// Nobody new comes by it after that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

/// One of them, and what became of it.
#[derive(Debug)]
pub(crate) struct Issued {
    pub(crate) invitation: Invitation,
    pub(crate) at: Timestamp,
    /// How many have come by it.
    pub(crate) used: u32,
    /// Who came last: the only one, if it is for one.
    pub(crate) holder: Option<AgentId>,
    pub(crate) revoked: bool,
}

impl Issued {
    /// Whose it is, if it is one agent's; also when nobody new comes by it any more.
    pub(crate) fn owner(&self) -> Option<AgentId> {
        self.holder.filter(|_| self.invitation.uses == 1)
    }

    /// Whether somebody new may come by it.
    pub(crate) fn is_open(&self, now: Timestamp) -> bool {
        let Invitation { uses, until, .. } = self.invitation;
        !self.revoked && self.used < uses && until.is_none_or(|until| now < until)
    }
}

/// All invitations of a league, numbered from 1.
#[derive(Debug, Default)]
pub(crate) struct Invitations {
    issued: Vec<Issued>,
    /// By a hash that nobody can choose.
    by_code: BTreeMap<CodeHash, u32>,
}

impl Invitations {
    pub(crate) fn all(&self) -> &[Issued] {
        &self.issued
    }

    pub(crate) fn get(&self, number: u32) -> Option<&Issued> {
        self.issued.get((number as usize).checked_sub(1)?)
    }

    pub(crate) fn with(&self, code: &CodeHash) -> Option<&Issued> {
        self.get(*self.by_code.get(code)?)
    }

    pub(crate) fn next_number(&self) -> u32 {
        u32::try_from(self.issued.len()).map_or(u32::MAX, |count| count.saturating_add(1))
    }

    pub(super) fn add(&mut self, invitation: &Invitation, at: Timestamp) {
        assert_eq!(invitation.number, self.next_number(), "invitations are numbered in order");
        self.by_code.insert(invitation.code, invitation.number);
        let invitation = invitation.clone();
        self.issued.push(Issued { invitation, at, used: 0, holder: None, revoked: false });
    }

    pub(super) fn use_up(&mut self, number: u32, by: AgentId) {
        if let Some(issued) = self.get_mut(number) {
            issued.used += 1;
            issued.holder = Some(by);
        }
    }

    /// What that agent is known by is its fresh token: whoever else knows its invitation is not it.
    pub(super) fn disown(&mut self, number: u32, agent: AgentId) {
        if let Some(issued) = self.get_mut(number) {
            issued.holder.take_if(|holder| *holder == agent);
        }
    }

    pub(super) fn revoke(&mut self, number: u32) {
        if let Some(issued) = self.get_mut(number) {
            issued.revoked = true;
        }
    }

    /// The same for a season in which nobody is in yet.
    pub(super) fn unused(mut self) -> Self {
        for issued in &mut self.issued {
            (issued.used, issued.holder) = (0, None);
        }
        self
    }

    fn get_mut(&mut self, number: u32) -> Option<&mut Issued> {
        self.issued.get_mut((number as usize).checked_sub(1)?)
    }
}
