//! Who belongs to a Q21 league whose agents are called: the same words of the operator count.

use serde_json::{Value, json};

use super::post::letter;
use crate::field::{AWAY, Field, joining};
use crate::http;
use crate::league::League;
use crate::process::Process;

/// An agent of a team, on the other machine, that says all it can.
fn agent(field: &Field, role: &str, team: u32, manager: &str) -> Process {
    let (group, name) = (format!("team{team}"), "Ada");
    let args = ["--game", "q21", "--group", &group, "--name", name, "--manager", manager];
    field.agent((&field.away, AWAY), role, &args, &[])
}

/// Asks by letter to be let in as a player that is called there.
fn apply(field: &Field, port: u32) -> Value {
    let own = format!("http://{AWAY}:{port}/mcp");
    let payload = json!({ "user_id": format!("team{port}"), "participant_role": "PLAYER" });
    let mut said = letter("SEASON_REGISTRATION_REQUEST", &own, "PLAYER", payload);
    said["protocol"] = json!("Q21G.v1");
    let body = json!({ "jsonrpc": "2.0", "method": "deliver_letter", "params": said, "id": 7 });
    let manager = &field.manager;
    field.away.enter(|| http::post(manager, &body.to_string()).json())
}

#[track_caller]
fn order(field: &Field, command: &[&str]) {
    let ended = field.operate(command);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
}

#[test]
fn t01_who_waits_in_a_league_of_letters_hears_so_and_is_approved() {
    let mut field = Field::open(&["--game", "q21", "--admit", "approved"]);
    let mut first = agent(&field, "player", 1, &field.manager);
    first.logs("asked to be let in: waiting for the operator's approval");
    assert_eq!(field.agents()["agents"][0]["state"], "WAITING");
    assert_eq!(field.state()["players"], 0);
    order(&field, &["approve", "P01"]);
    field.league.manager.logs("approved");
    assert_eq!(field.state()["players"], 1);
    // Another team has an agent of that name: the later one hears what it is called.
    let mut second = agent(&field, "player", 2, &field.manager);
    let said = second.logs("our name is taken, or the roster has another one");
    assert_eq!(said["name"], "Ada (P02)", "{said}");
}

#[test]
fn t01_an_invitation_lets_a_league_of_letters_be_entered_from_anywhere() {
    let mut field = Field::open(&["--game", "q21", "--admit", "invited"]);
    let invited = field.invite(&["--for", "Ada"]);
    let door = joining(&field.manager, invited["code"].as_str().unwrap());
    let mut agent = agent(&field, "player", 1, &door);
    field.league.manager.logs("player registered");
    agent.logs("registered");
    assert_eq!(field.agents()["agents"][0]["invitation"], 1);
}

#[test]
fn t01_a_list_lets_whom_it_names_into_a_league_of_letters() {
    let list = format!("['http://{AWAY}:9001/mcp', 'HTTP://{AWAY}:09002/mcp']");
    let env = [("AGON_ADMISSION__PLAYERS", list.as_str())];
    let mut field = Field::open_with(&["--game", "q21"], &env);
    for port in [9001, 9002, 9003] {
        let answer = apply(&field, port);
        assert!(answer.get("error").is_none(), "{answer}");
    }
    assert_eq!(field.state()["players"], 2);
    // Whoever is taken out does not come again.
    order(&field, &["remove", "P01", "--reason", "it left the course"]);
    field.league.manager.logs("removed");
    apply(&field, 9001);
    assert_eq!(field.state()["players"], 1);
}

#[test]
fn t01_a_list_names_endpoints_in_any_spelling() {
    let list = [("AGON_ADMISSION__PLAYERS", "['HTTP://LOCALHOST:0901/mcp']")];
    let league = League::open_with(&[], &list);
    let come = |host: &str, number| {
        crate::field::apply(&league.endpoint, "player", (host, number), None)["status"].take()
    };
    assert_eq!(come("127.0.0.1", 901), "ACCEPTED");
    assert_eq!(come("127.0.0.1", 902), "REJECTED");
    league.close();
}

#[test]
fn t01_an_invitation_prints_how_others_call_the_manager() {
    let public = "https://league.test/mcp";
    let league = League::open_with(&[], &[("AGON_ADMISSION__PUBLIC_URL", public)]);
    let invited = league.ask(&["invite", "--for", "Ada", "--data", "data"]).succeed().json();
    let code = invited["code"].as_str().unwrap();
    let expected = format!("https://league.test/join/{code}/mcp");
    assert_eq!(invited["address"], expected.as_str(), "{invited}");
    // Who is not the operator sees nothing of invitations.
    crate::field::apply(&league.endpoint, "player", ("127.0.0.1", 901), Some(code));
    let shown = |args: &[&str]| league.ask(args).succeed().json();
    assert_eq!(shown(&["agents", "--data", "data"])["agents"][0]["invitation"], 1);
    let public = shown(&["agents"]);
    assert!(public["agents"][0].get("invitation").is_none(), "{public}");
    league.close();
}
