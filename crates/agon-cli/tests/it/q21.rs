//! A Q21 league by call: the demo, a team's own program, and what becomes of one that fails.

use std::path::Path;

use serde_json::Value;

use crate::process::{Ended, Process, agon};
use crate::python::example;

/// The example player, or another class of the same file.
pub(crate) fn my_player(class: &str) -> String {
    format!("{}:{class}", example("q21/my_player.py"))
}

#[test]
fn six_teams_play_six_rounds_and_each_is_everything_twice() {
    let dir = tempfile::tempdir().unwrap();
    let ended = agon(dir.path(), &["demo", "--game", "q21", "--teams", "6", "--json"]);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let season = ended.json();
    assert_eq!((season["rounds"].as_u64(), matches(&season).len()), (Some(6), 12));
    assert_eq!(season["standings"].as_array().unwrap().len(), 6);
    for team in 1..=6 {
        let (player, referee) = (format!("P{team:02}"), format!("REF{team:02}"));
        let count =
            |key: &str, id: &str| matches(&season).iter().filter(|it| it[key] == id).count();
        assert_eq!(count("player_a", &player), 2, "{player}");
        assert_eq!(count("player_b", &player), 2, "{player}");
        assert_eq!(count("referee", &referee), 2, "{referee}");
    }
    for played in matches(&season) {
        assert_eq!(played["reason"], "PLAYED", "{played}");
    }
}

#[test]
fn its_json_has_the_shape_of_the_other_demo() {
    let dir = tempfile::tempdir().unwrap();
    let q21 = agon(dir.path(), &["demo", "--game", "q21", "--teams", "3", "--json"]).json();
    let even_odd =
        agon(dir.path(), &["demo", "--players", "2", "--referees", "1", "--json"]).json();
    let keys = |of: &Value| of.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&q21), keys(&even_odd));
    assert_eq!(keys(&q21["matches"][0]), keys(&even_odd["matches"][0]));
    assert_eq!(keys(&q21["standings"][0]), keys(&even_odd["standings"][0]));
}

#[test]
fn the_same_seed_gives_the_same_season() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["demo", "--game", "q21", "--teams", "3", "--seed", "7", "--json"];
    let play = || agon(dir.path(), &args).json();
    let (one, other) = (play(), play());
    assert_eq!(one["standings"], other["standings"]);
    assert_eq!(one["matches"], other["matches"]);
}

fn matches(season: &Value) -> &[Value] {
    season["matches"].as_array().unwrap()
}

/// The manager of a league that begins when three teams are in.
fn manager(dir: &Path) -> (Process, String) {
    let listen = ["manager", "--game", "q21", "--listen", "127.0.0.1:0", "--start-when", "3"];
    let talk = ["--json", "--log-format", "json"];
    let mut manager = Process::agon(dir, &[&listen[..], &talk[..]].concat());
    let endpoint = manager.endpoint();
    (manager, endpoint)
}

/// The player or the referee of that team.
fn agent(dir: &Path, endpoint: &str, role: &str, team: u32, more: &[&str]) -> Process {
    let group = format!("team{team:04}");
    let listen = [role, "--game", "q21", "--listen", "127.0.0.1:0", "--manager", endpoint];
    let who = ["--group", &group, "--name", &group];
    Process::agon(dir, &[&listen[..], &who[..], more].concat())
}

/// A league of three teams by call, of which the first plays with this program.
fn season(dir: &Path, ai: &str, more: &[&str]) -> (Vec<Value>, String) {
    let (mut manager, endpoint) = manager(dir);
    let agent = |role: &str, team: u32, more: &[&str]| agent(dir, &endpoint, role, team, more);
    let first = agent("player", 1, &[&["--ai", ai][..], more].concat());
    let mut others = vec![agent("player", 2, &[]), agent("player", 3, &[])];
    others.extend((1..=3).map(|team| agent("referee", team, &[])));
    let mut results = Vec::new();
    loop {
        let line = manager.log().expect("the manager lives until the league is complete");
        if line["message"] == "result accepted" {
            results.push(line);
        } else if line["message"] == "league completed" {
            break;
        }
    }
    let shown = first.succeed();
    for other in others {
        other.succeed();
    }
    (results, shown.out)
}

#[test]
fn a_program_with_four_functions_plays_by_call() {
    let dir = tempfile::tempdir().unwrap();
    let (results, shown) = season(dir.path(), &my_player("MyPlayerAI"), &[]);
    assert_eq!(results.len(), 3);
    assert!(results.iter().all(|result| result["cause"] == "PLAYED"), "{results:?}");
    for callback in ["get_warmup_answer", "get_questions", "get_guess", "on_score_received"] {
        assert!(shown.contains(&format!("CALLBACK: {callback}")), "{shown}");
    }
}

