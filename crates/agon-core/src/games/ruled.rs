//! A game by its rules, in a referee's hands: the invitation first, then turn after turn.
//!
//! What is played only the rules know. Here is who is asked when, and what a failure costs.
//!
//! Spec: docs/protocol/match.md

use std::sync::Arc;
use std::time::Duration;

use agon_games::{Failed, Position, Rules, Seats, Turn};
use agon_proto::message::{
    EntryKind, MoveContext, MoveRequest, RoleInMatch, StepLimits, invalid_move,
};
use agon_proto::{DisplayName, GameType, Payload};

use super::{Failure, Half, NOT_PLAYED, Next, Step, Unfit};
use crate::verdict::{self, End, Ended, OutcomePoints, Scoring, Seat, Verdict};

/// The invitation.
pub const JOIN: u16 = 0;
/// Once, and once more after each of the three waits.
const ASKS_MAX: u8 = 4;

/// A game by its rules, and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Ruled {
    rules: Arc<Rules>,
    limits: StepLimits,
    position: Position,
    entries: [EntryKind; 2],
    /// What everybody may know of it, as far as somebody has asked since it changed.
    shown: Option<Payload>,
}

impl Ruled {
    pub(super) fn new(rules: Arc<Rules>, limits: StepLimits) -> Self {
        let position = rules.open();
        let entries = EntryKind::of_move(&GameType::trusted(rules.info().name));
        Self { rules, limits, position, entries, shown: None }
    }

    /// The step of that number. The deadline of a move is printed, that of an invitation is not.
    pub(super) fn step(&self, number: u16) -> Step {
        let moves = number != JOIN;
        let limit_ms = if moves { self.limits.choice_ms } else { self.limits.join_ms };
        Step {
            number,
            limit: Duration::from_millis(limit_ms.into()),
            prints_deadline: moves,
            warns: moves,
            asks: ASKS_MAX,
            backoff: self.limits.backoff_ms.map(|wait| Duration::from_millis(wait.into())),
        }
    }

    /// Takes a move. Nobody sees it before all are in.
    pub(super) fn take(&mut self, seat: Seat, payload: &Payload) -> Result<(), Unfit> {
        let sealed = self.position.seal(&self.rules, seat, payload.as_bytes());
        sealed.map_err(|why| {
            let objection = invalid_move(&self.game_type(), payload, &why.to_string());
            Unfit { failure: Failure::Invalid, objection: Some(objection.into()) }
        })
    }

    /// As the protocol calls it.
    fn game_type(&self) -> GameType {
        GameType::trusted(self.rules.info().name)
    }

    /// What a transcript calls the question for a move, and the answer to it.
    pub(super) const fn entries(&self) -> [EntryKind; 2] {
        self.entries
    }

    /// What that player is asked in that step.
    pub(super) fn request(&self, seat: Seat, step: u16, hints: bool) -> MoveRequest {
        let kind = usize::from(self.position.kind(&self.rules, seat));
        let move_type = self.rules.info().asks.get(kind).copied().unwrap_or_default();
        let options = self.position.options(&self.rules, seat).filter(|_| hints);
        let payload = |json: String| Payload::trusted(&json);
        MoveRequest {
            move_type: DisplayName::new(move_type),
            schema: self.rules.move_schema().map(payload),
            context: MoveContext {
                view: self.view(Some(seat)),
                step: step.into(),
                seat: Some(role(seat)),
            },
            valid_options: options.map(|listed| listed.into_iter().map(payload).collect()),
        }
    }

    /// What follows when both halves of a step are settled. What was chosen is public now.
    pub(super) fn after(&mut self, step: u16, halves: [Half; 2]) -> Next {
        self.position.reveal(&self.rules, Seats::BOTH);
        self.shown = None;
        if let [Ok(()), Ok(())] = halves {
            return self.next(step);
        }
        let goes_on = |seat: Seat| self.position.fail(&self.rules, seat) != Failed::Over;
        let mut failed = Seat::BOTH.into_iter().filter(|seat| halves[seat.index()].is_err());
        if step != JOIN && failed.all(goes_on) {
            self.position.reveal(&self.rules, Seats::BOTH);
            return self.next(step);
        }
        let end = |half: Half| half.map_or_else(|failure| failed_at(step, failure), |()| End::Open);
        Next::Over(self.conclude(halves.map(end)))
    }

    /// What follows when that number was drawn after that step.
    pub(super) fn drawn(&mut self, step: u16, number: u32) -> Next {
        self.shown = None;
        match self.position.draw(&self.rules, number) {
            Ok(()) => self.next(step),
            Err(_) => Next::Over(NOT_PLAYED),
        }
    }

    fn next(&self, step: u16) -> Next {
        match self.position.turn(&self.rules) {
            Turn::Together(seats) => match step.checked_add(1) {
                Some(next) => Next::Ask(self.step(next), seats),
                None => Next::Over(NOT_PLAYED),
            },
            Turn::Chance(below) => Next::Roll(below),
            Turn::Over => Next::Over(self.conclude([End::Played; 2])),
            // Games with a judgement of the referee's own are played by letter.
            Turn::Apart { .. } | Turn::Oracle => Next::Over(NOT_PLAYED),
        }
    }

    /// The verdict. The manager gives its own points; ours are those of the course.
    fn conclude(&self, ends: [End; 2]) -> Verdict {
        let gains = self.position.gains(&self.rules);
        let no_show_cancels = self.limits.no_show_cancels;
        let ended = Ended { no_show_cancels, ..Ended::new(ends, gains) };
        verdict::conclude(&ended, &Scoring::ByOutcome(OutcomePoints::COURSE))
    }

    /// What everybody may know of it.
    pub(super) fn shown(&mut self) -> &Payload {
        if self.shown.is_none() {
            self.shown = Some(self.view(None));
        }
        self.shown.get_or_insert_default()
    }

    /// What that seat may know of it; without a seat, what everybody may.
    fn view(&self, seat: Option<Seat>) -> Payload {
        let mut text = String::with_capacity(64);
        // A view that is too long is none.
        let view = self.position.view(&self.rules, seat, &mut text).map(|()| text.as_str());
        Payload::trusted(view.unwrap_or("null"))
    }
}

/// What the protocol calls a seat.
pub(crate) const fn role(seat: Seat) -> RoleInMatch {
    match seat {
        Seat::A => RoleInMatch::PlayerA,
        Seat::B => RoleInMatch::PlayerB,
    }
}

const fn failed_at(step: u16, failure: Failure) -> End {
    End::Failed(failure.fault(step == JOIN))
}

#[cfg(test)]
mod tests;
