//! What the manager refuses although it can read it: who says it, about what, and when.

use serde_json::{Value, json};

use super::clerk::{Clerk, letter, registration};
use super::{Floor, assert_rejected, refusals};
use crate::http;
use crate::league::League;

const FOREIGN: &str = "tok-p01-00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

fn query(clerk: &Clerk) -> Value {
    let mut query = clerk.letter("LEAGUE_QUERY");
    query["league_id"] = json!("league_2026_even_odd");
    query["query_type"] = json!("GET_STANDINGS");
    query
}

/// The same letter with another value in that field; without the field, if it is null.
fn changed(letter: &Value, field: &str, value: Value) -> Value {
    let mut letter = letter.clone();
    let fields = letter.as_object_mut().unwrap();
    if value.is_null() {
        fields.remove(field);
    } else {
        fields.insert(field.to_owned(), value);
    }
    letter
}

#[test]
fn a_sender_must_be_known_and_prove_it() {
    let floor = Floor::open();
    let query = query(&floor.player);
    assert_eq!(http::call(floor.at(), "league_query", &query)["result"]["success"], true);
    let refuses = |letter: &Value, code, name| floor.refuses("league_query", letter, code, name);
    let unknown = changed(&query, "sender", json!("player:P77"));
    refuses(&unknown, "E005", "PLAYER_NOT_REGISTERED");
    let nameless = changed(&query, "sender", json!("player:alpha"));
    refuses(&nameless, "E005", "PLAYER_NOT_REGISTERED");
    let unknown = changed(&query, "sender", json!("referee:REF77"));
    refuses(&unknown, "E013", "REFEREE_NOT_REGISTERED");
    let manager = changed(&query, "sender", json!("league_manager"));
    refuses(&manager, "E014", "NOT_PERMITTED");
    for nothing in [Value::Null, json!("")] {
        let silent = changed(&query, "auth_token", nothing);
        refuses(&silent, "E011", "AUTH_TOKEN_MISSING");
    }
    for wrong in [FOREIGN, "tok-p01", &floor.referee.token] {
        let forged = changed(&query, "auth_token", json!(wrong));
        let error = refuses(&forged, "E012", "AUTH_TOKEN_INVALID");
        assert_eq!(error["context"]["expected_format"], "tok-{agent_id}-{hash}");
        let told = error.to_string();
        assert!(wrong.len() < 8 || !told.contains(wrong), "{told}");
    }
    // Another player's token proves another player.
    let borrowed = changed(&query, "auth_token", json!(floor.absent.token));
    refuses(&borrowed, "E012", "AUTH_TOKEN_INVALID");
    let not_utc = changed(&query, "timestamp", json!("2026-01-15T12:05:00+02:00"));
    refuses(&not_utc, "E021", "INVALID_TIMESTAMP");
    let old = changed(&query, "protocol", json!("league.v1"));
    refuses(&old, "E018", "PROTOCOL_VERSION_MISMATCH");
    let missing = changed(&query, "query_type", Value::Null);
    let error = refuses(&missing, "E003", "MISSING_REQUIRED_FIELD");
    assert!(error["problem"].as_str().unwrap().contains("query_type"), "{error}");
    floor.league.close();
}

#[test]
fn a_result_comes_from_the_referee_that_holds_the_match() {
    let mut floor = Floor::open();
    let other = Clerk::join(floor.at(), "referee");
    let refuses = |floor: &Floor, letter: &Value, code, name| {
        floor.refuses("report_match_result", letter, code, name)
    };
    let report = floor.referee.report("R1M1", "P01");
    refuses(&floor, &floor.player.report("R1M1", "P01"), "E014", "NOT_PERMITTED");
    refuses(&floor, &other.report("R1M1", "P01"), "E006", "MATCH_NOT_FOUND");
    refuses(&floor, &floor.referee.report("R9M1", "P01"), "E006", "MATCH_NOT_FOUND");
    refuses(&floor, &floor.referee.report("R1M3", "P01"), "E006", "MATCH_NOT_FOUND");
    refuses(&floor, &floor.referee.report("R2M1", "P01"), "E007", "OUT_OF_TURN");
    refuses(&floor, &floor.referee.report("R1M1", "P03"), "E002", "INVALID_MESSAGE");
    let elsewhere = changed(&report, "league_id", json!("autumn"));
    refuses(&floor, &elsewhere, "E002", "INVALID_MESSAGE");
    let confused = changed(&report, "round_id", json!(2));
    refuses(&floor, &confused, "E002", "INVALID_MESSAGE");
    let early = changed(&report, "result", json!({ "winner": "P01", "attempt": 2 }));
    refuses(&floor, &early, "E002", "INVALID_MESSAGE");
    let borrowed = changed(&report, "auth_token", json!(other.token));
    refuses(&floor, &borrowed, "E012", "AUTH_TOKEN_INVALID");

    // The first result is final. The same again is acknowledged, another is a dispute; who never
    // held the match has nothing to say of it.
    floor.referee.reports(&report);
    assert_eq!(floor.league.state()["matches_completed"], 1);
    floor.unchanged(|| floor.referee.reports(&report));
    refuses(&floor, &floor.referee.report("R1M1", "P02"), "E015", "RESULT_CONFLICT");
    refuses(&floor, &other.report("R1M1", "P01"), "E006", "MATCH_NOT_FOUND");
    let disputed = floor.league.manager.logs("result disputed");
    assert_eq!((&disputed["match_id"], &disputed["referee"]), (&json!("R1M1"), &json!("REF01")));

    // An attempt that came to nothing is over, and another referee has the next one.
    let void = json!({ "status": "ABORTED", "reason": "NETWORK", "blame": "NETWORK" });
    floor.referee.reports(&changed(&floor.referee.report("R1M2", "P03"), "result", void));
    let late = json!({ "winner": "P03", "attempt": 1 });
    let late = changed(&floor.referee.report("R1M2", "P03"), "result", late);
    refuses(&floor, &late, "E008", "STALE_ATTEMPT");
    let report = floor.referee.report("R1M2", "P03");
    refuses(&floor, &report, "E006", "MATCH_NOT_FOUND");
    let second = json!({ "winner": "P03", "attempt": 2 });
    other.reports(&changed(&other.report("R1M2", "P03"), "result", second));
    let shown = floor.league.shown("R1M2");
    assert_eq!((&shown["attempt"], &shown["referee_id"]), (&json!(2), &json!("REF02")));
    refuses(&floor, &late, "E008", "STALE_ATTEMPT");
    floor.league.close();
}

