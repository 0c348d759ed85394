//! The season after this one, in a journal of its own: who was in is expected again, and keeps its
//! number, its token and its invitation. Nobody is in before it has come itself.
//!
//! Who was taken out stays out; who never came in leaves its number free. Withdrawals end with
//! their season. By letters everybody enrols anew, as in every season there.
//!
//! Spec: docs/decisions.md

use agon_proto::Timestamp;

use super::registry::{Admission, RegisteredAgent};
use super::{Issued, League};
use crate::Settings;
use crate::fact::{LeagueFact, Order, Registration};

/// The first facts of the season after that one, which is over.
pub fn next_season(
    last: &League,
    settings: Settings,
    order: &Order,
    at: Timestamp,
) -> Vec<LeagueFact> {
    let mut next = League::new(settings.clone());
    let mut facts = Vec::new();
    let mut record = |next: &mut League, fact: LeagueFact| {
        next.apply(&fact);
        facts.push(fact);
    };
    record(&mut next, LeagueFact::Opened { settings: Box::new(settings), at });
    for Issued { invitation, .. } in last.invitations.all() {
        let (invitation, order) = (Box::new(invitation.clone()), order.clone());
        record(&mut next, LeagueFact::Invited { invitation, order, at });
    }
    // Who is known by its letters enrols anew, and is told of the season by the list.
    let known = last.registry.known().filter(|_| !last.settings.is_by_letters());
    for agent in known {
        record(&mut next, LeagueFact::Registered(Box::new(again(agent))));
        if !agent.is_known_again() {
            let (agent, order) = (agent.id, Some(order.clone()));
            record(&mut next, LeagueFact::Removed { agent, order, at });
        }
    }
    // What was used up by somebody who is not in any more lets nobody new in, either.
    for Issued { invitation, used, revoked, .. } in last.invitations.all() {
        let (number, uses) = (invitation.number, invitation.uses);
        let again = next.invitations.get(number).map_or(0, |issued| issued.used);
        if *revoked || (*used >= uses && again < uses) {
            let order = order.clone();
            record(&mut next, LeagueFact::InvitationRevoked { number, order, at });
        }
    }
    facts
}

impl RegisteredAgent {
    /// Whether it may come again as who it is.
    fn is_known_again(&self) -> bool {
        matches!(self.admission, Admission::In | Admission::Reset | Admission::Expected)
    }
}

/// What is written down of an agent of the season before.
fn again(agent: &RegisteredAgent) -> Registration {
    let mut provenance = agent.provenance;
    // Whom the operator has reset nothing but its token lets in.
    provenance.keeps_token |= agent.admission == Admission::Reset;
    Registration {
        agent: agent.id,
        name: agent.name.clone(),
        contact: agent.contact.clone(),
        also: agent.also(),
        group: agent.group.clone(),
        token: agent.token,
        provenance,
        capacity: agent.capacity(),
        says_told: agent.says_told,
        invitation: agent.invitation,
        waits: matches!(agent.admission, Admission::Waiting | Admission::Declined),
        expected_with: agent.number,
        unproved: agent.unproved,
        public_only: agent.public_only,
        said_at: agent.said_at,
        at: agent.at,
    }
}
