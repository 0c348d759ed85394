//! For whom a proxy calls, as it says; and what nobody is believed.

use std::net::{IpAddr, SocketAddr};

use hyper::header::{HeaderMap, HeaderName, HeaderValue};

use super::{BINARY, BadNetwork, CallerAddress, Network, Preamble, Proxies};

const PROXY: &str = "10.0.0.7:4000";
const STRANGER: &str = "203.0.113.9:4000";

fn proxies() -> Proxies {
    Proxies(vec!["10.0.0.0/8".parse().unwrap(), "fd00::1".parse().unwrap()])
}

/// Who calls from there with these headers: an address, or nobody that is known.
#[track_caller]
fn check(from: &str, headers: &[(&str, &str)], expected: Option<&str>) {
    let from: SocketAddr = from.parse().unwrap();
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let name: HeaderName = name.parse().unwrap();
        map.append(name, HeaderValue::from_str(value).unwrap());
    }
    let CallerAddress { address, is_veiled } = proxies().caller(from, &map);
    let expected: Option<IpAddr> = expected.map(|address| address.parse().unwrap());
    assert_eq!((!is_veiled).then_some(address.ip()), expected, "{headers:?}");
    assert!(!is_veiled || address == from || address.ip().is_loopback(), "{headers:?}");
}

#[test]
fn a_listed_proxy_names_its_caller() {
    check(PROXY, &[], Some("10.0.0.7"));
    check(PROXY, &[("x-forwarded-for", "203.0.113.9")], Some("203.0.113.9"));
    check(PROXY, &[("x-forwarded-for", "203.0.113.9:77")], Some("203.0.113.9"));
    check(PROXY, &[("x-forwarded-for", "2001:db8::9")], Some("2001:db8::9"));
    check(PROXY, &[("x-forwarded-for", "::ffff:203.0.113.9")], Some("203.0.113.9"));
    check(PROXY, &[("forwarded", "for=203.0.113.9;proto=https")], Some("203.0.113.9"));
    check(PROXY, &[("forwarded", "by=10.0.0.7; For=\"[2001:db8::9]:77\"")], Some("2001:db8::9"));
}

#[test]
fn of_a_chain_the_last_counts_that_is_no_proxy() {
    let made_up = "127.0.0.1, 203.0.113.1";
    check(PROXY, &[("x-forwarded-for", &format!("{made_up}, 203.0.113.9"))], Some("203.0.113.9"));
    let chain = format!("{made_up}, 203.0.113.9, 10.1.1.1,fd00::1");
    check(PROXY, &[("x-forwarded-for", &chain)], Some("203.0.113.9"));
    let lines = [("x-forwarded-for", made_up), ("x-forwarded-for", "203.0.113.9, 10.1.1.1")];
    check(PROXY, &lines, Some("203.0.113.9"));
    check(PROXY, &[("forwarded", "for=\"x, for=203.0.113.9")], Some("203.0.113.9"));
}

#[test]
fn whoever_is_not_named_is_a_stranger() {
    for unclear in ["", "unknown", "_hidden", "203.0.113.9, unknown", "10.1.1.1", "1.2.3", "\u{7f}"]
    {
        if let Ok(value) = HeaderValue::from_str(unclear) {
            check(PROXY, &[("x-forwarded-for", value.to_str().unwrap())], None);
        }
    }
    check(PROXY, &[("forwarded", "proto=https")], None);
    check(PROXY, &[("forwarded", "for=unknown")], None);
    // One of both may be what the caller itself wrote.
    let both = [("forwarded", "for=203.0.113.1"), ("x-forwarded-for", "203.0.113.9")];
    check(PROXY, &both, None);
    let same = [("forwarded", "for=203.0.113.9"), ("x-forwarded-for", "203.0.113.9")];
    check(PROXY, &same, Some("203.0.113.9"));
    // Nobody on this machine is let in as one of it because a proxy says so.
    check(PROXY, &[("x-forwarded-for", "127.0.0.1")], None);
}

#[test]
fn nobody_else_is_believed() {
    check(STRANGER, &[], Some("203.0.113.9"));
    check(STRANGER, &[("x-forwarded-for", "203.0.113.1")], None);
    check("127.0.0.1:7", &[("forwarded", "for=203.0.113.1")], None);
}

