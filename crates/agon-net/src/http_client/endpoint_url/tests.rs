//! Tables of endpoints, good and bad.

use super::{BadEndpoint, EndpointUrl, Scheme};

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
    assert_eq!(address("http://2130706433/"), None); // A name for all we know; the resolver sees.
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
