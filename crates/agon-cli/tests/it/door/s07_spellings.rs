//! A match of a league by letters has two names. Both are understood, and its own is shown.

use serde_json::json;

use super::teams::Teams;
use crate::http;
use crate::process::agon;

#[test]
fn s07_a_game_is_found_and_shown_by_the_name_that_letters_give_it() {
    let mut teams = Teams::open();
    let agents = (1..=3).flat_map(|team| ["player", "referee"].map(|role| (role, team)));
    let agents: Vec<_> = agents.map(|(role, team)| teams.agent(role, team, &[])).collect();
    let results = teams.results();
    assert!(results.iter().any(|it| it["game"] == "0102001"), "{results:?}");
    for spelled in ["0101001", "R1M1"] {
        let params = json!({ "match_id": spelled });
        let told = http::tool(&teams.endpoint, "get_match_state", &params);
        assert_eq!((&told["match_id"], &told["game_id"]), (&json!("R1M1"), &json!("0101001")));
        let shown = teams.ask(&["match", spelled]).succeed().out;
        assert!(shown.starts_with("0101001 (R1M1) of "), "{shown}");
    }
    let wrong = http::call(&teams.endpoint, "get_match_state", &json!({ "match_id": "0199" }));
    assert_eq!(wrong["result"]["problem"], "the value of `match_id` does not fit", "{wrong}");
    agon(teams.path(), &["export", "--data", "league", "--to", "out"]);
    let out = teams.path().join("out");
    let table = std::fs::read_to_string(out.join("results.csv")).unwrap();
    assert!(table.lines().next().unwrap().ends_with(",game_id"), "{table}");
    assert!(table.lines().any(|row| row.starts_with("R3M1,") && row.ends_with(",0103001")));
    let documents = out.join("data/matches/league_2026_q21/R1M1.json");
    assert!(std::fs::read_to_string(documents).unwrap().contains("\"game_id\": \"0101001\""));
    for agent in agents {
        agent.succeed();
    }
}
