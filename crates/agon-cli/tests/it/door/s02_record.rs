//! Every message of a match can be read afterwards, whole, with time, latency and outcome; and
//! whoever hands messages in can do no harm with them.

mod bodies;
mod lies;

use serde_json::{Value, json};

use crate::door::u02_reasons::author::Author;
use crate::league::{GATED, League};
use crate::process::Process;

/// The messages of an attempt as `agon match --json` shows them: direction, player, type.
fn kinds(attempt: &Value) -> Vec<[String; 3]> {
    let messages = attempt["messages"].as_array().unwrap().iter();
    let of = |message: &Value| {
        ["direction", "player_id", "message_type"]
            .map(|field| message[field].as_str().unwrap_or("-").to_owned())
    };
    messages.map(of).collect()
}

/// Plays a league of two in that game to its end.
fn played(args: &[&str]) -> (League, [Process; 3]) {
    let mut league = League::open(&[&["--start-when", "2"], args].concat());
    let referee = league.member("referee", args);
    let players = [league.member("player", args), league.member("player", args)];
    league.manager.logs("league completed");
    let [a, b] = players;
    (league, [referee, a, b])
}

/// The messages of R1M1's only attempt, once everybody has left. All of them are there.
#[track_caller]
fn whole(league: &League, agents: [Process; 3]) -> Value {
    for agent in agents {
        agent.succeed();
    }
    let mut shown = league.shown("R1M1");
    let attempts = shown["messages"].as_array_mut().unwrap();
    let [attempt] = &mut attempts[..] else { panic!("one attempt: {attempts:?}") };
    let messages = attempt["messages"].as_array().unwrap();
    assert_eq!(attempt["complete"], true, "{attempt}");
    assert_eq!(attempt["messages_sent"], messages.len(), "{attempt}");
    for message in messages {
        assert!(message["timestamp"].as_str().unwrap().contains('.'), "{message}");
        assert!(message["latency_us"].as_u64().unwrap() > 0, "{message}");
        assert_eq!(message["outcome"], "answered", "{message}");
        let [asked, answered] = ["request", "answer"].map(|part| &message[part]);
        assert_eq!(asked["id"], answered["id"], "both, whole: {message}");
        let params = &asked["params"];
        assert_eq!(params["message_type"], message["message_type"], "{message}");
        assert_eq!(params["auth_token"].as_str().unwrap().chars().last(), Some('…'), "{message}");
    }
    attempt.take()
}

#[test]
fn s02_a_match_of_even_odd_is_kept_with_every_message() {
    let (league, agents) = played(&[]);
    let attempt = whole(&league, agents);
    let mut seen = kinds(&attempt);
    seen.sort();
    let mut expected = Vec::new();
    for kind in ["CHOOSE_PARITY_CALL", "GAME_INVITATION", "GAME_OVER"] {
        for player in ["P01", "P02"] {
            expected.push(["SENT", player, kind].map(str::to_owned));
        }
    }
    expected.sort_by(|a, b| (&a[1], &a[2]).cmp(&(&b[1], &b[2])));
    assert_eq!(seen, expected);
    let text = league.ask_offline(&["match", "R1M1", "--manager", &league.endpoint]).succeed().out;
    assert!(text.contains("→ P01  GAME_INVITATION"), "{text}");
    let wide = text.lines().filter(|line| line.chars().count() > 80).count();
    assert_eq!(wide, 0, "{text}");
    let command = ["match", "R1M1", "--whole", "--manager", &league.endpoint];
    let text = league.ask_offline(&command).succeed().out;
    assert!(text.contains("\"parity_choice\": "), "{text}");

    league.ask_offline(&["export", "--data", "data", "--to", "out", "--json"]).succeed();
    let file = league.path().join("out/data/matches/league_2026_even_odd/R1M1.json");
    let document: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(kinds(&document["messages"][0]), kinds(&attempt));
    league.close();
}

#[test]
fn s02_a_match_of_any_other_game_is_kept_with_every_message() {
    let (league, agents) = played(&["--game", "rock_paper_scissors"]);
    let seen = kinds(&whole(&league, agents));
    assert!(seen.iter().filter(|it| it[2] == "GAME_MOVE_CALL").count() >= 2, "{seen:?}");
    league.close();
}

#[test]
fn s02_what_was_kept_is_there_after_a_restart() {
    let (mut league, agents) = played(&[]);
    let before = whole(&league, agents);
    league.manager.terminate();
    league.manager.kill();
    (league.manager, league.endpoint) = crate::league::manager(league.path(), &[]);
    assert_eq!(league.shown("R1M1")["messages"][0], before);
    league.close();
}

