//! A record of sizes has a line for each call that was answered, and is written when nothing is
//! under way; one of words has every call, as soon as it is over.

use std::path::PathBuf;
use std::time::Instant;

use agon_net::{CallError, HttpAnswer};
use agon_proto::Endpoint;
use bytes::Bytes;
use tempfile::TempDir;

use super::*;
use crate::clock::Clock;
use crate::passed::{Edge, UnderWay};

fn recorded(detail: Detail) -> (TempDir, PathBuf, Edge) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("calls");
    let recorder = Recorder::new(File::create(&path).unwrap(), detail);
    (dir, path, Edge::new(Clock::start(), Some(recorder), Vec::new()))
}

fn call(edge: &Edge, body: &'static str) -> UnderWay {
    let to = Endpoint::new("http://127.0.0.1:8101/mcp");
    edge.calls(&to, &Bytes::from_static(body.as_bytes()), || ("?", None)).unwrap()
}

fn answer(body: &'static str) -> Result<HttpAnswer, CallError> {
    Ok(HttpAnswer { status: 200, body: Bytes::from_static(body.as_bytes()), at: Instant::now() })
}

#[test]
fn sizes_are_written_when_nothing_is_under_way() {
    let (_dir, path, edge) = recorded(Detail::Sizes);
    let [first, second, third] = ["one", "two", "three"].map(|body| call(&edge, body));
    second.finished(&answer("yes"));
    first.finished(&Err(CallError::Timeout));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "");
    third.finished(&answer("certainly"));
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> =
        text.lines().filter_map(|line| line.split_once(' ').map(|(_, rest)| rest)).collect();
    let expected = ["2 3 3 http://127.0.0.1:8101/mcp", "3 5 9 http://127.0.0.1:8101/mcp"];
    assert_eq!(lines, expected);
}

#[test]
fn words_are_written_at_once_whatever_became_of_the_call() {
    let (_dir, path, edge) = recorded(Detail::Words);
    let [first, second, _third] = ["one", "two\n", "three"].map(|body| call(&edge, body));
    second.finished(&answer("yes"));
    first.finished(&Err(CallError::Timeout));
    let expected = "2 http://127.0.0.1:8101/mcp 4 200 3\ntwo\n\nyes\n\
        1 http://127.0.0.1:8101/mcp 3 timed-out 0\none\n\n";
    assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
}

#[tokio::test]
async fn a_record_is_settled_when_the_last_call_is_over() {
    let (_dir, path, edge) = recorded(Detail::Words);
    let last = call(&edge, "bye");
    let waiting = tokio::spawn(async move { edge.settle().await });
    tokio::task::yield_now().await;
    assert!(!waiting.is_finished());
    last.finished(&answer("bye"));
    waiting.await.unwrap();
    assert!(std::fs::read_to_string(&path).unwrap().ends_with("bye\nbye\n"));
}
