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
use agon_proto::act::{Act, ActKind};
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
        let (token, is_one_agent) = match call {
            // Who registers has no token yet, and many do so from one address when a league opens.
            Call::Letter(letter) if letter.act.kind() == ActKind::Apply => return Ok(()),
            Call::Message(letter) if matches!(letter.act, Act::Apply(_)) => return Ok(()),
            Call::Tool(_, params) => (&params.auth_token, true),
            Call::Letter(letter) => {
                (&letter.auth_token, matches!(letter.head.from.role, Some(Role::Player) | None))
            }
            Call::Message(letter) => {
                let plays = matches!(letter.head.sender, Sender::Player(_) | Sender::NewPlayer(_));
                (&letter.auth_token, plays)
            }
        };
        let rate = if is_one_agent { self.agent } else { self.referee };
        let caller = match token.as_ref().and_then(AuthToken::secret) {
            Some(secret) => Caller::Token(self.names.hash_one(secret)),
            None => Caller::Address(from.to_canonical()),
        };
        self.callers.take(caller, rate, at, Duration::ZERO).map(|_at_once| ())
    }
}

#[cfg(test)]
mod tests;
