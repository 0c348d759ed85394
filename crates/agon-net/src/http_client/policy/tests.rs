//! Tables of addresses and of the one switch that opens each of them.

use super::AddressPolicy;

const SHUT: AddressPolicy = AddressPolicy { loopback: false, private: false, public: false };
const OPEN: AddressPolicy = AddressPolicy { loopback: true, private: true, public: true };

/// Each address is open under `opened` alone, and shut when everything but that is open.
#[track_caller]
fn check(addresses: &[&str], opened: AddressPolicy, rest: AddressPolicy) {
    for address in addresses {
        let ip = address.parse().unwrap();
        assert!(opened.permits(ip), "{address} under {opened:?}");
        assert!(OPEN.permits(ip), "{address} when all is open");
        assert!(!rest.permits(ip), "{address} under {rest:?}");
    }
}

#[test]
fn loopback() {
    check(
        &["127.0.0.1", "127.255.0.9", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"],
        AddressPolicy { loopback: true, ..SHUT },
        AddressPolicy { loopback: false, ..OPEN },
    );
}

#[test]
fn private() {
    check(
        &[
            "10.0.0.1",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "100.64.0.1",
            "198.19.0.1",
            "fd12:3456::1",
            "fc00::1",
            "::ffff:10.0.0.1",
            "64:ff9b::10.0.0.1",
            "2002:0a00:0001::1",
        ],
        AddressPolicy { private: true, ..SHUT },
        AddressPolicy { private: false, ..OPEN },
    );
}

#[test]
fn public() {
    check(
        &[
            "8.8.8.8",
            "172.15.0.1",
            "172.32.0.1",
            "100.128.0.1",
            "169.253.0.1",
            "223.255.255.255",
            "2606:4700::1",
            "::ffff:8.8.8.8",
            "2002:0808:0808::1",
        ],
        AddressPolicy { public: true, ..SHUT },
        AddressPolicy { public: false, ..OPEN },
    );
}

#[test]
fn some_are_never_called() {
    for address in [
        "0.0.0.0",
        "0.1.2.3",
        "169.254.0.1",
        "169.254.169.254",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "192.0.2.1",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::127.0.0.1",
        "fe80::1",
        "febf::1",
        "fec0::1",
        "ff02::1",
        "fd00:ec2::254",
        "fd20:ce::254",
        "2001:db8::1",
        "2001::1",
        "::ffff:169.254.169.254",
        "::ffff:0.0.0.0",
        "64:ff9b::169.254.169.254",
        "2002:a9fe:a9fe::1",
        "64:ff9b:1::1",
    ] {
        assert!(!OPEN.permits(address.parse().unwrap()), "{address}");
    }
}
