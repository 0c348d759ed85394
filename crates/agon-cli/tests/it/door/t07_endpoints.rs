//! Nobody has the manager call itself, or what is nearer to it than whoever registers; and only a
//! proxy that the operator listed says from where somebody calls.

use std::io::ErrorKind;
use std::net::TcpListener;

use serde_json::{Value, json};

use crate::http;
use crate::league::League;
use crate::namespace::Namespace;
use crate::process::Process;
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
    let args = ["--listen", "0.0.0.0:0", "--insecure", "--admit", "open"];
    let league = here.enter(|| League::open(&args));
    let manager = league.endpoint.replace("127.0.0.1", home);
    there.enter(|| check(&manager));
}

#[test]
fn t07_from_another_machine_nobody_has_this_one_called() {
    from_elsewhere(HOME, BESIDE, |manager| {
        for host in ["127.0.0.1", "127.0.0.2", "localhost", "[::1]", "[::ffff:127.0.0.1]"] {
            assert_forbidden(manager, &format!("http://{host}:6379/mcp"));
        }
        // Its own address is its own; another one is named by whoever is invited.
        assert_admitted(manager, &format!("http://{BESIDE}:901/mcp"));
        let other = apply(manager, "http://10.77.0.33:901/mcp");
        assert!(other["reason"].as_str().unwrap().contains("only who is invited"), "{other}");
    });
}

