//! What cannot be understood is never "accepted": whoever sent it is told, by an error in answer to
//! its id, and where it gave none by a status of HTTP that says no.

use serde_json::{Value, json};

use crate::http::{self, authority};
use crate::league::League;
use crate::process::Process;
use crate::refusals::clerk::{letter, registration};

/// A manager, a referee and a player, and where each listens.
struct Three {
    league: League,
    _agents: [Process; 2],
    endpoints: [String; 3],
}

impl Three {
    fn open() -> Self {
        let mut league = League::open(&[]);
        let mut agents = ["referee", "player"].map(|role| league.member(role, &[]));
        let [referee, player] = agents.each_mut().map(|agent| {
            let endpoint = agent.endpoint();
            agent.logs("registered");
            endpoint
        });
        let endpoints = [league.endpoint.clone(), referee, player];
        Self { league, _agents: agents, endpoints }
    }
}

/// It is no request, so it is answered with 400 and an error without an id.
#[track_caller]
fn is_no_request(endpoint: &str, body: &Value, code: i64, told: &str) {
    let answer = http::post(endpoint, &body.to_string());
    assert_eq!(answer.status, 400, "{body}: {answer:?}");
    let answer = answer.json();
    assert_eq!(answer["id"], Value::Null, "{answer}");
    assert_eq!(answer["error"]["code"], code, "{answer}");
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains(told), "{message}");
}

#[test]
fn s09_a_bare_message_is_told_what_is_missing() {
    let three = Three::open();
    let (_, bare) = registration("player", "http://127.0.0.1:9/mcp");
    for endpoint in &three.endpoints {
        is_no_request(endpoint, &bare, -32600, "jsonrpc must be \"2.0\"");
        let invitation = letter("GAME_INVITATION", "referee:REF01");
        is_no_request(endpoint, &invitation, -32600, "jsonrpc must be \"2.0\"");
    }
    assert_eq!(three.league.state()["players"], 1);
    three.league.close();
}

#[test]
fn s09_json_that_means_nothing_is_refused() {
    let three = Three::open();
    for endpoint in &three.endpoints {
        is_no_request(endpoint, &json!({ "hello": 1 }), -32600, "jsonrpc must be \"2.0\"");
        is_no_request(endpoint, &json!({ "jsonrpc": "2.0" }), -32600, "method must be a text");
        let unknown = json!({ "jsonrpc": "2.0", "method": "pnig" });
        is_no_request(endpoint, &unknown, -32601, "there is no method `pnig`");
        for (said, meant) in
            [("registerPlayer", "register_player"), ("league-query", "league_query")]
        {
            let unknown = json!({ "jsonrpc": "2.0", "method": said });
            let told = format!("there is no method `{said}`; it is called `{meant}`");
            is_no_request(endpoint, &unknown, -32601, &told);
        }
        // With an id it is answered as ever.
        let answer = http::post(endpoint, &json!({ "hello": 1, "id": 3 }).to_string());
        assert_eq!((answer.status, &answer.json()["id"]), (200, &json!(3)), "{answer:?}");
    }
    three.league.close();
}

#[test]
fn s09_a_registration_without_an_id_is_refused_and_nobody_is_in() {
    let league = League::open(&[]);
    for (role, port) in [("player", 9), ("referee", 11)] {
        let (method, params) = registration(role, &format!("http://127.0.0.1:{port}/mcp"));
        let mut body = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        is_no_request(&league.endpoint, &body, -32600, "a registration must have an id");
        let late = json!({ "params": params, "method": method, "jsonrpc": "2.0" }).to_string();
        assert_eq!(http::post(&league.endpoint, &late).status, 400, "in any order of its parts");
        assert_eq!(league.state()[format!("{role}s")], 0);
        body["id"] = json!(1);
        let answer = http::post(&league.endpoint, &body.to_string()).json();
        assert_eq!(answer["result"]["status"], "ACCEPTED", "{answer}");
        assert_eq!(league.state()[format!("{role}s")], 1);
    }
    league.close();
}

