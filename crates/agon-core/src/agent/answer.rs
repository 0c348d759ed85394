//! What the manager answers: whether we are in, and whether it still knows us.
//!
//! Spec: docs/protocol/registration.md

use agon_proto::message::{Message, RegistrationStatus};
use agon_proto::{AgentId, Answer, ErrorCode, LeagueId};

use super::Credentials;

/// What an answer to our request means.
pub(super) enum Admission {
    Granted(Credentials),
    Refused(Box<str>),
}

/// Whether the manager says that our token is not ours.
pub(crate) fn denies_token(answer: &Answer) -> bool {
    match answer {
        Answer::Message(letter) => {
            matches!(&letter.message, Message::LeagueError(error)
                if error.error_code == ErrorCode::AuthTokenInvalid)
        }
        Answer::Fault(fault) => fault.league_code == Some(ErrorCode::AuthTokenInvalid),
        Answer::Receipt(_) | Answer::Tool(_) => false,
    }
}

/// What an answer to our registration means.
pub(super) fn read(answer: &Answer) -> Admission {
    let refused = |reason: &str| Admission::Refused(reason.into());
    let letter = match answer {
        Answer::Message(letter) => letter,
        Answer::Fault(fault) => return refused(&fault.message),
        Answer::Receipt(_) | Answer::Tool(_) => {
            return refused("the manager's answer is no answer to a registration");
        }
    };
    #[expect(clippy::wildcard_enum_match_arm, reason = "three of 21 messages answer here")]
    let (status, agent, token, league, signed_calls, heartbeat_ms, reason) = match &letter.message {
        Message::LeagueRegisterResponse(said) => (
            said.status,
            said.player_id.map(AgentId::Player),
            &said.auth_token,
            &said.league_id,
            said.signed_calls,
            None,
            &said.reason,
        ),
        Message::RefereeRegisterResponse(said) => (
            said.status,
            said.referee_id.map(AgentId::Referee),
            &said.auth_token,
            &said.league_id,
            said.signed_calls,
            said.heartbeat_ms,
            &said.reason,
        ),
        Message::LeagueError(error) => {
            return refused(&format!("{}: {}", error.error_code, error.error_description));
        }
        _ => return refused("the manager's answer is no answer to a registration"),
    };
    match (status, agent, token) {
        (RegistrationStatus::Accepted, Some(agent), Some(token)) => {
            let league = league.clone().unwrap_or_else(|| LeagueId::new(""));
            let token = token.clone();
            let agent = Some(agent);
            Admission::Granted(Credentials { agent, league, token, signed_calls, heartbeat_ms })
        }
        (RegistrationStatus::Accepted, _, _) => refused("admitted, but without an id or a token"),
        (RegistrationStatus::Rejected, _, _) => {
            refused(reason.as_deref().unwrap_or("rejected without a reason"))
        }
    }
}
