//! Reading what a player answers, or saying why that is no answer.
//!
//! Spec: docs/protocol/match.md

use agon_proto::message::{Message, answer_type, stated_move};
use agon_proto::{Answer, ErrorCode, GameType, MatchId, MessageType, Objection};

use crate::matches::{Failure, JOIN, Move, Objected};

/// What is answered to the question of that step.
pub(super) fn wanted(game: &GameType, step: u16) -> MessageType {
    match step {
        JOIN => MessageType::GameJoinAck,
        _ => answer_type(game),
    }
}

/// Reads an answer to the question of that step.
pub(super) fn read(
    step: u16,
    (match_id, game): (MatchId, &GameType),
    answer: &Answer,
) -> Result<Move, Objected> {
    let wanted = wanted(game, step);
    let letter = match answer {
        Answer::Message(letter) => letter,
        Answer::Fault(fault) if fault.league_code == Some(ErrorCode::Timeout) => {
            return Err(too_slow());
        }
        Answer::Receipt(_) | Answer::Tool(_) | Answer::Fault(_) => {
            return Err(malformed(&format!("a {} is expected", wanted.name())));
        }
    };
    if let (Message::GameJoinAck(ack), JOIN) = (&letter.message, step) {
        same_match(wanted, ack.match_id, match_id)?;
        return Ok(if ack.accept { Move::Join } else { Move::Decline });
    }
    match stated_move(&letter.message) {
        Some((stated, said)) if letter.message.message_type() == wanted => {
            same_match(wanted, stated, match_id)?;
            said.map(Move::Chosen).map_err(|objection| Objected {
                failure: Failure::Invalid,
                objection: objection.into(),
            })
        }
        Some(_) | None => {
            let (sent, wanted) = (letter.message.message_type().name(), wanted.name());
            Err(malformed(&format!("the answer is a {sent}; a {wanted} is expected")))
        }
    }
}

fn same_match(wanted: MessageType, stated: MatchId, match_id: MatchId) -> Result<(), Objected> {
    if stated == match_id {
        return Ok(());
    }
    let name = wanted.name();
    let problem = format!("{name}: field match_id must be {match_id}, as in the question");
    let Objected { failure, objection } = malformed(&problem);
    let objection = objection.to(format!("match_id {stated}").as_bytes()).into();
    Err(Objected { failure, objection })
}

/// It says itself that it is too late: nothing is wrong with its words.
fn too_slow() -> Objected {
    let problem = "it says that its strategy took too long";
    let objection = Objection::new(ErrorCode::Timeout, problem).into();
    Objected { failure: Failure::Silent, objection }
}

fn malformed(problem: &str) -> Objected {
    let objection = Objection::new(ErrorCode::InvalidMessage, problem).into();
    Objected { failure: Failure::Malformed, objection }
}

#[cfg(test)]
mod tests;
