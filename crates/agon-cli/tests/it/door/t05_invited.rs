//! Beyond this machine an address proves nothing: a token does, or the agent's own invitation.

use serde_json::{Value, json};

use crate::field::{AWAY, Field, HOME, apply, assert_admitted, assert_refused, joining};
use crate::http;
use crate::league::League;
use crate::process::Process;
use crate::refusals::clerk::registration;

/// A registration of that player, as a process that was started anew sends it.
#[track_caller]
fn register(manager: &str, number: u32, life: u32) -> Value {
    let (method, mut params) = registration("player", &format!("http://{AWAY}:{number}/mcp"));
    params["conversation_id"] = json!(format!("conv-{life}"));
    http::call(manager, method, &params)["result"].take()
}

#[test]
fn t05_from_another_machine_nobody_is_known_by_an_address() {
    let field = Field::open(&["--admit", "open"]);
    field.away.enter(|| {
        assert_admitted(&register(&field.manager, 9001, 1));
        assert_refused(&register(&field.manager, 9001, 2), "E017");
    });
}

#[test]
fn t05_an_agent_comes_again_by_its_own_invitation() {
    let field = Field::open(&["--admit", "invited", "--admit-referees", "invited"]);
    let own = field.invite(&["--for", "Ada"]);
    let shared = field.invite(&["--uses", "3"]);
    let address = |invited: &Value| joining(&field.manager, invited["code"].as_str().unwrap());
    let (own, shared) = (address(&own), address(&shared));
    field.away.enter(|| {
        let first = register(&own, 9001, 1);
        assert_admitted(&first);
        // Started anew on another port, it is still that one, and its old token is dead.
        let again = register(&own, 9002, 2);
        assert_eq!(again["player_id"], first["player_id"], "{again}");
        let other = register(&shared, 9003, 1);
        assert_ne!(other["player_id"], first["player_id"], "{other}");
        // What several have proves nothing.
        assert_refused(&register(&shared, 9003, 2), "E017");
    });
    // The same holds for whoever calls from the manager's machine.
    let here = &field.league.endpoint;
    field.home.enter(|| assert_refused(&register(here, 9002, 3), "E017"));
}

#[test]
fn t05_an_invitation_leads_to_nobody_elses_endpoint() {
    let field = Field::open(&["--admit", "invited"]);
    let address = |name: &str| {
        let invited = field.invite(&["--for", name]);
        joining(&field.manager, invited["code"].as_str().unwrap())
    };
    let [ada, blaise] = ["Ada", "Blaise"].map(address);
    field.away.enter(|| {
        assert_admitted(&register(&ada, 9001, 1));
        assert_admitted(&register(&blaise, 9002, 1));
        assert_refused(&register(&blaise, 9001, 2), "E017");
        assert_admitted(&register(&ada, 9001, 3));
    });
}

#[test]
fn t05_a_list_of_a_course_is_invited_at_once_and_plays() {
    let mut field = Field::open(&["--admit", "invited", "--start-when", "3"]);
    let list = "name,mail\nAda,ada@school.test\nBlaise,blaise@school.test\n\"Carl, F.\",c@x.test\n";
    std::fs::write(field.league.path().join("course.csv"), list).unwrap();
    let invite = ["invite", "--csv", "course.csv", "--data", "data"];
    let plain = || {
        let (path, manager) = (field.league.path(), &field.league.endpoint);
        let args = [&invite[..], &["--manager", manager]].concat();
        field.home.enter(|| Process::agon(path, &args).succeed().out)
    };
    let printed = plain();
    let lines: Vec<_> = printed.lines().collect();
    assert_eq!(lines[0], "name,mail,invitation,code,address", "{printed}");
    assert!(lines[3].starts_with("\"Carl, F.\",c@x.test,3,"), "{printed}");
    assert_eq!(plain(), printed, "said again, the list is the same");
    let codes: Vec<_> =
        lines[1..].iter().map(|line| line.split(',').rev().nth(1).unwrap()).collect();
    let home = (&field.home, HOME);
    let mut all = vec![field.agent(home, "referee", &["--manager", &field.league.endpoint], &[])];
    for code in codes {
        let manager = joining(&field.manager, code);
        all.push(field.agent((&field.away, AWAY), "player", &["--manager", &manager], &[]));
    }
    field.league.manager.logs("league completed");
    all.into_iter().for_each(|agent| drop(agent.succeed()));
    field.assert_whole(3);
}

#[test]
fn t05_who_is_known_by_its_place_alone_is_marked() {
    let mut league = League::open(&[]);
    let (method, mut params) = registration("player", "http://127.0.0.1:901/mcp");
    http::call(&league.endpoint, method, &params);
    params["conversation_id"] = json!("conv-again");
    assert_admitted(&http::call(&league.endpoint, method, &params)["result"]);
    let said = league.manager.logs("came again without a token; its address was believed");
    assert_eq!((&said["level"], &said["agent"]), (&json!("WARN"), &json!("P01")), "{said}");
    let shown = league.operate("agents").succeed().json();
    assert_eq!(shown["agents"][0]["unproved"], true, "{shown}");
    for (role, number) in [("player", 902), ("referee", 903)] {
        assert_admitted(&apply(&league.endpoint, role, ("127.0.0.1", number), None));
    }
    league.operate("start").succeed();
    let marks: Vec<_> = league.standings().iter().map(|row| row.get("unproved").cloned()).collect();
    assert_eq!(marks, [Some(json!(true)), None]);
    let table = league.ask_offline(&["standings", "--manager", &league.endpoint]).succeed().out;
    assert!(table.contains("P01: came again without its token"), "{table}");
}

#[test]
fn t05_an_agent_that_is_taken_out_stays_out_until_it_is_reset() {
    let mut league = League::open(&["--start-when", "3"]);
    let mut player = league.member("player", &["--data", "ada"]);
    player.logs("registered");
    let gone = ["remove", "P01", "--reason", "it left the course", "--data", "data"];
    league.ask(&gone).succeed();
    league.manager.logs("removed");
    player.kill();
    let refused = league.agent("player", &["--data", "ada"]).exit(1);
    assert!(refused.err.contains("has taken this agent out"), "{}", refused.err);
    // With the operator's token, which it gets by a reset, it is in again; and taken out once more.
    let fresh = ["reset", "P01", "--reason", "it is back", "--data", "data"];
    let fresh = league.ask(&fresh).succeed().json()["auth_token"].as_str().unwrap().to_owned();
    std::fs::write(league.path().join("fresh"), fresh).unwrap();
    let mut back = league.agent("player", &["--data", "ada", "--token-file", "fresh"]);
    assert_eq!(league.manager.logs("player registered")["player"], "P01");
    back.logs("registered");
    league.ask(&gone).succeed();
    assert!(back.exit(1).err.contains("no longer in this league"));
    // The season is played without it, and its number stays its own.
    let mut all = vec![league.member("referee", &[])];
    all.extend((0..3).map(|_| league.member("player", &[])));
    league.manager.logs("league completed");
    all.into_iter().for_each(|agent| drop(agent.succeed()));
    let ids: Vec<_> = league.standings().iter().map(|row| row["player_id"].to_string()).collect();
    assert!(ids.len() == 3 && !ids.contains(&"\"P01\"".to_owned()), "{ids:?}");
}