#[test]
fn a_stranger_may_not_get_in_by_any_door() {
    let floor = Floor::open();
    let (_, late) = registration("player", "http://127.0.0.1:9/mcp");
    floor.rejects("player", &late, "E019");
    // The very same request could be a repeat whose answer was lost.
    let (_, taken) = registration("player", &floor.absent.endpoint);
    floor.rejects("player", &changed(&taken, "conversation_id", json!("conv-stranger")), "E017");
    let (_, taken) = registration("referee", &floor.player.endpoint);
    floor.rejects("referee", &taken, "E017");
    floor.rejects("referee", &with_token(taken, &floor.referee.token), "E017");
    for forbidden in forbidden(floor.at()) {
        let (_, there) = registration("referee", &forbidden);
        floor.rejects("referee", &there, "E014");
    }
    let (_, mut idle) = registration("referee", "http://127.0.0.1:9/mcp");
    idle["referee_meta"]["max_concurrent_matches"] = json!(0);
    floor.rejects("referee", &idle, "E002");
    floor.league.close();
}

fn with_token(letter: Value, token: &str) -> Value {
    changed(&letter, "auth_token", json!(token))
}

/// Endpoints that nobody may be made to call.
fn forbidden(manager: &str) -> Vec<String> {
    let port = http::authority(manager).split(':').next_back().unwrap();
    vec![
        manager.to_owned(),
        format!("http://localhost:{port}/mcp"),
        "http://169.254.169.254/latest/meta-data".into(),
        "http://[fe80::1]:8101/mcp".into(),
        "ftp://127.0.0.1:8101/mcp".into(),
        "not a URL".into(),
    ]
}

#[test]
fn before_the_season_an_agent_must_fit() {
    let league = League::open(&[]);
    let rejected = |params: &Value, code: &str| {
        let answer = http::call(&league.endpoint, "register_player", params);
        assert_rejected(&answer, code);
        assert_eq!(league.state()["players"], 0);
    };
    let (_, good) = registration("player", "http://127.0.0.1:9/mcp");
    for old in ["1.0.0", "1.9.9", "0", "new"] {
        let mut params = good.clone();
        params["player_meta"]["protocol_version"] = json!(old);
        rejected(&params, "E018");
    }
    let mut params = good.clone();
    params["player_meta"]["game_types"] = json!(["chess"]);
    rejected(&params, "E002");
    for endpoint in forbidden(&league.endpoint) {
        rejected(&registration("player", &endpoint).1, "E014");
    }
    let first = Clerk::sign_up(&league.endpoint, "player", "http://127.0.0.1:9/mcp");
    let second = Clerk::sign_up(&league.endpoint, "player", "http://127.0.0.1:9/mcp");
    // From the endpoint's own address: the same agent again. Its repeat has the same conversation.
    assert_eq!((&first.sender, &first.token), (&second.sender, &second.token));
    assert_eq!(league.state()["players"], 1);
    league.close();
}

#[test]
fn an_operators_tools_need_the_operators_token() {
    let floor = Floor::open();
    let wrong = [
        (json!({}), "E011"),
        (json!({ "auth_token": floor.player.token }), "E012"),
        (json!({ "auth_token": floor.referee.token }), "E012"),
    ];
    for (params, code) in wrong {
        for tool in ["start_league", "pause_league", "resume_league"] {
            let counted = refusals(floor.at(), code);
            let answer = floor.unchanged(|| http::call(floor.at(), tool, &params));
            assert_eq!(answer["error"]["data"]["error_code"], code, "{answer}");
            assert_eq!(refusals(floor.at(), code), counted + 1);
        }
    }
    let answer = http::call(floor.at(), "get_match_state", &json!({ "match_id": "R7M7" }));
    assert_eq!(answer["error"]["data"]["error_name"], "MATCH_NOT_FOUND", "{answer}");
    let unasked = letter("GAME_INVITATION", "player:P01");
    let answer = floor.unchanged(|| http::call(floor.at(), "handle_game_invitation", &unasked));
    assert_eq!(answer["result"]["message_type"], "LEAGUE_ERROR", "{answer}");
    floor.league.close();
}
