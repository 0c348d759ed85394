//! The words of the protocol log: what a letter is called there, and what is expected next.
//!
//! Spec: docs/q21.md

use crate::act::{Act, ActKind};
use crate::{Role, Timestamp};

/// What an act is called in a line of that role's log, and what should follow.
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
        ActKind::Worth => ("ROUND-SCORE-REPORT", "None (terminal)"),
        ActKind::ResultReport => ("SEASON-RESULTS", "None"),
        ActKind::SeasonCompleted => ("SEASON-ENDED", "None (terminal)"),
        kind => (if let Act::Other(name) = act { name } else { kind.name() }, "Unknown"),
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

/// What it is called in a log that a program is asked for.
pub fn log_callback(role: Role, kind: &str) -> &str {
    match (kind, role) {
        ("warmup", _) => "answer_warmup",
        ("questions", _) => "generate_questions",
        ("guess", _) => "formulate_guess",
        ("score", Role::Player) => "receive_score",
        ("warmup_question", _) => "generate_warmup",
        ("book", _) => "select_book",
        ("answers", _) => "answer_questions",
        ("score", Role::Referee | Role::Manager) => "calculate_score",
        (other, _) => other,
    }
}
