//! An agent that keeps its token is not replaced without it.

use std::net::Ipv4Addr;

use serde_json::{Value, json};

use crate::http;
use crate::league::{League, TERMS, assert_whole, manager};
use crate::process::{Process, quiet_port};
use crate::refusals::clerk::{letter, registration};

/// Nobody can say that anything was written later.
const LATE: &str = "2099-01-01T00:00:00Z";
/// What a referee says when it finds somebody else in its place.
const DISPLACED: &str = "the manager does not know our token any more: registering again";
const ELSEWHERE: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

/// A registration that a test changes and repeats.
struct Form {
    role: &'static str,
    method: &'static str,
    params: Value,
}

impl Form {
    fn new(role: &'static str, endpoint: &str) -> Self {
        let (method, params) = registration(role, endpoint);
        Self { role, method, params }
    }

    fn set(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.params[field] = value.into();
        self
    }

    fn set_meta(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.params[format!("{}_meta", self.role)][field] = value.into();
        self
    }

    fn body(&self) -> String {
        let Self { method, params, .. } = self;
        json!({ "jsonrpc": "2.0", "method": method, "params": params, "id": 7 }).to_string()
    }

    /// The token that it leads to.
    #[track_caller]
    fn token(&self, manager: &str) -> String {
        let answer = http::post(manager, &self.body()).json()["result"].take();
        assert_eq!(answer["status"], "ACCEPTED", "{answer}");
        answer["auth_token"].as_str().unwrap().to_owned()
    }

    /// It leads to nothing.
    #[track_caller]
    fn is_refused(&self, manager: &str, word: &str) {
        assert_refused(http::post(manager, &self.body()).json()["result"].take(), word);
    }

    #[track_caller]
    fn is_refused_elsewhere(&self, manager: &str, word: &str) {
        let answer = http::post_from(ELSEWHERE, manager, &self.body());
        assert_refused(answer.json()["result"].take(), word);
    }
}

#[track_caller]
fn assert_refused(answer: Value, word: &str) {
    assert_eq!(answer["status"], "REJECTED", "{answer}");
    assert!(answer["reason"].as_str().unwrap().contains(word), "{answer}");
    assert!(answer.get("auth_token").is_none(), "{answer}");
}

/// Shows a token, as any request of a member does.
#[track_caller]
fn use_token(manager: &str, token: &str) {
    let mut query = letter("LEAGUE_QUERY", "player:P01");
    query["auth_token"] = json!(token);
    query["league_id"] = json!("league_2026_even_odd");
    query["query_type"] = json!("GET_STANDINGS");
    query["query_params"] = json!({});
    let answer = http::call(manager, "league_query", &query);
    assert_eq!(answer["result"]["success"], true, "{answer}");
}

#[test]
fn t05_nobody_takes_the_place_of_an_agent_with_a_journal() {
    let mut league = League::open(&[]);
    for (role, data) in [("player", "one"), ("referee", "two")] {
        let mut agent = league.member(role, &["--data", data]);
        let endpoint = agent.endpoint();
        agent.logs("registered"); // Only now it has its token on disk.
        let thief = Form::new(role, &endpoint).set("timestamp", LATE);
        thief.is_refused(&league.endpoint, "keeps its token");
        thief.set_meta("keeps_token", true).is_refused(&league.endpoint, "keeps its token");
        // The agent itself comes back whenever it likes.
        agent.kill();
        let port = endpoint.rsplit(':').next().unwrap().strip_suffix("/mcp").unwrap();
        let listen = format!("127.0.0.1:{port}");
        let usual = [role, "--manager", &league.endpoint, "--listen", &listen, "--data", data];
        let mut again = Process::agon(league.path(), &[&usual[..], &TERMS].concat());
        league.manager.logs(&format!("{role} registered"));
        again.logs("registered");
    }
    assert_eq!(league.state()["players"], 1);
    assert_eq!(league.state()["referees"], 1);
    league.close();
}

#[test]
fn t05_a_lost_answer_is_repeated_and_nothing_else_is() {
    let mut league = League::open(&[]);
    let at = league.endpoint.clone();
    let form = || Form::new("player", "http://127.0.0.1:901/mcp");
    let first = form().token(&at);
    assert_eq!(form().token(&at), first);
    // Not to another address, and not to another request of the same conversation.
    form().is_refused_elsewhere(&at, "E017");
    let changed = form().set_meta("display_name", "Thief").token(&at);
    assert_ne!(changed, first);
    let second = form().token(&at);
    assert!(second != first && second != changed, "each time another one");
    // Not after somebody has used it.
    use_token(&at, &second);
    let third = form().token(&at);
    assert_ne!(third, second);
    // But also by a manager that has died in between.
    league.manager.kill();
    let at;
    (league.manager, at) = manager(league.path(), &[]);
    assert_eq!(form().token(&at), third);
    league.close();
}

#[test]
fn t05_an_agent_that_keeps_its_token_is_known_by_it_alone() {
    let league = League::open(&[]);
    let at = &league.endpoint;
    let form = || Form::new("player", "http://127.0.0.1:901/mcp").set_meta("keeps_token", true);
    let token = form().token(at);
    assert_eq!(form().token(at), token);
    form().is_refused_elsewhere(at, "keeps its token");
    form().set_meta("display_name", "Thief").is_refused(at, "keeps its token");
    use_token(at, &token);
    form().is_refused(at, "keeps its token");
    // With the token it is the agent itself.
    let fresh = form().set("auth_token", token.clone()).token(at);
    assert_ne!(fresh, token);
    league.close();
}

