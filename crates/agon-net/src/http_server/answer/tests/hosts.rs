//! Tables of who may call and who may not.

use hyper::Request;

use super::super::Hosts;

#[track_caller]
fn check(target: &str, headers: &[(&str, &str)], accepted: bool) {
    let hosts = Hosts { listed: vec!["league.example.org".to_owned()] };
    let mut request = Request::post(target);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(()).unwrap();
    assert_eq!(hosts.accept(&request), accepted, "{target} {headers:?}");
}

#[test]
fn addresses_localhost_and_listed_names_are_hosts_of_ours() {
    for host in ["127.0.0.1", "127.0.0.1:8000", "10.1.2.3:80", "[::1]", "[::1]:8000"] {
        check("/mcp", &[("host", host)], true);
    }
    for host in ["localhost", "LocalHost:8000", "league.example.org", "League.Example.org:443"] {
        check("/mcp", &[("host", host)], true);
    }
}

#[test]
fn other_hosts_are_refused() {
    for host in ["evil.example", "evil.example:8000", "localhost.evil.example", "", "localhost."] {
        check("/mcp", &[("host", host)], false);
    }
    for host in ["::1", "[::1", "[evil]", "[::1]x", "127.0.0.1:x", "127.0.0.1@evil.example"] {
        check("/mcp", &[("host", host)], false);
    }
    check("/mcp", &[], false);
    check("/mcp", &[("host", "localhost"), ("host", "evil.example")], false);
}

#[test]
fn an_absolute_target_counts_like_a_host() {
    check("http://localhost/mcp", &[("host", "localhost")], true);
    check("http://evil.example/mcp", &[("host", "localhost")], false);
}

#[test]
fn a_page_must_be_ours() {
    let from = |origin, accepted| {
        check("/mcp", &[("host", "10.1.2.3:8000"), ("origin", origin)], accepted);
    };
    from("http://10.1.2.3:8000", true); // The very same server.
    from("https://league.example.org", true);
    from("http://localhost:3000", false); // Any program of this machine may serve a page there.
    from("http://127.0.0.1", false);
    from("http://10.1.2.4:8000", false); // Another machine's page may be anybody's.
    from("http://198.51.100.7", false);
    from("https://evil.example", false);
    from("null", false);
    from("file://localhost", false);
}
