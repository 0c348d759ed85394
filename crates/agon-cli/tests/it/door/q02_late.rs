//! Who is late or absent is told: what was due, that it counts for nothing, and the score.

use serde_json::Value;

use crate::mail::office::Office;
use crate::process::{Process, agon};

/// The first player stands still from its registration until its games are over.
#[test]
fn q02_an_absent_player_is_told_what_it_missed_and_what_it_got() {
    let office = Office::open_with(3, &["--record"]);
    let mut env = Office::env();
    env.extend([("AGON_Q21__WARMUP_S", "3"), ("AGON_MAIL__POLL_S", "1")]);
    let start = |args: &[&str]| Process::agon_with(office.path(), args, &env);
    let season = ["manager", "--game", "q21", "--start-when", "3", "--data", "manager"];
    let place = ["--mail", "manager.toml", "--listen", "127.0.0.1:0", "--json"];
    let mut manager =
        start(&[&season[..], &place, &["--log", "info", "--log-format", "json"]].concat());
    let endpoint = manager.endpoint();
    let agent = |role: &str, team: u32| {
        let (file, data) = (format!("{}{team}.toml", &role[..1]), format!("{}{team}", &role[..1]));
        let who = [role, "--game", "q21", "--mail", &file, "--data", &data, "--json"];
        start(&[&who[..], &["--log-format", "json"]].concat())
    };
    let mut absent = agent("player", 1);
    manager.logs("player registered");
    absent.signal("STOP");
    let mut others: Vec<_> = (2..=3).map(|team| agent("player", team)).collect();
    others.extend((1..=3).map(|team| agent("referee", team)));
    let no_show = loop {
        let result = manager.logs("result accepted");
        if result["cause"] == "NO_SHOW" {
            break result["match_id"].as_str().unwrap().to_owned();
        }
    };
    let mailed = |kind: &str| to(&office, kind, "p1@league.test");
    let rejected = mailed("REJECTION_NOTIFICATION").remove(0);
    let said = &rejected["payload"];
    assert_eq!(said["original_message_type"], "Q21WARMUPRESPONSE", "{rejected}");
    assert!(said["reason"].as_str().unwrap().contains("no answer within 3 s"), "{rejected}");
    assert!(said["deadline"].as_str().is_some(), "{rejected}");
    let score = mailed("Q21SCOREFEEDBACK").remove(0);
    assert_eq!(score["payload"]["league_points"], 0, "{score}");
    assert_eq!(score["game_id"], rejected["game_id"]);
    // What it answers when it is there again comes too late, and that is said too, after what it
    // has missed.
    absent.signal("CONT");
    while absent.logs("a letter of ours was rejected")["said"] != "this game brings you 0 points" {}
    let again = mailed("ALREADY_REJECTED_NOTIFICATION").remove(0);
    assert_eq!(again["game_id"], rejected["game_id"], "{again}");
    let shown = agon(office.path(), &["match", &no_show, "--manager", &endpoint, "--json"]).json();
    assert_eq!(shown["result"]["reason"], "NO_SHOW");
    manager.logs("league completed");
}

/// The letters of that kind that were mailed to that address.
fn to(office: &Office, kind: &str, address: &str) -> Vec<Value> {
    let mails = std::fs::read_to_string(office.path().join("mail/mails.jsonl")).unwrap();
    // The last line may still be on its way.
    let mails = mails.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let ours = mails.filter(|mail| mail["to"].to_string().contains(address));
    let letters = ours.map(|mail| {
        serde_json::from_str::<Value>(mail["parts"][0]["text"].as_str().unwrap()).unwrap()
    });
    letters.filter(|letter| letter["message_type"] == kind).collect()
}
