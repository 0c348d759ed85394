//! Who calls, as far as the rules need to know: from where, and with what in hand.

use agon_proto::hex;
use serde::{Deserialize, Serialize};

use crate::CodeHash;

/// How the caller's address relates to the endpoint that it names. The edge knows addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// It calls from the endpoint's own address.
    Endpoint,
    /// It calls from somewhere else.
    Elsewhere,
    /// It names an endpoint that must not be called.
    Forbidden,
}

/// Who calls, as far as the edge can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller {
    pub origin: Origin,
    pub place: CallerPlace,
    pub address: AddressKey,
    /// Nothing in a private network is called for it: it calls from the internet, or nobody knows
    /// from where.
    pub public_only: bool,
    /// The code in the address by which it called us.
    pub code: Option<CodeHash>,
}

impl Caller {
    /// Somebody on this machine, who shows no code.
    pub fn at_home(origin: Origin) -> Self {
        let (place, address) = (CallerPlace::ThisMachine, AddressKey::default());
        Self { origin, place, address, public_only: false, code: None }
    }
}

/// From where somebody calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallerPlace {
    /// By loopback, and nobody speaks for somebody else.
    ThisMachine,
    /// From another machine, or through something that speaks for others.
    Beyond,
}

/// The address of a caller, without a port: a value that can be compared, and nothing else here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct AddressKey(#[serde(with = "hex")] pub [u8; 16]);

impl AddressKey {
    /// What stands for all that one caller usually has: of IPv6 the first half of an address, of
    /// IPv4, which is written as one of IPv6, all of it.
    pub fn network(self) -> Self {
        let Self(mut key) = self;
        if !key.starts_with(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) {
            key[8..].fill(0);
        }
        Self(key)
    }
}
