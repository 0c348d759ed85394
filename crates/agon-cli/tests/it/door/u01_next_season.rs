//! The next season of a league: the same agents, whatever is played, and nothing of the one before
//! is lost.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::u01_finished::{MANAGER, Over, end, manager, state};
use crate::http;
use crate::league::{League, TERMS};
use crate::process::{Ended, Process, agon};

pub(super) const NEW: [&str; 5] = ["season", "new", "--data", "data", "--json"];
const RPS: [&str; 2] = ["--game", "rock-paper-scissors"];

/// The agents of that manager, by their ids: name and state.
fn agents(endpoint: &str) -> Vec<[String; 3]> {
    let list = http::tool(endpoint, "list_agents", &json!({}));
    let text = |agent: &Value, field: &str| agent[field].as_str().unwrap_or_default().to_owned();
    let rows = list["agents"].as_array().unwrap().iter().map(|agent| {
        let id = text(agent, "player_id") + &text(agent, "referee_id");
        [id, text(agent, "display_name"), text(agent, "state")]
    });
    rows.collect()
}

#[track_caller]
fn assert_agents(endpoint: &str, expected: &[[&str; 3]]) {
    assert_eq!(agents(endpoint), expected.to_vec());
}

/// Ends a league and its folder's season, and opens the next one with these arguments.
#[track_caller]
fn next(league: League, args: &[&str]) -> (tempfile::TempDir, Value) {
    let League { dir, manager, .. } = league;
    end(manager);
    let opened = agon(dir.path(), &[&NEW[..], args].concat());
    assert_eq!(opened.code, Some(0), "{}", opened.err);
    (dir, opened.json())
}

#[test]
fn u01_the_next_season_has_the_same_agents_in_another_game() {
    let mut league = League::open(&["--start-when", "3"]);
    let names = ["Ada", "Bob", "Carl"];
    let mut running = vec![league.member("referee", &["--name", "Ref", "--data", "ref"])];
    for name in names {
        running.push(league.member("player", &["--name", name, "--data", name]));
    }
    running.into_iter().for_each(|agent| drop(agent.succeed()));
    let (dir, opened) = next(league, &RPS);
    assert_eq!(opened["game"], "rock_paper_scissors");
    assert_eq!(opened["agents_expected"], 4, "{opened}");
    assert_eq!(opened["season_id"], "S01-2", "{opened}");
    let begin = [&RPS[..], &["--start-when", "2"]].concat();
    let (second, said) = manager(dir.path(), &begin, &[]);
    let endpoint = said["endpoint"].as_str().unwrap().to_owned();
    assert_eq!(state(&said)["players"], 0, "nobody is in before it has come");
    assert_eq!(state(&said)["agents_expected"], 4);
    let all = |state| [["P01", "Ada", state], ["P02", "Bob", state], ["P03", "Carl", state]];
    let referee = |state| ["REF01", "Ref", state];
    let expected = [&all("EXPECTED")[..], &[referee("EXPECTED")]].concat();
    assert_agents(&endpoint, &expected);
    // Two of them come back, in another order, and keep their numbers.
    let mut league = League { dir, manager: second, endpoint };
    let carl = league.member("player", &[&RPS[..], &["--data", "Carl", "--name", "Carl"]].concat());
    let ada = league.member("player", &[&RPS[..], &["--data", "Ada", "--name", "Ada"]].concat());
    let back = league.member("referee", &[&RPS[..], &["--data", "ref", "--name", "Ref"]].concat());
    [carl, ada, back].into_iter().for_each(|agent| drop(agent.succeed()));
    let shown = state(&said);
    assert_eq!((&shown["phase"], &shown["matches"]), (&json!("COMPLETED"), &json!(1)), "{shown}");
    let table = league.standings();
    let mut table: Vec<_> = table.iter().map(|row| row["player_id"].as_str().unwrap()).collect();
    table.sort();
    assert_eq!(table, ["P01", "P03"]);
    // What Ada's author is left with is of this season alone.
    let history = fs::read_to_string(league.path().join("Ada/history.json")).unwrap();
    let history: Value = serde_json::from_str(&history).unwrap();
    assert_eq!(history["matches"].as_array().unwrap().len(), 1, "{history}");
    // Whoever did not come may not come any more.
    let late = league.agent("player", &[&RPS[..], &["--data", "Bob", "--name", "Bob"]].concat());
    let late = late.exit(1);
    assert!(late.err.contains("closed") || late.err.contains("E011"), "{}", late.err);
    // The season before is whole, and can be shown without a manager.
    let kept = opened["kept"].as_str().unwrap();
    let (before, schedule) = (offline(&league, "status", kept), offline(&league, "schedule", kept));
    assert_eq!(before.json()["state"]["matches_completed"], 3, "{}", before.out);
    assert_eq!(schedule.json()["matches"].as_array().unwrap().len(), 3, "{}", schedule.out);
    // And one more, of the same game: nobody has to say it again.
    let (dir, third) = next(league, &[]);
    assert_eq!((&third["game"], &third["season_id"]), (&opened["game"], &json!("S01-3")));
    let (third, said) = manager(dir.path(), &RPS, &[]);
    assert_eq!(state(&said)["agents_expected"], 4);
    end(third);
}

