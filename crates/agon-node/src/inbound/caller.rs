//! Who calls: from where, by which address, and with what in hand; and how fast one may ask.
//! Whoever asks faster is refused, and nothing changes.
//!
//! The rules get plain values that they can compare; what an address is only we know. Whom we count
//! is a token, whether it is valid or not: the gate decides that later, and nobody can use up the
//! rate of a token that it does not have. Without a token it is an address. Tokens are kept as a
//! number that means nothing in another process.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use agon_core::{AddressKey, Caller, CallerPlace, CodeHash, Event, Origin};
use agon_net::{AddressPolicy, Buckets, EndpointUrl, Incoming, Rate, is_of_this_machine, network};
use agon_proto::act::{Act, ActKind};
use agon_proto::{AuthToken, Call, Endpoint, Role, Sender};

use super::Inbound;
use crate::config::Config;

/// Callers that are counted at a time. Only those matter that asked a moment ago.
const CALLERS_MAX: usize = 65_536;

/// Where we are, and whom we may call from there.
pub(crate) struct OwnPlace {
    pub(crate) policy: AddressPolicy,
    /// Nobody may register that, or what else leads to us.
    pub(crate) address: SocketAddr,
    pub(crate) names: Vec<EndpointUrl>,
}

impl OwnPlace {
    /// Who lives by mail alone is nowhere, and calls nobody.
    pub(crate) const NOWHERE: Self = Self {
        policy: AddressPolicy { loopback: false, private: false, public: false },
        address: SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0),
        names: Vec::new(),
    };
}

/// The address behind a key, for people.
pub(crate) fn spelled(address: AddressKey) -> IpAddr {
    IpAddr::from(address.0).to_canonical()
}

/// Whether a call comes from this machine, and nobody speaks for somebody else. A proxy on this
/// machine does.
pub(super) fn is_near(came: &Incoming) -> bool {
    came.from.ip().to_canonical().is_loopback() && !came.is_forwarded
}

/// The endpoint of somebody who registers: a sign of life.
pub(crate) fn registers(event: &Event) -> Option<Endpoint> {
    let Event::Called { call, .. } = event else { return None };
    registers_by(call)
}

fn registers_by(call: &Call) -> Option<Endpoint> {
    match call {
        Call::Message(letter) => letter.act.registers_at(),
        // In a letter it is the sender's own address.
        Call::Letter(letter) => {
            let asks = matches!(letter.act.kind(), ActKind::Apply | ActKind::LeagueRegistration);
            let address = letter.head.from.address.as_ref().filter(|it| asks && it.is_endpoint());
            address.map(|address| Endpoint::new(address.as_str()))
        }
        Call::Tool(..) => None,
    }
}

impl Inbound {
    /// Who calls. Only those who want in are looked at closely.
    pub(super) fn caller(&self, call: &Call, came: &Incoming) -> Caller {
        // An IPv4 address in the clothes of IPv6 is one of IPv4.
        let from = came.from.ip().to_canonical();
        let endpoint = registers_by(call);
        let registers = endpoint.is_some() || matches!(call, Call::Letter(_));
        let policy = self.policy_for(from, came.is_forwarded);
        let origin = |it: Endpoint| self.origin(&it, policy, (from, came.is_forwarded));
        let origin = endpoint.map_or(Origin::Elsewhere, origin);
        let code = came.code.as_ref().filter(|_| registers);
        let code = code.map(|code| CodeHash::of(code.reveal()));
        let place = if is_near(came) { CallerPlace::ThisMachine } else { CallerPlace::Beyond };
        let address = AddressKey(match from {
            IpAddr::V4(address) => address.to_ipv6_mapped().octets(),
            IpAddr::V6(address) => address.octets(),
        });
        Caller { origin, place, address, public_only: !policy.private, code }
    }

