//! What is read out of a log of libFuzzer.

use std::time::Duration;

use super::{Outcome, story, table};

const GOOD: &str = "\
INFO: Running with entropic power schedule (0xFF, 100).
#2\tINITED cov: 10 ft: 11 corp: 1/1b exec/s: 0 rss: 26Mb
#715004\tDONE   cov: 7345 ft: 17042 corp: 7046/5Mb lim: 8192 exec/s: 4735 rss: 40Mb
Done 715004 runs in 151 second(s)
stat::number_of_executed_units: 715004
stat::peak_rss_mb:              40
";

const BAD: &str = "\
thread '<unnamed>' (7) panicked at src/texts.rs:46:5:
assertion `left == right` failed: in whole seconds
  left: Ok(1)
artifact_prefix='artefacts/'; Test unit written to artefacts/crash-24
stat::number_of_executed_units: 27
";

fn good(said: &str) -> anyhow::Result<Outcome> {
    Outcome::good("request", said, Duration::from_secs(151))
}

#[test]
fn the_numbers_are_those_of_the_last_line() {
    let table = table(&[good(GOOD).unwrap()]);
    let row: Vec<&str> = table.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(row, ["request", "715004", "151", "4735", "7345", "17042", "7046", "ok"]);
}

#[test]
fn the_columns_stand_under_their_names() {
    let table = table(&[good(GOOD).unwrap()]);
    let (head, row) = table.split_once('\n').unwrap();
    for (name, number) in [("executions", "715004"), ("corpus", "7046"), ("seconds", "151")] {
        let ends = |line: &str, word: &str| line.find(word).unwrap() + word.len();
        assert_eq!(ends(head, name), ends(row, number), "{name}");
    }
}

#[test]
fn a_finding_names_its_input_and_what_was_said() {
    let outcome = Outcome::bad("texts", BAD, Duration::from_secs(1));
    let story = story(&outcome);
    assert!(story.contains("src/texts.rs:46:5: assertion `left == right` failed"), "{story}");
    assert!(story.contains("the input: artefacts/crash-24\n"), "{story}");
    assert!(table(&[outcome]).contains("FINDING"));
}

#[test]
fn an_input_that_takes_too_long_is_a_finding_too() {
    let said = "==7== ERROR: libFuzzer: timeout after 10 seconds\n";
    let story = story(&Outcome::bad("config", said, Duration::from_secs(11)));
    assert!(story.contains("timeout after 10 seconds"), "{story}");
}

#[test]
fn a_target_that_has_not_run_is_an_error() {
    assert!(good("").is_err());
    assert!(good(&GOOD.replace("units: 715004", "units: 0")).is_err());
}

#[test]
fn a_good_outcome_has_no_story() {
    assert_eq!(story(&good(GOOD).unwrap()), "");
}
