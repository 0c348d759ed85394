//! What a match is played by: the rules of its game, how long and how often a player is asked, and
//! what the end is worth.
//!
//! One of them serves all matches that are played alike.
//!
//! Spec: docs/protocol/match.md

use std::time::Duration;

use agon_games::Rules;
use agon_proto::GameType;
use agon_proto::message::{EntryKind, StepLimits};
use serde::{Deserialize, Serialize};

use super::AskLimit;
use crate::verdict::{OutcomePoints, Scoring, Thresholds};

/// Once, and once more after each of the three waits.
const ASKS_MAX: u8 = 4;

/// What a match is played by.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchTerms {
    pub(crate) rules: Rules,
    /// For the answer to an invitation, where the game does not greet by itself.
    pub(super) join: AskLimit,
    /// By kind of question; the last one counts for all that follow.
    pub(super) moves: Box<[AskLimit]>,
    pub(super) scoring: Scoring,
    pub(super) no_show_cancels: bool,
    /// Whether it outlives its referee's process, and has one attempt only; otherwise another
    /// attempt follows one that was broken off.
    pub(super) resumes: bool,
    /// Whether its report tells all that was played, in order: the view at the end does not.
    pub(super) tells_acts: bool,
    /// What a transcript calls the question for a move and the answer to it; `None` if none is
    /// kept, because every letter is.
    pub(super) entries: Option<[EntryKind; 2]>,
}

/// How a match is played that has one attempt only and outlives its referee's process. Travels with
/// it from its start, so that nothing that was announced changes under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedOnce {
    pub game: Rules,
    /// Time for an answer, by kind of question.
    pub ask_ms: Vec<u32>,
    /// How often a player is asked the first question: once, or once more after its first silence.
    pub greetings: u8,
    pub thresholds: Thresholds,
    /// What each player gets if the referee does not come to an end.
    pub lost_points: u32,
}

impl PlayedOnce {
    /// As the course plays it: two minutes to say that one is there, five for everything else.
    pub fn course(game: Rules) -> Self {
        let later = game.info().asks.len().saturating_sub(1);
        let ask_ms = [120_000].into_iter().chain(std::iter::repeat_n(300_000, later)).collect();
        let thresholds = Thresholds::default();
        Self { game, ask_ms, greetings: 1, thresholds, lost_points: 2 }
    }
}

impl MatchTerms {
    /// Of a match that may be tried again, under those limits. The manager gives its own points;
    /// ours are those of the course.
    pub fn attempted(rules: Rules, limits: &StepLimits) -> Self {
        let backoff = limits.backoff_ms.map(|wait| Duration::from_millis(wait.into()));
        let limit = |ms: u32, printed: bool| AskLimit {
            limit: Duration::from_millis(ms.into()),
            prints_deadline: printed,
            warns: printed,
            asks: ASKS_MAX,
            backoff,
        };
        let entries = EntryKind::of_move(&GameType::trusted(rules.info().name));
        let tells_acts = !rules.info().shows_all;
        Self {
            rules,
            tells_acts,
            // The deadline of a move is printed, that of an invitation is not.
            join: limit(limits.join_ms, false),
            moves: [limit(limits.choice_ms, true)].into(),
            scoring: Scoring::ByOutcome(OutcomePoints::COURSE),
            no_show_cancels: limits.no_show_cancels,
            resumes: false,
            entries: Some(entries),
        }
    }

    /// Of a match that has one attempt only. Every deadline is printed, and nobody is asked twice
    /// but for the greeting.
    pub fn once(played: &PlayedOnce) -> Self {
        let PlayedOnce { game, ask_ms, greetings, thresholds, lost_points: lost } = played;
        let limit = |(kind, ms): (usize, &u32)| AskLimit {
            limit: Duration::from_millis((*ms).into()),
            prints_deadline: true,
            warns: false,
            asks: if kind == 0 { (*greetings).clamp(1, ASKS_MAX) } else { 1 },
            backoff: [Duration::ZERO; 3],
        };
        let moves: Box<[AskLimit]> = ask_ms.iter().enumerate().map(limit).collect();
        Self {
            rules: game.clone(),
            join: limit((0, &0)),
            moves,
            scoring: Scoring::ByGain { thresholds: *thresholds, technical_loss: 0, lost: *lost },
            no_show_cancels: false,
            resumes: true,
            tells_acts: false,
            entries: None,
        }
    }
}

#[cfg(test)]
mod tests;
