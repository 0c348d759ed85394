//! Small things that the manager asks of an agent: are you there, stop, go on, forget it all.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::act::{Act, Connectivity, FreeText, StateAnswer, Task};
use agon_proto::{Letter, Role, Timestamp};

use super::{AgentFact, Correspondent, Status, answer_manager, joining, settle};
use crate::Machine;
use crate::effect::Effects;

type Out<M> = Effects<<M as Machine>::Fact>;

/// Answers what wants an answer. Whether it is such a small thing.
#[expect(clippy::wildcard_enum_match_arm, reason = "six of 40 letters are such")]
pub(super) fn answer<M: Correspondent>(
    role: &mut M,
    letter: &Letter,
    now: Timestamp,
    out: &mut Out<M>,
) -> bool {
    match &letter.act {
        Act::KeepAlive(_) => tell(role, Task::KeepAlive, letter, now, out),
        Act::Pause(_) => {
            let before = role.status().state;
            if role.agent().season.paused_at.is_none() {
                role.note(AgentFact::Paused { at: now }, out);
            }
            let status = Status { state: before, ..role.status() };
            tell_status(role, (Task::Pause, status), letter, now, out);
        }
        Act::Continue(_) => {
            if role.agent().season.paused_at.is_some() {
                role.note(AgentFact::Continued { at: now }, out);
            }
            tell(role, Task::Continue, letter, now, out);
            role.released(out);
        }
        Act::Reset(_) => reset(role, letter, now, out),
        // Referees are told, and nobody waits for what they say to it.
        Act::FreeText(_) if role.agent().profile.role() == Role::Player => {
            let answer = FreeText { text: "Received.".into() };
            answer_manager(role, "text", Act::FreeTextAnswer(answer), letter, now, out);
        }
        Act::FreeText(_) => {}
        Act::ConnectivityCall(said) => {
            let echo = Connectivity {
                ping: said.ping.clone(),
                echo_from: Some(role.agent().address.clone()),
                at: said.at,
            };
            answer_manager(role, "echo", Act::ConnectivityEcho(echo), letter, now, out);
        }
        _ => return false,
    }
    true
}

/// The season is forgotten, and nobody wants our letters about it.
fn reset<M: Correspondent>(role: &mut M, letter: &Letter, now: Timestamp, out: &mut Out<M>) {
    let waiting = role.agent().letterbox.waiting().map(|parcel| parcel.id);
    settle(role, waiting.collect::<Vec<_>>(), out);
    role.note(AgentFact::Reset, out);
    tell(role, Task::Reset, letter, now, out);
    // Nobody invites whom it calls: we ask again by ourselves.
    if role.agent().profile.is_called() {
        role.note(AgentFact::Expired, out);
        joining::register(role, Some(letter), now, out);
    }
}

fn tell<M: Correspondent>(
    role: &mut M,
    task: Task,
    letter: &Letter,
    now: Timestamp,
    out: &mut Out<M>,
) {
    let status = role.status();
    tell_status(role, (task, status), letter, now, out);
}

fn tell_status<M: Correspondent>(
    role: &mut M,
    (task, Status { state, game, text }): (Task, Status),
    letter: &Letter,
    now: Timestamp,
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
    let answer = StateAnswer { status: status.into(), state: state.into(), game, text };
    answer_manager(role, tag, Act::State(task, answer), letter, now, out);
}
