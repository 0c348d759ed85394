//! Answers stand where the course puts them.

use serde_json::{Value, json};

use crate::http;
use crate::league::League;
use crate::refusals::Floor;
use crate::refusals::clerk::Clerk;

#[test]
fn s05_the_table_stands_in_the_result_of_a_query() {
    let floor = Floor::open();
    let ask = |query_type: &str| {
        let mut query = floor.player.letter("LEAGUE_QUERY");
        query["league_id"] = json!("league_2026_even_odd");
        query["query_type"] = json!(query_type);
        http::call(floor.at(), "league_query", &query)["result"].take()
    };
    let answer = ask("GET_STANDINGS");
    assert_eq!(answer["success"], true, "{answer}");
    assert_eq!(answer["standings"].as_array().unwrap().len(), 4, "{answer}");
    assert_eq!(answer["standings"], answer["data"]["standings"], "{answer}");
    let row = &answer["standings"][0];
    for field in ["rank", "player_id", "display_name", "played", "wins", "draws", "losses"] {
        assert!(!row[field].is_null(), "{field}: {row}");
    }
    let other = ask("GET_PLAYER_STATS");
    assert!(other["data"]["player_stats"].is_object(), "{other}");
    assert!(other.get("standings").is_none(), "{other}");
    floor.league.close();
}

#[test]
fn s05_an_error_is_described_by_its_name_and_explained_beside_it() {
    let league = League::open(&[]);
    let player = Clerk::sign_up(&league.endpoint, "player", "http://127.0.0.1:9/mcp");
    let mut query = player.letter("LEAGUE_QUERY");
    query["league_id"] = json!("league_2026_even_odd");
    let refused =
        |query: &Value| http::call(&league.endpoint, "league_query", query)["result"].take();
    let error = refused(&query);
    assert_eq!(error["error_description"], "MISSING_REQUIRED_FIELD", "{error}");
    assert_eq!(error["problem"], "the field `query_type` is missing", "{error}");
    query["query_type"] = json!("GET_STANDINGS");
    query["auth_token"] = json!("tok-p01-wrong");
    let error = refused(&query);
    assert_eq!(error["error_description"], "AUTH_TOKEN_INVALID", "{error}");
    assert!(error["problem"].as_str().is_some_and(|problem| problem.contains(' ')), "{error}");
    league.close();
}
