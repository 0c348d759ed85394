//! Endpoints, as agents register them. What we call must be what we read.

use std::net::IpAddr;

use agon_net::{AddressPolicy, EndpointUrl};

const ANYWHERE: AddressPolicy = AddressPolicy { loopback: true, private: true, public: true };
const NOWHERE: AddressPolicy = AddressPolicy { loopback: false, private: false, public: false };

/// An endpoint that was read has one spelling, one host and one port.
pub fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let Ok(endpoint) = EndpointUrl::parse(text) else { return };
    let spelled = endpoint.to_string();
    assert_eq!(EndpointUrl::parse(&spelled).expect("its own spelling"), endpoint);
    assert!(spelled.starts_with("http"), "{spelled}");
    assert!(!spelled.contains(['#', ' ', '\r', '\n']), "{spelled}");

    let host = endpoint.host();
    assert!(!host.is_empty() && !host.contains(['@', '/', '?']), "{host}");
    assert_eq!(host, host.to_ascii_lowercase(), "one case");
    assert_ne!(endpoint.port(), 0);
    let bare = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    let address = bare.parse().ok().map(|address: IpAddr| address.to_canonical());
    assert_eq!(endpoint.address(), address, "{host}");
    if let Some(address) = endpoint.address() {
        is_judged(address);
    }
}

/// What an address is called does not change where it leads.
fn is_judged(address: IpAddr) {
    assert!(!NOWHERE.permits(address));
    assert_eq!(ANYWHERE.permits(address), ANYWHERE.permits(address.to_canonical()));
    let IpAddr::V4(v4) = address.to_canonical() else { return };
    let never = v4.is_link_local() || v4.is_unspecified() || v4.is_multicast();
    assert!(!(never && ANYWHERE.permits(address)), "{address}");
    assert_eq!(ANYWHERE.permits(address), ANYWHERE.permits(v4.to_ipv6_mapped().into()));
}
