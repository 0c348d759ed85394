//! Whoever answered wrongly learns what was wrong with it: before it is asked again, when the match
//! is over, and from `agon match`. What it sent is shown to itself and to the operator alone.

pub(crate) mod author;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::league::League;
use crate::process::{Process, quiet_port};
use crate::refusals::clerk::Clerk;
use author::{Author, Habit, Sent, choice, said};

/// The question that is answered wrongly.
const CHOICE: &str = "CHOOSE_PARITY_CALL";

/// What became known of a match between P01, a good player, and P02.
struct Known {
    /// What P02 heard from its referee, in order.
    heard: Vec<Value>,
    /// Why it was lost, as P02 and as P01 were told.
    told: [String; 2],
    /// The match, as the operator and as everybody else is shown it.
    shown: [Value; 2],
    /// The same for people.
    read: [String; 2],
    /// What the referee's log says about asks that failed.
    logged: Vec<Value>,
}

/// Plays P01 against a P02 that answers as `habit` says.
fn play(habit: impl Habit) -> Known {
    play_of("even-odd", habit)
}

/// The same, in that game.
fn play_of(game: &str, habit: impl Habit) -> Known {
    let mut league = League::open(&["--start-when", "2", "--game", game]);
    let mut referee = league.member("referee", &["--game", game]);
    let good = Author::join(&league.endpoint, |_| None);
    let bad = Author::join(&league.endpoint, habit);
    let heard = bad.whole_match();
    let theirs = good.whole_match();
    let reason = |heard: &[Value]| {
        let reason = &heard.last().unwrap()["game_result"]["reason"];
        reason.as_str().unwrap().to_owned()
    };
    league.manager.logs("league completed");
    let mut logged = Vec::new();
    while let Some(line) = referee.log() {
        if line["message"] == "an ask failed" {
            logged.push(line);
        }
    }
    referee.succeed();
    let token = std::fs::read_to_string(league.data().join("operator.token")).unwrap();
    let operator = [("AGON_TOKEN", token.trim())];
    let address = ["match", "R1M1", "--manager", &league.endpoint];
    let look = |more: &[&str], env: &[(&str, &str)]| {
        let args = [&address[..], more].concat();
        Process::agon_with(league.path(), &args, env).succeed().out
    };
    let shown =
        [&operator[..], &[]].map(|env| serde_json::from_str(&look(&["--json"], env)).unwrap());
    let read = [&operator[..], &[]].map(|env| look(&[], env));
    let told = [reason(&heard), reason(&theirs)];
    league.close();
    Known { heard, told, shown, read, logged }
}

/// What everybody and the operator are shown of asks that failed: problems, and what was received.
fn entries(shown: &Value, field: &str) -> BTreeSet<String> {
    let entries = shown["transcript"].as_array().unwrap();
    entries.iter().filter_map(|entry| Some(entry[field].as_str()?.to_owned())).collect()
}

/// P02 answers the question for its choice in that way, each time. It is told this problem, and
/// that this was received, before it is asked again and at the end.
#[track_caller]
fn check(code: &str, problem: &str, received: &str, habit: fn(&Value) -> Sent) {
    let known =
        play(move |asked| (asked["params"]["message_type"] == CHOICE).then(|| habit(asked)));
    let kinds: Vec<_> = known.heard.iter().map(|it| it["message_type"].as_str().unwrap()).collect();
    let asked_again = [CHOICE, "GAME_ERROR"].repeat(3);
    let whole = [&["GAME_INVITATION"], &asked_again[..], &[CHOICE, "GAME_OVER"]].concat();
    assert_eq!(kinds, whole);
    for (error, retry) in known.heard.iter().filter(|it| it["error_code"].is_string()).zip(1..) {
        assert_eq!((&error["error_code"], &error["problem"]), (&json!(code), &json!(problem)));
        assert_eq!(error["affected_player"], "P02");
        assert_eq!(error["retry_count"], retry);
        assert!(error["received"].as_str().unwrap().contains(received), "{error}");
    }
    is_told(&known, "MALFORMED_ANSWER", problem, received);
    let asks: Vec<_> = known.logged.iter().map(|line| line["ask"].as_u64().unwrap()).collect();
    assert_eq!(asks, [1, 2, 3, 4]);
}

