//! Strategies in any language, by `exec:`, in a small season.

use serde_json::{Value, json};

use crate::league::{League, assert_whole};
use crate::python::example;

/// Always the same word, in a shell.
const STUBBORN: &str = r#"exec:sh -c 'while read -r line; do echo even; done'"#;

#[test]
fn python_and_a_shell_can_decide() {
    let mut league = League::open(&["--start-when", "3"]);
    let python = format!("exec:python3 '{}'", example("strategy.py"));
    let agents = [
        league.member("referee", &[]),
        league.member("player", &["--strategy", &python]),
        league.member("player", &["--strategy", STUBBORN]),
        league.member("player", &["--strategy", "random"]),
    ];
    league.manager.logs("league completed");
    for agent in agents {
        agent.succeed();
    }
    assert_whole(&league, 3);
    for id in ["R1M1", "R2M1", "R3M1"] {
        let result = league.shown(id)["result"].take();
        assert_eq!(result["reason"], "PLAYED", "{result}");
        let said = &result["choices"]["P02"];
        assert!(said.is_null() || said == "even", "{result}");
    }
    league.close();
}

/// A season of two in which P02 thinks with that command. Returns the only match.
fn against(strategy: &str) -> Value {
    let mut league = League::open(&["--start-when", "2", "--choice-s", "50"]);
    let agents = [
        league.member("referee", &[]),
        league.member("player", &["--strategy", "even"]),
        league.member("player", &["--strategy", strategy]),
    ];
    league.manager.logs("league completed");
    for agent in agents {
        agent.succeed();
    }
    let shown = league.shown("R1M1");
    league.close();
    shown
}

#[test]
fn who_cannot_decide_loses_and_is_told_why() {
    for broken in ["exec:sh -c 'read q; exit 1'", "exec:sh -c 'echo maybe'"] {
        let shown = against(broken);
        let result = &shown["result"];
        assert_eq!(result["status"], "TECHNICAL_LOSS", "{broken}: {shown}");
        assert_eq!(result["reason"], "MALFORMED_ANSWER", "{broken}");
        assert_eq!((&result["winner"], &result["blame"]), (&json!("P01"), &json!("PLAYER_B")));
        assert_eq!(result["score"], json!({ "P01": 3, "P02": 0 }));
        let entries = shown["transcript"].as_array().unwrap();
        let theirs = entries.iter().filter(|it| it["from"] == "PLAYER_B" || it["to"] == "PLAYER_B");
        let kinds: Vec<_> = theirs.map(|it| it["message_type"].as_str().unwrap()).collect();
        // It joined, was asked four times, each time had nothing to say, and was told so.
        let asked = ["CHOOSE_PARITY_CALL", "BAD_ANSWER", "GAME_ERROR"].repeat(4);
        let asked = asked.strip_suffix(&["GAME_ERROR"]).unwrap();
        assert_eq!(kinds, [&["GAME_INVITATION", "GAME_JOIN_ACK"], asked].concat(), "{broken}");
    }
}

/// It had time, and used it up: that is no answer that could not be read.
#[test]
fn u06_who_thinks_too_long_is_judged_to_be_late() {
    let mut league = League::open(&["--start-when", "2", "--choice-s", "1"]);
    let agents = [
        league.member("referee", &[]),
        league.member("player", &["--strategy", "even"]),
        league.member("player", &["--strategy", "exec:sh -c 'read q; exec tail -f /dev/null'"]),
    ];
    league.manager.logs("league completed");
    for agent in agents {
        agent.succeed();
    }
    let shown = league.shown("R1M1");
    assert_eq!(shown["result"]["reason"], "TIMED_OUT", "{shown}");
    assert_eq!(shown["result"]["blame"], "PLAYER_B", "{shown}");
    league.close();
}

/// Whoever mistypes its program hears so at once, and not after a lost season.
#[test]
fn u06_a_program_that_cannot_be_asked_does_not_register() {
    let league = League::open(&["--start-when", "2"]);
    for (broken, words) in [
        ("exec:pythn3 player.py", "there is no program `pythn3`"),
        ("exec:false", "it ended (exit status: 1) before it was asked anything"),
    ] {
        let told = league.agent("player", &["--strategy", broken]).exit(2).err;
        assert!(told.contains(words), "{broken}: {told}");
    }
    league.close();
}

#[test]
fn u06_a_program_sees_what_it_is_given() {
    let mut league = League::open(&["--start-when", "2"]);
    let script = r#"exec:sh -c 'while read -r line; do echo "$MY_CHOICE"; done'"#;
    let agents = [
        league.member("referee", &[]),
        league.member("player", &["--strategy", "even"]),
        league.member("player", &["--strategy", script, "--env", "MY_CHOICE=odd"]),
    ];
    league.manager.logs("league completed");
    for agent in agents {
        agent.succeed();
    }
    assert_eq!(league.shown("R1M1")["result"]["reason"], "PLAYED");
    assert_eq!(league.shown("R1M1")["result"]["choices"]["P02"], "odd");
    league.close();
}
