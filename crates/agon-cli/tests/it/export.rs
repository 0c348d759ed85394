//! `agon export`: what the files say, and what happens to the folder they go to.

mod league;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use agon_core::LeagueFact;
use serde_json::{Value, json};
use tempfile::TempDir;

use league::{LEAGUE, SECRET};

/// A journal, and a place for exports beside it.
struct Desk {
    dir: TempDir,
}

impl Desk {
    fn new() -> Self {
        Self::with(league::facts())
    }

    fn with(facts: Vec<LeagueFact>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        league::write(&dir.path().join("data"), facts);
        Self { dir }
    }

    fn to(&self) -> PathBuf {
        self.dir.path().join("out")
    }

    fn agon(&self, args: &[&str]) -> Output {
        let mut agon = Command::new(env!("CARGO_BIN_EXE_agon"));
        agon.env_clear().current_dir(self.dir.path()).args(args);
        agon.output().unwrap()
    }

    fn export(&self) -> Output {
        self.agon(&["export", "--json", "--data", "data", "--to", "out"])
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.to().join(name)).unwrap()
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.text(name)).unwrap()
    }

    fn beside(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(self.dir.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

#[track_caller]
fn done(output: &Output) -> Value {
    let talk = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{talk}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[track_caller]
fn refused(output: &Output, because: &str) {
    let talk = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{talk}");
    assert!(output.stdout.is_empty());
    assert!(talk.contains(because), "{talk}");
}

/// Every file under a folder with its content, in order.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            let content = fs::read(&path).unwrap();
            found.push((path, content));
        }
    }
    found.sort();
    found
}