/// The end of the match says what was wrong: to P02, to P01, to the operator, to everybody.
#[track_caller]
fn is_told(known: &Known, cause: &str, problem: &str, received: &str) {
    let [own, other] = &known.told;
    let sentence = format!("technical loss of P02: {cause}; P02: {problem}");
    assert!(own.starts_with(&format!("{sentence}; received: ")), "{own}");
    assert!(own.contains(received), "{own}");
    assert_eq!(other, &sentence);

    let [operator, everybody] = &known.shown;
    assert_eq!(entries(operator, "problem"), BTreeSet::from([problem.to_owned()]));
    assert_eq!(entries(everybody, "problem"), BTreeSet::from([problem.to_owned()]));
    let kept = entries(operator, "received");
    assert!(kept.iter().all(|kept| kept.contains(received)) && !kept.is_empty(), "{kept:?}");
    assert_eq!(entries(everybody, "received"), BTreeSet::new());
    let [operator, everybody] = &known.read;
    assert!(operator.contains(problem) && operator.contains(received), "{operator}");
    assert!(everybody.contains(problem) && !everybody.contains("received"), "{everybody}");

    for line in &known.logged {
        assert_eq!((&line["match_id"], &line["player"]), (&json!("R1M1"), &json!("P02")));
        assert_eq!(line["problem"], problem, "{line}");
        assert!(line["received"].as_str().unwrap().contains(received), "{line}");
    }
    let all = format!("{:?}{:?}{:?}", known.told, known.read, known.logged);
    assert!(!all.contains("tok-") || all.contains("tok-…"), "a token was repeated: {all}");
    assert!(!long_secret(&all) && !long_secret(&known.shown[0].to_string()), "{all}");
}

/// Whether 32 hexadecimal digits stand in a row: no token may be repeated.
fn long_secret(text: &str) -> bool {
    let mut runs = text.split(|c: char| !c.is_ascii_hexdigit());
    runs.any(|run| run.len() >= 32)
}

#[test]
fn u02_a_field_under_another_name_is_named() {
    check(
        "E003",
        concat!(
            "CHOOSE_PARITY_RESPONSE: field parity_choice is missing ",
            "(there is a field choice: rename it)"
        ),
        r#""choice":"even""#,
        |asked| {
            let mut answer = choice(asked);
            let word = answer.as_object_mut().unwrap().remove("parity_choice").unwrap();
            answer["choice"] = word;
            said(asked, &answer)
        },
    );
}

#[test]
fn u02_a_missing_field_is_named() {
    check(
        "E003",
        "CHOOSE_PARITY_RESPONSE: field conversation_id is missing",
        "CHOOSE_PARITY_RESPONSE",
        |asked| {
            let mut answer = choice(asked);
            answer.as_object_mut().unwrap().remove("conversation_id");
            said(asked, &answer)
        },
    );
}

#[test]
fn u02_a_value_that_does_not_fit_is_named() {
    check(
        "E002",
        concat!(
            "CHOOSE_PARITY_RESPONSE: the value of field parity_choice does not fit; ",
            "see agon schema CHOOSE_PARITY_RESPONSE"
        ),
        r#""parity_choice":7"#,
        |asked| {
            let mut answer = choice(asked);
            answer["parity_choice"] = json!(7);
            said(asked, &answer)
        },
    );
}

#[test]
fn u02_a_result_that_is_no_message_is_named() {
    check(
        "E003",
        "CHOOSE_PARITY_RESPONSE: field message_type is missing",
        r#"{"accept":true}"#,
        |asked| said(asked, &json!({ "accept": true })),
    );
}

#[test]
fn u02_an_answer_without_its_frame_is_named() {
    check(
        "E002",
        "the answer has neither result nor error: a message must stand in result",
        r#"{"accept":true}"#,
        |_| ("200 OK", json!({ "accept": true }).to_string()),
    );
}

#[test]
fn u02_text_that_is_no_json_is_named() {
    check("E002", "not JSON: expected value at line 1 column 1", "sure, even!", |_| {
        ("200 OK", "sure, even!\u{1b}[2J\n".to_owned())
    });
}