#[test]
fn t07_a_token_lets_nobody_name_what_is_not_at_its_own_address() {
    from_elsewhere(HOME, BESIDE, |manager| {
        let own = format!("http://{BESIDE}:901/mcp");
        let (method, mut params) = registration("player", &own);
        let first = http::call(manager, method, &params)["result"].take();
        assert_eq!(first["status"], "ACCEPTED", "{first}");
        params["auth_token"] = first["auth_token"].clone();
        params["conversation_id"] = json!("conv-again");
        params["player_meta"]["contact_endpoint"] = json!("http://10.77.0.33:901/mcp");
        let moved = http::call(manager, method, &params)["result"].take();
        assert!(moved["reason"].as_str().unwrap().contains("only who is invited"), "{moved}");
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

#[test]
fn t07_no_address_or_name_of_the_manager_is_taken() {
    let addresses = [format!("{HOME}/24"), format!("{BESIDE}/24")];
    let [here, _there] = Namespace::pair([&addresses[0], &addresses[1]]);
    let args = ["--listen", "0.0.0.0:8000", "--insecure", "--admit", "open"];
    let env = [
        ("AGON_SERVER__HOSTS", "['league.test']"),
        ("AGON_ADMISSION__PUBLIC_URL", "https://public.test"),
    ];
    let args = [&args[..], &["--advertise", "http://front.test:8080"]].concat();
    here.enter(|| {
        let league = League::open_with(&args, &env);
        // From its own machine: whoever calls from there is at its own address.
        let manager = format!("http://{HOME}:8000/mcp");
        for own in [HOME, "127.0.0.1", "League.test", "front.test", "public.test"] {
            assert_forbidden(&manager, &format!("http://{own}:8000/mcp"));
        }
        assert_forbidden(&manager, "http://front.test:8080/mcp");
        assert_forbidden(&manager, "https://public.test/join/code/mcp");
        assert_admitted(&manager, &format!("http://{HOME}:901/mcp"));
        league.close();
    });
}

/// Two that are invited to a manager at `home` by somebody at `away`, each called by a name that
/// leads to one of these addresses: one hears that the round begins, the other is not even tried.
fn called_by_name((home, away): (&str, &str), near: &str) {
    let addresses = [format!("{home}/24"), format!("{away}/24")];
    let [here, there] = Namespace::pair([&addresses[0], &addresses[1]]);
    here.ip(&["address", "add", "10.99.0.5/32", "dev", "lo"]);
    let names = format!("127.0.0.1 localhost\n{near} near.test\n{away} far.test\n");
    let listen = ["--listen", "0.0.0.0:8000", "--insecure", "--start-when", "2"];
    let mut league = here.enter(|| League::open_among(&names, &listen));
    let manager = format!("http://{home}:8000/mcp");
    let [near, far] = [(&here, near), (&there, away)]
        .map(|(place, at)| place.enter(|| TcpListener::bind((at, 0)).unwrap()));
    // Both are invited, so they may name whom they like.
    for (name, listener) in [("near.test", &near), ("far.test", &far)] {
        let (path, own) = (league.path(), "http://127.0.0.1:8000/mcp");
        let invite = ["invite", "--json", "--data", "data", "--manager", own, "--for", name];
        let invited = here.enter(|| Process::agon(path, &invite).succeed()).json();
        let code = code_of(&invited);
        let door = manager.replace("/mcp", &format!("/join/{code}/mcp"));
        let endpoint = format!("http://{name}:{}/mcp", listener.local_addr().unwrap().port());
        there.enter(|| assert_admitted(&door, &endpoint));
    }
    let referee = ["referee", "--listen", "127.0.0.1:0", "--manager", "http://127.0.0.1:8000/mcp"];
    let path = league.path();
    let _referee = here.enter(|| Process::agon(path, &referee));
    // Both are called when the round begins: one hears it, the other is not even tried.
    let (called, _) = far.accept().unwrap();
    drop(called);
    let dropped = loop {
        let line = league.manager.logs("notice dropped");
        if line.to_string().contains("near.test") {
            break line;
        }
    };
    assert!(dropped["why"].as_str().unwrap().contains("cannot be reached"), "{dropped}");
    near.set_nonblocking(true).unwrap();
    let nobody = near.accept().map(|(_, from)| from).unwrap_err();
    assert_eq!(nobody.kind(), ErrorKind::WouldBlock);
}

#[test]
fn t07_a_name_that_leads_to_this_machine_is_not_called() {
    called_by_name((HOME, BESIDE), "127.0.0.1");
}

#[test]
fn t07_a_name_that_leads_from_the_internet_into_a_private_network_is_not_called() {
    called_by_name((PUBLIC_HOME, FAR), "10.99.0.5");
}

/// The code in what `agon invite --json` says.
fn code_of(invited: &Value) -> String {
    let text = invited.to_string();
    let (_, rest) = text.split_once("/join/").expect("an invitation is an address");
    rest.split('/').next().unwrap().to_owned()
}

/// A player at that address asks to be let in, by a proxy that says this.
fn apply_behind(manager: &str, preamble: &[u8], headers: &str, endpoint: &str) -> Value {
    let (method, mut params) = registration("player", endpoint);
    params["conversation_id"] = json!(format!("conv-{}-{headers}", preamble.len()));
    let body = json!({ "jsonrpc": "2.0", "method": method, "params": params, "id": 7 });
    let answer = http::post_behind(preamble, manager, headers, &body.to_string());
    answer.json()["result"].take()
}

#[test]
fn t07_a_listed_proxy_says_who_calls_and_nobody_else_does() {
    let endpoint = |number: usize| format!("http://93.184.216.{number}:901/mcp");
    let says = |number: usize| {
        let line = format!("PROXY TCP4 93.184.216.{number} 10.0.0.1 4000 8000\r\n");
        let address = u8::try_from(number).unwrap();
        let begin = b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0C\x5D\xB8\xD8";
        let binary = [&begin[..], &[address, 10, 0, 0, 1, 0x0F, 0xA0, 0x1F, 0x40]].concat();
        let plain = format!("X-Forwarded-For: 198.51.100.1, 93.184.216.{number}\r\n");
        let pairs = format!("Forwarded: for=198.51.100.1, for=93.184.216.{number};proto=http\r\n");
        [(line.into_bytes(), String::new()), (binary, String::new())]
            .into_iter()
            .chain([(Vec::new(), plain), (Vec::new(), pairs)])
    };
    let open = [("AGON_ADMISSION__PLAYERS", "open")];
    let listed = [open[0], ("AGON_SERVER__TRUSTED_PROXIES", "['10.0.0.0/8', '127.0.0.1']")];
    let league = League::open_with(&[], &listed);
    for way in 0..4 {
        // Whoever calls from its endpoint's address is let in, and nobody who only names it.
        for (caller, status) in [(9, "REJECTED"), (20 + way, "ACCEPTED")] {
            let (preamble, headers) = says(caller).nth(way).unwrap();
            let own = endpoint(20 + way);
            let answer = apply_behind(&league.endpoint, &preamble, &headers, &own);
            assert_eq!(answer["status"], status, "{way}: {answer}");
        }
    }
    assert_eq!(league.state()["players"], 4);
    league.close();

    let league = League::open_with(&[], &open);
    for (preamble, headers) in says(30) {
        if preamble.is_empty() {
            let answer = apply_behind(&league.endpoint, &preamble, &headers, &endpoint(30));
            assert_eq!(answer["status"], "REJECTED", "{headers}: {answer}");
        } else {
            let refused = http::post_behind(&preamble, &league.endpoint, "", "{}");
            assert_eq!(refused.status, 400, "{refused:?}");
        }
    }
    assert_eq!(league.state()["players"], 0);
    league.close();
}

#[test]
fn t07_through_a_proxy_that_is_not_listed_no_private_network_is_called() {
    let league = League::open_with(&[], &[("AGON_ADMISSION__PLAYERS", "open")]);
    let headers = "X-Forwarded-For: 93.184.216.30\r\n";
    let answer = apply_behind(&league.endpoint, &[], headers, "http://10.0.0.5:6379/mcp");
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.contains("is not an address that may be called"), "{answer}");
    league.close();
}

#[test]
fn t07_one_endpoint_in_several_spellings_is_one_agent() {
    let league = League::open(&[]);
    let own = ["http://127.0.0.1", "http://localhost", "HTTP://LOCALHOST", "http://LocalHost"];
    let others = ["http://[::ffff:127.0.0.1]", "http://localhost.localdomain"];
    for (number, host) in (0..).zip(own.into_iter().chain(others)) {
        for port in ["901", "0901"] {
            let (method, mut params) = registration("player", &format!("{host}:{port}/mcp"));
            params["conversation_id"] = json!(format!("conv-{number}-{port}"));
            let answer = http::call(&league.endpoint, method, &params)["result"].take();
            assert_eq!(answer["player_id"], "P01", "{host}:{port} {answer}");
        }
    }
    let (method, params) = registration("referee", "http://[::1]:901/mcp");
    let answer = http::call(&league.endpoint, method, &params)["result"].take();
    assert!(answer["reason"].as_str().unwrap().starts_with("E017"), "{answer}");
    assert_eq!(league.state()["players"], 1);
    league.close();
}
