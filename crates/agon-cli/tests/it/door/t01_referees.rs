//! Who may be a referee: callers on this machine, and whoever shows the code.

use serde_json::{Value, json};

use crate::http;
use crate::league::{GATED, League, assert_whole};
use crate::namespace::Namespace;
use crate::process::Process;
use crate::refusals::clerk::{Clerk, registration};

const CODE: &str = "let-me-in_2026";
/// Where the manager's machine is, and where another one is.
const HOME: &str = "10.77.0.1";
const AWAY: &str = "10.77.0.2";
/// All that a process can be made to say.
const TALKATIVE: [&str; 7] =
    ["--json", "--log", "trace", "--log-format", "json", "--time-scale", "0.1"];

/// A league on one machine, and another machine beside it.
struct Field {
    home: Namespace,
    away: Namespace,
    league: League,
    /// How the manager is called from the other machine.
    manager: String,
}

impl Field {
    fn open(args: &[&str]) -> Self {
        let addresses = [format!("{HOME}/24"), format!("{AWAY}/24")];
        let [home, away] = Namespace::pair([&addresses[0], &addresses[1]]);
        let everywhere = ["--listen", "0.0.0.0:0", "--insecure"];
        let args = [&everywhere[..], args].concat();
        let league = home.enter(|| League::open_with(&args, &[("AGON_REFEREE_CODE", CODE)]));
        let manager = league.endpoint.replace("127.0.0.1", HOME);
        Self { home, away, league, manager }
    }

    /// An agent on one of the machines, with a log that says everything.
    fn agent(
        &self,
        (place, address): (&Namespace, &str),
        role: &str,
        args: &[&str],
        env: &[(&str, &str)],
    ) -> Process {
        let listen = format!("{address}:0");
        let usual = [role, "--listen", &listen, "--insecure"];
        let args = [&usual[..], &TALKATIVE, args].concat();
        let dir = self.league.path();
        place.enter(|| Process::agon_with(dir, &args, env))
    }
}

/// The manager's address with a code in it.
fn joining(manager: &str, code: &str) -> String {
    manager.replace("/mcp", &format!("/join/{code}/mcp"))
}

/// Registers a referee that is not there, and says what came of it.
#[track_caller]
fn apply(manager: &str, host: &str, number: u32, code: Option<&str>) -> Value {
    let (method, mut params) = registration("referee", &format!("http://{host}:{number}/mcp"));
    params["conversation_id"] = json!(format!("conv-{number}"));
    if let Some(code) = code {
        params["referee_meta"]["invitation_code"] = json!(code);
    }
    http::call(manager, method, &params)["result"].take()
}

#[track_caller]
fn assert_refused(answer: &Value, word: &str) {
    assert_eq!(answer["status"], "REJECTED", "{answer}");
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.starts_with("E014") && reason.contains(word), "{answer}");
    assert!(answer.get("auth_token").is_none(), "{answer}");
}

#[track_caller]
fn assert_admitted(answer: &Value) {
    assert_eq!(answer["status"], "ACCEPTED", "{answer}");
}

#[test]
fn t01_a_referee_on_another_machine_needs_the_code() {
    let mut field = Field::open(&[]);
    let manager = &field.manager;
    let joining = |code: &str| joining(manager, code);
    field.away.enter(|| {
        assert_refused(&apply(manager, AWAY, 9001, None), "--referee-code");
        assert_refused(&apply(manager, AWAY, 9001, Some("not-the-code")), "not the code");
        assert_refused(&apply(&joining("not-the-code"), AWAY, 9001, None), "not the code");
        assert_admitted(&apply(manager, AWAY, 9001, Some(CODE)));
        assert_admitted(&apply(&joining(CODE), AWAY, 9002, None));
        // What is no code is no address either, and the checks are those of any other address.
        let there = |endpoint: &str| http::post(endpoint, "{}").status;
        assert_eq!(there(&joining("no%20code")), 404);
        assert_eq!(there(&joining(&"x".repeat(65))), 404);
        let head = format!("POST /join/{CODE}/mcp HTTP/1.1\r\nHost: evil.test\r\n");
        assert_eq!(http::raw(manager, &head, b"{}").status, 403);
        // Players are not concerned.
        let player = registration("player", &format!("http://{AWAY}:9003/mcp"));
        assert_admitted(&http::call(manager, player.0, &player.1)["result"]);
    });
    let league = &mut field.league;
    field.home.enter(move || {
        let here = &league.endpoint;
        assert_admitted(&apply(here, "127.0.0.1", 9004, None));
        assert_refused(&apply(here, "127.0.0.1", 9005, Some("not-the-code")), "not the code");
        // Whoever speaks for somebody else is not on this machine.
        for header in ["X-Forwarded-For: 192.0.2.7\r\n", "Forwarded: for=192.0.2.7\r\n"] {
            let (method, params) = registration("referee", &format!("http://{AWAY}:9006/mcp"));
            let body = json!({ "jsonrpc": "2.0", "method": method, "params": params, "id": 7 });
            let answer = http::post_with(here, header, &body.to_string()).json();
            assert_refused(&answer["result"], "--referee-code");
        }
        assert_eq!(league.state()["referees"], 3);
    });
}

