//! `agon sim`: seasons by seed, in virtual time.

use serde_json::Value;

use crate::process::{Ended, agon};

fn sim(args: &[&str]) -> Ended {
    let dir = tempfile::tempdir().unwrap();
    agon(dir.path(), &[&["sim"], args].concat())
}

#[test]
fn twenty_seasons_keep_every_promise() {
    let ended = sim(&["--seeds", "20", "--json"]);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let sum = ended.json();
    assert_eq!(sum["seasons"], 20);
    assert!(sum["matches"].as_u64().is_some_and(|matches| matches > 20), "{sum}");
    assert!(sum["faults"]["crashes"].as_u64().is_some_and(|crashes| crashes > 0), "{sum}");
    assert!(sum["seasons_per_s"].as_f64().is_some_and(|rate| rate > 0.0), "{sum}");
    assert_eq!(sum["broken"], Value::Array(vec![]));
}

#[test]
fn seasons_of_one_game_keep_every_promise() {
    let ended = sim(&["--game", "q21", "--seeds", "10", "--json"]);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert_eq!(
        (&ended.json()["seasons"], &ended.json()["broken"]),
        (&10.into(), &Value::Array(vec![]))
    );
}

#[test]
fn one_seed_tells_its_season_and_the_same_one_again() {
    let [one, other] = [(); 2].map(|()| sim(&["--seed", "7"]));
    assert_eq!(one.code, Some(0), "{}", one.err);
    let story = |ended: &Ended| {
        let lines = ended.out.lines().filter(|line| !line.contains("seasons/s"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(story(&one).len() > 100, "{}", one.out);
    assert_eq!(story(&one), story(&other));
    assert!(one.out.contains("every promise was kept"), "{}", one.out);
}

#[test]
fn a_bad_flag_gets_a_good_error() {
    for (args, hint) in [
        (&["--seeds", "0"][..], "1..="),
        (&["--seeds", "many"], "invalid digit"),
        (&["--seeds", "5", "--seed", "5"], "cannot be used with"),
        (&["--game", "chess"], "there is no game chess"),
    ] {
        let ended = sim(args);
        assert_eq!(ended.code, Some(2), "{args:?}");
        assert!(ended.err.contains(hint), "{args:?}: {}", ended.err);
    }
}
