//! An agent's own letters: their ids, their envelopes and their way into the letterbox.
//!
//! An id follows from what the letter is about, never from chance: a letter that is written again
//! is the same letter.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::{Address, Claimed, DisplayName, Heading, Letter, MessageId, Role, Timestamp};

use super::{Agent, AgentFact, Correspondent, Member};
use crate::Machine;
use crate::effect::{Effect, Effects};
use crate::letterbox::{LetterboxFact, Parcel, ParcelId};
use agon_proto::act::Act;

type Out<M> = Effects<<M as Machine>::Fact>;

/// How many digits of a hash stand in an id.
const DIGITS: usize = 8;

/// Queues a letter and lets it go.
pub(crate) fn send<M: Member>(
    role: &mut M,
    to: Address,
    letter: Letter,
    until: Option<Timestamp>,
    out: &mut Out<M>,
) {
    let parcel = role.agent().letterbox.parcel(vec![to], letter, until);
    role.note(LetterboxFact::Queued(parcel.clone()), out);
    out.push(Effect::SendLetter(parcel));
}

impl Agent {
    /// Lets a parcel go, while its role is busy with one of its matches.
    pub(crate) fn queue<F: From<AgentFact>>(&mut self, parcel: Parcel, out: &mut Effects<F>) {
        let fact = AgentFact::from(LetterboxFact::Queued(parcel.clone()));
        self.apply(&fact);
        out.facts.push(fact.into());
        out.push(Effect::SendLetter(parcel));
    }
}

/// These are taken, or nobody wants them any more.
pub(crate) fn settle<M: Member>(
    role: &mut M,
    parcels: impl IntoIterator<Item = ParcelId>,
    out: &mut Out<M>,
) {
    for parcel in parcels {
        role.note(LetterboxFact::Settled(parcel), out);
    }
}

/// A letter to the manager, that answers one of its own or none.
pub(crate) fn to_manager<M: Correspondent>(
    role: &M,
    id: MessageId,
    body: Act,
    answered: Option<&Letter>,
    now: Timestamp,
) -> Letter {
    let agent = role.agent();
    let head = Heading {
        id,
        sent_at: now,
        from: origin(agent, &agent.manager),
        recipient: Role::Manager.name().into(),
        answers: answered.map(|letter| letter.head.id.clone()),
        context: role.context(answered),
    };
    Letter { head, auth_token: agent.token(), act: body }
}

/// Sends a letter to the manager, unless the very same one still waits.
pub(crate) fn tell_manager<M: Member>(role: &mut M, letter: Letter, out: &mut Out<M>) {
    if !role.agent().letterbox.holds(&letter.head.id) {
        let manager = role.agent().manager.clone();
        send(role, manager, letter, None, out);
    }
}

/// Answers a letter of the manager's.
pub(crate) fn answer_manager<M: Correspondent>(
    role: &mut M,
    tag: &str,
    body: Act,
    answered: &Letter,
    now: Timestamp,
    out: &mut Out<M>,
) {
    let id = answer_id(role.agent(), tag, answered);
    let letter = to_manager(role, id, body, Some(answered), now);
    tell_manager(role, letter, out);
}

/// Who we are to somebody who is reached there.
pub(crate) fn origin(agent: &Agent, reader: &Address) -> Claimed {
    let role = agent.profile.role();
    let known_as = match role {
        Role::Referee => agent.profile.name.clone(),
        Role::Player | Role::Manager => DisplayName::new(agent.profile.group.as_str()),
    };
    let address = agent.profile.known_to(reader).unwrap_or(&agent.address);
    Claimed { address: Some(address.clone()), role: Some(role), logical_id: Some(known_as) }
}

fn answer_id(agent: &Agent, tag: &str, answered: &Letter) -> MessageId {
    MessageId::new(&match agent.profile.role() {
        Role::Referee => format!("{tag}-{}", short_hash(&[answered.head.id.as_str()])),
        Role::Player | Role::Manager => format!("{tag}-{}-{}", agent.address, answered.head.id),
    })
}

/// A few digits that follow from these texts.
pub(crate) fn short_hash(texts: &[&str]) -> String {
    let digits = blake3::hash(texts.join("\n").as_bytes()).to_hex();
    digits[..DIGITS].to_owned()
}
