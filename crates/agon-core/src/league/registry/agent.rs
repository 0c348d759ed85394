//! One agent of the league, and whether it belongs.
//!
//! Spec: docs/protocol/registration.md

use std::ops::Deref;

use agon_proto::{AgentId, Contact, DisplayName, GroupId, Timestamp};

use crate::TokenHash;
use crate::fact::{Provenance, Registration};

/// Whether an agent belongs to the league.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Admission {
    In,
    /// The operator has reset it, and it has not come back yet: only its token lets it in.
    Reset,
    /// The operator has not said yes. It takes no place, and gets no match.
    Waiting,
    /// It was in the season before, and has not come to this one yet. It takes no place.
    Expected,
    /// It never came in: its number is free.
    Declined,
    /// The operator has taken it out.
    Removed,
}

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
    pub(crate) admission: Admission,
    /// Nothing of nearly every player.
    pub(super) more: Option<Box<More>>,
}

/// A hundred thousand are kept.
const _: () = assert!(size_of::<RegisteredAgent>() <= 160);

/// What referees have, members of teams, and who is reached in two ways.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct More {
    pub(super) also: Option<Contact>,
    pub(crate) group: Option<GroupId>,
    pub(super) capacity: u32,
    pub(crate) says_told: bool,
    /// By which invitation it came.
    pub(crate) invitation: Option<u32>,
    /// It came again, and nothing but its address showed that it is the same.
    pub(crate) unproved: bool,
    /// Its name may lead to no private network, wherever that is looked up.
    pub(crate) public_only: bool,
    /// How many results a referee has reported that count, and how many that did not.
    pub(crate) reports: [u32; 2],
    /// How much a referee was given so far, in parts of its capacity: the least burdened comes
    /// next.
    pub(super) burden: u64,
}

impl More {
    const NOTHING: Self = Self {
        also: None,
        group: None,
        capacity: 0,
        says_told: false,
        invitation: None,
        unproved: false,
        public_only: false,
        reports: [0; 2],
        burden: 0,
    };
}

impl Deref for RegisteredAgent {
    type Target = More;

    fn deref(&self) -> &More {
        self.more.as_deref().unwrap_or(&const { More::NOTHING })
    }
}

impl RegisteredAgent {
    pub(crate) fn is_in(&self) -> bool {
        matches!(self.admission, Admission::In | Admission::Reset)
    }

    pub(crate) fn is_referee(&self) -> bool {
        matches!(self.id, AgentId::Referee(_))
    }

    /// Where somebody finds it who goes that way itself: by a carrier that vouches, or by call.
    pub(crate) fn contact_for(&self, vouched: bool) -> &Contact {
        let also = self.also.as_ref().filter(|also| also.vouches() == vouched);
        also.filter(|_| self.contact.vouches() != vouched).unwrap_or(&self.contact)
    }

    pub(crate) fn also(&self) -> Option<Contact> {
        self.also.clone()
    }

    pub(crate) fn capacity(&self) -> u32 {
        self.capacity
    }

    pub(super) fn set_burden(&mut self, burden: u64) {
        if burden != self.burden {
            self.more.get_or_insert_with(|| Box::new(More::NOTHING)).burden = burden;
        }
    }

    /// Its burden from now on, where the least burdened has that much.
    pub(super) fn burden_among(&self, level: u64) -> u64 {
        if self.is_in() { self.burden } else { self.burden.max(level) }
    }

    /// Its team, or nothing.
    pub(crate) fn group(&self) -> GroupId {
        self.group.clone().unwrap_or_else(|| GroupId::new(""))
    }
}

impl From<&Registration> for RegisteredAgent {
    fn from(said: &Registration) -> Self {
        let (also, group) = (said.also.clone(), said.group.clone());
        let Registration { capacity, says_told, invitation, unproved, public_only, .. } = *said;
        let reported = More { also, group, capacity, says_told, ..More::NOTHING };
        let more = More { invitation, unproved, public_only, ..reported };
        Self {
            id: said.agent,
            name: said.name.clone(),
            contact: said.contact.clone(),
            token: said.token,
            provenance: said.provenance,
            said_at: said.said_at,
            at: said.at,
            number: said.expected_with.max(1),
            admission: match said.expected_with {
                _ if said.waits => Admission::Waiting,
                0 => Admission::In,
                _ => Admission::Expected,
            },
            more: (more != More::NOTHING).then(|| Box::new(more)),
        }
    }
}