#[test]
fn a_network_is_read_as_it_is_written() {
    let contains = |network: &str, address: &str| {
        network.parse::<Network>().unwrap().contains(address.parse().unwrap())
    };
    assert!(contains("10.0.0.7", "10.0.0.7") && !contains("10.0.0.7", "10.0.0.8"));
    assert!(contains("10.0.0.9/8", "10.255.0.1") && !contains("10.0.0.0/8", "11.0.0.1"));
    assert!(contains("10.0.0.0/8", "::ffff:10.1.1.1") && contains("0.0.0.0/0", "8.8.8.8"));
    assert!(contains("fd00::/8", "fd12::1") && !contains("fd00::/8", "fe80::1"));
    assert!(contains("::/0", "10.0.0.1") && !contains("0.0.0.0/0", "fd00::1"));
    for bad in ["", "10.0.0", "10.0.0.0/33", "fd00::/129", "10.0.0.0/", "10.0.0.0/-1", "host"] {
        assert_eq!(bad.parse::<Network>(), Err(BadNetwork), "{bad}");
    }
}

#[track_caller]
fn named(bytes: &[u8], expected: Option<&str>) {
    let caller = expected.map(|caller| caller.parse().unwrap());
    let whole = Preamble::Whole { length: bytes.len(), caller };
    assert_eq!(Preamble::read(bytes), whole, "{bytes:?}");
    assert_eq!(Preamble::read(&[bytes, b"POST /mcp"].concat()), whole, "{bytes:?}");
    for length in 0..bytes.len() {
        assert_eq!(Preamble::read(&bytes[..length]), Preamble::Part, "{length} of {bytes:?}");
    }
}

fn binary(command: u8, family: u8, said: &[u8]) -> Vec<u8> {
    let length = u16::try_from(said.len()).unwrap().to_be_bytes();
    [BINARY, &[command, family], &length, said].concat()
}

#[test]
fn the_header_of_a_proxy_names_the_caller() {
    named(b"PROXY TCP4 203.0.113.9 10.0.0.1 4000 8000\r\n", Some("203.0.113.9:4000"));
    named(b"PROXY TCP6 2001:db8::9 fd00::1 4000 8000\r\n", Some("[2001:db8::9]:4000"));
    named(b"PROXY UNKNOWN\r\n", None);
    named(b"PROXY UNKNOWN ffff:: whatever\r\n", None);
    let v4 = [203, 0, 113, 9, 10, 0, 0, 1, 0x0F, 0xA0, 0x1F, 0x40];
    named(&binary(0x21, 0x11, &v4), Some("203.0.113.9:4000"));
    // Whatever else it says stands behind the addresses.
    named(&binary(0x21, 0x11, &[&v4[..], &[4, 0, 1, 0]].concat()), Some("203.0.113.9:4000"));
    let v6 = [&[0x20, 1, 0x0D, 0xB8][..], &[0; 11], &[9], &[1; 16], &[0x0F, 0xA0, 0, 80]].concat();
    named(&binary(0x21, 0x21, &v6), Some("[2001:db8::9]:4000"));
    named(&binary(0x20, 0x00, &[]), None);
    named(&binary(0x21, 0x00, &[]), None);
}

#[test]
fn what_is_no_such_header_is_told_apart() {
    for other in [&b"POST /mcp HTTP/1.1\r\n"[..], b"PROPFIND /", b"\r\n\r\n\0\r\nQUIX\n", b"\x16"] {
        assert_eq!(Preamble::read(other), Preamble::Absent, "{other:?}");
    }
    let long = [b"PROXY TCP4 ", &[b'1'; 120][..]].concat();
    let endless = [BINARY, &[0x21, 0x11, 0xFF, 0xFF]].concat();
    for broken in [
        b"PROXY \r\n".to_vec(),
        b"PROXY TCP4 203.0.113.9 10.0.0.1 4000\r\n".to_vec(),
        b"PROXY TCP4 203.0.113.9 10.0.0.1 4000 8000 1\r\n".to_vec(),
        b"PROXY TCP4 2001:db8::9 fd00::1 4000 8000\r\n".to_vec(),
        b"PROXY TCP4 203.0.113.9 10.0.0.1 4000 80000\r\n".to_vec(),
        b"PROXY UDP4 203.0.113.9 10.0.0.1 4000 8000\r\n".to_vec(),
        long,
        endless,
        binary(0x21, 0x11, &[1; 11]),
        binary(0x21, 0x21, &[1; 35]),
        binary(0x31, 0x11, &[1; 12]),
        binary(0x21, 0x31, &[1; 12]),
    ] {
        assert_eq!(Preamble::read(&broken), Preamble::Broken, "{broken:?}");
    }
}