#[test]
fn everything_is_written_and_counted() {
    let desk = Desk::new();
    let said = done(&desk.export());
    let expected = json!({ "to": "out", "matches": 4, "players": 4, "rounds": 2, "files": 12 });
    assert_eq!(said, expected);
    let names: Vec<_> = files(&desk.to())
        .into_iter()
        .map(|(path, _)| path.strip_prefix(desk.to()).unwrap().display().to_string())
        .collect();
    let expected = [
        ".agon-export".to_owned(),
        format!("data/leagues/{LEAGUE}/rounds.json"),
        format!("data/leagues/{LEAGUE}/standings.json"),
        format!("data/matches/{LEAGUE}/R1M1.json"),
        format!("data/matches/{LEAGUE}/R1M2.json"),
        format!("data/matches/{LEAGUE}/R2M1.json"),
        format!("data/matches/{LEAGUE}/R2M2.json"),
        "data/players/P01/history.json".to_owned(),
        "data/players/P02/history.json".to_owned(),
        "data/players/P03/history.json".to_owned(),
        "data/players/P04/history.json".to_owned(),
        format!("logs/league/{LEAGUE}/league.log.jsonl"),
        "results.csv".to_owned(),
    ];
    assert_eq!(names, expected);
    assert_eq!(desk.beside(), ["data", "out"]);
    let mode = fs::metadata(desk.to()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

#[test]
fn the_table_and_the_rounds_are_those_of_the_journal() {
    let desk = Desk::new();
    done(&desk.export());
    let table = desk.json(&format!("data/leagues/{LEAGUE}/standings.json"));
    assert_eq!(table["schema_version"], "1.0.0");
    assert_eq!(table["league_id"], LEAGUE);
    assert_eq!((&table["version"], &table["rounds_completed"]), (&json!(3), &json!(1)));
    assert_eq!(table["last_updated"], "2026-01-15T10:00:40.000000Z");
    let first = json!({
        "rank": 1, "player_id": "P01", "display_name": "=cmd()", "played": 2, "wins": 1,
        "draws": 1, "losses": 0, "points": 4,
    });
    assert_eq!(table["standings"][0], first);
    let rounds = desk.json(&format!("data/leagues/{LEAGUE}/rounds.json"));
    let states: Vec<_> =
        rounds["rounds"].as_array().unwrap().iter().map(|it| &it["status"]).collect();
    assert_eq!(states, ["COMPLETED", "IN_PROGRESS", "PENDING"]);
    let second = json!({
        "match_id": "R1M2", "player_A_id": "P03", "player_B_id": "P04", "referee_id": "REF01",
        "result": "TECHNICAL_LOSS", "winner": "P03",
    });
    assert_eq!(rounds["rounds"][0]["matches"][1], second);
    assert_eq!(rounds["rounds"][0]["end_time"], "2026-01-15T10:00:30.000000Z");
    assert_eq!(rounds["rounds"][2]["start_time"], Value::Null);
}

#[test]
fn a_match_tells_how_it_came_about() {
    let desk = Desk::new();
    done(&desk.export());
    let played = desk.json(&format!("data/matches/{LEAGUE}/R1M1.json"));
    let expected = json!({
        "status": "WIN", "winner_player_id": "P01", "drawn_number": 8, "number_parity": "even",
        "choices": { "P01": "even", "P02": "odd" }, "score": { "P01": 3, "P02": 0 },
        "reason": "PLAYED", "blame": null,
    });
    assert_eq!(played["result"], expected);
    let life = &played["lifecycle"];
    assert_eq!(life["created_at"], "2026-01-15T10:00:10.000000Z");
    assert_eq!(life["started_at"], "2026-01-15T10:00:11.000000Z");
    assert_eq!(life["completed_at"], "2026-01-15T10:00:20.000000Z");
    assert_eq!(life["duration_sec"], 0.007);
    let steps = life["state_transitions"].as_array().unwrap().iter();
    let steps: Vec<_> = steps.map(|it| it["state"].as_str().unwrap()).collect();
    let all = [
        "CREATED",
        "WAITING_FOR_PLAYERS",
        "COLLECTING_CHOICES",
        "DRAWING_NUMBER",
        "EVALUATING",
        "FINISHED",
    ];
    assert_eq!(steps, all);
    let answer = json!({
        "seq": 6, "timestamp": "2026-01-15T10:00:11.005000Z", "from": "player:P02",
        "to": "referee:REF01", "message_type": "CHOOSE_PARITY_RESPONSE", "choice": "odd",
    });
    assert_eq!(played["transcript"][5], answer);
    let open = desk.json(&format!("data/matches/{LEAGUE}/R2M2.json"));
    assert_eq!((&open["result"], &open["transcript"]), (&Value::Null, &json!([])));
    let second = desk.json(&format!("data/matches/{LEAGUE}/R1M2.json"));
    assert_eq!((&second["attempt"], &second["result"]["blame"]), (&json!(2), &json!("PLAYER_B")));
}

#[test]
fn a_history_is_its_players_own() {
    let desk = Desk::new();
    done(&desk.export());
    let history = desk.json("data/players/P02/history.json");
    let stats = json!({ "total_matches": 1, "wins": 0, "losses": 1, "draws": 0 });
    assert_eq!(history["stats"], stats);
    let only = json!([{
        "match_id": "R1M1", "opponent_id": "P01", "result": "LOSS", "my_choice": "odd",
        "opponent_choice": "even", "drawn_number": 8, "points_earned": 0,
        "timestamp": "2026-01-15T10:00:20.000000Z",
    }]);
    assert_eq!(history["matches"], only);
}

#[test]
fn everybody_who_takes_part_has_a_history_and_nobody_else() {
    let desk = Desk::with(league::facts_with_a_gap());
    assert_eq!(done(&desk.export())["players"], 4);
    let mut names: Vec<_> = fs::read_dir(desk.to().join("data/players"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["P02", "P03", "P04", "P05"]);
    // The first of the four places is P02's.
    for (player, opponent) in [("P02", "P03"), ("P04", "P05"), ("P05", "P04")] {
        let history = desk.json(&format!("data/players/{player}/history.json"));
        assert_eq!(history["matches"][0]["opponent_id"], opponent, "{player}");
    }
}

#[test]
fn the_log_has_a_line_for_every_fact() {
    let desk = Desk::new();
    done(&desk.export());
    let log = desk.text(&format!("logs/league/{LEAGUE}/league.log.jsonl"));
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), league::facts().len());
    let expected = json!({
        "timestamp": "2026-01-15T10:00:20.000000Z", "component": "league_manager",
        "event_type": "MATCH_RESULT_RECEIVED", "level": "INFO",
        "details": {
            "match_id": "R1M1", "attempt": 1, "referee_id": "REF01", "status": "WIN",
            "winner": "P01", "drawn_number": 8, "choices": ["even", "odd"], "reason": "PLAYED",
            "blame": null,
        },
    });
    assert!(lines.contains(&expected), "{log}");
}

#[test]
fn spreadsheets_run_nobodys_name() {
    let desk = Desk::new();
    done(&desk.export());
    let table = desk.text("results.csv");
    let lines: Vec<_> = table.split("\r\n").collect();
    let columns = "match_id,round,player_a,player_b,referee,attempt,status,winner,points_a,\
                   points_b,choice_a,choice_b,drawn_number,reason,blame,completed_at,name_a,name_b,\
                   private_score_a,private_score_b,game_id";
    let first = "R1M1,1,P01,P02,REF01,1,WIN,P01,3,0,even,odd,8,PLAYED,,\
                 2026-01-15T10:00:20.000000Z,\"'=cmd()\",\"Blaise, the \"\"second\"\"\",,,";
    let second = "R1M2,1,P03,P04,REF01,2,TECHNICAL_LOSS,P03,3,0,odd,,,TIMED_OUT,PLAYER_B,\
                  2026-01-15T10:00:25.000000Z,P03,P04,,,";
    let third = "R2M1,2,P03,P01,REF01,1,DRAW,,1,1,even,even,3,PLAYED,,\
                 2026-01-15T10:00:40.000000Z,P03,\"'=cmd()\",,,";
    assert_eq!(lines, [columns, first, second, third, ""]);
}

#[test]
fn no_token_and_no_hash_leaves_the_journal() {
    let desk = Desk::new();
    done(&desk.export());
    let hash = serde_json::to_string(&league::hash()).unwrap();
    let token = league::token().reveal();
    for (path, content) in files(&desk.to()) {
        let text = String::from_utf8(content).unwrap();
        for secret in [hash.as_str(), token.as_str(), SECRET, "token"] {
            assert!(!text.contains(secret), "{secret} in {}", path.display());
        }
    }
}

#[test]
fn the_next_export_replaces_the_last_one() {
    let desk = Desk::new();
    done(&desk.export());
    let before = files(&desk.to());
    fs::write(desk.to().join("results.csv"), "damaged").unwrap();
    fs::write(desk.to().join("data/stray"), "").unwrap();
    done(&desk.export());
    // The same journal gives the same bytes, and nothing of the last export stays.
    assert_eq!(files(&desk.to()), before);
    assert_eq!(desk.beside(), ["data", "out"]);
}

#[test]
fn an_empty_folder_may_be_filled_and_a_missing_one_made() {
    let desk = Desk::new();
    fs::create_dir(desk.to()).unwrap();
    done(&desk.export());
    done(&desk.agon(&["export", "--json", "--data", "data", "--to", "deep/er/out/"]));
    assert!(desk.dir.path().join("deep/er/out/results.csv").is_file());
}

#[test]
fn a_foreign_folder_is_not_touched() {
    let desk = Desk::new();
    fs::create_dir(desk.to()).unwrap();
    fs::write(desk.to().join("thesis.tex"), "years of work").unwrap();
    refused(&desk.export(), "was not made by agon export");
    assert_eq!(files(&desk.to()).len(), 1);
    assert_eq!(desk.beside(), ["data", "out"]);
    let data = &["export", "--json", "--data", "data", "--to", "data"];
    refused(&desk.agon(data), "holds the league's own data");
    fs::write(desk.dir.path().join("file"), "").unwrap();
    let file = &["export", "--json", "--data", "data", "--to", "file"];
    refused(&desk.agon(file), "not a folder");
}

#[test]
fn an_export_that_holds_the_league_is_not_replaced() {
    let desk = Desk::new();
    done(&desk.export());
    fs::rename(desk.dir.path().join("data"), desk.to().join("data/league")).unwrap();
    let inside = &["export", "--json", "--data", "out/data/league", "--to", "out"];
    refused(&desk.agon(inside), "holds the league's own data");
    assert!(desk.to().join("data/league/journal.sqlite3").is_file());
}

#[test]
fn a_league_that_has_not_begun_can_be_exported() {
    let desk = Desk::with(league::facts().into_iter().take(3).collect());
    let said = done(&desk.export());
    assert_eq!((&said["matches"], &said["players"]), (&json!(0), &json!(1)));
    let rounds = desk.json(&format!("data/leagues/{LEAGUE}/rounds.json"));
    assert_eq!(rounds["rounds"], json!([]));
}

#[test]
fn without_a_journal_there_is_nothing_to_write() {
    let desk = Desk { dir: tempfile::tempdir().unwrap() };
    refused(&desk.export(), "there is no journal");
    assert_eq!(desk.beside(), [""; 0]);
}

#[test]
fn a_match_of_another_game_tells_when_its_choices_were_collected() {
    let desk = Desk { dir: tempfile::tempdir().unwrap() };
    let args = ["--players", "2", "--referees", "1", "--data", "data"];
    let demo = desk.agon(&[&["demo", "--game", "rock-paper-scissors"], &args[..]].concat());
    let told = String::from_utf8_lossy(&demo.stderr);
    assert!(told.contains("agon manager --game rock_paper_scissors --data data"), "{told}");
    assert!(desk.export().status.success());
    let folder = fs::read_dir(desk.to().join("data/matches")).unwrap().next().unwrap().unwrap();
    let record = desk.json(folder.path().join("R1M1.json").to_str().unwrap());
    let states = record["lifecycle"]["state_transitions"].as_array().unwrap();
    let states: Vec<&str> = states.iter().map(|it| it["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["CREATED", "WAITING_FOR_PLAYERS", "COLLECTING_CHOICES", "FINISHED"]);
}
