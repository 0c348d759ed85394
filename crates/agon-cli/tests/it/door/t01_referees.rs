//! Who may be a referee: callers on this machine, and whoever is invited or approved.

use serde_json::json;

use crate::field::{AWAY, Field, HOME, apply, assert_admitted, assert_refused, joining};
use crate::http;
use crate::league::{GATED, League};
use crate::process::Process;
use crate::refusals::clerk::{Clerk, registration};

/// What a stranger's reason names: how one is let in.
const NEEDED: &str = "--invitation";

#[test]
fn t01_a_referee_on_another_machine_needs_an_invitation() {
    let mut field = Field::open(&[]);
    let manager = field.manager.clone();
    let (one, many) =
        (field.invite(&["--role", "referee"]), field.invite(&["--role", "referee", "--uses", "2"]));
    let player = field.invite(&[]);
    let code = |invited: &serde_json::Value| invited["code"].as_str().unwrap().to_owned();
    let (one, many, player) = (code(&one), code(&many), code(&player));
    field.away.enter(|| {
        let referee = |manager: &str, number, code: Option<&str>| {
            apply(manager, "referee", (AWAY, number), code)
        };
        assert_refused(&referee(&manager, 9001, None), NEEDED);
        assert_refused(&referee(&manager, 9001, Some("not-the-code")), "no invitation");
        assert_refused(&referee(&joining(&manager, "not-the-code"), 9001, None), "no invitation");
        assert_refused(&referee(&manager, 9001, Some(&player)), "other role");
        assert_admitted(&referee(&manager, 9001, Some(&one)));
        assert_admitted(&referee(&joining(&manager, &many), 9002, None));
        assert_admitted(&referee(&joining(&manager, &many), 9003, None));
        assert_refused(&referee(&joining(&manager, &many), 9004, None), "used up");
        // What is no code is no address either, and the checks are those of any other address.
        let there = |endpoint: &str| http::post(endpoint, "{}").status;
        assert_eq!(there(&joining(&manager, "no%20code")), 404);
        assert_eq!(there(&joining(&manager, &"x".repeat(65))), 404);
        let head = format!("POST /join/{one}/mcp HTTP/1.1\r\nHost: evil.test\r\n");
        assert_eq!(http::raw(&manager, &head, b"{}").status, 403);
    });
    let league = &mut field.league;
    field.home.enter(move || {
        let here = &league.endpoint;
        assert_admitted(&apply(here, "referee", ("127.0.0.1", 9005), None));
        let wrong = apply(here, "referee", ("127.0.0.1", 9006), Some("not-the-code"));
        assert_refused(&wrong, "no invitation");
        // Whoever speaks for somebody else is not on this machine.
        for header in ["X-Forwarded-For: 192.0.2.7\r\n", "Forwarded: for=192.0.2.7\r\n"] {
            let (method, params) = registration("referee", "http://93.184.216.2:9007/mcp");
            let body = json!({ "jsonrpc": "2.0", "method": method, "params": params, "id": 7 });
            let answer = http::post_with(here, header, &body.to_string()).json();
            assert_refused(&answer["result"], NEEDED);
        }
        assert_eq!(league.state()["referees"], 4);
    });
}

#[test]
fn t01_a_referee_that_is_in_needs_no_invitation_with_its_token() {
    let field = Field::open(&[]);
    let code = field.invite(&["--role", "referee"])["code"].take();
    let number = field.operate(&["revoke", "1"]);
    assert_eq!(number.code, Some(0), "{}", number.err);
    let fresh = field.invite(&["--role", "referee", "--for", "somebody else"]);
    assert_ne!(fresh["code"], code, "each invitation has a code of its own");
    let manager = &field.manager;
    field.away.enter(|| {
        let refused = apply(manager, "referee", (AWAY, 9001), code.as_str());
        assert_refused(&refused, "revoked");
        let token = apply(manager, "referee", (AWAY, 9001), fresh["code"].as_str());
        let (method, mut params) = registration("referee", &format!("http://{AWAY}:9001/mcp"));
        params["conversation_id"] = json!("conv-again");
        params["auth_token"] = token["auth_token"].clone();
        assert_admitted(&http::call(manager, method, &params)["result"]);
    });
}