#[test]
fn t05_an_agent_that_dies_before_it_has_its_token_comes_back() {
    let mut league = League::open(&[]);
    for (role, data) in [("player", "one"), ("referee", "two")] {
        let listen = format!("127.0.0.1:{}", quiet_port());
        let usual = [role, "--manager", &league.endpoint, "--listen", &listen, "--data", data];
        let args = [&usual[..], &TERMS].concat();
        // Its first commit is what it asks with, the second what it was given.
        let dies = [("AGON_FAILPOINT", "before-commit:2")];
        let dead = Process::agon_with(league.path(), &args, &dies).wait();
        assert_eq!(dead.code, None, "{}", dead.err);
        league.manager.logs(&format!("{role} registered"));
        let mut again = Process::agon(league.path(), &args);
        again.logs("registered");
    }
    assert_eq!(league.state()["players"], 1);
    assert_eq!(league.state()["referees"], 1);
    league.close();
}

#[test]
fn t05_a_referee_whose_place_was_taken_comes_back_and_the_season_completes() {
    let mut league = League::open(&["--start-when", "4"]);
    let mut referee = league.member("referee", &[]);
    let endpoint = referee.endpoint();
    Form::new("referee", &endpoint).set("timestamp", LATE).token(&league.endpoint);
    league.manager.logs("referee registered");
    referee.logs(DISPLACED);
    let again = league.manager.logs("referee registered");
    assert_eq!(again["referee"], "REF01", "{again}");
    let players: Vec<_> = (0..4).map(|_| league.member("player", &[])).collect();
    league.manager.logs("league completed");
    for agent in players.into_iter().chain([referee]) {
        agent.succeed();
    }
    assert_whole(&league, 4);
    league.close();
}

#[test]
fn t05_a_referee_that_is_driven_out_again_and_again_leaves() {
    let mut league = League::open(&[]);
    let mut referee = league.member("referee", &[]);
    let endpoint = referee.endpoint();
    for life in 1..=4 {
        let thief = Form::new("referee", &endpoint).set("timestamp", LATE);
        thief.set("conversation_id", format!("conv-{life}")).token(&league.endpoint);
        league.manager.logs("referee registered");
        if life < 4 {
            referee.logs(DISPLACED);
            league.manager.logs("referee registered");
        }
    }
    let ended = referee.exit(1);
    assert!(ended.err.contains("somebody else uses this agent's name"), "{}", ended.err);
    league.close();
}

#[test]
fn t06_a_token_counts_more_than_a_clock() {
    let league = League::open(&[]);
    let at = &league.endpoint;
    let form =
        |reg: &str| Form::new("player", "http://127.0.0.1:901/mcp").set("conversation_id", reg);
    let first = form("conv-1").token(at);
    let ahead = form("conv-2").set("auth_token", first).set("timestamp", LATE).token(at);
    let back = form("conv-3").set("auth_token", ahead.clone()).token(at);
    assert_ne!(back, ahead);
    league.close();
}

#[test]
fn t05_a_player_whose_place_was_taken_comes_back_and_the_season_completes() {
    let mut league = League::open(&["--start-when", "2"]);
    let mut player = league.member("player", &[]);
    let endpoint = player.endpoint();
    Form::new("player", &endpoint).set("timestamp", LATE).token(&league.endpoint);
    league.manager.logs("player registered");
    player.logs(DISPLACED);
    let again = league.manager.logs("player registered");
    assert_eq!(again["player"], "P01", "{again}");
    let mut all = vec![player, league.member("referee", &[])];
    all.push(league.member("player", &[]));
    league.manager.logs("league completed");
    all.into_iter().for_each(|agent| drop(agent.succeed()));
    assert_whole(&league, 2);
    league.close();
}

#[test]
fn t05_whoever_calls_with_a_false_token_drives_no_player_out() {
    let mut league = League::open(&["--start-when", "2"]);
    let mut player = league.member("player", &[]);
    let mut false_call = letter("LEAGUE_COMPLETED", "league_manager");
    false_call["auth_token"] = json!(format!("tok-{}", "0".repeat(64)));
    false_call["league_id"] = json!("league_2026_even_odd");
    (false_call["total_rounds"], false_call["total_matches"]) = (json!(0), json!(0));
    false_call["champion"] = json!({ "player_id": "P01", "display_name": "Nobody", "points": 0 });
    false_call["final_standings"] = json!([]);
    let endpoint = player.endpoint();
    for _ in 0..20 {
        let answer = http::call(&endpoint, "notify_league_completed", &false_call);
        assert_eq!(answer["error"]["data"]["error_code"], "E012", "{answer}");
    }
    let others = [league.member("referee", &[]), league.member("player", &[])];
    league.manager.logs("league completed");
    others.into_iter().for_each(|agent| drop(agent.succeed()));
    let ended = player.succeed();
    assert!(!ended.err.contains(DISPLACED), "{}", ended.err);
    league.close();
}
