//! What the manager answers: whether we are in, and whether it still knows us.
//!
//! Spec: docs/protocol/registration.md

use agon_proto::message::Message;
use agon_proto::{Answer, ErrorCode, LeagueId};

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
    #[expect(clippy::wildcard_enum_match_arm, reason = "two of 21 messages answer here")]
    let said = match &letter.message {
        Message::Decide(said) => said,
        Message::LeagueError(error) => {
            return refused(&format!("{}: {}", error.error_code, error.error_description));
        }
        _ => return refused("the manager's answer is no answer to a registration"),
    };
    if said.denial.is_some() {
        return refused(said.text.as_deref().unwrap_or("rejected without a reason"));
    }
    let (Some(agent), Some(token)) = (said.agent, said.token.clone()) else {
        return refused("admitted, but without an id or a token");
    };
    Admission::Granted(Credentials {
        agent: Some(agent),
        league: said.league.clone().unwrap_or_else(|| LeagueId::new("")),
        token,
        signed_calls: said.signed_calls,
        heartbeat_ms: said.heartbeat_ms,
    })
}
