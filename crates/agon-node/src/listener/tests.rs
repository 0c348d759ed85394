//! What others call us by, from what was said on the command line.

use std::net::SocketAddr;

use agon_net::Scheme;
use toml::Table;

use super::{Listener, ListenerError, spelled_out};
use crate::config::Config;

#[track_caller]
fn check(said: &str, scheme: Scheme, expected: &str) {
    assert_eq!(spelled_out(said, scheme, 8101).unwrap().to_string(), expected, "{said}");
}

#[test]
fn what_is_not_said_is_taken_from_the_listener() {
    check("agent.example.org", Scheme::Http, "http://agent.example.org:8101/mcp");
    check("agent.example.org", Scheme::Https, "https://agent.example.org:8101/mcp");
    check("Agent.example.org:443", Scheme::Https, "https://agent.example.org/mcp");
    check("10.0.0.7", Scheme::Http, "http://10.0.0.7:8101/mcp");
    check("fd00::7", Scheme::Https, "https://[fd00::7]:8101/mcp");
    check("[fd00::7]:9000", Scheme::Https, "https://[fd00::7]:9000/mcp");
    check("[fd00::7]", Scheme::Http, "http://[fd00::7]:8101/mcp");
}

#[test]
fn a_url_is_taken_as_it_is() {
    // Somebody else may speak TLS in front of us, on another port and under another path.
    check("https://example.org/agents/7", Scheme::Http, "https://example.org/agents/7");
    check("https://example.org", Scheme::Http, "https://example.org/mcp");
    check("http://example.org:81", Scheme::Https, "http://example.org:81/mcp");
}

#[test]
fn what_nobody_could_call_is_refused() {
    let said = ["", "a b", "host/path", "host:port", "host:0", "me:word@host", "ftp://host", "[x]"];
    for said in said {
        assert!(spelled_out(said, Scheme::Http, 8101).is_err(), "{said:?}");
    }
}

fn config() -> Config {
    Config::load(None, std::iter::empty(), Table::new()).unwrap()
}

async fn open(listen: &str) -> Result<Listener, ListenerError> {
    Listener::open(listen.parse::<SocketAddr>().unwrap(), &config(), false).await
}

#[tokio::test]
async fn an_advertised_name_may_be_called() {
    let listener = open("127.0.0.1:0").await.unwrap();
    let port = listener.address().port();
    assert_eq!(listener.endpoint().as_str(), format!("http://127.0.0.1:{port}/mcp"));
    let listener = listener.advertised(None).unwrap();
    assert!(listener.server.hosts.listed.is_empty());
    let listener = listener.advertised(Some("agent.example.org")).unwrap();
    assert_eq!(listener.endpoint().as_str(), format!("http://agent.example.org:{port}/mcp"));
    assert_eq!(listener.server.hosts.listed, ["agent.example.org"]);
}

#[tokio::test]
async fn nobody_is_exposed_without_encryption_by_accident() {
    for listen in ["0.0.0.0:0", "[::]:0", "[::ffff:10.0.0.1]:0"] {
        let exposed = open(listen).await;
        assert!(matches!(exposed, Err(ListenerError::Exposed(_))), "{listen}");
    }
}
