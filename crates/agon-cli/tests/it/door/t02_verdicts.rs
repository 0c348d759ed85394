//! A report that contradicts itself does not count.

mod invented;
mod letters;
mod rounds;

use std::path::Path;

use serde_json::{Value, json};

use crate::http;
use crate::league::{League, assert_whole};
use crate::process::Process;
use crate::refusals::clerk::Clerk;

/// What the review saw recorded 27 times: who won does not follow from what was played.
pub(super) fn lie() -> Value {
    json!({
        "winner": "P01",
        "score": { "P01": 3, "P02": 0 },
        "details": { "drawn_number": 7, "choices": { "P01": "even", "P02": "even" } },
        "status": "WIN",
        "reason": "PLAYED",
    })
}

/// Two players of ours, and a referee of the test's own that holds their only match.
pub(super) fn league_of_a_clerk() -> (League, Clerk, [Process; 2]) {
    league_of("even-odd", ["even", "odd"])
}

/// The same in that game, with these strategies.
fn league_of(game: &str, strategies: [&str; 2]) -> (League, Clerk, [Process; 2]) {
    let mut league = League::open(&["--game", game, "--match-time-max-s", "3000"]);
    let clerk = Clerk::join(&league.endpoint, "referee");
    let players = strategies
        .map(|strategy| league.member("player", &["--game", game, "--strategy", strategy]));
    league.operate("start").succeed();
    (league, clerk, players)
}

/// Sends a report of R1M1 that says this.
fn reported(league: &League, clerk: &Clerk, result: Value) -> Value {
    let mut report = clerk.report("R1M1", "P01");
    report["result"] = result;
    http::call(&league.endpoint, "report_match_result", &report)["result"].take()
}

/// Sends a report that must be refused, and returns the sentence that says why.
#[track_caller]
pub(super) fn refused(league: &League, clerk: &Clerk, result: Value) -> String {
    let error = reported(league, clerk, result);
    assert_eq!(error["message_type"], "LEAGUE_ERROR", "{error}");
    assert_eq!(error["error_code"], "E002", "{error}");
    error["problem"].as_str().unwrap().to_owned()
}

/// The lines of that kind in the log of an export.
fn exported(league: &League, kind: &str) -> Vec<Value> {
    league.ask_offline(&["export", "--data", "data", "--to", "out", "--json"]).succeed();
    log_of(&league.path().join("out")).into_iter().filter(|it| it["event_type"] == kind).collect()
}

