//! An agent's letters: what it writes and how that leaves, and what it does about letters of the
//! manager's that mean the same to all, such as stop, go on, are you there, forget it all.
//!
//! An id follows from what the letter is about, never from chance: a letter that is written again
//! is the same letter.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::act::{Act, Connectivity, FreeText, StateAnswer, Task};
use agon_proto::{Address, Claimed, DisplayName, Heading, Letter, MessageId, Role, Timestamp};

use super::{Agent, AgentFact, Member, Out, joining};
use crate::effect::{Effect, Effects};
use crate::gate::{Proved, TheManager};
use crate::letterbox::{LetterboxFact, Parcel, ParcelId};

/// How many digits of a hash stand in an id.
const DIGITS: usize = 8;

/// What every agent does about a letter of the manager's. Whether nothing is left to do about it.
#[expect(clippy::wildcard_enum_match_arm, reason = "eight of 40 letters mean the same to all")]
pub(crate) fn hear<M: Member>(
    role: &mut M,
    by: &Proved<TheManager>,
    letter: &Letter,
    out: &mut Out<M>,
) -> bool {
    match &letter.act {
        Act::StartSeason(said) => joining::season_opened(role, said, letter, out),
        Act::Decide(said) => joining::decided(role, by, (said, letter), out),
        Act::KeepAlive(_) => tell(role, (Task::KeepAlive, role.status()), letter, out),
        Act::Pause(_) => {
            let before = role.status().state;
            if role.agent().season.paused_at.is_none() {
                role.note(AgentFact::Paused { at: out.now }, out);
            }
            let status = StateAnswer { state: before, ..role.status() };
            tell(role, (Task::Pause, status), letter, out);
        }
        Act::Continue(_) => {
            if role.agent().season.paused_at.is_some() {
                role.note(AgentFact::Continued { at: out.now }, out);
            }
            tell(role, (Task::Continue, role.status()), letter, out);
            role.released(out);
        }
        Act::Reset(_) => reset(role, letter, out),
        // Referees are told, and nobody waits for what they say to it.
        Act::FreeText(_) if role.agent().profile.role() == Role::Player => {
            let answer = FreeText { text: "Received.".into() };
            answer_manager(role, "text", Act::FreeTextAnswer(answer), letter, out);
        }
        Act::FreeText(_) => {}
        Act::ConnectivityCall(said) => {
            let echo = Connectivity {
                ping: said.ping.clone(),
                echo_from: Some(role.agent().address.clone()),
                at: said.at,
            };
            answer_manager(role, "echo", Act::ConnectivityEcho(echo), letter, out);
        }
        _ => return false,
    }
    true
}

/// The season is forgotten, and nobody wants our letters about it.
fn reset<M: Member>(role: &mut M, letter: &Letter, out: &mut Out<M>) {
    let waiting = role.agent().letterbox.waiting().map(|parcel| parcel.id);
    settle(role, waiting.collect::<Vec<_>>(), out);
    role.note(AgentFact::Reset, out);
    tell(role, (Task::Reset, role.status()), letter, out);
    // Nobody invites whom it calls: we ask again by ourselves.
    if role.agent().profile.is_called() {
        role.note(AgentFact::Expired, out);
        joining::register(role, Some(letter), out);
    }
}

/// Answers where we stand.
fn tell<M: Member>(
    role: &mut M,
    (task, answer): (Task, StateAnswer),
    letter: &Letter,
    out: &mut Out<M>,
) {
    let (tag, status) = match task {
        Task::KeepAlive => ("alive", "alive"),
        Task::Pause => ("paused", "PAUSED"),
        Task::Continue => match role.agent().profile.role() {
            Role::Referee => ("resumed", "RESUMED"),
            Role::Player | Role::Manager => ("continued", "RESUMED"),
        },
        Task::Reset => ("reset", "COMPLETED"),
    };
    let answer = StateAnswer { status: status.into(), ..answer };
    answer_manager(role, tag, Act::State(task, answer), letter, out);
}

/// Queues a letter and lets it go.
pub(crate) fn send<M: Member>(
    role: &mut M,
    to: Address,
    letter: Letter,
    until: Option<Timestamp>,
    out: &mut Out<M>,
) {
    let parcel = role.agent().letterbox.parcel(vec![to], &letter, until);
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

/// Letters that nobody wants any more by then are not sent. Whether there were any.
pub(crate) fn drop_expired<M: Member>(role: &mut M, heard: Timestamp, out: &mut Out<M>) -> bool {
    let expired = role.agent().letterbox.expired(heard);
    let any = !expired.is_empty();
    settle(role, expired, out);
    any
}

/// A letter to the manager, that answers one of its own or none.
pub(crate) fn to_manager<M: Member>(
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
pub(crate) fn answer_manager<M: Member>(
    role: &mut M,
    tag: &str,
    body: Act,
    answered: &Letter,
    out: &mut Out<M>,
) {
    let id = match role.agent().profile.role() {
        Role::Referee => format!("{tag}-{}", short_hash(&[answered.head.id.as_str()])),
        Role::Player | Role::Manager => {
            format!("{tag}-{}-{}", role.agent().address, answered.head.id)
        }
    };
    let letter = to_manager(role, MessageId::new(&id), body, Some(answered), out.now);
    tell_manager(role, letter, out);
}

/// Who we are to somebody who is reached there.
pub(crate) fn origin(agent: &Agent, reader: &Address) -> Claimed {
    let role = agent.profile.role();
    let known_as = match role {
        Role::Referee => agent.profile.name.clone(),
        Role::Player | Role::Manager => DisplayName::new(agent.profile.group.as_str()),
    };
    // By mail we are our mailbox, if we have one.
    let vouched = agent.profile.vouched.as_ref().filter(|_| !reader.is_endpoint());
    let address = vouched.unwrap_or(&agent.address);
    Claimed { address: Some(address.clone()), role: Some(role), logical_id: Some(known_as) }
}

/// A few digits that follow from these texts.
pub(crate) fn short_hash(texts: &[&str]) -> String {
    let digits = blake3::hash(texts.join("\n").as_bytes()).to_hex();
    digits[..DIGITS].to_owned()
}
