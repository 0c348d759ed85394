//! What a referee reports may agree with itself and be invented all the same: the player says so.

use serde_json::{Value, json};

use super::{exported, reported};
use crate::door::s01_order::listener::{Character, Listener};
use crate::http;
use crate::league::League;

/// Asks the player in that seat for its choice, as its referee would.
fn chosen(liar: &Listener, given: &Value, seat: &str) -> Value {
    let of = |what: &str| given[format!("player_{seat}_{what}")].clone();
    let other = given[if seat == "A" { "player_B_id" } else { "player_A_id" }].clone();
    let said = |message_type: &str| {
        let mut said = liar.clerk.letter(message_type);
        for (field, value) in
            [("conversation_id", &given["conversation_id"]), ("auth_token", &of("token"))]
        {
            said[field] = value.clone();
        }
        for field in ["league_id", "round_id", "match_id", "game_type"] {
            said[field] = given[field].clone();
        }
        (said["opponent_id"], said["player_id"]) = (other.clone(), of("id"));
        said
    };
    let endpoint = of("endpoint");
    let endpoint = endpoint.as_str().unwrap();
    let mut invitation = said("GAME_INVITATION");
    invitation["role_in_match"] = json!(format!("PLAYER_{seat}"));
    let joined = http::call(endpoint, "handle_game_invitation", &invitation);
    assert_eq!(joined["result"]["accept"], true, "{joined}");
    let mut asked = said("CHOOSE_PARITY_CALL");
    asked["context"] = json!({
        "opponent_id": other,
        "round_id": 1,
        "your_standings": { "wins": 0, "losses": 0, "draws": 0 },
    });
    asked["deadline"] = json!("2099-01-01T00:00:00Z");
    let mut answer = http::call(endpoint, "choose_parity", &asked);
    answer["result"]["parity_choice"].take()
}

#[test]
fn t02_a_move_that_a_referee_invented_is_a_dispute() {
    let mut league = League::open(&["--match-time-max-s", "3000"]);
    let liar = Listener::join(&league.endpoint, "referee", Character::Recording);
    let _players =
        ["even", "odd"].map(|strategy| league.member("player", &["--strategy", strategy]));
    league.operate("start").succeed();
    let given = liar.takes("MATCH_ASSIGNMENT");
    let [said, other] = ["A", "B"].map(|seat| chosen(&liar, &given, seat));
    assert_ne!(said, other);
    let (a, b) = (given["player_A_id"].as_str().unwrap(), given["player_B_id"].as_str().unwrap());
    // It has B say what A has said, and so nobody wins.
    let details = json!({ "drawn_number": 8, "choices": { a: said, b: said } });
    let lie = json!({ "winner": null, "status": "DRAW", "reason": "PLAYED", "details": details });
    assert_eq!(reported(&league, &liar.clerk, lie)["status"], "recorded");

    let line = league.manager.logs("moves disputed");
    assert_eq!((&line["match_id"], &line["level"]), (&json!("R1M1"), &json!("WARN")), "{line}");
    assert_eq!((&line["player"], &line["referee"]), (&json!(b), &json!("REF01")), "{line}");
    let shown = league.shown("R1M1");
    assert_eq!((&shown["result"]["status"], &shown["attempt"]), (&json!("DRAW"), &json!(1)));
    let evidence = shown["evidence"].as_array().unwrap();
    assert_eq!(evidence.len(), 1, "A has nothing to say against it: {shown}");
    assert_eq!(evidence[0]["player_id"], b, "{shown}");
    let text = league.ask_offline(&["match", "R1M1", "--manager", &league.endpoint]).succeed().out;
    let sentence = format!("{b} says otherwise: it made other moves than REF01 says");
    assert!(text.contains(&sentence), "{text}");
    assert_eq!(league.state()["disputed"], json!(["R1M1"]));
    let disputes = exported(&league, "RESULT_CONTRADICTED");
    assert_eq!(disputes.len(), 1, "written down once: {disputes:?}");
    assert_eq!(disputes[0]["details"]["moves"], evidence[0]["moves"], "{disputes:?}");
}