/// What a command shows of a folder; nobody listens where the manager would be.
fn offline(league: &League, command: &str, folder: &str) -> Ended {
    let nobody = ["--manager", "http://127.0.0.1:1/mcp", "--json"];
    agon(league.path(), &[&[command, "--data", folder][..], &nobody].concat())
}

#[test]
fn u01_who_was_removed_stays_out_and_invitations_stay_whose_they_are() {
    let admit = ["--admit", "invited", "--admit-referees", "local"];
    let mut league = League::open(&[&admit[..], &["--start-when", "2"]].concat());
    let invited = |league: &League, name: &str| {
        let made = league.ask(&["invite", "--for", name, "--data", "data"]).succeed().json();
        made["address"].as_str().unwrap().to_owned()
    };
    let doors = ["Ada", "Bob", "Eve"].map(|name| invited(&league, name));
    let come = |dir: &Path, door: &str, name: &str, listen: &str| {
        let args = ["player", "--manager", door, "--name", name, "--listen", listen];
        Process::agon(dir, &[&args[..], &TERMS].concat())
    };
    let eve = come(league.path(), &doors[2], "Eve", "127.0.0.1:0");
    league.manager.logs("player registered");
    let out = ["remove", "P01", "--reason", "she cheats", "--data", "data"];
    league.ask(&out).succeed();
    drop(eve);
    let mut running = vec![league.member("referee", &[])];
    for (door, name) in doors.iter().zip(["Ada", "Bob"]) {
        running.push(come(league.path(), door, name, "127.0.0.1:0"));
        league.manager.logs("player registered");
    }
    running.into_iter().for_each(|agent| drop(agent.succeed()));
    let port = league.endpoint.rsplit(':').next().unwrap().split('/').next().unwrap().to_owned();
    let (dir, _) = next(league, &[]);
    let listen = format!("127.0.0.1:{port}");
    let args = ["manager", "--data", "data", "--listen", &listen];
    let mut second = Process::agon(dir.path(), &[&args[..], &TERMS, &admit].concat());
    let endpoint = second.endpoint();
    let known = [["P01", "Eve", "REMOVED"], ["P02", "Ada", "EXPECTED"], ["P03", "Bob", "EXPECTED"]];
    assert_eq!(agents(&endpoint)[..3], known.map(|row| row.map(str::to_owned)));
    // They have no journal and came from other ports; the address is theirs, and of nobody else.
    let _bob = come(dir.path(), &doors[1], "Bob the second", "127.0.0.1:0");
    second.logs("player registered");
    assert_eq!(agents(&endpoint)[2], ["P03", "Bob the second", "IN"].map(str::to_owned));
    let eve = come(dir.path(), &doors[2], "Eve", "127.0.0.1:0").exit(1);
    assert!(eve.err.contains("taken this agent out"), "{}", eve.err);
    end(second);
}