#[test]
fn t01_a_referee_that_is_in_needs_no_code_with_its_token() {
    let field = Field::open(&[]);
    let manager = &field.manager;
    field.away.enter(|| {
        let token = apply(manager, AWAY, 9001, Some(CODE))["auth_token"].take();
        let (method, mut params) = registration("referee", &format!("http://{AWAY}:9001/mcp"));
        params["conversation_id"] = json!("conv-again");
        params["auth_token"] = token;
        assert_admitted(&http::call(manager, method, &params)["result"]);
    });
}

#[test]
fn t01_referees_on_another_machine_play_a_season_and_the_code_is_seen_nowhere() {
    let mut field = Field::open(&["--start-when", "4"]);
    let (home, away) = ((&field.home, HOME), (&field.away, AWAY));
    let by_address = joining(&field.manager, CODE);
    let mut crew = vec![
        field.agent(away, "referee", &["--manager", &by_address], &[]),
        field.agent(away, "referee", &["--manager", &field.manager, "--referee-code", CODE], &[]),
    ];
    for referee in &mut crew {
        referee.logs("registered");
    }
    let play = ["--manager", &field.manager];
    let players: Vec<_> = (0..4).map(|_| field.agent(home, "player", &play, &[])).collect();
    for agent in players {
        agent.succeed();
    }
    for referee in crew {
        let ended = referee.succeed();
        assert!(ended.err.contains("judged"), "both have judged: {}", ended.err);
        assert!(!ended.err.contains(CODE) && !ended.out.contains(CODE), "{}", ended.err);
    }
    let league = &mut field.league;
    field.home.enter(move || {
        assert_whole(league, 4);
        let metrics = http::get(&league.endpoint, "/metrics");
        assert!(metrics.body.contains("agon_requests") && !metrics.body.contains(CODE));
    });
    field.league.manager.terminate();
    let ended = field.league.manager.succeed();
    assert!(!ended.err.contains(CODE) && !ended.out.contains(CODE), "{}", ended.err);
}

#[test]
fn t01_a_code_that_can_be_none_is_refused_at_the_start() {
    let dir = tempfile::tempdir().unwrap();
    let manager = "http://127.0.0.1:1/join/short/mcp";
    for args in [
        ["manager", "--referee-code", "short"],
        ["referee", "--referee-code", "with space"],
        ["referee", "--manager", manager],
    ] {
        let ended = Process::agon(dir.path(), &args).exit(2);
        assert!(ended.err.contains("8 to 64 characters"), "{}", ended.err);
        assert!(!ended.err.contains("short") && !ended.err.contains("with space"), "{}", ended.err);
    }
    let env = [("AGON_REFEREE_CODE", "short")];
    let ended = Process::agon_with(dir.path(), &["manager"], &env).exit(2);
    assert!(ended.err.contains("AGON_REFEREE_CODE"), "{}", ended.err);
}

#[test]
fn t01_who_claims_all_the_room_in_the_world_does_not_get_all_matches() {
    let mut league = League::open(&["--start-when", "8"]);
    let _honest = league.member("referee", &["--capacity", "2", "--stay"]);
    let flood = Clerk::join(&league.endpoint, "referee");
    let (method, mut params) = registration("referee", &flood.endpoint);
    params["conversation_id"] = json!("conv-flood");
    params["auth_token"] = json!(flood.token);
    params["referee_meta"]["max_concurrent_matches"] = json!(u32::MAX);
    assert_admitted(&http::call(&league.endpoint, method, &params)["result"]);
    let capped = league.manager.logs("a referee's capacity is capped");
    assert_eq!((&capped["said"], &capped["capacity"]), (&json!(u32::MAX), &json!(4096)));
    // Matches that nobody plays stay where they were put.
    league.operate("pause").succeed();
    for number in 900..908 {
        Clerk::sign_up(&league.endpoint, "player", &format!("http://127.0.0.1:{number}/mcp"));
    }
    league.manager.logs("round announced");
    let holders = (1..=4).map(|number| league.shown(&format!("R1M{number}"))["referee_id"].take());
    let honest = holders.filter(|holder| holder == "REF01").count();
    assert_eq!(honest, 2, "as many matches as it has room for");
}

#[test]
fn t01_a_referee_that_joins_after_the_start_is_named() {
    let mut league = League::open(&["--start-when", "2", "--choice-s", "300"]);
    let _gate = league.shut_gate();
    let _first = league.member("referee", &["--stay"]);
    let _players = [league.member("player", &GATED), league.member("player", &GATED)];
    league.manager.logs("round announced");
    let mut late = league.agent("referee", &["--name", "Latecomer"]);
    let endpoint = late.endpoint();
    let said = league.manager.logs("a referee joined after the start");
    assert_eq!((&said["level"], &said["referee"]), (&json!("WARN"), &json!("REF02")), "{said}");
    assert_eq!((&said["name"], &said["address"]), (&json!("Latecomer"), &json!("127.0.0.1")));
    assert_eq!(said["endpoint"], endpoint.as_str());
}
