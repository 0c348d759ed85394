//! What is left of a value when it has been written: times are printed in whole seconds.

use agon_core::PlayerFact;
use agon_proto::act::Act;
use agon_proto::message::MoveCall;
use agon_proto::tool::ToolAnswer;
use agon_proto::{Answer, Call, Envelope, Timestamp};

const MICROS_PER_SECOND: i64 = 1_000_000;

pub(crate) fn time(time: Timestamp) -> Timestamp {
    Timestamp::from_micros(time.micros() - time.micros().rem_euclid(MICROS_PER_SECOND))
}

pub(crate) fn envelope(mut envelope: Envelope) -> Envelope {
    envelope.head.timestamp = time(envelope.head.timestamp);
    #[expect(clippy::wildcard_enum_match_arm, reason = "few messages hold a time of their own")]
    match &mut envelope.act {
        Act::GameJoinAck(said) => said.arrival_timestamp = time(said.arrival_timestamp),
        Act::MoveCall(MoveCall::ChooseParityCall(said)) => said.deadline = time(said.deadline),
        Act::MoveCall(MoveCall::GameMoveCall(said)) => said.deadline = time(said.deadline),
        Act::GameError(said) => {
            if let Some(info) = &mut said.retry_info {
                info.next_retry_at = info.next_retry_at.map(time);
            }
        }
        _ => {}
    }
    envelope
}

pub(crate) fn call(call: Call) -> Call {
    match call {
        Call::Message(letter) => Call::Message(Box::new(envelope(*letter))),
        Call::Tool(..) | Call::Letter(_) => call,
    }
}

pub(crate) fn answer(answer: Answer) -> Answer {
    match answer {
        Answer::Message(letter) => Answer::Message(Box::new(envelope(*letter))),
        Answer::Tool(ToolAnswer::Player(mut state)) => {
            for played in &mut state.matches {
                played.timestamp = time(played.timestamp);
            }
            Answer::Tool(ToolAnswer::Player(state))
        }
        Answer::Receipt(_) | Answer::Tool(_) | Answer::Fault(_) => answer,
    }
}

pub(crate) fn player_fact(fact: PlayerFact) -> PlayerFact {
    match fact {
        PlayerFact::Over(mut played) => {
            played.timestamp = time(played.timestamp);
            PlayerFact::Over(played)
        }
        PlayerFact::Agent(_)
        | PlayerFact::Assigned { .. }
        | PlayerFact::RoundStarted { .. }
        | PlayerFact::RoundStopped { .. }
        | PlayerFact::Received { .. }
        | PlayerFact::Chosen { .. }
        | PlayerFact::Failed { .. }
        | PlayerFact::Noted(_)
        | PlayerFact::Ranked { .. } => fact,
    }
}
