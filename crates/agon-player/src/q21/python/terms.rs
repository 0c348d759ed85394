//! How long each callback may take, and what else holds for the process.

use std::time::Duration;

use agon_proto::q21::callback::{PlayerQuery, Query, RefereeQuery};

use crate::child::Patience;

/// How long each callback may take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Starting Python and importing the class, when it is tried before the season.
    pub loading: Duration,
    /// `get_warmup_answer`.
    pub warmup_answer: Duration,
    /// `get_questions`.
    pub questions: Duration,
    /// `get_guess`.
    pub guess: Duration,
    /// `on_score_received`.
    pub score_received: Duration,
    /// `get_warmup_question`.
    pub warmup_question: Duration,
    /// `get_round_start_info`.
    pub round_start_info: Duration,
    /// `get_answers`.
    pub answers: Duration,
    /// `get_score_feedback`.
    pub score_feedback: Duration,
}

impl Default for Limits {
    /// A referee's are those of the document. A player's leave time on the way: a warm-up is
    /// usually announced with two minutes, questions and guess with five.
    fn default() -> Self {
        Self {
            loading: Duration::from_secs(60),
            warmup_answer: Duration::from_secs(60),
            questions: Duration::from_secs(240),
            guess: Duration::from_secs(240),
            score_received: Duration::from_secs(60),
            warmup_question: Duration::from_secs(30),
            round_start_info: Duration::from_secs(60),
            answers: Duration::from_secs(120),
            score_feedback: Duration::from_secs(180),
        }
    }
}

impl Limits {
    /// The same for all, for leagues in a hurry.
    pub const fn all(limit: Duration) -> Self {
        Self {
            loading: limit,
            warmup_answer: limit,
            questions: limit,
            guess: limit,
            score_received: limit,
            warmup_question: limit,
            round_start_info: limit,
            answers: limit,
            score_feedback: limit,
        }
    }

    /// How long this question may take.
    pub const fn of(&self, query: &Query) -> Duration {
        match query {
            Query::Player(PlayerQuery::Warmup { .. }, _) => self.warmup_answer,
            Query::Player(PlayerQuery::Questions { .. }, _) => self.questions,
            Query::Player(PlayerQuery::Guess { .. }, _) => self.guess,
            Query::Player(PlayerQuery::Score { .. }, _) => self.score_received,
            Query::Referee(RefereeQuery::WarmupQuestion { .. }, _) => self.warmup_question,
            Query::Referee(RefereeQuery::RoundStart { .. }, _) => self.round_start_info,
            Query::Referee(RefereeQuery::Answers { .. }, _) => self.answers,
            Query::Referee(RefereeQuery::Score { .. }, _) => self.score_feedback,
        }
    }
}

/// What holds for a team's Python process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PythonTerms {
    /// The interpreter, found by PATH if it is a bare name.
    pub python: String,
    /// How long each callback may take.
    pub limits: Limits,
    /// Names of environment variables that are handed down, besides PATH, HOME and LANG.
    pub env: Vec<String>,
    /// So many failures in a row are each followed by a fresh start without a wait.
    pub restarts: u32,
    /// The wait before the start after that; it doubles with every further failure.
    pub pause: Duration,
    /// The longest wait before a start.
    pub pause_max: Duration,
}

impl Default for PythonTerms {
    fn default() -> Self {
        Self {
            python: "python3".into(),
            limits: Limits::default(),
            env: Vec::new(),
            restarts: 3,
            pause: Duration::from_secs(1),
            pause_max: Duration::from_secs(60),
        }
    }
}

impl PythonTerms {
    pub(super) fn patience(&self) -> Patience {
        Patience { restarts: self.restarts, pause: self.pause, pause_max: self.pause_max }
    }
}