#[test]
fn s02_a_referee_that_is_killed_leaves_a_gap_that_is_seen() {
    let mut league = League::open(&["--start-when", "2", "--choice-s", "300"]);
    let gate = league.shut_gate();
    let mut killed = league.member("referee", &["--stay"]);
    let other = league.member("referee", &[]);
    let players = [league.member("player", &GATED), league.member("player", &GATED)];
    killed.logs("match taken");
    killed.kill();
    league.manager.logs("reassigned");
    drop(gate);
    league.manager.logs("league completed");
    for agent in players.into_iter().chain([other]) {
        agent.succeed();
    }
    let shown = league.shown("R1M1");
    let [first, second] = &shown["messages"].as_array().unwrap()[..] else {
        panic!("two attempts: {shown}")
    };
    let of = |attempt: &Value| (attempt["referee_id"].clone(), attempt["complete"].clone());
    assert_eq!(of(first), (json!("REF01"), json!(false)));
    assert_eq!((&first["messages_sent"], &first["messages"]), (&json!(0), &json!([])));
    assert_eq!(of(second), (json!("REF02"), json!(true)));
    assert!(second["messages"].as_array().unwrap().len() >= 6, "{second}");
    let text = league.ask_offline(&["match", "R1M1", "--manager", &league.endpoint]).succeed().out;
    assert!(text.contains("messages of attempt 1: REF01 has handed in none"), "{text}");
    league.close();
}

#[test]
fn s02_an_attempt_that_did_not_count_stands_beside_the_one_that_did() {
    let mut league = League::open(&["--start-when", "2", "--choice-s", "300"]);
    let gate = league.shut_gate();
    let mut frozen = league.member("referee", &[]);
    let mut other = league.member("referee", &[]);
    let players = [league.member("player", &GATED), league.member("player", &GATED)];
    frozen.logs("match taken");
    frozen.signal("STOP");
    league.manager.logs("reassigned");
    other.logs("match taken");
    frozen.signal("CONT");
    league.manager.logs("request refused");
    drop(gate);
    league.manager.logs("league completed");
    for agent in players.into_iter().chain([other]) {
        agent.succeed();
    }
    let log = frozen.succeed().err;
    let shown = league.shown("R1M1");
    let [first, second] = &shown["messages"].as_array().unwrap()[..] else {
        panic!("two attempts: {shown}")
    };
    assert_eq!((&first["referee_id"], &first["complete"]), (&json!("REF01"), &json!(false)));
    assert!(kinds(first).iter().any(|it| it[2] == "GAME_INVITATION"), "{first}: {log}");
    assert!(kinds(second).iter().any(|it| it[2] == "GAME_OVER"), "{second}");
    league.close();
}

/// What a program that broke would say: nobody but its author and the operator may see that.
const TRACE: &str = "Traceback: database password is hunter2 in secret_player/player.py";

#[test]
fn s02_only_the_operator_sees_what_came_instead_of_an_answer() {
    let mut league = League::open(&["--start-when", "2"]);
    let referee = league.member("referee", &[]);
    let good = Author::join(&league.endpoint, |_| None);
    let bad = Author::join(&league.endpoint, |asked| {
        let wrong = asked["params"]["message_type"] == "CHOOSE_PARITY_CALL";
        wrong.then(|| ("500 Internal Server Error", TRACE.to_owned()))
    });
    good.whole_match();
    bad.whole_match();
    league.manager.logs("league completed");
    referee.succeed();
    let everybody = league.shown("R1M1");
    assert!(!everybody.to_string().contains("secret_player"), "{everybody}");
    let of_p02 = |shown: &Value| {
        let messages = shown["messages"][0]["messages"].as_array().unwrap().clone();
        let asks = messages
            .into_iter()
            .filter(|it| it["player_id"] == "P02" && it["message_type"] == "CHOOSE_PARITY_CALL");
        asks.collect::<Vec<_>>()
    };
    let hidden = of_p02(&everybody);
    assert_eq!(hidden.len(), 4, "{everybody}");
    assert!(hidden.iter().all(|it| it["withheld"] == true && it["outcome"] == "HTTP 500"));
    let args = ["match", "R1M1", "--data", "data", "--manager", &league.endpoint, "--json"];
    let operator = Process::agon(league.path(), &args).succeed().json();
    let seen = of_p02(&operator);
    assert!(
        seen.iter().all(|it| it["answer"].as_str().unwrap().contains("secret_player")),
        "{seen:?}"
    );
    league.ask_offline(&["export", "--data", "data", "--to", "out"]).succeed();
    let file = league.path().join("out/data/matches/league_2026_even_odd/R1M1.json");
    assert!(!std::fs::read_to_string(file).unwrap().contains("secret_player"));
    league.close();
}
