//! A log holds each message whole and without its secrets, in files of a bounded number and size;
//! what is missing is said.

use std::path::PathBuf;
use std::time::Instant;

use agon_proto::{Endpoint, Sender, Timestamp};
use serde_json::Value;
use tempfile::TempDir;

use super::*;
use crate::passed::{Outcome, Peer, Way};

const HEX: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

fn passed(said: &str, answer: &str) -> Passed {
    Passed {
        at: Timestamp::from_micros(1_000_001),
        took: Duration::from_micros(17),
        way: Way::Called,
        peer: Peer::Endpoint(Endpoint::new("http://h:1/join/abcdefgh/mcp")),
        name: "GAME_INVITATION",
        match_id: None,
        said: said.to_owned().into(),
        answer: answer.to_owned().into(),
        status: Some(200),
        outcome: Outcome::Answered,
    }
}

fn settings(bytes_max: u64, files: u32, body_max: usize) -> Log {
    let Log { level, format, .. } = crate::config::tests::defaults().log;
    let (messages, messages_bytes_max, messages_files) = (true, bytes_max, files);
    let messages_body_max = body_max;
    Log { level, format, messages, messages_bytes_max, messages_files, messages_body_max }
}

fn read(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Logs these messages, and says where.
async fn logged(settings: Log, messages: Vec<Passed>) -> (TempDir, Vec<PathBuf>) {
    let dir = tempfile::tempdir().unwrap();
    let limits = Limits { depth_max: 32 };
    let (log, watcher) = MessageLog::open(dir.path(), &settings, limits).unwrap();
    messages.into_iter().for_each(|passed| watcher.see(&Arc::new(passed)));
    log.close().await;
    let files = message_log_files(dir.path());
    (dir, files)
}

#[tokio::test]
async fn a_message_is_one_line_whole_and_without_its_secrets() {
    let said = format!(r#"{{"auth_token":"tok-p01-{HEX}","conversation_id":"conv-r1m2-001"}}"#);
    let refused = r#"{"id":1,"error":{"code":1,"message":"no","data":{"error_code":"E012"}}}"#;
    let (_dir, files) = logged(settings(1 << 20, 2, 1 << 16), vec![passed(&said, refused)]).await;
    let lines = read(&files[0]);
    let expected = serde_json::json!({
        "at": "1970-01-01T00:00:01.000001Z", "took_us": 17, "way": "called",
        "peer": "http://h:1/join/…/mcp", "message": "GAME_INVITATION", "match": "R1M2",
        "conversation": "conv-r1m2-001", "outcome": "refused", "status": 200, "code": "E012",
        "request": { "auth_token": "tok-p01-…", "conversation_id": "conv-r1m2-001" },
        "answer": serde_json::from_str::<Value>(refused).unwrap(),
    });
    assert_eq!(lines, [expected]);
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(&files[0]).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[tokio::test]
async fn what_is_no_json_or_too_long_is_a_text() {
    let long = format!("{{\"a\":\"{}\"}}", "x".repeat(100));
    let messages = vec![passed("{\n \"a\": 1}", "<html>\n"), passed(&long, &long)];
    let (_dir, files) = logged(settings(1 << 20, 2, 20), messages).await;
    let lines = read(&files[0]);
    assert_eq!(lines[0]["request"]["a"], 1);
    assert_eq!(lines[0]["answer_text"], "<html>\n");
    assert_eq!(lines[1]["request_text"], long[..20]);
    assert_eq!(lines[1]["request_bytes"], long.len());
}

#[tokio::test]
async fn old_files_make_room() {
    let dir = tempfile::tempdir().unwrap();
    let mut files = Files::new(dir.path(), 10, 3);
    for number in 0..5 {
        files.write(format!("{{\"number\":{number}}}\n").as_bytes()).unwrap();
    }
    let numbers: Vec<_> =
        message_log_files(dir.path()).iter().flat_map(|path| read(path)).collect();
    let numbers: Vec<_> = numbers.iter().map(|line| line["number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [2, 3, 4]);
}

#[test]
fn a_cut_line_does_not_spoil_the_next() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("messages.jsonl"), "{\"a\":1}\n{\"b\":").unwrap();
    Files::new(dir.path(), 1 << 20, 2).write(b"{\"c\":3}\n").unwrap();
    let text = std::fs::read_to_string(dir.path().join("messages.jsonl")).unwrap();
    assert_eq!(text, "{\"a\":1}\n{\"b\":\n{\"c\":3}\n");
}

#[tokio::test]
async fn what_there_is_no_room_for_is_counted_and_nobody_waits() {
    let big = "x".repeat(WAITING_MAX / 2);
    let began = Instant::now();
    let messages = (0..4).map(|_| passed(&big, "")).collect();
    let (_dir, files) = logged(settings(1 << 30, 2, 10), messages).await;
    assert!(began.elapsed() < Duration::from_secs(60));
    let lines = read(&files[0]);
    let left_out = lines.iter().find_map(|line| line["left_out"].as_u64()).unwrap();
    let written = lines.iter().filter(|line| line["message"].is_string()).count() as u64;
    assert_eq!(written + left_out, 4);
}

#[tokio::test]
async fn a_folder_that_is_gone_costs_lines_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let gone = dir.path().join("gone");
    let limits = Limits { depth_max: 32 };
    let (log, watcher) = MessageLog::open(&gone, &settings(1 << 20, 2, 10), limits).unwrap();
    watcher.see(&Arc::new(passed("{}", "{}")));
    log.close().await;
    assert!(message_log_files(&gone).is_empty());
}

#[tokio::test]
async fn strangers_do_not_make_what_agents_said_go() {
    let answer = format!("{{\"result\":\"{}\"}}", "x".repeat(10_000));
    let ask = |name, sender, second: i64| {
        let peer = Peer::Caller(([127, 0, 0, 1], 5).into(), sender);
        let at = Timestamp::from_micros(second * 1_000_000);
        Passed { at, way: Way::WasCalled, peer, name, ..passed("{}", &answer) }
    };
    let agents = || ask("GAME_OVER", Some(Sender::LeagueManager), 1);
    let mut messages = vec![agents()];
    messages.extend((0..1_000).map(|_| ask("get_standings", None, 1)));
    messages.push(agents());
    // After a minute there is room again.
    messages.push(ask("ping", None, 61));
    let (_dir, files) = logged(settings(1 << 30, 2, 1 << 16), messages).await;
    let lines = read(&files[0]);
    let count = |name: &str| lines.iter().filter(|line| line["message"] == name).count() as u64;
    assert_eq!((count("GAME_OVER"), count("ping")), (2, 1));
    let left_out: u64 = lines.iter().filter_map(|line| line["left_out"].as_u64()).sum();
    assert_eq!(count("get_standings") + left_out, 1_000);
    assert!((90..=110).contains(&count("get_standings")), "{}", count("get_standings"));
}

#[tokio::test]
async fn bytes_that_are_no_text_spoil_no_line() {
    let mut odd = passed("{}", "");
    odd.answer = b"{\"a\":\"\xff\xfe\"}".to_vec().into();
    let (_dir, files) = logged(settings(1 << 20, 2, 1 << 16), vec![odd]).await;
    assert!(read(&files[0])[0]["answer_text"].is_string());
}
