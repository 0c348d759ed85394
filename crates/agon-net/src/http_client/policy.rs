//! Which addresses may be called.
//!
//! Endpoints come from strangers. Without a policy, registering an endpoint would be a way to make
//! us call into the network we stand in, or ask a cloud's metadata service for its keys.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Which kinds of address may be called. Link-local, metadata, unspecified, multicast, broadcast
/// and reserved addresses may never be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddressPolicy {
    /// This machine.
    pub loopback: bool,
    /// Networks that are not routed on the internet.
    pub private: bool,
    /// The internet.
    pub public: bool,
}

impl AddressPolicy {
    /// Whether this address may be called. Looks at the IPv4 address inside an IPv6 one.
    pub fn permits(&self, address: IpAddr) -> bool {
        let zone = match address.to_canonical() {
            IpAddr::V4(address) => zone_v4(address),
            IpAddr::V6(address) => zone_v6(address),
        };
        match zone {
            Zone::Loopback => self.loopback,
            Zone::Private => self.private,
            Zone::Public => self.public,
            Zone::Never => false,
        }
    }
}

#[derive(Clone, Copy)]
enum Zone {
    Loopback,
    Private,
    Public,
    Never,
}

/// Networks by prefix; the first that matches counts, and what matches none is public.
const V4: &[([u8; 4], u32, Zone)] = &[
    ([0, 0, 0, 0], 8, Zone::Never), // Unspecified; some systems take it for themselves.
    ([127, 0, 0, 0], 8, Zone::Loopback),
    ([169, 254, 0, 0], 16, Zone::Never), // Link-local, and most clouds' metadata.
    ([100, 100, 100, 200], 32, Zone::Never), // Alibaba Cloud's metadata.
    ([168, 63, 129, 16], 32, Zone::Never), // Azure's platform service.
    ([192, 0, 0, 0], 24, Zone::Never),   // Protocol assignments; Oracle Cloud's metadata.
    ([10, 0, 0, 0], 8, Zone::Private),
    ([172, 16, 0, 0], 12, Zone::Private),
    ([192, 168, 0, 0], 16, Zone::Private),
    ([100, 64, 0, 0], 10, Zone::Private), // Behind a carrier's NAT.
    ([198, 18, 0, 0], 15, Zone::Private), // Test benches.
    ([192, 0, 2, 0], 24, Zone::Never),    // Documentation, three times.
    ([198, 51, 100, 0], 24, Zone::Never),
    ([203, 0, 113, 0], 24, Zone::Never),
    ([192, 88, 99, 0], 24, Zone::Never), // Relays of 6to4, retired.
    ([224, 0, 0, 0], 3, Zone::Never),    // Multicast, reserved, broadcast.
];

fn zone_v4(address: Ipv4Addr) -> Zone {
    let within = |&&(network, length, _): &&([u8; 4], u32, Zone)| {
        let network = u32::from_be_bytes(network);
        (address.to_bits() ^ network) >> (u32::BITS - length) == 0
    };
    V4.iter().find(within).map_or(Zone::Public, |&(_, _, zone)| zone)
}

/// In IPv6 only what is assigned counts, so unspecified, link-local, multicast and every range that
/// nobody has thought of yet fall through to the last line.
fn zone_v6(address: Ipv6Addr) -> Zone {
    match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 1] => Zone::Loopback,
        // Translated to IPv4 by NAT64 or 6to4: where the packet ends is what matters.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => {
            zone_v4(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)))
        }
        // Metadata of Amazon's and of Google's cloud.
        [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254] | [0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254] => Zone::Never,
        [0xfc00..=0xfdff, ..] => Zone::Private,
        // Protocol assignments with Teredo in them, and documentation.
        [0x2001, 0..=0x1ff | 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => Zone::Never,
        [0x2000..=0x3fff, ..] => Zone::Public,
        _ => Zone::Never,
    }
}

#[cfg(test)]
mod tests;
