//! One game in a referee's hands: the match, and the letters that the match does not keep.
//!
//! Changes only by facts. What a fact leads to is returned, and carried out once, when it is new.
//!
//! Spec: docs/protocol/q21.md

use std::sync::Arc;

use agon_proto::message::{Blame, Cause};
use agon_proto::{AuthToken, MessageId, Payload, Timestamp};

use super::fact::{AbortReason, Fixture, Start};
use crate::matches::{Effect, Event, Failure, Match, MatchTerms, Move};
use crate::verdict::{Seat, Thresholds, Verdict};

/// A game of ours that has begun.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) fixture: Fixture,
    /// The round, in the manager's words.
    pub(super) round: Box<str>,
    pub(super) tokens: [AuthToken; 2],
    pub(super) stage: Stage,
}

#[derive(Debug)]
pub(super) enum Stage {
    Live(Box<Live>),
    /// Reported; of its words nothing is kept.
    Over(Verdict),
}

/// A game that is being played.
#[derive(Debug)]
pub(super) struct Live {
    pub(super) play: Match,
    pub(super) thresholds: Thresholds,
    /// The letters in which each player has answered, by the number of the question.
    letters: [Vec<(u16, MessageId)>; 2],
    pub(super) aborted: Option<AbortReason>,
}

impl Held {
    pub(super) fn begin(start: &Start) -> (Self, Vec<Effect>) {
        let mut effects = Vec::new();
        let terms = Arc::new(MatchTerms::once(&start.played));
        let play = Match::begin_without(start.absent, terms, start.at, &mut effects);
        let thresholds = start.played.thresholds;
        let letters = [Vec::new(), Vec::new()];
        let live = Live { play, thresholds, letters, aborted: None };
        let held = Self {
            fixture: start.fixture.clone(),
            round: start.round.clone(),
            tokens: start.tokens.clone(),
            stage: Stage::Live(Box::new(live)),
        };
        (held, effects)
    }

    pub(super) fn live(&self) -> Option<&Live> {
        match &self.stage {
            Stage::Live(live) => Some(live),
            Stage::Over(_) => None,
        }
    }

    pub(super) fn live_mut(&mut self) -> Option<&mut Live> {
        match &mut self.stage {
            Stage::Live(live) => Some(live),
            Stage::Over(_) => None,
        }
    }
}

impl Live {
    /// The letter in which that player answered the question of that number.
    pub(super) fn letter(&self, seat: Seat, number: u16) -> Option<&MessageId> {
        let letters = self.letters[seat.index()].iter();
        letters.rev().find(|(answered, _)| *answered == number).map(|(_, id)| id)
    }

    /// A player has answered.
    pub(super) fn answered(
        &mut self,
        (seat, step): (Seat, u16),
        said: &Payload,
        letter: &MessageId,
        at: Timestamp,
    ) -> Vec<Effect> {
        self.letters[seat.index()].push((step, letter.clone()));
        self.happened(Event::Moved { seat, step, answer: Move::Chosen(said.clone()) }, at)
    }

    /// A player has sent something that nobody can read, in place of that answer.
    pub(super) fn garbled(&mut self, seat: Seat, step: u16, at: Timestamp) -> Vec<Effect> {
        let Some(open) = self.play.open(seat) else {
            return Vec::new();
        };
        let failure = Failure::Malformed;
        // What is wrong with a letter is answered where it is read.
        let objection = None;
        self.happened(Event::Failed { seat, step, ask: open.ask, failure, objection }, at)
    }

    pub(super) fn aborted(&mut self, reason: AbortReason, at: Timestamp) -> Vec<Effect> {
        self.aborted = Some(reason);
        // A round that ends before its games do: its referee did not come to an end. That the
        // league itself ends is its operator's will.
        let (cause, blame) = match reason {
            AbortReason::NewRound | AbortReason::RoundEnded => (Cause::RefereeLost, Blame::Referee),
            AbortReason::LeagueCompleted | AbortReason::NewSeason => {
                (Cause::CancelledByOperator, Blame::Operator)
            }
        };
        let mut effects = Vec::new();
        self.play.break_off(cause, blame, at, &mut effects);
        effects
    }

    pub(super) fn happened(&mut self, event: Event, at: Timestamp) -> Vec<Effect> {
        let mut effects = Vec::new();
        self.play.handle(event, at, &mut effects);
        effects
    }

    /// What our own program still owes.
    pub(super) fn owes(&self, about: Option<Seat>, judgement: u8) -> bool {
        self.play.consulting().any(|owed| owed == (about, judgement))
    }
}
