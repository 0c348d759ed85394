//! `agon bench --quick`: every figure is there, and none is nonsense.

use std::process::Command;

use serde_json::Value;

#[test]
fn a_quick_look_has_every_figure() {
    let output = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["--json", "bench", "--quick", "--players", "6"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let figures: Value = serde_json::from_slice(&output.stdout).unwrap();
    let positive = [
        "http_matches_per_s",
        "bare_matches_per_s",
        "ratio",
        "message_log_matches_per_s",
        "message_log_ratio",
        "inprocess_matches_per_s",
        "commits_per_s",
        "facts_per_s",
        "reopen_s",
        "choice_skew_p99_us",
        "match_p50_ms",
    ];
    for name in positive {
        assert!(figures[name].as_f64().is_some_and(|figure| figure > 0.0), "{name}: {figures}");
    }
    // A short look opens a shorter journal, and does not pretend that it was the million.
    assert_eq!(figures["reopen_million_s"], Value::Null);
    assert_eq!(figures["matches"], 15);
    // An assignment, two invitations, two questions, a report and two endings, and the broadcasts.
    assert!(figures["calls_per_match"].as_f64().is_some_and(|calls| calls > 8.0), "{figures}");
}
