//! Crowds of strangers are in nobody's way.

use serde_json::{Value, json};

use crate::field::{AWAY, Field, HOME, apply, assert_admitted, assert_refused};

/// No test is to be told to wait because it is quick.
const QUICK: (&str, &str) = ("AGON_ADMISSION__REGISTRATIONS_PER_S", "100000");

/// What came of so many registrations from the other machine, by the code that was given for it.
#[track_caller]
fn crowd(field: &Field, role: &str, count: u32) -> Vec<Value> {
    let manager = &field.manager;
    field.away.enter(|| {
        let each = (0..count).map(|number| apply(manager, role, (AWAY, 9000 + number), None));
        each.collect()
    })
}

fn admitted(answers: &[Value]) -> usize {
    answers.iter().filter(|answer| answer["status"] == "ACCEPTED").count()
}

#[test]
fn t03_a_thousand_strange_referees_lock_nobody_out() {
    let mut field = Field::open_with(&["--start-when", "4"], &[QUICK]);
    let answers = crowd(&field, "referee", 1000);
    for answer in &answers {
        assert_refused(answer, "--invitation");
    }
    // The season is played as if they were not there.
    let (home, manager) = ((&field.home, HOME), ["--manager", &field.league.endpoint]);
    let mut all = vec![field.agent(home, "referee", &manager, &[])];
    all.extend((0..4).map(|_| field.agent(home, "player", &manager, &[])));
    let refused = field.league.manager.logs("registration rejected");
    assert!(refused["from"].as_str().unwrap().starts_with(AWAY), "{refused}");
    assert!(refused["reason"].as_str().unwrap().contains("--invitation"), "{refused}");
    all.into_iter().for_each(|agent| drop(agent.succeed()));
    field.assert_whole(4);
}

#[test]
fn t03_one_address_brings_a_bounded_number_of_agents() {
    let env = [QUICK, ("AGON_ADMISSION__PER_ADDRESS_MAX", "20")];
    let field = Field::open_with(&["--admit", "open"], &env);
    let answers = crowd(&field, "player", 300);
    assert_eq!(admitted(&answers), 20);
    assert_refused(answers.last().unwrap(), "E020");
    // Whoever is invited comes in all the same, and so does whoever is on the manager's machine.
    let code = field.invite(&[])["code"].take();
    let late = field.away.enter(|| apply(&field.manager, "player", (AWAY, 8000), code.as_str()));
    assert_admitted(&late);
    let here = &field.league.endpoint;
    let near = field.home.enter(|| apply(here, "player", ("127.0.0.1", 8000), None));
    assert_admitted(&near);
}

#[test]
fn t03_one_address_registers_at_a_bounded_rate() {
    // As slow as it goes, so that no machine is too slow to go beyond it.
    let env = [("AGON_ADMISSION__REGISTRATIONS_PER_S", "1")];
    let field = Field::open_with(&["--admit", "open"], &env);
    let burst = crowd(&field, "player", 10);
    assert_eq!(admitted(&burst), 10);
    let answers = crowd(&field, "player", 200);
    let refused = answers.iter().filter(|answer| answer["error_code"] == "E010").count();
    assert!(refused > 0, "{}", answers[199]);
}

#[test]
fn t03_who_waits_takes_no_place_and_so_many_may_wait() {
    let env = [QUICK, ("AGON_ADMISSION__WAITING_MAX", "50")];
    let field = Field::open_with(&["--admit", "approved"], &env);
    let answers = crowd(&field, "player", 60);
    assert_eq!(admitted(&answers), 50);
    assert_eq!(answers[0]["admission"], "pending", "{}", answers[0]);
    assert_refused(&answers[59], "E020");
    let state = field.state();
    assert_eq!(state["players"], 0, "{state}");
    // The invited one is in at once.
    let code = field.invite(&["--for", "Ada"])["code"].take();
    let invited = field.away.enter(|| apply(&field.manager, "player", (AWAY, 8000), code.as_str()));
    assert_admitted(&invited);
    assert_eq!(invited.get("admission"), None, "{invited}");
    let shown = field.agents();
    let places: Vec<_> = shown["agents"].as_array().unwrap().iter().collect();
    assert_eq!(places.iter().filter(|agent| agent["state"] == "WAITING").count(), 50);
    let last = places.last().unwrap();
    assert_eq!((&last["state"], &last["invitation"]), (&json!("IN"), &json!(1)), "{last}");
    // One that is turned down is told so when it asks again.
    assert_eq!(field.operate(&["remove", "P01", "--reason", "nobody knows it"]).code, Some(0));
}
