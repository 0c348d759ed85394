//! What a referee and a player refuse: everything that is not from their manager, or not signed.

use serde_json::{Value, json};

use super::clerk::letter;
use super::{Floor, golden, refusals};
use crate::http;

/// Sends what must be refused with that code, and counts it.
#[track_caller]
fn refuses(endpoint: &str, method: &str, params: &Value, code: &str) {
    let counted = refusals(endpoint, code);
    let answer = http::call(endpoint, method, params);
    assert_eq!(answer["error"]["data"]["error_code"], code, "{answer}");
    assert_eq!(refusals(endpoint, code), counted + 1);
    assert_eq!(http::get(endpoint, "/health").status, 200);
}

#[test]
fn agents_answer_bad_input_with_an_error() {
    let mut floor = Floor::open();
    let mut referee = floor.league.member("referee", &[]);
    referee.logs("registered");
    for endpoint in [floor.real.endpoint(), referee.endpoint()] {
        for (name, request, expected) in golden() {
            let answer = http::post(&endpoint, &request).json();
            let error = &answer["error"];
            assert_eq!(answer["id"], expected["id"], "{name}: {answer}");
            match expected["result"]["error_code"].as_str() {
                // Where the manager sends LEAGUE_ERROR, an agent names the same code.
                Some(code) => {
                    assert_eq!(error["code"], -32602, "{name}: {answer}");
                    assert_eq!(error["data"]["error_code"], code, "{name}: {answer}");
                }
                None => assert_eq!(*error, expected["error"], "{name}: {answer}"),
            }
        }
        assert_eq!(http::get(&endpoint, "/health").status, 200);
    }
    floor.league.close();
}

#[test]
fn nobody_but_the_league_tells_a_player_what_to_do() {
    let mut floor = Floor::open();
    let player = floor.real.endpoint();
    let mut invitation = letter("GAME_INVITATION", "referee:REF01");
    invitation["conversation_id"] = json!("conv-r1m1-001");
    invitation["league_id"] = json!("league_2026_even_odd");
    invitation["round_id"] = json!(1);
    invitation["match_id"] = json!("R1M1");
    invitation["game_type"] = json!("even_odd");
    invitation["role_in_match"] = json!("PLAYER_B");
    invitation["opponent_id"] = json!("P01");
    refuses(&player, "handle_game_invitation", &invitation, "E011");
    invitation["auth_token"] = json!(floor.referee.token);
    refuses(&player, "handle_game_invitation", &invitation, "E012");
    let mut over = letter("LEAGUE_COMPLETED", "league_manager");
    over["league_id"] = json!("league_2026_even_odd");
    over["total_rounds"] = json!(1);
    over["total_matches"] = json!(1);
    over["champion"] = json!({ "player_id": "P01", "display_name": "Clerk", "points": 3 });
    over["final_standings"] = json!([]);
    refuses(&player, "notify_league_completed", &over, "E011");
    over["auth_token"] = json!(format!("tok-{}", "00".repeat(32)));
    refuses(&player, "notify_league_completed", &over, "E012");
    over["sender"] = json!("player:P01");
    refuses(&player, "notify_league_completed", &over, "E014");
    refuses(&player, "get_player_state", &json!({}), "E011");
    let token = json!({ "auth_token": floor.player.token });
    refuses(&player, "get_player_state", &token, "E012");
    floor.league.close();
}

#[test]
fn nobody_but_the_manager_gives_a_referee_a_match() {
    let mut floor = Floor::open();
    let mut referee = floor.league.member("referee", &[]);
    referee.logs("registered");
    let endpoint = referee.endpoint();
    let golden = include_str!("../../../../agon-proto/golden/league.v2/MATCH_ASSIGNMENT.json");
    let mut assignment: Value = serde_json::from_str(golden).unwrap();
    let mut assignment = assignment["params"].take();
    refuses(&endpoint, "assign_match", &assignment, "E012");
    assignment["sender"] = json!("player:P01");
    refuses(&endpoint, "assign_match", &assignment, "E014");
    assignment.as_object_mut().unwrap().remove("auth_token");
    assignment["sender"] = json!("league_manager");
    refuses(&endpoint, "assign_match", &assignment, "E011");
    floor.league.close();
}
