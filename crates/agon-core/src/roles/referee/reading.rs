//! Reading what a player answers, or saying why that is no answer.
//!
//! Spec: docs/protocol/match.md

use agon_proto::act::Act;
use agon_proto::message::{answer_type, stated_move};
use agon_proto::{Answer, ErrorCode, GameType, MatchId, MessageType, Objection};

use crate::matches::{Failure, JOIN, Move, Unfit};

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
) -> Result<Move, Unfit> {
    let wanted = wanted(game, step);
    let letter = match answer {
        Answer::Message(letter) => letter,
        Answer::Fault(fault) if fault.league_code == Some(ErrorCode::Timeout) => {
            // It says itself that it is too late: nothing is wrong with its words.
            let problem = "it says that its strategy took too long";
            let objection = Objection::new(ErrorCode::Timeout, problem);
            return Err(unfit(Failure::Silent, objection));
        }
        Answer::Receipt(_) | Answer::Tool(_) | Answer::Fault(_) => {
            return Err(malformed(invalid(&format!("a {} is expected", wanted.name()))));
        }
    };
    if let (Act::GameJoinAck(ack), JOIN) = (&letter.act, step) {
        same_match(wanted, ack.match_id, match_id)?;
        return Ok(if ack.accept { Move::Join } else { Move::Decline });
    }
    match stated_move(&letter.act) {
        Some((stated, said)) if MessageType::of(&letter.act) == Some(wanted) => {
            same_match(wanted, stated, match_id)?;
            said.map(Move::Chosen).map_err(|why| unfit(Failure::Invalid, why))
        }
        Some(_) | None => {
            let (sent, wanted) = (MessageType::name_of(&letter.act), wanted.name());
            let problem = format!("the answer is a {sent}; a {wanted} is expected");
            Err(malformed(invalid(&problem)))
        }
    }
}

fn same_match(wanted: MessageType, stated: MatchId, match_id: MatchId) -> Result<(), Unfit> {
    if stated == match_id {
        return Ok(());
    }
    let name = wanted.name();
    let problem = format!("{name}: field match_id must be {match_id}, as in the question");
    Err(malformed(invalid(&problem).to(format!("match_id {stated}").as_bytes())))
}

fn invalid(problem: &str) -> Objection {
    Objection::new(ErrorCode::InvalidMessage, problem)
}

fn malformed(objection: Objection) -> Unfit {
    unfit(Failure::Malformed, objection)
}

fn unfit(failure: Failure, objection: Objection) -> Unfit {
    Unfit { failure, objection: Some(Box::new(objection)) }
}

#[cfg(test)]
mod tests;
