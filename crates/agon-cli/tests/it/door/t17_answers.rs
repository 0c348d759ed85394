//! Whose answer it is, the call says: what an answer says of that may be wrong, and may be missing.

use serde_json::{Value, json};

use super::u02_reasons::author::{Author, choice, join, said};
use crate::league::League;

/// Plays a match whose P02 changes both of its answers. Returns its result.
fn play(change: impl Fn(&mut Value) + Send + Sync + 'static) -> Value {
    let mut league = League::open(&["--start-when", "2"]);
    let referee = league.member("referee", &[]);
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
    for agent in [referee, honest] {
        agent.succeed();
    }
    let result = league.shown("R1M1")["result"].take();
    league.close();
    result
}

#[track_caller]
fn counts(change: impl Fn(&mut Value) + Send + Sync + 'static) {
    let result = play(change);
    assert_eq!(result["reason"], "PLAYED", "{result}");
    assert_eq!(result["choices"], json!({ "P01": "odd", "P02": "even" }), "{result}");
}

#[test]
fn t17_an_answer_need_not_say_whose_it_is() {
    counts(|answer| {
        let fields = answer.as_object_mut().unwrap();
        let gone = ["player_id", "auth_token"].map(|name| fields.remove(name));
        assert!(gone.iter().all(Option::is_some), "both were there: {gone:?}");
    });
}

#[test]
fn t17_what_an_answer_says_of_whose_it_is_is_not_believed() {
    counts(|answer| {
        answer["player_id"] = json!("P01");
        answer["auth_token"] = json!("tok-of-nobody");
    });
}
