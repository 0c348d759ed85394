//! In a game of many rounds every one of them is played again from what the report tells, and who
//! played says whether it was so.

use serde_json::{Value, json};

use super::{exported, league_of};
use crate::http;
use crate::league::League;
use crate::refusals::clerk::Clerk;

const HANDS: &str = "rock-paper-scissors";

/// The end of three rounds in which P01 had one point more.
fn view() -> Value {
    json!({ "last": ["paper", "rock"], "round": 4, "rounds": 3, "totals": [1, -1] })
}

/// A report that P01 has won, with that view, and with these acts if there are any.
fn won(view: &Value, acts: Option<Value>) -> Value {
    let mut details = json!({ "view": view });
    if let Some(acts) = acts {
        details["acts"] = acts;
    }
    json!({ "winner": "P01", "status": "WIN", "reason": "PLAYED", "details": details })
}

fn sent(league: &League, clerk: &Clerk, result: Value) -> Value {
    let mut report = clerk.report("R1M1", "P01");
    (report["game_type"], report["result"]) = (json!("rock_paper_scissors"), result);
    http::call(&league.endpoint, "report_match_result", &report)["result"].take()
}

#[test]
fn t02_rounds_that_were_not_played_so_are_refused_with_the_first_that_does_not_fit() {
    let (mut league, clerk, _players) = league_of(HANDS, ["rock", "paper"]);
    let fair = json!([["rock", "rock"], ["rock", "rock"], ["paper", "rock"]]);
    let mut generous = view();
    generous["totals"] = json!([3, -1]);
    let cases = [
        (view(), Some(json!([["rock", "rock"], ["paper", "rock"]])), "contradicts `acts`"),
        (view(), Some(json!([["rock", "rock"], ["rock", "stone"]])), "number 2"),
        (view(), Some(json!([["rock", "rock"], 7])), "number 2"),
        (generous.clone(), Some(fair.clone()), "contradicts `acts`"),
        // Without the rounds: one cannot gain what the other has not lost.
        (generous, None, "the payoffs"),
    ];
    for (view, acts, why) in cases {
        let refused = sent(&league, &clerk, won(&view, acts));
        let problem = refused["problem"].as_str().unwrap_or_default();
        assert!(problem.contains(why), "{why}: {refused}");
        assert_eq!(league.state()["matches_completed"], 0);
    }
    assert_eq!(sent(&league, &clerk, won(&view(), Some(fair)))["status"], "recorded");
    let line = league.manager.logs("result accepted");
    assert_eq!(line["verified"], true, "{line}");
}

#[test]
fn t02_rounds_that_a_report_does_not_tell_are_marked() {
    let (mut league, clerk, _players) = league_of(HANDS, ["rock", "paper"]);
    assert_eq!(sent(&league, &clerk, won(&view(), None))["status"], "recorded");
    let line = league.manager.logs("result accepted");
    assert_eq!(line["verified"], false, "{line}");
    assert_eq!(league.shown("R1M1")["result"]["unverified"], true);
}

#[test]
fn t02_a_season_of_many_rounds_is_verified_to_the_last_move() {
    let game = ["--game", "prisoners-dilemma"];
    let mut league = League::open(&[&game[..], &["--start-when", "2"]].concat());
    let agents = [("referee", None), ("player", Some("random")), ("player", Some("tit-for-tat"))];
    let agents = agents.map(|(role, strategy)| {
        let strategy = strategy.map(|name| ["--strategy", name]);
        league.member(role, &[&game[..], strategy.as_slice().as_flattened()].concat())
    });
    let line = league.manager.logs("result accepted");
    assert_eq!(line["verified"], true, "{line}");
    league.manager.logs("league completed");
    agents.into_iter().for_each(|agent| drop(agent.succeed()));
    assert_eq!(exported(&league, "RESULT_CONTRADICTED"), Vec::<Value>::new());
    assert_eq!(league.state()["disputed"], Value::Null);
}