#[test]
fn t01_referees_on_another_machine_play_a_season_and_the_code_is_seen_nowhere() {
    let mut field = Field::open(&["--start-when", "4"]);
    let (home, away) = ((&field.home, HOME), (&field.away, AWAY));
    let codes = [
        field.invite(&["--role", "referee", "--for", "the first"]),
        field.invite(&["--role", "referee", "--for", "the second"]),
        field.invite(&["--role", "player", "--uses", "4"]),
    ];
    let codes = codes.map(|invited| invited["code"].as_str().unwrap().to_owned());
    let by_address = joining(&field.manager, &codes[0]);
    let by_variable = [("AGON_INVITATION", codes[1].as_str())];
    let mut crew = vec![
        field.agent(away, "referee", &["--manager", &by_address], &[]),
        field.agent(away, "referee", &["--manager", &field.manager], &by_variable),
    ];
    for referee in &mut crew {
        referee.logs("registered");
    }
    let play = ["--manager", &field.manager, "--invitation", &codes[2]];
    let players: Vec<_> = (0..4).map(|_| field.agent(home, "player", &play, &[])).collect();
    for agent in players {
        agent.succeed();
    }
    let shows = |text: &str| codes.iter().any(|code| text.contains(code));
    for referee in crew {
        let ended = referee.succeed();
        assert!(ended.err.contains("judged"), "both have judged: {}", ended.err);
        assert!(!shows(&ended.err) && !shows(&ended.out), "{}", ended.err);
    }
    // Who came by which is shown, the code itself to nobody.
    let shown = field.agents();
    assert_eq!(shown["invitations"][2]["used"], 4, "{shown}");
    assert!(!shows(&shown.to_string()), "{shown}");
    field.assert_whole(4);
    let endpoint = field.league.endpoint.clone();
    let metrics = field.home.enter(|| http::get(&endpoint, "/metrics"));
    assert!(metrics.body.contains("agon_requests") && !shows(&metrics.body));
    let journal = std::fs::read(field.league.data().join("journal.sqlite3")).unwrap();
    assert!(!shows(&String::from_utf8_lossy(&journal)), "only hashes are written down");
    field.league.manager.terminate();
    let ended = field.league.manager.succeed();
    assert!(!shows(&ended.err) && !shows(&ended.out), "{}", ended.err);
}

#[test]
fn t01_a_code_that_can_be_none_is_refused_at_the_start() {
    let dir = tempfile::tempdir().unwrap();
    let manager = "http://127.0.0.1:1/join/short/mcp";
    for args in [
        ["player", "--invitation", "short"],
        ["referee", "--invitation", "with space"],
        ["referee", "--manager", manager],
    ] {
        let ended = Process::agon(dir.path(), &args).exit(2);
        assert!(ended.err.contains("8 to 64 characters"), "{}", ended.err);
        assert!(!ended.err.contains("short") && !ended.err.contains("with space"), "{}", ended.err);
    }
    let env = [("AGON_INVITATION", "short")];
    let ended = Process::agon_with(dir.path(), &["player"], &env).exit(2);
    assert!(ended.err.contains("AGON_INVITATION"), "{}", ended.err);
    // And so is a policy that would let strangers decide matches.
    let open = Process::agon(dir.path(), &["manager", "--admit-referees", "open"]).exit(2);
    assert!(open.err.contains("admission.referees"), "{}", open.err);
}

#[test]
fn t01_a_referee_that_was_approved_plays_and_one_that_was_not_waits() {
    let mut field = Field::open(&["--admit-referees", "approved", "--start-when", "2"]);
    let away = (&field.away, AWAY);
    let mut referee = field.agent(away, "referee", &["--manager", &field.manager], &[]);
    referee.logs("asked to be let in: waiting for the operator's approval");
    let waits = field.league.manager.logs("asks to be let in: agon approve, or remove");
    assert_eq!((&waits["agent"], &waits["address"]), (&json!("REF01"), &json!(AWAY)), "{waits}");
    let home = (&field.home, HOME);
    let players: Vec<_> = (0..2)
        .map(|_| field.agent(home, "player", &["--manager", &field.league.endpoint], &[]))
        .collect();
    for _ in 0..2 {
        field.league.manager.logs("player registered");
    }
    // Nobody judges a match who waits.
    assert_eq!(field.state()["phase"], "ACCEPTING_REGISTRATIONS");
    let shown = field.agents();
    let entry = &shown["agents"][2];
    assert_eq!((&entry["referee_id"], &entry["state"]), (&json!("REF01"), &json!("WAITING")));
    let approved = field.operate(&["approve", "REF01"]);
    assert_eq!(approved.code, Some(0), "{}", approved.err);
    for agent in players.into_iter().chain([referee]) {
        agent.succeed();
    }
    field.assert_whole(2);
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
