//! A record has a line for each call that was answered, and is written when nothing is under way.

use super::*;

#[test]
fn answered_calls_are_written_when_nothing_is_under_way() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("calls");
    let mut recorder = Recorder::new(File::create(&path).unwrap());
    let to = Endpoint::new("http://127.0.0.1:8101/mcp");
    for call in 1..=3 {
        recorder.started(call, &to, 100);
    }
    recorder.finished(2, Some(20));
    recorder.finished(1, None);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "");
    recorder.finished(3, Some(30));
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> =
        text.lines().filter_map(|line| line.split_once(' ').map(|(_, rest)| rest)).collect();
    let expected = ["2 100 20 http://127.0.0.1:8101/mcp", "3 100 30 http://127.0.0.1:8101/mcp"];
    assert_eq!(lines, expected);
}
