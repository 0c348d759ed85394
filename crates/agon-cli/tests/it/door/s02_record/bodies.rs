//! What came instead of an answer is for its author and the operator: neither the page of a match
//! nor an export shows it to anybody else, in whatever frame it came. And a match is on record with
//! its messages although one of its players never came.

use serde_json::{Value, json};

use crate::door::s02_messages::PATIENT;
use crate::door::u02_reasons::author::{Author, said};
use crate::league::League;
use crate::process::{Process, quiet_port};
use crate::refusals::clerk::Clerk;

/// What a program says that has lost its way.
const SAID: &str = "Incorrect input: KeyError in secret_player at {'api_key': 'sk-hunter2'}";

/// What is shown of R1M1, with more arguments and this token.
fn look(league: &League, more: &[&str], token: &str) -> String {
    let args = [&["match", "R1M1", "--manager", &league.endpoint], more].concat();
    Process::agon_with(league.path(), &args, &[("AGON_TOKEN", token)]).succeed().out
}

#[test]
fn s02_a_body_in_the_frame_of_a_result_is_shown_to_its_author_and_the_operator_alone() {
    let mut league = League::open_with(&["--start-when", "2"], &PATIENT);
    let referee = league.member("referee", &["--data", "ref"]);
    let good = Author::join(&league.endpoint, |_| None);
    let bad = Author::join(&league.endpoint, |asked| {
        let name = asked["params"]["message_type"].as_str().unwrap_or_default();
        let wrong = ["CHOOSE_PARITY_CALL", "GAME_OVER", "GAME_ERROR"].contains(&name);
        wrong.then(|| said(asked, &json!({ "error": SAID })))
    });
    good.whole_match();
    bad.whole_match();
    league.manager.logs("league completed");
    referee.succeed();
    league.ask_offline(&["export", "--data", "data", "--to", "out"]).succeed();
    let file = league.path().join("out/data/matches/league_2026_even_odd/R1M1.json");
    let exported = std::fs::read_to_string(file).unwrap();
    let public = [look(&league, &["--json"], ""), look(&league, &["--whole"], ""), exported];
    let opponents = look(&league, &["--json"], &good.token);
    for shown in public.iter().chain([&opponents]) {
        assert!(
            shown.contains("CHOOSE_PARITY_CALL") && !shown.contains("secret_player"),
            "{shown}"
        );
    }
    let token = std::fs::read_to_string(league.data().join("operator.token")).unwrap();
    for token in [token.trim(), &bad.token] {
        let shown: Value = serde_json::from_str(&look(&league, &["--json"], token)).unwrap();
        let answers = shown["messages"][0]["messages"].as_array().unwrap().iter();
        let answers = answers.filter(|it| it["message_type"] == "CHOOSE_PARITY_CALL");
        let told = answers.filter(|it| it["answer"].to_string().contains("secret_player")).count();
        assert_eq!(told, 4, "{shown}");
        let entries = shown["transcript"].as_array().unwrap().iter();
        assert_eq!(entries.filter(|it| it["received"].is_string()).count(), 4, "{shown}");
        assert!(!shown.to_string().contains("hunter2"), "a key: {shown}");
    }
    let kept = std::fs::read_to_string(league.path().join("ref/messages.jsonl")).unwrap();
    assert!(kept.contains("secret_player") && !kept.contains("hunter2"), "{kept}");
    league.close();
}

#[test]
fn s02_a_player_sees_what_was_received_from_it_by_its_own_folder() {
    let mut league = League::open_with(&["--start-when", "2"], &PATIENT);
    let referee = league.member("referee", &[]);
    let strategy = "exec:sh -c 'while read -r line; do echo maybe; done'";
    let bad = league.member("player", &["--data", "bad", "--strategy", strategy]);
    let good = league.member("player", &["--data", "good"]);
    league.manager.logs("league completed");
    [referee, bad, good].into_iter().for_each(|agent| drop(agent.succeed()));
    let received = |data: &str| {
        let shown = league.ask(&["match", "R1M1", "--data", data]).succeed().json();
        let entries = shown["transcript"].as_array().unwrap().clone();
        entries.iter().filter(|entry| entry["received"].is_string()).count()
    };
    assert_eq!(["bad", "good", "data"].map(received), [4, 0, 4]);
    league.close();
}

#[test]
fn s02_the_messages_of_a_match_to_which_nobody_came_are_there_after_the_season() {
    let mut league = League::open_with(&["--start-when", "2"], &PATIENT);
    let args = ["referee", "--manager", &league.endpoint, "--listen", "127.0.0.1:0"];
    let args = [&args[..], &crate::league::TERMS].concat();
    // Who does not hear how it ended is told again for longer than anybody waits for that.
    let patient = [("AGON_TIMES__RETRY_BACKOFF_S", "[100, 100]")];
    let referee = Process::agon_with(league.path(), &args, &patient);
    league.manager.logs("referee registered");
    let good = Author::join(&league.endpoint, |_| None);
    let nowhere = format!("http://127.0.0.1:{}/mcp", quiet_port());
    Clerk::sign_up(&league.endpoint, "player", &nowhere);
    good.whole_match();
    league.manager.logs("league completed");
    referee.succeed();
    let shown = league.shown("R1M1");
    assert_eq!(shown["result"]["reason"], "NO_SHOW", "{shown}");
    let messages = shown["messages"][0]["messages"].as_array().unwrap();
    let of = |name: &str| messages.iter().filter(|it| it["message_type"] == name).count();
    assert!(of("GAME_INVITATION") >= 5 && of("GAME_OVER") >= 1, "{shown}");
    league.close();
}
