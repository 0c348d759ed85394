//! Even/Odd: join, choose at once, draw a number. Who named its parity alone wins.
//!
//! Spec: docs/protocol/match.md

use std::time::Duration;

use agon_proto::message::{
    Blame, Cause, EntryKind, MatchPhase, Message, Parity, StatedParity, StepLimits,
};
use agon_proto::{Answer, ErrorCode, MatchId, MessageType, Objection};

use super::{Failure, Half, Move, Next, Objected, Step};
use crate::verdict::{Outcome, Seat, Verdict};

/// The invitation.
pub const JOIN: u8 = 0;
/// The choice.
pub const CHOICE: u8 = 1;
/// Once, and once more after each of the three waits.
const ASKS_MAX: u8 = 4;

/// The rules of one match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvenOdd {
    limits: StepLimits,
}

impl EvenOdd {
    pub const fn new(limits: StepLimits) -> Self {
        Self { limits }
    }

    pub fn first(&self) -> Step {
        self.step(JOIN)
    }

    /// The step of that number.
    pub fn step(&self, number: u8) -> Step {
        let limit_ms = if number == JOIN { self.limits.join_ms } else { self.limits.choice_ms };
        Step {
            number,
            limit: Duration::from_millis(limit_ms.into()),
            prints_deadline: number == CHOICE,
            warns: number == CHOICE,
            asks: ASKS_MAX,
            backoff: self.limits.backoff_ms.map(|wait| Duration::from_millis(wait.into())),
        }
    }

    /// What follows when both halves of a step are settled.
    pub fn after(&self, step: u8, halves: [Half; 2]) -> Next {
        match halves {
            [Ok(_), Ok(_)] if step == JOIN => Next::Ask(self.step(CHOICE)),
            [Ok(_), Ok(_)] => Next::Roll(self.limits.draw_min, self.limits.draw_max),
            [Err(a), Err(b)] => Next::Over(both_failed(step, a, b)),
            [Err(failure), Ok(_)] => Next::Over(self.one_failed(step, Seat::A, failure, halves)),
            [Ok(_), Err(failure)] => Next::Over(self.one_failed(step, Seat::B, failure, halves)),
        }
    }

    fn one_failed(&self, step: u8, seat: Seat, failure: Failure, halves: [Half; 2]) -> Verdict {
        let cancelled = step == JOIN && self.limits.no_show_cancels;
        let outcome = if cancelled { Outcome::Cancelled } else { Outcome::Forfeited(seat) };
        let verdict = Verdict::unplayed(outcome, cause(step, failure), seat.blame());
        Verdict { choices: choices(halves), ..verdict }
    }

    /// The verdict on a match that was played to its end.
    pub fn judge(&self, halves: [Half; 2], number: u32) -> Verdict {
        let parity = Some(Parity::of(number));
        let choices = choices(halves);
        let outcome = match choices.map(|choice| choice == parity) {
            [true, false] => Outcome::Won(Seat::A),
            [false, true] => Outcome::Won(Seat::B),
            [true, true] | [false, false] => Outcome::Drawn,
        };
        Verdict {
            outcome,
            cause: Cause::Played,
            blame: None,
            drawn: Some(number),
            choices,
            marks: None,
        }
    }
}

/// Nobody can play. If nobody could even be reached, it was the network and not the players.
fn both_failed(step: u8, a: Failure, b: Failure) -> Verdict {
    if a == Failure::Unreachable && b == Failure::Unreachable {
        return Verdict::unplayed(Outcome::Void, Cause::Network, Blame::Network);
    }
    let outcome = if step == JOIN { Outcome::Cancelled } else { Outcome::BothForfeited };
    // What the player did that was at least reached says more than silence on the line.
    let telling = if a == Failure::Unreachable { b } else { a };
    Verdict::unplayed(outcome, cause(step, telling), Blame::Both)
}

fn choices(halves: [Half; 2]) -> [Option<Parity>; 2] {
    halves.map(|half| match half {
        Ok(Move::Parity(parity)) => Some(parity),
        Ok(Move::Join | Move::Decline | Move::Given | Move::Invalid) | Err(_) => None,
    })
}

const fn cause(step: u8, failure: Failure) -> Cause {
    failure.cause(step == JOIN)
}

/// What the league calls that step.
pub(super) const fn phase(step: u8) -> MatchPhase {
    match step {
        JOIN => MatchPhase::WaitingForPlayers,
        _ => MatchPhase::CollectingChoices,
    }
}

/// What a transcript calls the question of that step, and the answer to it.
pub(super) const fn entries(step: u8) -> [EntryKind; 2] {
    match step {
        JOIN => [EntryKind::GameInvitation, EntryKind::GameJoinAck],
        _ => [EntryKind::ChooseParityCall, EntryKind::ChooseParityResponse],
    }
}

/// What is answered to the question of that step.
pub(crate) const fn wanted(step: u8) -> MessageType {
    match step {
        JOIN => MessageType::GameJoinAck,
        _ => MessageType::ChooseParityResponse,
    }
}

/// Reads an answer to a question of this game, or says why it is none.
pub fn read(step: u8, match_id: MatchId, answer: &Answer) -> Result<Move, Objected> {
    let letter = match answer {
        Answer::Letter(letter) => letter,
        Answer::Receipt(_) | Answer::Tool(_) | Answer::Fault(_) => {
            return Err(malformed(&format!("a {} is expected", wanted(step).name())));
        }
    };
    #[expect(clippy::wildcard_enum_match_arm, reason = "two answers of 23 messages belong here")]
    match &letter.message {
        Message::GameJoinAck(ack) if step == JOIN => {
            same_match(step, ack.match_id, match_id)?;
            Ok(if ack.accept { Move::Join } else { Move::Decline })
        }
        Message::ChooseParityResponse(chosen) if step == CHOICE => {
            same_match(step, chosen.match_id, match_id)?;
            match &chosen.parity_choice {
                StatedParity::Valid(parity) => Ok(Move::Parity(*parity)),
                StatedParity::Invalid(word) => Err(invalid(word)),
            }
        }
        other => {
            let (sent, wanted) = (other.message_type().name(), wanted(step).name());
            Err(malformed(&format!("the answer is a {sent}; a {wanted} is expected")))
        }
    }
}

fn same_match(step: u8, stated: MatchId, match_id: MatchId) -> Result<(), Objected> {
    if stated == match_id {
        return Ok(());
    }
    let name = wanted(step).name();
    let problem = format!("{name}: field match_id must be {match_id}, as in the question");
    let Objected { failure, objection } = malformed(&problem);
    let objection = objection.to(format!("match_id {stated}").as_bytes()).into();
    Err(Objected { failure, objection })
}

fn malformed(problem: &str) -> Objected {
    let objection = Objection::new(ErrorCode::InvalidMessage, problem).into();
    Objected { failure: Failure::Malformed, objection }
}

fn invalid(word: &str) -> Objected {
    let problem = "CHOOSE_PARITY_RESPONSE: field parity_choice must be even or odd";
    let objection = Objection::new(ErrorCode::InvalidParityChoice, problem).to(word.as_bytes());
    Objected { failure: Failure::Invalid, objection: objection.into() }
}

#[cfg(test)]
mod tests;
