//! Q21, twenty-one questions: a warm-up together, then each player at its own pace: questions, the
//! referee's answers, one guess, the referee's score.
//!
//! A player that fails gets nothing and the blame; the other goes on to its own score. What the
//! referee's own judgement cannot do is nobody's fault but the referee's.
//!
//! Spec: docs/protocol/q21.md

use std::time::Duration;

use agon_proto::message::{Blame, Cause, MatchPhase};
use agon_proto::q21::Score;
use serde::{Deserialize, Serialize};

use super::{End, Failure, Half, Lapse, Next, Pace, Said, Step};
use crate::verdict::{Mark, Outcome, Seat, Thresholds, Verdict};

/// The warm-up. It is not judged: whoever answers is there.
pub const WARMUP: u8 = 0;
/// Twenty questions.
pub const QUESTIONS: u8 = 1;
/// The guess.
pub const GUESS: u8 = 2;

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
        match halves {
            [Err(a), Err(b)] => Next::Over(nobody_came(a, b)),
            [Ok(_), Ok(_) | Err(_)] | [Err(_), Ok(_)] => Next::Consult(WARMUP_QUESTION),
        }
    }

    /// The step of that number. Every deadline is printed.
    pub fn step(&self, number: u8) -> Step {
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
        match halves {
            [Err(a), Err(b)] => Next::Over(nobody_came(a, b)),
            [Ok(_), Ok(_) | Err(_)] | [Err(_), Ok(_)] => Next::Consult(BOOK),
        }
    }

    pub fn advised(&self, oracle: u8) -> Next {
        match oracle {
            WARMUP_QUESTION => Next::Ask(self.step(WARMUP)),
            _ => Next::Apart(QUESTIONS),
        }
    }

    /// The verdict on two games that have ended: league points, then the private score behind them.
    pub fn close(&self, ends: [End; 2]) -> Verdict {
        let marks = ends.map(|end| end.map_or(Mark::default(), |score| self.mark(score)));
        let verdict = match ends {
            [Ok(_), Ok(_)] => {
                let [a, b] = marks.map(|mark| (mark.points, mark.score));
                let outcome = match a.cmp(&b) {
                    std::cmp::Ordering::Greater => Outcome::Won(Seat::A),
                    std::cmp::Ordering::Less => Outcome::Won(Seat::B),
                    std::cmp::Ordering::Equal => Outcome::Drawn,
                };
                played(outcome)
            }
            [Err(lapse), Ok(_)] => forfeited(Seat::A, lapse),
            [Ok(_), Err(lapse)] => forfeited(Seat::B, lapse),
            [Err(a), Err(b)] => {
                // Who was there and failed says more than who never came.
                let telling = if a.step == WARMUP { b } else { a };
                Verdict::unplayed(Outcome::BothForfeited, cause(telling), Blame::Both)
            }
        };
        Verdict { marks: Some(marks), ..verdict }
    }

    /// Nobody won. Who had failed before gets nothing; nobody gets less than it had scored.
    pub fn broken_off(&self, cause: Cause, blame: Blame, ends: [Option<End>; 2]) -> Verdict {
        let lost = self.rules.referee_lost_points;
        let marks = ends.map(|end| match end {
            None => Mark { points: lost, score: Score::ZERO },
            Some(Ok(score)) => {
                let mark = self.mark(score);
                Mark { points: mark.points.max(lost), ..mark }
            }
            Some(Err(_)) => Mark::default(),
        });
        Verdict { marks: Some(marks), ..Verdict::unplayed(Outcome::Cancelled, cause, blame) }
    }

    /// What a private score is worth in the league.
    pub fn mark(&self, score: Score) -> Mark {
        self.rules.thresholds.mark(score)
    }
}

/// What follows for one player whose answer to that step is in.
pub(super) const fn answered(step: u8) -> Pace {
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
pub(super) const fn phase(step: u8) -> MatchPhase {
    match step {
        WARMUP => MatchPhase::WaitingForPlayers,
        _ => MatchPhase::CollectingChoices,
    }
}

const fn played(outcome: Outcome) -> Verdict {
    let (cause, choices) = (Cause::Played, [None, None]);
    Verdict { outcome, cause, blame: None, drawn: None, choices, marks: None }
}

const fn forfeited(seat: Seat, lapse: Lapse) -> Verdict {
    Verdict::unplayed(Outcome::Forfeited(seat), cause(lapse), seat.blame())
}

fn nobody_came(a: Failure, b: Failure) -> Verdict {
    let telling = if a == Failure::Silent { b } else { a };
    let cause = telling.cause(true);
    let verdict = Verdict::unplayed(Outcome::Cancelled, cause, Blame::Both);
    Verdict { marks: Some([Mark::default(); 2]), ..verdict }
}

const fn cause(lapse: Lapse) -> Cause {
    lapse.failure.cause(lapse.step == WARMUP)
}

#[cfg(test)]
mod tests;