#[test]
fn s09_a_message_without_an_id_that_is_refused_says_so_by_its_status() {
    let three = Three::open();
    let [manager, _, player] = &three.endpoints;
    let said = |method: &str, params: Value| {
        json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string()
    };
    // A field is missing; a stranger asks; nobody proves to be the manager.
    let answer = http::post(manager, &said("league_query", letter("LEAGUE_QUERY", "player:P01")));
    let error = answer.json()["result"].take();
    assert_eq!((answer.status, &error["error_code"]), (400, &json!("E003")), "{error}");
    let answer = http::post(manager, &said("start_league", json!({})));
    assert_eq!(answer.status, 400, "{answer:?}");
    assert_eq!(answer.json()["error"]["data"]["error_code"], "E011");
    let news = json!({ "auth_token": "tok-p01" });
    let answer = http::post(player, &said("get_player_state", news));
    assert_eq!(answer.status, 400, "{answer:?}");
    // What is taken has no answer.
    for endpoint in &three.endpoints {
        let answer = http::post(endpoint, &said("ping", json!({})));
        assert_eq!((answer.status, answer.body.as_str()), (202, ""));
    }
    three.league.close();
}

#[test]
fn s09_what_is_no_json_or_a_list_is_refused_by_the_status_too() {
    let three = Three::open();
    for endpoint in &three.endpoints {
        for (body, code) in
            [("", -32700), ("hello", -32700), ("{", -32700), ("[]", -32600), ("\"ping\"", -32600)]
        {
            let answer = http::post(endpoint, body);
            assert_eq!((answer.status, &answer.json()["id"]), (400, &Value::Null), "{body}");
            assert_eq!(answer.json()["error"]["code"], code, "{body}");
        }
        let one = r#"{"jsonrpc":"2.0","method":"ping","id":1}"#;
        let answer = http::post(endpoint, &format!("[{one}]"));
        assert_eq!(answer.status, 400);
        let message = answer.json()["error"]["message"].take();
        assert_eq!(message, "batches are not taken: send one request at a time");
    }
    three.league.close();
}

#[test]
fn s09_other_paths_and_methods_say_where_agents_call() {
    let three = Three::open();
    for endpoint in &three.endpoints {
        let at = authority(endpoint);
        let base = endpoint.strip_suffix("/mcp").unwrap();
        let body = json!({ "jsonrpc": "2.0", "method": "ping", "id": 1 }).to_string();
        for path in ["/", "/register", "/join/BAD", "/mcp/"] {
            let answer = http::post(&format!("{base}{path}"), &body);
            assert_eq!(answer.status, 404, "{path}");
            assert!(answer.body.contains("POST their messages to /mcp"), "{}", answer.body);
        }
        for method in ["GET", "PUT", "DELETE"] {
            let head = format!("{method} /mcp HTTP/1.1\r\nHost: {at}\r\n");
            let answer = http::raw(endpoint, &head, b"");
            assert_eq!(answer.status, 405, "{method}");
            assert!(answer.body.contains("POST a request here, as JSON"), "{}", answer.body);
        }
    }
    three.league.close();
}

#[test]
fn s09_a_letter_by_call_that_cannot_be_read_is_answered() {
    let three = Three::open();
    for endpoint in &three.endpoints {
        let letter = json!({ "jsonrpc": "2.0", "method": "deliver_letter", "params": { "x": 1 } });
        is_no_request(endpoint, &letter, -32602, "`message_type` is missing");
        let mut asked = letter;
        asked["id"] = json!("seven");
        let answer = http::post(endpoint, &asked.to_string());
        assert_eq!((answer.status, &answer.json()["id"]), (200, &json!("seven")));
        assert_eq!(answer.json()["error"]["code"], -32602);
        let notified = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        is_no_request(endpoint, &notified, -32601, "there is no method");
    }
    three.league.close();
}

#[test]
fn s09_an_invitation_that_is_none_is_told_so() {
    let three = Three::open();
    let door = three.league.endpoint.replace("/mcp", "/join/BAD/mcp");
    let (method, params) = registration("player", "http://127.0.0.1:9/mcp");
    let answer = http::call(&door, method, &params);
    assert_eq!(answer["result"]["status"], "REJECTED", "{answer}");
    let reason = answer["result"]["reason"].as_str().unwrap();
    assert!(reason.starts_with("E014") && reason.contains("invitation"), "{reason}");
    three.league.close();
}