#[test]
fn u02_a_server_error_is_named() {
    let problem = "HTTP 500: the server failed while it answered: its own log says why";
    check("E002", problem, "KeyError: 'match_id'", |_| {
        ("500 Oops", "Traceback (most recent call last):\n  KeyError: 'match_id'\n".to_owned())
    });
}

#[test]
fn u02_an_unknown_path_is_named() {
    let problem = "HTTP 404: nothing is served at the path that was registered";
    check("E002", problem, "Not Found", |_| ("404 Not Found", "<h1>Not Found</h1>".to_owned()));
}

#[test]
fn u02_an_error_of_json_rpc_is_named() {
    let problem = "the answer is an error of JSON-RPC, code -32601: it does not know the method";
    check("E002", problem, "no such method", |asked| {
        let error = json!({ "code": -32601, "message": "no such method" });
        let answer = json!({ "jsonrpc": "2.0", "error": error, "id": asked["id"] });
        ("200 OK", answer.to_string())
    });
}

#[test]
fn u02_another_message_is_named() {
    check(
        "E002",
        "the answer is a GAME_JOIN_ACK; a CHOOSE_PARITY_RESPONSE is expected",
        r#""accept":true"#,
        |asked| said(asked, &author::join(asked)),
    );
}

#[test]
fn u02_an_answer_about_another_match_is_named() {
    check(
        "E002",
        "CHOOSE_PARITY_RESPONSE: field match_id must be R1M1, as in the question",
        "R7M7",
        |asked| {
            let mut answer = choice(asked);
            answer["match_id"] = json!("R7M7");
            said(asked, &answer)
        },
    );
}

#[test]
fn u02_a_word_that_cannot_be_chosen_is_repeated_to_who_said_it() {
    let known = play(|asked| {
        let mut answer = choice(asked);
        answer["parity_choice"] = json!("maybe");
        (asked["params"]["message_type"] == CHOICE).then(|| said(asked, &answer))
    });
    let problem = "CHOOSE_PARITY_RESPONSE: field parity_choice must be even or odd";
    is_told(&known, "INVALID_MOVE", problem, "maybe");
    assert_eq!(known.logged.len(), 1);
}

#[test]
fn u02_an_invitation_that_is_answered_wrongly_is_followed_by_an_error_too() {
    let known = play(|asked| {
        (asked["params"]["message_type"] == "GAME_INVITATION").then(|| ("200 OK", "yes".to_owned()))
    });
    let kinds: Vec<_> = known.heard.iter().map(|it| it["message_type"].as_str().unwrap()).collect();
    let asked_again = ["GAME_INVITATION", "GAME_ERROR"].repeat(3);
    assert_eq!(kinds, [&asked_again[..], &["GAME_INVITATION", "GAME_OVER"]].concat());
    assert_eq!(known.heard[1]["action_required"], "GAME_JOIN_ACK");
    assert_eq!(known.heard[1]["game_state"], "WAITING_FOR_PLAYERS");
    is_told(&known, "MALFORMED_ANSWER", "not JSON: expected value at line 1 column 1", "yes");
}

#[test]
fn u02_whoever_cannot_be_reached_is_named_with_the_address() {
    let mut league = League::open(&["--start-when", "2"]);
    let mut referee = league.member("referee", &[]);
    let good = Author::join(&league.endpoint, |_| None);
    let port = quiet_port();
    let endpoint = format!("http://127.0.0.1:{port}/mcp");
    Clerk::sign_up(&league.endpoint, "player", &endpoint);
    let over = good.whole_match();
    let line = referee.logs("an ask failed");
    let problem = format!("connection refused by 127.0.0.1:{port}");
    assert_eq!((&line["player"], &line["problem"]), (&json!("P02"), &json!(problem)), "{line}");
    assert!(line.get("received").is_none(), "{line}");
    let reason = over.last().unwrap()["game_result"]["reason"].as_str().unwrap();
    assert_eq!(reason, format!("technical loss of P02: NO_SHOW; P02: {problem}"));
    let shown = league.shown("R1M1");
    assert!(entries(&shown, "problem").contains(&problem), "{shown}");
    league.close();
}

