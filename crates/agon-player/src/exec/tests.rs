//! Real children: good ones, bad ones, and what becomes of them.
//!
//! A child that should be slow blocks on its stdin, so nothing here sleeps. Limits are real time:
//! short where they must run out, long where they must not.

use std::fs;
use std::path::Path;

use agon_core::Question;
use agon_proto::message::Parity;

use super::*;
use crate::Listed;
use crate::child::{Fault, Session};
use crate::testing::{EVEN, Lifeline, ODD, cut, question};

const LONG: Duration = Duration::from_secs(60);

fn terms() -> ExecTerms {
    ExecTerms { limit: LONG, ..ExecTerms::default() }
}

fn sh(script: &str, terms: ExecTerms) -> Exec {
    let quoted = script.replace('\'', r"'\''");
    Exec::new(&format!("sh -c '{quoted}'"), terms).unwrap()
}

/// The thought about a question that may take as long as the limit.
fn think(exec: &mut Exec, round: u32) -> impl Future<Output = Option<Parity>> + Send + 'static {
    think_until(exec, question(round, 2))
}

/// The thought about a question that may take 200 ms: half of a step that short.
fn hurry(exec: &mut Exec, round: u32) -> impl Future<Output = Option<Parity>> + Send + 'static {
    let deadline = Clock::start().now() + Duration::from_millis(400);
    think_until(exec, Question { deadline, ..question(round, 2) })
}

fn think_until(
    exec: &mut Exec,
    question: Question,
) -> impl Future<Output = Option<Parity>> + Send + 'static {
    let situation = Situation { question: &question, history: &[], standings: &Listed::default() };
    match exec.choose(&situation) {
        Decision::Later(thought) => thought,
        Decision::Now(_) => panic!("a child is never that quick"),
    }
}

/// Asks one question after the other.
async fn check(mut exec: Exec, expected: &[Option<Parity>]) {
    for (round, expected) in (1..).zip(expected) {
        assert_eq!(think(&mut exec, round).await, *expected, "round {round}");
    }
}

/// A script that counts its starts in a file, and then goes on.
fn counting(starts: &Path, script: &str) -> String {
    format!("echo start >> {}; {script}", starts.display())
}

fn starts(path: &Path) -> usize {
    fs::read_to_string(path).unwrap_or_default().lines().count()
}

#[tokio::test]
async fn one_child_answers_many_questions() {
    let dir = tempfile::tempdir().unwrap();
    let counter = dir.path().join("starts");
    let script = r#"while read q; do case "$q" in *R2M1*) echo odd;; *) echo even;; esac; done"#;
    let exec = sh(&counting(&counter, script), terms());
    check(exec, &[Some(EVEN), Some(ODD), Some(EVEN)]).await;
    assert_eq!(starts(&counter), 1);
}

#[tokio::test]
async fn a_child_in_python_reads_and_writes_json() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("my player.py");
    let script = r#"
import json, sys
for line in sys.stdin:
    question = json.loads(line)
    choice = ["even", "odd"][question["round_id"] % 2]
    print(json.dumps({"choice": choice}), flush=True)
"#;
    fs::write(&file, script).unwrap();
    let command = format!("python3 '{}'", file.display());
    let exec = Exec::new(&command, terms()).unwrap();
    check(exec, &[Some(ODD), Some(EVEN)]).await;
}

#[tokio::test]
async fn a_slow_child_is_killed_and_its_late_answer_is_lost() {
    // Asked in the first round it waits for more, and would answer with the second question.
    let script =
        r#"while read q; do case "$q" in *R1M1*) read q; echo odd;; *) echo even;; esac; done"#;
    let mut exec = sh(script, terms());
    assert_eq!(hurry(&mut exec, 1).await, None);
    assert_eq!(think(&mut exec, 2).await, Some(EVEN));
}

#[tokio::test]
async fn a_child_that_crashes_is_started_again() {
    let dir = tempfile::tempdir().unwrap();
    let counter = dir.path().join("starts");
    let path = counter.display();
    let second = format!("read q; [ $(wc -l < {path}) -gt 1 ] || exit 3; echo even; read q");
    let exec = sh(&counting(&counter, &second), terms());
    check(exec, &[None, Some(EVEN)]).await;
    assert_eq!(starts(&counter), 2);
}

#[tokio::test]
async fn the_author_hears_how_the_child_ended_and_what_it_said_last() {
    let words = words::split("sh -c 'read q; echo first >&2; echo oops >&2; exit 3'").unwrap();
    let mut session = Session::start(&terms().launch(words)).unwrap();
    match session.ask(b"{}\n").await {
        Err(Fault::Died(status)) => assert_eq!(status.code(), Some(3)),
        other => panic!("it exits with 3, yet: {other:?}"),
    }
    assert_eq!(&*session.bury().await, "oops");
}

#[tokio::test]
async fn a_child_may_answer_once_and_go() {
    check(sh("read q; echo even", terms()), &[Some(EVEN), Some(EVEN), Some(EVEN)]).await;
}

#[tokio::test]
async fn a_child_that_crashes_after_an_answer_is_no_such_child() {
    let script = "read q; echo even; read q; exit 3";
    check(sh(script, terms()), &[Some(EVEN), None, Some(EVEN)]).await;
}

