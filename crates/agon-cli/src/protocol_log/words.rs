//! The words of the protocol log: what a letter is called there, and what is expected next.

use agon_proto::dialect::q21::{Body, Kind};
use agon_proto::{Role, Timestamp};

/// What a letter is called, and what should follow.
pub(super) fn of(kind: Kind, body: &Body, role: Role) -> (String, &'static str) {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the others have no name of their own")]
    let known = match kind {
        Kind::StartSeason => ("START-SEASON", "SEASON-SIGNUP"),
        Kind::RegistrationRequest => ("SEASON-SIGNUP", "SIGNUP-RESPONSE"),
        Kind::RegistrationAnswer => ("SIGNUP-RESPONSE", "Wait for ASSIGNMENT-TABLE"),
        Kind::AssignmentTable => ("ASSIGNMENT-TABLE", "Wait for START-ROUND"),
        Kind::RefereeAck | Kind::PlayerAck => ("ASSIGNMENT-ACK", "Wait for START-ROUND"),
        Kind::NewRound => ("START-ROUND", each(role, "Wait for PING-CALL", "Send PING-CALL")),
        Kind::WarmupCall => ("PING-CALL", "PING-RESPONSE"),
        Kind::WarmupResponse => {
            let both = "Wait for both, then START-GAME";
            ("PING-RESPONSE", each(role, "Wait for START-GAME", both))
        }
        Kind::RoundStart => ("START-GAME", "ASK-20-QUESTIONS"),
        Kind::QuestionsBatch => ("ASK-20-QUESTIONS", "QUESTION-ANSWERS"),
        Kind::AnswersBatch => ("QUESTION-ANSWERS", "MY-GUESS"),
        Kind::GuessSubmission => ("MY-GUESS", "ROUND-SCORE-REPORT"),
        Kind::ScoreFeedback => ("ROUND-SCORE-REPORT", "None (terminal)"),
        Kind::ResultReport => ("SEASON-RESULTS", "None"),
        Kind::LeagueCompleted => ("SEASON-ENDED", "None (terminal)"),
        _ => {
            let name = if let Body::Other(name) = body { name } else { kind.name() };
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
pub(super) fn deadline(body: &Body) -> Option<Timestamp> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "five of 40 name a deadline")]
    match body {
        Body::StartSeason(said) => said.registration_deadline,
        Body::NewRound(said) => said.ends_at,
        Body::WarmupCall(said) => said.deadline,
        Body::RoundStart(said) => said.deadline,
        Body::AnswersBatch(said) => said.deadline,
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