    /// What somebody may have us call who calls from there. Nobody has us call what is nearer to us
    /// than it is itself.
    fn policy_for(&self, from: IpAddr, is_forwarded: bool) -> AddressPolicy {
        let AddressPolicy { loopback, private, public } = self.place.policy;
        let far = AddressPolicy { loopback: false, private: false, public: true };
        AddressPolicy {
            loopback: loopback && from.is_loopback() && !is_forwarded,
            private: private && !far.permits(from) && !is_forwarded,
            public,
        }
    }

    /// How the caller's address relates to the endpoint that it wants to be called at.
    fn origin(
        &self,
        endpoint: &Endpoint,
        policy: AddressPolicy,
        (from, is_forwarded): (IpAddr, bool),
    ) -> Origin {
        let Ok(endpoint) = EndpointUrl::parse(endpoint.as_str()) else {
            return Origin::Forbidden;
        };
        let local = ["localhost", "localhost.localdomain"].contains(&endpoint.host());
        let address = endpoint.address().or(local.then_some(Ipv4Addr::LOCALHOST.into()));
        let (own, port) = (self.place.address.ip().to_canonical(), endpoint.port());
        let is_near = |ip: IpAddr| ip.is_loopback() || is_of_this_machine(ip);
        let is_own = |ip: IpAddr| {
            ip == own || ip.is_loopback() && local || own.is_unspecified() && is_near(ip)
        };
        let is_at = |name: &EndpointUrl| {
            let is_it = name.host() == endpoint.host()
                || address.is_some_and(|it| name.address() == Some(it));
            is_it && [name.port(), self.place.address.port()].contains(&port)
        };
        let ours = port == self.place.address.port() && address.is_some_and(is_own);
        if ours
            || self.place.names.iter().any(is_at)
            || address.is_some_and(|ip| !policy.permits(ip))
        {
            return Origin::Forbidden;
        }
        let same = address == Some(from) || (local && from.is_loopback());
        if same && !is_forwarded { Origin::Endpoint } else { Origin::Elsewhere }
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
enum Counted {
    Token(u64),
    Address(IpAddr),
    /// Who registers has no token yet.
    Registrations(IpAddr),
}

pub(super) struct Quota {
    callers: Buckets<Counted>,
    names: RandomState,
    agent: Rate,
    /// Also for the manager: both speak for many matches.
    referee: Rate,
    registration: Rate,
}

impl Quota {
    pub(super) fn new(Config { server, admission, .. }: &Config) -> Self {
        let rate = |per_s| Rate::new(per_s, per_s);
        Self {
            callers: Buckets::new(CALLERS_MAX),
            names: RandomState::new(),
            agent: rate(server.requests_per_s),
            referee: rate(server.referee_requests_per_s),
            registration: Rate::new(
                admission.registrations_per_s,
                admission.registrations_per_s.saturating_mul(10),
            ),
        }
    }

    /// Takes one call, or says how long its caller should wait before the next one. `is_near`: from
    /// this machine, and nobody speaks for somebody else.
    pub(super) fn admit(
        &mut self,
        call: &Call,
        (from, is_near): (IpAddr, bool),
        at: Instant,
    ) -> Result<(), Duration> {
        let from = network(from);
        let applies = match call {
            Call::Letter(letter) => letter.act.kind() == ActKind::Apply,
            Call::Message(letter) => matches!(letter.act, Act::Apply(_)),
            Call::Tool(..) => false,
        };
        if applies {
            // From our own machine many do so when a league opens.
            let counted = Counted::Registrations(from);
            let take =
                |it: &mut Buckets<_>| it.take(counted, self.registration, at, Duration::ZERO);
            return if is_near { Ok(()) } else { take(&mut self.callers).map(|_at_once| ()) };
        }
        let (token, is_one_agent) = match call {
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
            Some(secret) => Counted::Token(self.names.hash_one(secret)),
            None => Counted::Address(from),
        };
        self.callers.take(caller, rate, at, Duration::ZERO).map(|_at_once| ())
    }
}

#[cfg(test)]
mod tests;
