//! The words for how far a match and a season have come, and what letters of a match say together.
//!
//! Spec: docs/protocol/q21.md

use agon_games::q21::{Q21Move, Q21View};

use super::AsPayload;
use super::body::named;
use crate::act::{Act, ActKind, Asked, Moved, Progress, RefereeState, SeasonState};
use crate::{Payload, Role, Timestamp};

/// How far a match has come, by the number of questions that are answered.
const PHASES: [&str; 4] = ["INITIALIZED", "WARMUP_COMPLETE", "QUESTIONS_SENT", "GUESS_SUBMITTED"];

/// Where a player is in its season while that question is before it.
const ASKED: [&str; 3] = ["WARMUP", "QUESTIONING", "GUESSING"];
/// The same while it waits, by the number of questions that are answered.
const ANSWERED: [&str; 4] = ["WARMUP", "WARMUP", "AWAITING_ANSWERS", "IN_MATCH"];

impl Progress {
    /// As it is sent.
    pub fn name(self) -> &'static str {
        match self {
            Self::Answered(count) => named(&PHASES, count),
            Self::Completed => "COMPLETED",
            Self::Terminated => "TERMINATED",
        }
    }

    /// What that word means, if anything.
    pub(super) fn of(word: &str) -> Option<Self> {
        let answered = (0..).zip(PHASES).map(|(count, _)| Self::Answered(count));
        let mut all = answered.chain([Self::Completed, Self::Terminated]);
        all.find(|progress| progress.name() == word)
    }
}

impl SeasonState {
    /// As it is sent.
    pub fn name(self) -> &'static str {
        match self {
            Self::InitStart => "INIT_START_STATE",
            Self::RegistrationOpen => "REGISTRATION_OPEN",
            Self::WaitingForConfirmation => "WAITING_FOR_CONFIRMATION",
            Self::SeasonRejected => "SEASON_REJECTED",
            Self::AwaitingAssignment => "AWAITING_ASSIGNMENT",
            Self::AssignmentsReceived => "ASSIGNMENTS_RECEIVED",
            Self::Invited => "INVITED",
            Self::Asked(number) => named(&ASKED, number),
            Self::Answered(count) => named(&ANSWERED, count),
            Self::MatchComplete => "MATCH_COMPLETE",
            Self::Paused => "PAUSED",
            Self::SeasonCompleted => "SEASON_COMPLETED",
        }
    }
}

impl RefereeState {
    /// As it is sent.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Outside => "INIT_START_STATE",
            Self::WaitingForConfirmation => "WAITING_FOR_CONFIRMATION",
            Self::AwaitingAssignment => "WAITING_FOR_ASSIGNMENT",
            Self::Running => "RUNNING",
            Self::InGame => "IN_GAME",
            Self::Paused => "PAUSED",
            Self::SeasonCompleted => "COMPLETED",
        }
    }
}

impl Asked {
    /// All that these letters of a match show together.
    pub fn shown(views: &[&Payload]) -> Payload {
        let seen = views.iter().filter_map(|view| Q21View::of(view).ok());
        let all = seen.fold(Q21View::default(), |all, one| Q21View {
            warmup_question: one.warmup_question.or(all.warmup_question),
            book: one.book.or(all.book),
            answers: one.answers.or(all.answers),
            score: one.score.or(all.score),
            private_scores: None,
        });
        all.payload()
    }
}

impl Moved {
    /// What is wrong with that move in answer to that question, if anything is.
    pub fn objection(number: u16, said: &Payload) -> Option<Box<str>> {
        let said = match Q21Move::of(said) {
            Ok(said) => said,
            Err(text) => return Some(text),
        };
        match (number, &said) {
            (1, Q21Move::Questions(questions)) if questions.is_empty() => {
                Some("it asks no questions".into())
            }
            (0, Q21Move::Warmup(_)) | (1, Q21Move::Questions(_)) | (2, Q21Move::Guess(_)) => None,
            (_, Q21Move::Warmup(_) | Q21Move::Questions(_) | Q21Move::Guess(_)) => {
                Some("it answers something else".into())
            }
        }
    }
}

/// What an act is called in a line of that role's log, and what should follow, if anything.
pub fn log_words(act: &Act, role: Role) -> (&str, &'static str) {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the others have no name of their own")]
    match act.kind() {
        ActKind::StartSeason => ("START-SEASON", "SEASON-SIGNUP"),
        ActKind::Apply => ("SEASON-SIGNUP", "SIGNUP-RESPONSE"),
        ActKind::Decide => ("SIGNUP-RESPONSE", "Wait for ASSIGNMENT-TABLE"),
        ActKind::AssignmentTable => ("ASSIGNMENT-TABLE", "Wait for START-ROUND"),
        ActKind::RefereeAck | ActKind::PlayerAck => ("ASSIGNMENT-ACK", "Wait for START-ROUND"),
        ActKind::NewRound => ("START-ROUND", each(role, "Wait for PING-CALL", "Send PING-CALL")),
        ActKind::Ask(0) => ("PING-CALL", "PING-RESPONSE"),
        ActKind::Move(0) => {
            let both = "Wait for both, then START-GAME";
            ("PING-RESPONSE", each(role, "Wait for START-GAME", both))
        }
        ActKind::Ask(1) => ("START-GAME", "ASK-20-QUESTIONS"),
        ActKind::Move(1) => ("ASK-20-QUESTIONS", "QUESTION-ANSWERS"),
        ActKind::Ask(_) => ("QUESTION-ANSWERS", "MY-GUESS"),
        ActKind::Move(_) => ("MY-GUESS", "ROUND-SCORE-REPORT"),
        ActKind::Worth => ("ROUND-SCORE-REPORT", ""),
        ActKind::ResultReport => ("SEASON-RESULTS", ""),
        ActKind::SeasonCompleted => ("SEASON-ENDED", ""),
        kind => (if let Act::Other(name) = act { name } else { kind.name() }, ""),
    }
}

const fn each(role: Role, player: &'static str, referee: &'static str) -> &'static str {
    match role {
        Role::Player => player,
        Role::Referee | Role::Manager => referee,
    }
}

/// Until when an answer is awaited, if the letter says so.
pub fn log_deadline(act: &Act) -> Option<Timestamp> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "three acts name a deadline")]
    match act {
        Act::StartSeason(said) => said.registration_deadline,
        Act::NewRound(said) => said.ends_at,
        Act::Ask(said) => said.deadline,
        _ => None,
    }
}

/// What it is called that a program is asked for, in its author's words.
pub fn log_callback(role: Role, kind: &str) -> &str {
    match (kind, role) {
        ("warmup", _) => "get_warmup_answer",
        ("questions", _) => "get_questions",
        ("guess", _) => "get_guess",
        ("score", Role::Player) => "on_score_received",
        ("warmup_question", _) => "get_warmup_question",
        ("book", _) => "get_round_start_info",
        ("answers", _) => "get_answers",
        ("score", Role::Referee | Role::Manager) => "get_score_feedback",
        (other, _) => other,
    }
}
