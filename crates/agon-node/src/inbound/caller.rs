//! Who calls: from where, by which address, and with what in hand.
//!
//! The rules get plain values that they can compare; what an address is only we know.

use std::net::IpAddr;

use agon_core::{AddressKey, Caller, CallerPlace, CodeHash, Origin};
use agon_net::{EndpointUrl, PathCode};
use agon_proto::Call;

use super::Inbound;

/// How a request came to us.
pub(super) struct Came {
    /// Canonical: an IPv4 address in the clothes of IPv6 is one of IPv4.
    pub(super) from: IpAddr,
    pub(super) code: Option<PathCode>,
    pub(super) is_forwarded: bool,
}

/// The address behind a key, for people.
pub(crate) fn spelled(address: AddressKey) -> IpAddr {
    IpAddr::from(address.0).to_canonical()
}

impl Inbound {
    /// Who calls. Only those who want in are looked at closely.
    pub(super) fn caller(&self, call: &Call, came: &Came) -> Caller {
        let (origin, registers) = match call {
            Call::Message(letter) => match letter.act.registers_at() {
                Some(endpoint) => (self.origin(&endpoint, came), true),
                None => (Origin::Elsewhere, false),
            },
            Call::Letter(_) => (Origin::Elsewhere, true),
            Call::Tool(..) => (Origin::Elsewhere, false),
        };
        let code = came.code.as_ref().filter(|_| registers);
        let code = code.map(|code| CodeHash::of(code.reveal()));
        // A proxy on this machine speaks for somebody who is not.
        let at_home = came.from.is_loopback() && !came.is_forwarded;
        let place = if at_home { CallerPlace::ThisMachine } else { CallerPlace::Beyond };
        let address = AddressKey(match came.from {
            IpAddr::V4(address) => address.to_ipv6_mapped().octets(),
            IpAddr::V6(address) => address.octets(),
        });
        Caller { origin, place, address, code }
    }

    /// How the caller's address relates to the endpoint that it wants to be called at.
    fn origin(&self, endpoint: &agon_proto::Endpoint, came: &Came) -> Origin {
        let Ok(endpoint) = EndpointUrl::parse(endpoint.as_str()) else {
            return Origin::Forbidden;
        };
        let local = endpoint.host() == "localhost";
        let address = endpoint.address();
        let ours = endpoint.port() == self.own.port()
            && (local || address.is_some_and(|ip| ip == self.own.ip()));
        if ours || address.is_some_and(|ip| !self.policy.permits(ip)) {
            return Origin::Forbidden;
        }
        let same = address == Some(came.from) || (local && came.from.is_loopback());
        if same && !came.is_forwarded { Origin::Endpoint } else { Origin::Elsewhere }
    }
}