#[tokio::test]
async fn garbage_is_no_choice() {
    check(sh("read q; echo evening; read q", terms()), &[None]).await;
    check(sh(r"read q; printf '\377\n'; read q", terms()), &[None]).await;
}

#[tokio::test]
async fn an_endless_line_is_cut_off() {
    let script = "read q; head -c 100000 /dev/zero; read q";
    check(sh(script, terms()), &[None]).await;
}

#[tokio::test]
async fn a_line_that_nobody_asked_for_is_no_answer_to_the_next_question() {
    let script = r"read q; printf 'even\nodd\n'; read q; echo even; read q";
    check(sh(script, terms()), &[Some(EVEN), None, Some(EVEN)]).await;
}

#[tokio::test]
async fn a_child_that_cannot_be_started_has_no_choice() {
    let exec = Exec::new("/no/such/program", terms()).unwrap();
    check(exec, &[None]).await;
}

#[tokio::test]
async fn the_environment_is_clean() {
    // What is not ours is what a shell sets for itself.
    let script = "read q; env | grep -vqE '^(PATH|HOME|LANG|PWD|OLDPWD|SHLVL|_)=' \
                  && echo odd || echo even; read q";
    check(sh(script, terms()), &[Some(EVEN)]).await;
    // Cargo sets this one for us.
    let handed_down = ExecTerms { env: vec!["CARGO_MANIFEST_DIR".into()], ..terms() };
    check(sh(script, handed_down), &[Some(ODD)]).await;
    let usual = r#"read q; [ -n "$PATH" ] && echo even || echo odd; read q"#;
    check(sh(usual, terms()), &[Some(EVEN)]).await;
}

#[tokio::test]
async fn after_too_many_failures_there_is_a_pause() {
    let dir = tempfile::tempdir().unwrap();
    let counter = dir.path().join("starts");
    let resting = ExecTerms { restarts: 1, pause: LONG, pause_max: LONG, ..terms() };
    let mut exec = sh(&counting(&counter, "exit 1"), resting);
    assert_eq!(think(&mut exec, 1).await, None);
    assert_eq!(think(&mut exec, 2).await, None);
    assert_eq!(hurry(&mut exec, 3).await, None);
    assert_eq!(starts(&counter), 2);
}

#[tokio::test]
async fn a_pause_that_ends_in_time_costs_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let counter = dir.path().join("starts");
    let path = counter.display();
    let second = format!("read q; [ $(wc -l < {path}) -gt 1 ] || exit 3; echo even; read q");
    let resting = ExecTerms { restarts: 0, pause: Duration::from_millis(20), ..terms() };
    check(sh(&counting(&counter, &second), resting), &[None, Some(EVEN)]).await;
}

#[tokio::test]
async fn questions_are_asked_one_at_a_time() {
    // The answer to a question depends on how many came before it.
    let script = "a=even; b=odd; while read q; do echo $a; c=$a; a=$b; b=$c; done";
    let mut exec = sh(script, terms());
    let thoughts: Vec<_> = (1..=4).map(|round| tokio::spawn(think(&mut exec, round))).collect();
    let mut choices = Vec::new();
    for thought in thoughts {
        choices.push(thought.await.unwrap());
    }
    assert_eq!(choices, [Some(EVEN), Some(ODD), Some(EVEN), Some(ODD)]);
}

#[tokio::test]
async fn the_child_dies_with_the_strategy() {
    let dir = tempfile::tempdir().unwrap();
    let lifeline = Lifeline::new(dir.path());
    let mut exec = sh(&lifeline.script("read q; echo even;"), terms());
    let thought = tokio::spawn(think(&mut exec, 1));
    let line = lifeline.up().await;
    assert_eq!(thought.await.unwrap(), Some(EVEN));
    drop(exec);
    cut(line).await;
}

#[tokio::test]
async fn the_child_dies_with_the_strategy_even_while_it_thinks() {
    let dir = tempfile::tempdir().unwrap();
    let lifeline = Lifeline::new(dir.path());
    let mut exec = sh(&lifeline.script(""), terms());
    let thought = tokio::spawn(think(&mut exec, 1));
    let line = lifeline.up().await;
    drop(exec);
    assert_eq!(thought.await.unwrap(), None);
    cut(line).await;
}

#[test]
fn the_budget_ends_before_the_deadline() {
    let terms = ExecTerms {
        limit: Duration::from_secs(25),
        margin: Duration::from_secs(1),
        ..ExecTerms::default()
    };
    let now = Timestamp::from_micros(0);
    let budget = |left_ms| terms.budget(now + Duration::from_millis(left_ms), now).as_millis();
    assert_eq!(budget(10_000), 9_000);
    assert_eq!(budget(30_000), 25_000, "capped by the limit");
    assert_eq!(budget(1_000), 500, "half of a short step");
    assert_eq!(budget(0), 25_000, "the clocks disagree");
}

#[test]
fn faults_are_written_for_the_author() {
    let said = ask::choice("thinking\u{7}…\n").unwrap_err();
    assert_eq!(
        said.to_string(),
        "it said `thinking\\u{7}…`, which is no choice; write {\"choice\":\"even\"} or even, \
         and nothing else, to stdout: notes belong to stderr"
    );
}
