//! The settings that are in force: what they are, where each was said, and what was meant.

use std::fs;

use serde_json::json;
use tempfile::TempDir;
use toml::Table;

use crate::process::{Ended, Process};

/// Asks for the settings where this file lies, with these variables.
fn config(file: &str, args: &[&str], env: &[(&str, &str)]) -> Ended {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("agon.toml"), file).unwrap();
    Process::agon_with(dir.path(), &[&["config"], args].concat(), env).wait()
}

#[test]
fn u11_the_default_configuration_is_a_file_to_begin_with() {
    let printed = config("", &["--defaults"], &[]).succeeded().out;
    assert!(printed.contains("# How long is waited for what."), "{printed}");
    let said = config(&printed, &["--json"], &[]).succeeded().json();
    let again = config(&printed, &["--defaults", "--json"], &[]).succeeded().json();
    assert_eq!(said["settings"], again);
    assert_eq!(again["times"]["choice_s"], 30);
}

#[test]
fn u11_every_setting_in_force_says_where_it_was_set() {
    let file = "[times]\nchoice_s = 9\njoin_s = 3\n";
    let env = [("AGON_TIMES__CHOICE_S", "8"), ("AGON_PLAYER__ENV", r#"["KEY=s3cret", "PLAIN"]"#)];
    let said = config(file, &["--effective", "--json", "--lease-s", "20"], &env).succeeded();
    assert!(!said.out.contains("s3cret"), "{}", said.out);
    let said = said.json();
    let settings = &said["settings"];
    assert_eq!(settings["times"]["choice_s"], 8);
    assert_eq!(settings["times"]["join_s"], 3);
    assert_eq!(settings["times"]["lease_s"], 20.0);
    assert_eq!(settings["player"]["env"], json!(["KEY=…", "PLAIN"]));
    let sources = json!({
        "times.choice_s": "the environment variable AGON_TIMES__CHOICE_S",
        "times.join_s": "the file agon.toml",
        "times.lease_s": "the command line",
        "player.env": "the environment variable AGON_PLAYER__ENV",
    });
    assert_eq!(said["set_by"], sources);
}

#[test]
fn u11_the_settings_in_force_can_be_kept_as_a_file() {
    let printed = config("[times]\nchoice_s = 9", &[], &[]).succeeded().out;
    assert!(printed.contains("\nchoice_s = 9  # the file agon.toml\n"), "{printed}");
    let table: Table = printed.parse().unwrap();
    let defaults: Table = config("", &["--defaults"], &[]).succeeded().out.parse().unwrap();
    assert_eq!(table.keys().collect::<Vec<_>>(), defaults.keys().collect::<Vec<_>>());
    for (name, section) in &table {
        let keys = |value: &toml::Value| value.as_table().unwrap().keys().cloned().collect();
        let [told, known]: [Vec<_>; 2] = [keys(section), keys(&defaults[name])];
        assert_eq!(told, known, "[{name}]");
    }
}

#[test]
fn u11_a_mistyped_setting_names_the_near_one() {
    for (file, env, meant) in [
        ("[times]\nchioce_s = 9", None, "did you mean `times.choice_s`?"),
        ("[leauge]\nid = \"x\"", None, "did you mean `league`?"),
        ("", Some(("AGON_LEAGUE__GAMES", "q21")), "did you mean `league.game`?"),
    ] {
        let refused = config(file, &[], env.as_slice());
        assert_eq!(refused.code, Some(2), "{}", refused.out);
        assert!(refused.err.contains(meant), "{}", refused.err);
    }
}
