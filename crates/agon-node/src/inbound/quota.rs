//! How fast one caller may ask. Whoever asks faster is refused, and nothing changes.
//!
//! A caller is its token, whether it is valid or not: the gate decides that later, and nobody can
//! use up the rate of a token that it does not have. Without a token it is its address. Tokens are
//! kept as a number that means nothing in another process.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::net::IpAddr;
use std::time::{Duration, Instant};

use agon_net::{Buckets, Rate};
use agon_proto::act::ActKind;
use agon_proto::message::Message;
use agon_proto::{AuthToken, Call, Role, Sender};

use crate::config::Server;

/// Callers that are remembered at a time. Only those count that asked a moment ago.
const CALLERS_MAX: usize = 65_536;

#[derive(Debug, PartialEq, Eq, Hash)]
enum Caller {
    Token(u64),
    Address(IpAddr),
}

pub(crate) struct Quota {
    callers: Buckets<Caller>,
    names: RandomState,
    agent: Rate,
    /// Also for the manager: both speak for many matches.
    referee: Rate,
}

impl Quota {
    pub(crate) fn new(server: &Server) -> Self {
        let rate = |per_s| Rate::new(per_s, per_s);
        Self {
            callers: Buckets::new(CALLERS_MAX),
            names: RandomState::new(),
            agent: rate(server.requests_per_s),
            referee: rate(server.referee_requests_per_s),
        }
    }

    /// Takes one call, or says how long its caller should wait before the next one.
    pub(crate) fn admit(&mut self, call: &Call, from: IpAddr, at: Instant) -> Result<(), Duration> {
        let (token, rate) = match call {
            Call::Tool(_, params) => (params.auth_token.as_ref(), self.agent),
            Call::Letter(letter) => {
                if letter.act.kind() == ActKind::Apply {
                    return Ok(());
                }
                let rate = match letter.from.role {
                    Some(Role::Player) | None => self.agent,
                    Some(Role::Manager | Role::Referee) => self.referee,
                };
                (letter.auth_token.as_ref(), rate)
            }
            Call::Message(letter) => {
                if is_registration(&letter.message) {
                    return Ok(());
                }
                let rate = match letter.sender {
                    Sender::Player(_) | Sender::NewPlayer(_) => self.agent,
                    Sender::LeagueManager | Sender::Referee(_) | Sender::NewReferee(_) => {
                        self.referee
                    }
                };
                (letter.auth_token.as_ref(), rate)
            }
        };
        let caller = match token.and_then(AuthToken::secret) {
            Some(secret) => Caller::Token(self.names.hash_one(secret)),
            None => Caller::Address(from.to_canonical()),
        };
        self.callers.take(caller, rate, at, Duration::ZERO).map(|_at_once| ())
    }
}

/// Who registers has no token yet, and many do so from one address when a league opens.
fn is_registration(message: &Message) -> bool {
    matches!(message, Message::Apply(_))
}

#[cfg(test)]
mod tests;