fn log_of(out: &Path) -> Vec<Value> {
    let mut leagues = std::fs::read_dir(out.join("logs/league")).unwrap();
    let log = leagues.next().unwrap().unwrap().path().join("league.log.jsonl");
    let log = std::fs::read_to_string(log).unwrap();
    log.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn t02_a_winner_that_does_not_follow_is_refused_and_an_honest_referee_ends_the_season() {
    let (mut league, liar, players) = league_of_a_clerk();
    for _ in 0..2 {
        let why = refused(&league, &liar, lie());
        assert!(["P01 even", "P02 even", "7", "WIN"].iter().all(|it| why.contains(it)), "{why}");
    }
    let line = league.manager.logs("result disputed");
    assert_eq!((&line["match_id"], &line["referee"]), (&json!("R1M1"), &json!("REF01")));
    assert!(line["contradiction"].as_str().unwrap().contains("P02 even"), "{line}");
    assert_eq!(league.state()["matches_completed"], 0);
    let open = league.shown("R1M1");
    assert_eq!(open.get("result"), None, "{open}");
    assert_eq!(open["contradictions"][0]["referee_id"], "REF01", "{open}");
    assert!(open["contradictions"][0].get("contradiction").is_none(), "not before the end: {open}");
    let disputes = exported(&league, "MATCH_RESULT_DISPUTED");
    assert_eq!(disputes.len(), 1, "written down once: {disputes:?}");
    assert!(disputes[0]["details"]["contradiction"].as_str().unwrap().contains("7"));

    let honest = league.member("referee", &[]);
    let moved = league.manager.logs("reassigned");
    assert_eq!((&moved["match_id"], &moved["referee"]), (&json!("R1M1"), &json!("REF02")));
    league.manager.logs("league completed");
    assert_whole(&league, 2);
    let shown = league.shown("R1M1");
    assert_eq!((&shown["referee_id"], &shown["attempt"]), (&json!("REF02"), &json!(2)), "{shown}");
    assert_eq!(shown["result"].get("unverified"), None, "ours says what was played: {shown}");
    let why = shown["contradictions"][0]["contradiction"].as_str().unwrap();
    assert!(why.contains("P01 even") && why.contains("7"), "{shown}");
    let text = league.ask_offline(&["match", "R1M1", "--manager", &league.endpoint]).succeed().out;
    assert!(text.contains("REF01 contradicted itself"), "{text}");
    for agent in players.into_iter().chain([honest]) {
        agent.succeed();
    }
}

#[test]
fn t02_a_referee_that_mends_its_report_is_believed() {
    let (league, clerk, _players) = league_of_a_clerk();
    refused(&league, &clerk, lie());
    let mut truth = lie();
    (truth["status"], truth["winner"]) = (json!("DRAW"), Value::Null);
    truth["score"] = json!({ "P01": 1, "P02": 1 });
    assert_eq!(reported(&league, &clerk, truth)["status"], "recorded");
    let shown = league.shown("R1M1");
    assert_eq!((&shown["result"]["status"], &shown["attempt"]), (&json!("DRAW"), &json!(1)));
    assert_eq!(shown["result"].get("unverified"), None, "{shown}");
}

#[test]
fn t02_every_kind_of_contradiction_is_refused_with_its_values() {
    let (league, clerk, _players) = league_of_a_clerk();
    let choices = json!({ "P01": "even", "P02": "odd" });
    let played = json!({ "drawn_number": 8, "choices": choices });
    let cases = [
        (json!({ "winner": "P02", "details": played }), &["P02", "P01 even", "8"][..]),
        (json!({ "winner": null, "details": played }), &["DRAW", "P02 odd"]),
        (json!({ "winner": "P01", "details": { "drawn_number": 11 } }), &["11", "1 to 10"]),
        (json!({ "winner": "P01", "status": "DRAW" }), &["DRAW", "P01"]),
        (json!({ "status": "CANCELLED", "reason": "NO_SHOW", "details": played }), &["CANCELLED"]),
        (json!({ "status": "ABORTED", "reason": "NETWORK", "details": played }), &["ABORTED", "8"]),
        (json!({ "winner": "P01", "score": { "P01": 0, "P02": 3 } }), &["P02 3", "P01"]),
        (
            json!({ "winner": "P01", "status": "TECHNICAL_LOSS", "reason": "PLAYED" }),
            &["PLAYED", "TECHNICAL_LOSS"],
        ),
        (
            json!({ "winner": "P01", "status": "TECHNICAL_LOSS", "blame": "PLAYER_A" }),
            &["PLAYER_A", "P01"],
        ),
    ];
    for (result, values) in cases {
        let why = refused(&league, &clerk, result);
        assert!(values.iter().all(|value| why.contains(value)), "{values:?}: {why}");
        assert_eq!(league.state()["matches_completed"], 0);
    }
}

#[test]
fn t02_a_report_without_details_is_taken_and_marked() {
    let (mut league, clerk, _players) = league_of_a_clerk();
    clerk.reports(&clerk.report("R1M1", "P01"));
    let line = league.manager.logs("result accepted");
    assert_eq!(line["verified"], false, "{line}");
    let shown = league.shown("R1M1");
    assert_eq!(
        (&shown["result"]["winner"], &shown["result"]["unverified"]),
        (&json!("P01"), &json!(true))
    );
    let text = league.ask_offline(&["match", "R1M1", "--manager", &league.endpoint]).succeed().out;
    assert!(text.contains("not verified"), "{text}");
    let results = exported(&league, "MATCH_RESULT_RECEIVED");
    assert_eq!(results[0]["details"]["unverified"], true, "{results:?}");
    let table = league.standings();
    assert!(table.iter().all(|row| row["unverified"] == 1), "{table:?}");
    let text = league.ask_offline(&["standings", "--manager", &league.endpoint]).succeed().out;
    assert!(text.contains("P01: 1 of its results not verified"), "{text}");
    let folder = league.path().join("out/data/matches/league_2026_even_odd/R1M1.json");
    let document: Value = serde_json::from_str(&std::fs::read_to_string(folder).unwrap()).unwrap();
    assert_eq!(document["result"]["unverified"], true, "{document}");
}
