//! What can be asked for, and which targets there are.

use std::path::Path;

use super::{GATE_SECONDS, Plan, SECONDS, targets};

fn plan(words: &[&str]) -> Option<(u64, Vec<String>)> {
    Plan::parse(words).map(|plan| (plan.seconds, plan.targets))
}

#[test]
fn without_a_word_everything_runs_for_ten_minutes() {
    assert_eq!(plan(&[]), Some((SECONDS, vec![])));
}

#[test]
fn time_and_targets_can_be_given() {
    assert_eq!(plan(&["--seconds", "9", "a", "b"]), Some((9, vec!["a".into(), "b".into()])));
}

#[test]
fn what_makes_no_sense_is_refused() {
    for words in [&["--seconds"][..], &["--seconds", "soon"], &["--seconds", "0"], &["--minutes"]] {
        assert_eq!(plan(words), None, "{words:?}");
    }
}

#[test]
fn an_unknown_target_is_answered_with_those_that_exist() {
    let plan = Plan { seconds: 1, targets: vec!["b".into(), "x".into()] };
    let error = plan.choose(&["a".into(), "b".into()]).unwrap_err();
    assert_eq!(error.to_string(), "there is no fuzz target `x`; there are: a, b");
}

#[test]
fn every_target_is_built_has_seeds_and_a_module() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let manifest = std::fs::read_to_string(root.join("fuzz/Cargo.toml")).unwrap();
    let targets = targets(root).unwrap();
    assert!(!targets.is_empty());
    for target in targets {
        assert!(manifest.contains(&format!("path = \"fuzz_targets/{target}.rs\"")), "{target}");
        assert!(root.join(format!("fuzz/src/{target}.rs")).is_file(), "{target}");
        assert!(root.join(format!("fuzz/seeds/{target}")).is_dir(), "{target}");
    }
}

#[test]
fn as_a_gate_all_targets_take_four_minutes_at_most_on_two_cores() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let turns = targets(root).unwrap().len().div_ceil(2);
    assert!(u64::try_from(turns).unwrap() * GATE_SECONDS <= 240, "{turns} turns");
}
