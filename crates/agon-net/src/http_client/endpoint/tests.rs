//! Tables of endpoints, good and bad, and of addresses and the one switch that opens each of them.

use super::{AddressPolicy, BadEndpoint, EndpointUrl, Scheme};

#[track_caller]
fn check(text: &str, printed: &str, host: &str, port: u16) {
    let endpoint = EndpointUrl::parse(text).unwrap();
    assert_eq!(endpoint.to_string(), printed);
    assert_eq!((endpoint.host(), endpoint.port()), (host, port), "{text}");
    assert_eq!(endpoint, EndpointUrl::parse(printed).unwrap());
}

#[test]
fn good_ones_are_written_one_way() {
    check("http://localhost:8101/mcp", "http://localhost:8101/mcp", "localhost", 8101);
    check("HTTP://LocalHost:80/Mcp?a=B", "http://localhost/Mcp?a=B", "localhost", 80);
    check("http://10.0.0.1", "http://10.0.0.1/", "10.0.0.1", 80);
    check("http://[::1]:8000/mcp", "http://[::1]:8000/mcp", "[::1]", 8000);
    check("http://[::FFFF:10.0.0.1]/", "http://[::ffff:10.0.0.1]/", "[::ffff:10.0.0.1]", 80);
}

#[test]
fn https_has_a_usual_port_of_its_own() {
    check("https://Localhost:443/mcp", "https://localhost/mcp", "localhost", 443);
    check("HTTPS://localhost:80/mcp", "https://localhost:80/mcp", "localhost", 80);
    check("http://localhost:443/mcp", "http://localhost:443/mcp", "localhost", 443);
    check("https://[::1]", "https://[::1]/", "[::1]", 443);
}

#[test]
fn an_endpoint_knows_whether_it_is_encrypted() {
    let [plain, encrypted] =
        ["http://localhost/", "https://localhost/"].map(|text| EndpointUrl::parse(text).unwrap());
    assert_eq!((plain.scheme(), encrypted.scheme()), (Scheme::Http, Scheme::Https));
    assert_ne!(plain, encrypted);
}

#[test]
fn an_address_is_known_without_asking() {
    let address = |text| EndpointUrl::parse(text).unwrap().address();
    assert_eq!(address("http://10.0.0.1:1/"), "10.0.0.1".parse().ok());
    assert_eq!(address("http://[fe80::1]/"), "fe80::1".parse().ok());
    assert_eq!(address("http://localhost/"), None);
    assert_eq!(address("http://[::ffff:10.0.0.1]/"), "10.0.0.1".parse().ok());
}

#[test]
fn bad_ones_say_why() {
    let bad = |text| EndpointUrl::parse(text).unwrap_err();
    assert!(matches!(bad("https://localhost:0/mcp"), BadEndpoint::BadHost));
    assert!(matches!(bad("https://user:word@localhost/"), BadEndpoint::UserInfo));
    assert!(matches!(bad("ftp://localhost/mcp"), BadEndpoint::NotHttp));
    assert!(matches!(bad("localhost:8000"), BadEndpoint::NotHttp));
    assert!(matches!(bad("/mcp"), BadEndpoint::NotHttp));
    assert!(matches!(bad("http://user:word@localhost/"), BadEndpoint::UserInfo));
    assert!(matches!(bad("http://localhost/mcp#part"), BadEndpoint::Fragment));
    assert!(matches!(bad("http://localhost:0/"), BadEndpoint::BadHost));
    assert!(matches!(bad("http://localhost:/"), BadEndpoint::BadHost));
    for text in ["", "http://", "http:///mcp", "http://local host/", "http://[::1/", "http://[x]/"]
    {
        bad(text);
    }
    for text in ["http://localhost:65536/", "http://localhost:x/", "http://localhost/\r\nX: y"] {
        bad(text);
    }
}

const SHUT: AddressPolicy = AddressPolicy { loopback: false, private: false, public: false };
const OPEN: AddressPolicy = AddressPolicy { loopback: true, private: true, public: true };

/// Each address is open under `opened` alone, and shut when everything but that is open.
#[track_caller]
fn check_opened(addresses: &[&str], opened: AddressPolicy, rest: AddressPolicy) {
    for address in addresses {
        let ip = address.parse().unwrap();
        assert!(opened.permits(ip), "{address} under {opened:?}");
        assert!(OPEN.permits(ip), "{address} when all is open");
        assert!(!rest.permits(ip), "{address} under {rest:?}");
    }
}

#[test]
fn loopback() {
    check_opened(
        &["127.0.0.1", "127.255.0.9", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"],
        AddressPolicy { loopback: true, ..SHUT },
        AddressPolicy { loopback: false, ..OPEN },
    );
}

#[test]
fn private() {
    check_opened(
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
    check_opened(
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
