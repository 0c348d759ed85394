//! Q21, twenty-one questions: a warm-up together, then each player at its own pace: questions, the
//! referee's answers, one guess, the referee's score.
//!
//! A player that fails gets nothing and the blame; the other goes on to its own score. What the
//! referee's own judgement cannot do is nobody's fault but the referee's.
//!
//! Spec: docs/protocol/q21.md

use std::time::Duration;

use agon_games::Seats;
use agon_proto::dialect::q21::Score;
use agon_proto::message::{Blame, Cause, MatchPhase};
use serde::{Deserialize, Serialize};

use super::{Half, Lapse, Next, Pace, Said, SeatEnd, Step};
use crate::verdict::{self, Cut, End, Ended, Scoring, Thresholds, Verdict};

/// The warm-up. It is not judged: whoever answers is there.
pub const WARMUP: u16 = 0;
/// Twenty questions.
pub const QUESTIONS: u16 = 1;
/// The guess.
pub const GUESS: u16 = 2;

/// What the warm-up asks; about the whole match.
pub const WARMUP_QUESTION: u8 = 0;
/// What is to be found out; about the whole match.
pub const BOOK: u8 = 1;
/// What a player's questions are answered; about its own game.
pub const ANSWERS: u8 = 2;
/// What a player's guess is worth; about its own game.
pub const SCORE: u8 = 3;

/// How a league plays it. Travels with every game from its start, so that nothing that was
/// announced changes under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    pub warmup_ms: u32,
    pub questions_ms: u32,
    pub guess_ms: u32,
    /// How often a player is asked to warm up: once, or once more after its first silence.
    pub warmup_asks: u8,
    pub thresholds: Thresholds,
    /// What each player gets if the referee does not come to an end.
    pub referee_lost_points: u32,
}

impl Default for Rules {
    /// As the course plays it.
    fn default() -> Self {
        Self {
            warmup_ms: 120_000,
            questions_ms: 300_000,
            guess_ms: 300_000,
            warmup_asks: 1,
            thresholds: Thresholds::default(),
            referee_lost_points: 2,
        }
    }
}

/// The rules of one match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Q21 {
    rules: Rules,
}

impl Q21 {
    pub const fn new(rules: Rules) -> Self {
        Self { rules }
    }

    pub fn begin(&self, halves: [Half; 2]) -> Next {
        match self.nobody(halves) {
            Some(verdict) => Next::Over(verdict),
            None => Next::Consult(WARMUP_QUESTION),
        }
    }

    /// The step of that number. Every deadline is printed.
    pub fn step(&self, number: u16) -> Step {
        let Rules { warmup_ms, questions_ms, guess_ms, warmup_asks, .. } = self.rules;
        let (limit_ms, asks) = match number {
            WARMUP => (warmup_ms, warmup_asks.clamp(1, 4)),
            QUESTIONS => (questions_ms, 1),
            _ => (guess_ms, 1),
        };
        Step {
            number,
            limit: Duration::from_millis(limit_ms.into()),
            prints_deadline: true,
            warns: false,
            asks,
            backoff: [Duration::ZERO; 3],
        }
    }

    /// What follows the warm-up, the only step that both take together.
    pub fn after(&self, halves: [Half; 2]) -> Next {
        match self.nobody(halves) {
            Some(verdict) => Next::Over(verdict),
            None => Next::Consult(BOOK),
        }
    }

    /// The verdict, if both failed at the warm-up.
    fn nobody(&self, halves: [Half; 2]) -> Option<Verdict> {
        let [Err(a), Err(b)] = halves else {
            return None;
        };
        Some(self.close([a, b].map(|failure| Err(Lapse { step: WARMUP, failure }))))
    }

    pub fn advised(&self, oracle: u8) -> Next {
        match oracle {
            WARMUP_QUESTION => Next::Ask(self.step(WARMUP), Seats::BOTH),
            _ => Next::Apart(QUESTIONS),
        }
    }

    /// The verdict on two games that have ended.
    pub fn close(&self, ends: [SeatEnd; 2]) -> Verdict {
        self.conclude(ends.map(Some), None)
    }

    /// Nobody won. Who had failed before gets nothing; nobody gets less than it had scored.
    pub fn broken_off(&self, cause: Cause, blame: Blame, ends: [Option<SeatEnd>; 2]) -> Verdict {
        self.conclude(ends, Some(Cut { cause, blame, last: true }))
    }

    fn conclude(&self, ends: [Option<SeatEnd>; 2], cut: Option<Cut>) -> Verdict {
        let gains = ends.map(|end| i32::try_from(end?.ok()?.hundredths()).ok());
        let ends = ends.map(|end| match end {
            None => End::Open,
            Some(Ok(_)) => End::Played,
            Some(Err(lapse)) => End::Failed(lapse.failure.fault(lapse.step == WARMUP)),
        });
        let ended = Ended { cut, ..Ended::new(ends, gains) };
        verdict::conclude(&ended, &self.rules.scoring())
    }
}

impl Rules {
    /// How league points follow from a private score.
    fn scoring(&self) -> Scoring {
        let Self { thresholds, referee_lost_points: lost, .. } = *self;
        Scoring::ByGain { thresholds, technical_loss: 0, lost }
    }
}

/// What follows for one player whose answer to that step is in.
pub(super) const fn answered(step: u16) -> Pace {
    match step {
        QUESTIONS => Pace::Consult(ANSWERS),
        _ => Pace::Consult(SCORE),
    }
}

/// What follows for one player when the referee has spoken about its game.
pub(super) const fn told(oracle: u8, said: Said) -> Pace {
    match (oracle, said) {
        (ANSWERS, Said::Spoken | Said::Scored(_) | Said::Lost) => Pace::Ask(GUESS),
        (_, Said::Scored(score)) => Pace::Done(score),
        // A score without a number is none; a match whose referee is lost is over before this.
        (_, Said::Spoken | Said::Lost) => Pace::Done(Score::ZERO),
    }
}

/// What the league calls that step.
pub(super) const fn phase(step: u16) -> MatchPhase {
    match step {
        WARMUP => MatchPhase::WaitingForPlayers,
        _ => MatchPhase::CollectingChoices,
    }
}

#[cfg(test)]
mod tests;
