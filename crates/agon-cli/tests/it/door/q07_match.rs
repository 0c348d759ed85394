//! `agon match` shows a game of Q21 as people read it, and `agon export` writes all of it.

use serde_json::Value;

use crate::process::{Process, agon};

/// A season of three teams by call, over; the manager stays.
fn season(dir: &std::path::Path) -> (Process, String) {
    let listen = ["manager", "--game", "q21", "--listen", "127.0.0.1:0", "--start-when", "3"];
    let talk = ["--json", "--log-format", "json"];
    let mut manager = Process::agon(dir, &[&listen[..], &talk[..]].concat());
    let endpoint = manager.endpoint();
    let agent = |role: &'static str, team: u32| {
        let group = format!("team{team:04}");
        let where_to = ["--listen", "127.0.0.1:0", "--manager", &endpoint];
        let who = [role, "--game", "q21", "--group", &group, "--name", &group];
        Process::agon(dir, &[&who[..], &where_to].concat())
    };
    let agents: Vec<_> =
        (1..=3).flat_map(|team| [agent("player", team), agent("referee", team)]).collect();
    manager.logs("league completed");
    agents.into_iter().for_each(|agent| drop(agent.succeed()));
    (manager, endpoint)
}

#[test]
fn q07_a_game_is_shown_with_questions_answers_guess_feedback_and_score() {
    let dir = tempfile::tempdir().unwrap();
    let (_manager, endpoint) = season(dir.path());
    let text = agon(dir.path(), &["match", "R1M1", "--manager", &endpoint]).out;
    for part in ["warm-up: ", "book: ", "1. ", "20. ", "guess: ", "confidence: ", "score: "] {
        let told = text.lines().filter(|line| line.trim_start().starts_with(part)).count();
        assert_eq!(told, 2, "{part:?} of both players:\n{text}");
    }
    assert!(text.contains("feedback on the "), "{text}");
    assert!(text.contains("Q21GUESSSUBMISSION"), "{text}");
    let wide: Vec<_> = text.lines().filter(|line| line.chars().count() > 80).collect();
    assert_eq!(wide, [""; 0], "{text}");
    let shown = agon(dir.path(), &["match", "R1M1", "--json", "--manager", &endpoint]).json();
    let attempt = &shown["messages"][0];
    let messages = attempt["messages"].as_array().unwrap();
    assert_eq!(attempt["messages_sent"], messages.len(), "{attempt}");
    for name in [
        "Q21WARMUPCALL",
        "Q21WARMUPRESPONSE",
        "Q21ROUNDSTART",
        "Q21QUESTIONSBATCH",
        "Q21ANSWERSBATCH",
        "Q21GUESSSUBMISSION",
        "Q21SCOREFEEDBACK",
    ] {
        let of_kind = messages.iter().filter(|it| it["message_type"] == name);
        let players: std::collections::BTreeSet<_> =
            of_kind.map(|it| it["player_id"].as_str().unwrap_or("?").to_owned()).collect();
        assert_eq!(players.len(), 2, "{name} of both players: {attempt}");
        assert!(!players.contains("?"), "{name}: {players:?}");
    }
    agon(dir.path(), &["export", "--data", "agon-data", "--to", "out"]);
    let matches = dir.path().join("out/data/matches");
    let folder = std::fs::read_dir(matches).unwrap().next().unwrap().unwrap().path();
    let document = std::fs::read_to_string(folder.join("R1M1.json")).unwrap();
    let document: Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["messages"][0]["messages"].as_array().unwrap().len(), messages.len());
    // Whoever reads of scores sees once that no rule made them.
    let judged = "scores are the referees' own judgement, which nobody can check";
    let table = agon(dir.path(), &["standings", "--manager", &endpoint]).out;
    for text in [text, table] {
        assert_eq!(text.matches(judged).count(), 1, "{text}");
    }
    assert_eq!((&shown["result"]["judged"], &document["result"]["judged"]), (&TRUE, &TRUE));
    let told = agon(dir.path(), &["standings", "--json", "--manager", &endpoint]).json();
    assert_eq!((&told["judged"], &told["standings"][0]["unverified"]), (&TRUE, &Value::Null));
}

const TRUE: Value = Value::Bool(true);
