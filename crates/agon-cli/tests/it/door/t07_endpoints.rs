//! Nobody has the manager call itself, or what is nearer to it than whoever registers.

use serde_json::{Value, json};

use crate::http;
use crate::league::League;
use crate::namespace::Namespace;
use crate::refusals::clerk::registration;

/// Where the manager's machine is, and where others are: in its network, and on the internet.
const HOME: &str = "10.77.0.1";
const BESIDE: &str = "10.77.0.2";
const PUBLIC_HOME: &str = "93.184.216.1";
const FAR: &str = "93.184.216.2";

/// Asks to be let in as a player that is called there.
fn apply(manager: &str, endpoint: &str) -> Value {
    let (method, mut params) = registration("player", endpoint);
    params["conversation_id"] = json!(format!("conv-{}", endpoint.len()));
    http::call(manager, method, &params)["result"].take()
}

#[track_caller]
fn assert_forbidden(manager: &str, endpoint: &str) {
    let answer = apply(manager, endpoint);
    assert_eq!(answer["status"], "REJECTED", "{endpoint}: {answer}");
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.contains("is not an address that may be called"), "{endpoint}: {answer}");
}

#[track_caller]
fn assert_admitted(manager: &str, endpoint: &str) {
    let answer = apply(manager, endpoint);
    assert_eq!(answer["status"], "ACCEPTED", "{endpoint}: {answer}");
}

/// The manager's address with another host.
fn alias(manager: &str, host: &str) -> String {
    manager.replace("127.0.0.1", host)
}

#[test]
fn t07_no_spelling_of_its_own_endpoint_is_taken() {
    for listen in ["127.0.0.1:0", "0.0.0.0:0"] {
        let league = League::open(&["--listen", listen, "--insecure"]);
        let at = &league.endpoint;
        for host in ["127.0.0.1", "localhost", "LocalHost", "localhost.localdomain", "localhost."] {
            assert_forbidden(at, &alias(at, host));
        }
        for host in ["[::ffff:127.0.0.1]", "127.1", "127.0.1", "0x7f.1", "2130706433", "127.0.0.1."]
        {
            assert_forbidden(at, &alias(at, host));
        }
        assert_eq!(league.state()["players"], 0);
        // Somebody else on this machine is welcome.
        assert_admitted(at, "http://127.0.0.1:901/mcp");
        assert_admitted(at, "http://localhost:902/mcp");
        league.close();
    }
}

/// A manager that listens to everybody, and a caller from the other end of the cable.
fn from_elsewhere(home: &str, away: &str, check: impl Fn(&str) + Send + Sync) {
    let addresses = [format!("{home}/24"), format!("{away}/24")];
    let [here, there] = Namespace::pair([&addresses[0], &addresses[1]]);
    let league = here.enter(|| League::open(&["--listen", "0.0.0.0:0", "--insecure"]));
    let manager = league.endpoint.replace("127.0.0.1", home);
    there.enter(|| check(&manager));
}

#[test]
fn t07_from_another_machine_nobody_has_this_one_called() {
    from_elsewhere(HOME, BESIDE, |manager| {
        for host in ["127.0.0.1", "127.0.0.2", "localhost", "[::1]", "[::ffff:127.0.0.1]"] {
            assert_forbidden(manager, &format!("http://{host}:6379/mcp"));
        }
        // Its own network is its own.
        assert_admitted(manager, &format!("http://{BESIDE}:901/mcp"));
        assert_admitted(manager, "http://10.77.0.33:901/mcp");
    });
}

#[test]
fn t07_from_the_internet_nobody_has_a_private_network_called() {
    from_elsewhere(PUBLIC_HOME, FAR, |manager| {
        for host in ["127.0.0.1", "10.0.0.5", "192.168.1.1", "[fd00::1]", "[::ffff:10.0.0.5]"] {
            assert_forbidden(manager, &format!("http://{host}:6379/mcp"));
        }
        assert_admitted(manager, &format!("http://{FAR}:901/mcp"));
    });
}
