//! Whose answer it is, the call says: what an answer says of that may be wrong, and may be missing.
//! What is wrong is counted, and shown to whoever runs the referee.

use serde_json::{Value, json};

use super::u02_reasons::author::{Author, choice, join, said};
use crate::http;
use crate::league::League;

/// What became of a match between P01, a good player, and P02.
struct Known {
    result: Value,
    /// What the referee's log says of answers that belie themselves.
    logged: Vec<Value>,
    /// How many its metrics count.
    counted: u64,
}

/// Plays a match whose P02 changes both of its answers.
fn play(change: impl Fn(&mut Value) + Send + Sync + 'static) -> Known {
    let mut league = League::open(&["--start-when", "2"]);
    let mut referee = league.member("referee", &["--stay"]);
    let address = referee.endpoint();
    let honest = league.member("player", &["--strategy", "odd"]);
    let _foreign = Author::join(&league.endpoint, move |asked| {
        let mut answer = match asked["params"]["message_type"].as_str() {
            Some("GAME_INVITATION") => join(asked),
            Some("CHOOSE_PARITY_CALL") => choice(asked),
            _ => return None,
        };
        change(&mut answer);
        Some(said(asked, &answer))
    });
    league.manager.logs("league completed");
    honest.succeed();
    let metrics = http::get(&address, "/metrics").body;
    let line = metrics.lines().find_map(|line| line.strip_prefix("agon_wrong_claims_total "));
    let counted = line.unwrap().parse().unwrap();
    referee.terminate();
    let mut logged = Vec::new();
    while let Some(line) = referee.log() {
        if line["message"] == "an answer says wrongly whose it is" {
            logged.push(line);
        }
    }
    let result = league.shown("R1M1")["result"].take();
    league.close();
    Known { result, logged, counted }
}

/// Both answers count, whatever they say; and of both this is told.
#[track_caller]
fn counts(wrong: Option<&str>, change: impl Fn(&mut Value) + Send + Sync + 'static) {
    let Known { result, logged, counted } = play(change);
    assert_eq!(result["reason"], "PLAYED", "{result}");
    assert_eq!(result["choices"], json!({ "P01": "odd", "P02": "even" }), "{result}");
    let expected = if wrong.is_some() { 2 } else { 0 };
    assert_eq!((logged.len(), counted), (expected, expected as u64), "{logged:?}");
    for line in logged {
        assert_eq!((&line["match_id"], &line["player"]), (&json!("R1M1"), &json!("P02")));
        assert_eq!(line["said"].as_str(), wrong, "{line}");
    }
}

#[test]
fn t17_an_answer_need_not_say_whose_it_is() {
    counts(None, |answer| {
        let fields = answer.as_object_mut().unwrap();
        let gone = ["player_id", "auth_token"].map(|name| fields.remove(name));
        assert!(gone.iter().all(Option::is_some), "both were there: {gone:?}");
    });
}

#[test]
fn t17_what_an_answer_says_wrongly_of_whose_it_is_is_counted_and_shown() {
    let all = "sender is player:P01; player_id is P01; auth_token is not that of the question";
    counts(Some(all), |answer| {
        answer["sender"] = json!("player:P01");
        answer["player_id"] = json!("P01");
        answer["auth_token"] = json!("tok-of-nobody");
    });
}

#[test]
fn t17_a_wrong_token_alone_is_told_and_never_repeated() {
    counts(Some("auth_token is not that of the question"), |answer| {
        answer["auth_token"] = json!(format!("tok-{:064x}", 7));
    });
}