#[test]
fn u01_only_a_season_that_is_over_has_a_next_one() {
    let mut league = League::open(&[]);
    let nothing = agon(league.path(), &["season", "new", "--data", "nowhere"]);
    assert_eq!(nothing.code, Some(2), "{}", nothing.err);
    assert!(nothing.err.contains("no nowhere"), "{}", nothing.err);
    assert!(!league.path().join("nowhere").exists());
    let _player = league.member("player", &[]);
    let running = agon(league.path(), &NEW);
    assert_eq!(running.code, Some(2), "{}", running.err);
    assert!(running.err.contains("in use"), "{}", running.err);
    let League { dir, manager, .. } = league;
    end(manager);
    let open = agon(dir.path(), &NEW);
    assert_eq!(open.code, Some(2), "{}", open.err);
    assert!(open.err.contains("is not over"), "{}", open.err);
    let over = Over::played();
    let letters = agon(over.path(), &[&NEW[..], &["--game", "q21"]].concat());
    assert_eq!(letters.code, Some(2), "{}", letters.err);
    assert!(letters.err.contains("begin another folder"), "{}", letters.err);
    assert!(over.kept().is_empty());
    // The way is said where somebody runs into the end.
    let again = agon(over.path(), &[&MANAGER[..], &["--start-when", "2"]].concat());
    assert!(again.err.contains("agon season new --data data"), "{}", again.err);
}

#[test]
fn u01_a_death_while_the_next_season_is_opened_loses_nothing() {
    let over = Over::played();
    let home = over.path().to_owned();
    let place = |name: &str| home.join(name);
    let opened = agon(&home, &NEW);
    assert_eq!(opened.code, Some(0), "{}", opened.err);
    let kept = PathBuf::from(opened.json()["kept"].as_str().unwrap());
    let secret = |dir: &PathBuf, name: &str| fs::read_to_string(dir.join(name)).unwrap();
    for name in ["operator.token", "token.key"] {
        assert_eq!(secret(&place("data"), name), secret(&kept, name));
    }
    // Dead between the two steps: the old one is aside, the new one is whole, and in no place yet.
    let next = place("data.next-season");
    let put_back = || {
        fs::rename(place("data"), &next).unwrap();
        fs::write(next.join("next-season.mark"), "").unwrap();
    };
    put_back();
    let (second, said) = manager(&home, &["--start-when", "2"], &[]);
    assert_eq!(state(&said)["agents_expected"], 3, "{}", state(&said));
    end(second);
    assert!(!next.exists());
    // The command itself takes the step as well, and then has nothing more to open.
    put_back();
    let again = agon(&home, &NEW);
    assert_eq!(again.code, Some(2), "{}", again.err);
    assert!(again.err.contains("is not over"), "{}", again.err);
    assert!(place("data").exists());
    // Dead before the first step: the season that is over is in its place.
    put_back();
    fs::rename(&kept, place("data")).unwrap();
    let refused = agon(&home, &[&MANAGER[..], &["--start-when", "2"]].concat());
    assert_eq!(refused.code, Some(2), "{}", refused.err);
    over.assert_told(&refused.err);
    // What lies there half made is made anew.
    fs::remove_file(next.join("journal.sqlite3")).unwrap();
    let opened = agon(&home, &NEW);
    assert_eq!((opened.code, &opened.json()["agents_expected"]), (Some(0), &json!(3)));
    assert!(!next.exists());
    assert_eq!(over.kept().len(), 1);
}

#[test]
fn u01_a_season_of_teams_is_followed_by_one_with_a_name_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let season = ["demo", "--game", "q21", "--teams", "3", "--data", "data", "--json"];
    assert_eq!(agon(dir.path(), &season).code, Some(0));
    let opened = agon(dir.path(), &NEW);
    assert_eq!(opened.code, Some(0), "{}", opened.err);
    let opened = opened.json();
    assert_eq!((&opened["game"], &opened["season_id"]), (&json!("q21"), &json!("S01-2")));
    let (second, said) = manager(dir.path(), &["--game", "q21"], &[]);
    assert_eq!(state(&said)["season_id"], "S01-2");
    assert_eq!(state(&said)["phase"], "ACCEPTING_REGISTRATIONS");
    end(second);
}
