//! `agon siege`: a short run has every figure, and every verdict is typed. Times are not checked:
//! this machine may be busy with other tests.

use serde_json::Value;

use crate::process::{Process, agon};

#[track_caller]
fn number(figures: &Value, place: &str) -> f64 {
    figures.pointer(place).and_then(Value::as_f64).unwrap_or_else(|| panic!("{place}: {figures}"))
}

#[test]
fn a_short_siege_has_every_figure_and_typed_verdicts() {
    let dir = tempfile::tempdir().unwrap();
    let tmp = [("TMPDIR", dir.path().to_str().unwrap())];
    let short = ["--seconds", "0.1", "--idle", "40", "--clients", "6", "--matches", "8"];
    let args = [&["siege", "--json"], &short[..]].concat();
    let ended = Process::agon_with(dir.path(), &args, &tmp).wait();
    let figures = ended.json();
    let broken: Vec<_> = figures["broken"].as_array().unwrap().iter().collect();
    assert_eq!(ended.code, Some(i32::from(!broken.is_empty())), "{figures}\n{}", ended.err);
    for sentence in broken {
        assert!(ended.err.contains(sentence.as_str().unwrap()), "{}", ended.err);
    }
    let positive = [
        "/cores",
        "/storm/quiet_matches_per_s",
        "/storm/siege_matches_per_s",
        "/storm/ratio",
        "/storm/flood_per_s",
        "/storm/rss_quiet_bytes",
        "/storm/rss_siege_bytes",
        "/storm/rss_bound_bytes",
        "/silent/late_p99_ms",
        "/silent/late_max_ms",
        "/silent/verdict_late_p99_ms",
        "/silent/matches_in_flight",
        "/endless/rss_before_bytes",
        "/endless/bound_bytes",
        "/endless/judged",
    ];
    for place in positive {
        assert!(number(&figures, place) > 0.0, "{place}: {figures}");
    }
    // What is not a matter of speed.
    let same = [
        ("/endless/judged", "/endless/oversized"),
        ("/endless/others", "/endless/others_played"),
        ("/silent/others", "/silent/others_played"),
        ("/silent/players", "/silent/verdicts"),
    ];
    for (one, other) in same {
        assert_eq!(number(&figures, one), number(&figures, other), "{one} {other}: {figures}");
    }
    assert!(number(&figures, "/silent/timed_out") > 0.0, "{figures}");
    let bound = number(&figures, "/endless/bound_bytes");
    assert!(number(&figures, "/endless/growth_bytes") <= bound, "{figures}");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "something is left behind");
}

#[test]
fn a_bad_flag_gets_a_good_error() {
    let dir = tempfile::tempdir().unwrap();
    let check = |args: &[&str], hint: &str| {
        let ended = agon(dir.path(), &[&["siege"], args].concat());
        assert_eq!(ended.code, Some(2), "{args:?}");
        assert!(ended.err.contains(hint), "{args:?}: {}", ended.err);
    };
    check(&["--seconds", "soon"], "say a number of seconds");
    check(&["--matches", "0"], "1..=20000");
    check(&["--idle", "1000000"], "raise the limit");
}
