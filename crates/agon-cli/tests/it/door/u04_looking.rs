//! Looking at a league before, during and after its season: who is in, what is played, and what the
//! operator can do next. With a manager that runs, and on the folder of one that does not.

use std::io::Read;
use std::net::TcpListener;
use std::path::Path;

use serde_json::{Value, json};

use super::t02_verdicts::{league_of_a_clerk, lie, refused};
use super::u01_finished::Over;
use crate::league::{GATED, League};
use crate::namespace::Namespace;
use crate::process::{Ended, Process, agon, wait_until};

/// What that command shows people of a league.
fn shows(league: &League, command: &[&str]) -> String {
    let asked = [command, &["--manager", &league.endpoint]].concat();
    let ended = agon(league.path(), &asked);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert_narrow(&ended.out);
    ended.out
}

#[track_caller]
fn assert_narrow(text: &str) {
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{} columns: {line}", line.chars().count());
    }
}

/// What it shows of the folder, because nobody is where the manager would be.
fn of_folder(dir: &Path, command: &[&str]) -> Ended {
    agon(dir, &[command, &["--manager", "http://127.0.0.1:1/mcp"]].concat())
}

fn state(league: &League) -> Value {
    league.ask(&["status"]).succeed().json()["state"].clone()
}

#[track_caller]
fn assert_says(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "{word:?} is missing in: {text}");
    }
}

#[test]
fn u04_status_says_where_the_league_stands_and_what_comes_next() {
    let mut league = League::open(&[]);
    let said = shows(&league, &["status", "--data", "data"]);
    assert_says(&said, &["0 players and 0 referees are in", "a season needs two players"]);
    assert_says(&said, &["Next: agon player --manager http://127.0.0.1:"]);
    let gate = league.shut_gate();
    let mut running = vec![league.member("player", &GATED), league.member("player", &GATED)];
    assert_says(&shows(&league, &["status"]), &["needs a referee", "Next: agon referee"]);
    running.push(league.member("referee", &["--name", "Ref"]));
    let said = shows(&league, &["status", "--data", "data"]);
    assert_says(&said, &["2 players and 1 referee are in", "Next: agon start --data data"]);
    league.operate("start").succeed();
    wait_until(|| state(&league)["matches_under_way"] == 1);
    let said = shows(&league, &["status"]);
    assert_says(&said, &["round 1 of 1", "0 of 1 matches have a result", "1 match is under way"]);
    assert_says(&shows(&league, &["schedule"]), &["R1M1", "P01", "P02", "REF01", "under way"]);
    league.ask(&["pause", "--reason", "lunch", "--by", "Eve", "--data", "data"]).succeed();
    let said = shows(&league, &["status", "--data", "data"]);
    assert_says(&said, &["Paused by Eve at ", ": lunch.", "Next: agon resume --data data"]);
    league.operate("resume").succeed();
    drop(gate);
    league.manager.logs("league completed");
    running.into_iter().for_each(|agent| drop(agent.succeed()));
    let said = shows(&league, &["status", "--data", "data"]);
    assert_says(
        &said,
        &["after 1 match.", "Champion: Agon player (P0", "Next: agon season new --data data"],
    );
    let running = league.ask(&["status"]).succeed().json();
    assert_eq!(running.get("folder"), None, "{running}");
    // The same of the folder, when nobody runs any more.
    let League { dir, manager, .. } = league;
    manager.terminate();
    manager.succeed();
    let stopped = of_folder(dir.path(), &["status", "--data", "data"]);
    assert_says(&stopped.err, &["no manager answers", "what data says"]);
    assert_eq!(stopped.out, said);
    let stopped = of_folder(dir.path(), &["status", "--data", "data", "--json"]).json();
    assert_eq!((&stopped["state"], &stopped["folder"]), (&running["state"], &json!("data")));
    let nowhere = of_folder(dir.path(), &["status"]);
    assert_eq!(nowhere.code, Some(2));
    assert_says(&nowhere.err, &["no manager answers at http://127.0.0.1:1/mcp", "--data DIR"]);
}

#[test]
fn u04_a_folder_that_is_named_is_shown_and_not_whoever_listens() {
    let (over, mut league) = (Over::played(), League::open(&[]));
    let of = |data: &str, command: &str| {
        agon(over.path(), &[command, "--data", data, "--json", "--manager", &league.endpoint])
    };
    let status = of("data", "status").succeeded().json();
    assert_eq!(status["state"]["phase"], "COMPLETED", "{status}");
    assert_eq!(status["folder"], "data", "{status}");
    let schedule = of("data", "schedule").succeeded().json();
    assert_eq!(schedule["matches"].as_array().unwrap().len(), 1, "{schedule}");
    let nowhere = of("nowhere", "status");
    assert_eq!(nowhere.code, Some(2), "{}", nowhere.out);
    assert_says(&nowhere.err, &["there is no folder nowhere"]);
    // A manager that was killed owns nothing any more.
    league.manager.kill();
    let left = of(league.data().to_str().unwrap(), "status").succeeded();
    assert_says(&left.err, &["no manager answers for "]);
}

