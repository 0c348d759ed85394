//! The words of the protocol log: what a letter is called there, and what is expected next.

use agon_proto::act::{Act, ActKind};
use agon_proto::{Role, Timestamp};

/// What a letter is called, and what should follow.
pub(super) fn of(kind: ActKind, body: &Act, role: Role) -> (String, &'static str) {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the others have no name of their own")]
    let known = match kind {
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
        _ => {
            let name = if let Act::Other(name) = body { name } else { kind.name() };
            return (name.to_owned(), "Unknown");
        }
    };
    (known.0.to_owned(), known.1)
}

const fn each(role: Role, player: &'static str, referee: &'static str) -> &'static str {
    match role {
        Role::Player => player,
        Role::Referee | Role::Manager => referee,
    }
}

/// Until when an answer is awaited, if the letter says so.
pub(super) fn deadline(body: &Act) -> Option<Timestamp> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "three acts name a deadline")]
    match body {
        Act::StartSeason(said) => said.registration_deadline,
        Act::NewRound(said) => said.ends_at,
        Act::Ask(said) => said.deadline,
        _ => None,
    }
}

/// What it is called that a program is asked for.
pub(super) fn callback(role: Role, kind: &str) -> &str {
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
