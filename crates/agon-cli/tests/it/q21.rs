//! A Q21 league by call: the demo, a team's own program, and what becomes of one that fails.

use std::path::Path;

use serde_json::Value;

use crate::process::{Process, agon};
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

/// A league of three teams by call, of which the first plays with this program.
fn season(dir: &Path, ai: &str, more: &[&str]) -> (Vec<Value>, String) {
    let mut manager = Process::agon(
        dir,
        &[
            "manager",
            "--game",
            "q21",
            "--listen",
            "127.0.0.1:0",
            "--start-when",
            "3",
            "--json",
            "--log-format",
            "json",
        ],
    );
    let endpoint = manager.endpoint();
    let agent = |role: &str, team: u32, ai: &[&str]| {
        let group = format!("team{team:04}");
        let args = [
            role,
            "--game",
            "q21",
            "--listen",
            "127.0.0.1:0",
            "--manager",
            &endpoint,
            "--group",
            &group,
            "--name",
            &group,
        ];
        Process::agon(dir, &[&args[..], ai].concat())
    };
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
    for callback in ["answer_warmup", "generate_questions", "formulate_guess", "receive_score"] {
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
    assert!(results.iter().all(|result| result["cause"] == "PLAYED"), "{results:?}");
    for told in ["ValueError: no idea", "get_questions", "get_guess", "KeyError"] {
        let line = shown.lines().find(|line| line.starts_with("[ERROR]") && line.contains(told));
        assert!(line.is_some(), "nobody said {told:?}:\n{shown}");
    }
}

#[test]
fn a_program_that_is_not_there_is_said_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["player", "--game", "q21", "--listen", "127.0.0.1:0", "--ai", "nothing.py:Nobody"];
    let ended = agon(dir.path(), &args);
    assert_eq!(ended.code, Some(2), "{}", ended.err);
    assert!(ended.err.contains("nothing.py"), "{}", ended.err);
}