#[test]
fn a_program_that_fails_everywhere_still_plays_and_its_author_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("broken.py");
    std::fs::write(
        &file,
        "from q21_player import PlayerAI\n\
         class Broken(PlayerAI):\n\
         \x20   def get_warmup_answer(self, ctx): raise ValueError('no idea')\n\
         \x20   def get_questions(self, ctx): return {'questions': 'none'}\n\
         \x20   def get_guess(self, ctx): return 17\n\
         \x20   def on_score_received(self, ctx): raise KeyError('score')\n",
    )
    .unwrap();
    let (results, shown) = season(dir.path(), &format!("{}:Broken", file.display()), &[]);
    // Its games come to their end; that it did not guess costs nobody else anything.
    let ended = |cause: &str| results.iter().filter(|result| result["cause"] == cause).count();
    assert_eq!((ended("PLAYED"), ended("INVALID_MOVE")), (1, 2), "{results:?}");
    for told in ["ValueError: no idea", "get_questions", "get_guess", "KeyError"] {
        let line = shown.lines().find(|line| line.starts_with("[ERROR]") && line.contains(told));
        assert!(line.is_some(), "nobody said {told:?}:\n{shown}");
    }
}

/// Resets the season, and says what the manager answered.
fn reset(dir: &Path, endpoint: &str, more: &[&str]) -> Ended {
    agon(dir, &[&["reset-season", "--manager", endpoint][..], more].concat())
}

/// The lines of the one league's log in an export.
fn exported_log(out: &Path) -> Vec<Value> {
    let mut leagues = std::fs::read_dir(out.join("logs/league")).unwrap();
    let log = leagues.next().unwrap().unwrap().path().join("league.log.jsonl");
    let log = std::fs::read_to_string(log).unwrap();
    log.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_league_that_is_over_is_reset_and_plays_another_season() {
    let dir = tempfile::tempdir().unwrap();
    let (mut manager, endpoint) = manager(dir.path());
    let teams = (1..=3).flat_map(|team| ["player", "referee"].map(|role| (role, team)));
    let agents = teams.map(|(role, team)| agent(dir.path(), &endpoint, role, team, &["--stay"]));
    let _agents: Vec<_> = agents.collect();
    manager.logs("league completed");
    let order = ["--reason", "wrong texts", "--by", "alice", "--json"];
    let state = reset(dir.path(), &endpoint, &order).json();
    assert_eq!((&state["season_id"], &state["changed"]), (&"S01-2".into(), &true.into()));
    assert_eq!((&state["phase"], &state["round"]), (&"ACCEPTING_REGISTRATIONS".into(), &0.into()));
    let line = manager.logs("season reset");
    assert_eq!((&line["by"], &line["reason"]), (&"alice".into(), &"wrong texts".into()));
    manager.logs("league completed");
    let standings = agon(dir.path(), &["standings", "--manager", &endpoint, "--json"]).json();
    let rows = standings["standings"].as_array().unwrap();
    assert!(rows.len() == 3 && rows.iter().all(|row| row["played"] == 2), "{standings}");
    let exported = agon(dir.path(), &["export", "--data", "agon-data", "--to", "out", "--json"]);
    assert_eq!(exported.code, Some(0), "{}", exported.err);
    let log = exported_log(&dir.path().join("out"));
    let events = |kind: &str| log.iter().filter(|line| line["event_type"] == kind).count();
    assert_eq!((events("MATCH_RESULT_RECEIVED"), events("LEAGUE_COMPLETED")), (6, 2));
    let order = log.iter().find(|line| line["event_type"] == "SEASON_RESET").unwrap();
    assert_eq!(order["details"]["order"]["by"], "alice");
}

#[test]
fn a_reset_in_the_middle_of_a_game_reaches_whoever_was_away() {
    let dir = tempfile::tempdir().unwrap();
    let (mut manager, endpoint) = manager(dir.path());
    let untouched = reset(dir.path(), &endpoint, &[]);
    assert_eq!(untouched.code, Some(0), "{}", untouched.err);
    assert!(untouched.err.contains("nobody has enrolled"), "{}", untouched.err);
    let agent = |role: &str, team: u32| agent(dir.path(), &endpoint, role, team, &[]);
    let mut agents: Vec<_> = (1..=3).map(|team| agent("player", team)).collect();
    for _ in 0..agents.len() {
        manager.logs("player registered");
    }
    for team in 1..=2 {
        agents.push(agent("referee", team));
        manager.logs("referee registered");
    }
    // As long as this one stands still the season cannot come to its end.
    agents[0].signal("STOP");
    agents.push(agent("referee", 3));
    manager.logs("round announced");
    let done = reset(dir.path(), &endpoint, &[]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(done.err.contains("S01-2 is open"), "{}", done.err);
    agents[0].signal("CONT");
    manager.logs("league completed");
    for agent in agents {
        agent.succeed();
    }
}

#[test]
fn an_even_odd_league_is_not_reset() {
    let dir = tempfile::tempdir().unwrap();
    let mut manager = Process::agon(dir.path(), &["manager", "--listen", "127.0.0.1:0", "--json"]);
    let endpoint = manager.endpoint();
    let refused = reset(dir.path(), &endpoint, &[]);
    assert_ne!(refused.code, Some(0));
    assert!(refused.err.contains("know of no seasons"), "{}", refused.err);
}

#[test]
fn a_program_that_is_not_there_is_said_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["player", "--game", "q21", "--listen", "127.0.0.1:0", "--ai", "nothing.py:Nobody"];
    let ended = agon(dir.path(), &args);
    assert_eq!(ended.code, Some(2), "{}", ended.err);
    assert!(ended.err.contains("nothing.py"), "{}", ended.err);
}