#[test]
fn u04_status_names_who_waits_and_what_was_disputed() {
    let mut league = League::open(&["--admit", "approved"]);
    let _ada = league.agent("player", &["--name", "Ada"]);
    league.manager.logs("asks to be let in: agon approve, or remove");
    let said = shows(&league, &["status", "--data", "data"]);
    assert_says(&said, &["Waiting for your word: P01 Ada.", "agon approve P01 --data data"]);
    assert_eq!(state(&league)["agents_waiting"], 1);
    let (league, liar, _players) = league_of_a_clerk();
    assert!(!shows(&league, &["status"]).contains("Disputed"));
    refused(&league, &liar, lie());
    assert_says(&shows(&league, &["status"]), &["Disputed: R1M1. `agon match` says why."]);
}

#[test]
fn u04_the_schedule_shows_rounds_players_and_results() {
    let mut league = League::open(&["--start-when", "4"]);
    let before = shows(&league, &["schedule"]);
    assert_says(&before, &["has not begun"]);
    let refused = league.ask(&["schedule", "--round", "1"]).exit(1);
    assert_says(&refused.err, &["has not begun"]);
    let long = "A name of somebody who has very much to say of himself";
    let mut running = vec![league.member("referee", &[])];
    running.extend((0..4).map(|_| league.member("player", &["--name", long])));
    running.into_iter().for_each(|agent| drop(agent.succeed()));
    let whole = shows(&league, &["schedule"]);
    assert_eq!(whole.lines().count(), 2 + 6, "{whole}");
    assert_says(&whole, &["R3M2", "REF01"]);
    let round = shows(&league, &["schedule", "--round", "2"]);
    assert_eq!(round.lines().count(), 2 + 2, "{round}");
    let own = league.ask(&["schedule", "--player", "P03"]).succeed().json();
    let own = own["matches"].as_array().unwrap();
    assert_eq!(own.len(), 3, "{own:?}");
    for entry in own {
        assert!([&entry["player_A_id"], &entry["player_B_id"]].contains(&&json!("P03")), "{entry}");
        assert!(entry["points"].is_object() && entry["status"].is_string(), "{entry}");
    }
    for wrong in [["--round", "9"], ["--player", "P09"]] {
        let refused = league.ask(&[&["schedule"], &wrong[..]].concat()).exit(1);
        assert_says(&refused.err, &["there is no such"]);
        let of_data = [&["schedule", "--data", "data"], &wrong[..]].concat();
        let offline = of_folder(league.path(), &of_data);
        assert_eq!(offline.code, Some(1), "{}", offline.err);
        assert_says(&offline.err, &["there is no such"]);
    }
}

#[test]
fn u04_agents_are_shown_before_the_start_and_fit_a_screen() {
    let mut league = League::open(&[]);
    assert_says(&shows(&league, &["agents"]), &["nobody is in yet"]);
    let long = "A name of somebody who has very much to say of himself";
    let _agents: Vec<Process> =
        vec![league.member("player", &["--name", long]), league.member("referee", &[])];
    let said = shows(&league, &["agents", "--data", "data"]);
    assert_says(&said, &["P01", "A name of someb…", "REF01", "in", "http://127.0.0.1:"]);
    let public = shows(&league, &["agents"]);
    assert!(!public.contains("http://"), "{public}");
}

#[test]
fn u04_the_operators_token_goes_to_no_other_machine_unasked() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("agon-data")).unwrap();
    let token = format!("tok-{:064x}", 7);
    std::fs::write(dir.path().join("agon-data/operator.token"), &token).unwrap();
    let [here, there] = Namespace::pair(["10.77.0.1/24", "10.77.0.2/24"]);
    // What somebody hears there whom a command takes for the manager.
    let heard = |place: &Namespace, address: &str, command: &[&str]| {
        let listener = place.enter(|| TcpListener::bind((address, 0)).unwrap());
        let manager = format!("http://{}/mcp", listener.local_addr().unwrap());
        let args = [command, &["--manager", &manager]].concat();
        let asking = here.enter(|| Process::agon(dir.path(), &args));
        let (mut stream, _) = listener.accept().unwrap();
        let (mut request, mut part) = (Vec::new(), [0; 4096]);
        while !request.ends_with(b"}") {
            let length = stream.read(&mut part).unwrap();
            assert!(length > 0, "the whole of a request");
            request.extend_from_slice(&part[..length]);
        }
        drop((stream, listener));
        asking.exit(2);
        String::from_utf8(request).unwrap()
    };
    let request = heard(&there, "10.77.0.2", &["agents"]);
    assert!(request.contains("list_agents") && !request.contains(&token), "{request}");
    // Who names the folder means it, and so does who asks this machine.
    assert!(heard(&there, "10.77.0.2", &["agents", "--data", "agon-data"]).contains(&token));
    for address in ["127.0.0.1", "10.77.0.1"] {
        assert!(heard(&here, address, &["agents"]).contains(&token), "{address}");
    }
    let order = ["start", "--manager", "http://10.77.0.2:8000/mcp"];
    let ended = here.enter(|| Process::agon(dir.path(), &order).exit(2));
    assert!(ended.err.contains("is not on this machine; say --data"), "{}", ended.err);
}
