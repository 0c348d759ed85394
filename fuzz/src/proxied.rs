//! What a proxy says of whoever calls through it: the PROXY protocol's header, and the headers of a
//! request.
//!
//! Spec: docs/operate.md

use std::net::SocketAddr;

use agon_net::{Network, Preamble, Proxies};

/// A header that is whole is so whatever follows, and every beginning of it is a part of it; one
/// that is broken does not mend. A chain of callers names nobody whom it does not contain, and
/// nobody is believed who is not listed.
pub fn check(bytes: &[u8]) {
    let read = Preamble::read(bytes);
    let longer = Preamble::read(&[bytes, b"x"].concat());
    match read {
        Preamble::Whole { length, caller } => {
            assert!(length <= bytes.len());
            assert_eq!(longer, read);
            assert_eq!(Preamble::read(&bytes[..length]), Preamble::Whole { length, caller });
            for end in 0..length {
                assert_eq!(Preamble::read(&bytes[..end]), Preamble::Part, "{end} of {length}");
            }
        }
        Preamble::Absent | Preamble::Broken => assert_eq!(longer, read),
        Preamble::Part => assert!(bytes.len() < 16 + 4096),
    }
    let text = String::from_utf8_lossy(bytes);
    let listed: Network = "10.0.0.0/8".parse().expect("this is a network");
    let proxies = Proxies(vec![listed]);
    let _network_or_not = text.parse::<Network>();
    let said = [text.into_owned()];
    for (pairs, plain) in [(&said[..], &[][..]), (&[], &said), (&said, &said)] {
        let from = SocketAddr::from(([203, 0, 113, 9], 4000));
        let caller = proxies.named(from, pairs, plain);
        assert!(caller.is_veiled && caller.address == from, "{said:?} was believed");
        let from = SocketAddr::from(([10, 0, 0, 7], 4000));
        let caller = proxies.named(from, pairs, plain);
        let address = caller.address.ip();
        let is_fit = !address.is_loopback() && !proxies.lists(address);
        assert!(caller.is_veiled || is_fit, "{said:?}: {address}");
    }
}