#[test]
fn u02_the_folder_of_the_manager_shows_what_was_received_and_another_one_does_not() {
    let mut league = League::open(&["--start-when", "2"]);
    let _referee = league.member("referee", &[]);
    let _good = Author::join(&league.endpoint, |_| None);
    let bad = Author::join(&league.endpoint, |asked| {
        (asked["params"]["message_type"] == CHOICE).then(|| ("200 OK", "sure!".to_owned()))
    });
    bad.whole_match();
    league.manager.logs("league completed");
    let received = |data: &str| {
        let shown = league.ask(&["match", "R1M1", "--data", data]).succeed().json();
        entries(&shown, "received")
    };
    assert_eq!(received("data"), BTreeSet::from(["sure!".to_owned()]));
    let other = league.path().join("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("operator.token"), format!("tok-{:064x}", 7)).unwrap();
    assert_eq!(received("other"), BTreeSet::new());
    league.close();
}

#[test]
fn u02_our_own_player_logs_what_its_referee_complains_about() {
    let mut league = League::open(&["--start-when", "2"]);
    let _referee = league.member("referee", &[]);
    let _good = Author::join(&league.endpoint, |_| None);
    let strategy = "exec:sh -c 'while read -r line; do echo maybe; done'";
    let mut player = league.agent("player", &["--strategy", strategy]);
    let line = player.logs("the referee complains");
    assert_eq!((&line["match_id"], &line["code"]), (&json!("R1M1"), &json!("E002")), "{line}");
    assert_eq!(line["problem"], "the answer is an error of JSON-RPC, code -32000", "{line}");
    let line = player.logs("a match was lost without being played");
    assert!(line["reason"].as_str().unwrap().contains("MALFORMED_ANSWER"), "{line}");
    league.close();
}

/// P02 answers the question for its first move in that way, each time.
#[track_caller]
fn check_move(cause: &str, problem: &str, received: &str, habit: fn(&Value) -> Sent) {
    let is_asked = |asked: &Value| asked["params"]["message_type"] == "GAME_MOVE_CALL";
    let known = play_of("rock-paper-scissors", move |asked| is_asked(asked).then(|| habit(asked)));
    let warned: Vec<_> = known.heard.iter().filter(|it| it["error_code"].is_string()).collect();
    // Nobody is asked again who said what cannot be played.
    assert_eq!(warned.len(), if cause == "INVALID_MOVE" { 0 } else { 3 }, "{warned:?}");
    for error in warned {
        assert_eq!(error["affected_player"], "P02");
        assert_eq!(error["problem"], problem);
        assert_eq!(error["action_required"], "GAME_MOVE_RESPONSE");
        assert!(error["received"].as_str().unwrap().contains(received), "{error}");
    }
    is_told(&known, cause, problem, received);
}

#[test]
fn u02_in_any_game_a_move_without_its_field_is_named() {
    let problem = "GAME_MOVE_RESPONSE: field move_data is missing";
    check_move("MALFORMED_ANSWER", problem, r#""choice":"rock""#, |asked| {
        let mut answer = author::moved(asked, &json!({}));
        answer.as_object_mut().unwrap().remove("move_data");
        answer["choice"] = json!("rock");
        said(asked, &answer)
    });
    let renamed = "GAME_MOVE_RESPONSE: field move_data.choice is missing \
        (there is a field move: rename it)";
    check_move("MALFORMED_ANSWER", renamed, r#""move":"rock""#, |asked| {
        said(asked, &author::moved(asked, &json!({ "move_type": "choose_hand", "move": "rock" })))
    });
}

#[test]
fn u02_in_any_game_a_word_that_cannot_be_played_is_repeated_to_who_said_it() {
    let problem = "GAME_MOVE_RESPONSE: field move_data.choice: it must be rock, paper or scissors";
    check_move("INVALID_MOVE", problem, "lizard", |asked| {
        let data = json!({ "move_type": "choose_hand", "choice": "lizard" });
        said(asked, &author::moved(asked, &data))
    });
}
