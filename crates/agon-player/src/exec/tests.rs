//! Real children: good ones, bad ones, and what becomes of them.
//!
//! A child that should be slow blocks on its stdin, so nothing here sleeps. Limits are real time:
//! short where they must run out, long where they must not.

mod words;

use std::fs;
use std::path::Path;

use agon_node::clock::Clock;
use agon_proto::message::Parity;

use super::*;
use crate::child::{Fault, Time};
use crate::tests::{EVEN, Lifeline, ODD, cut, known, options, question};

const LONG: Duration = Duration::from_secs(60);

fn terms() -> ChildTerms {
    ChildTerms::default()
}

fn sh(script: &str, terms: ChildTerms) -> Exec {
    let quoted = script.replace('\'', r"'\''");
    Exec::new(&format!("sh -c '{quoted}'"), &terms).unwrap()
}

/// The thought about a question that may take long.
fn think(exec: &mut Exec, round: u32) -> impl Future<Output = Option<Parity>> + Send + 'static {
    let thought = think_until(exec, LONG, round);
    async move { thought.await.ok().and_then(|made| Parity::of_json(made.as_bytes())) }
}

/// The thought about a question that may take 200 ms.
fn hurry(
    exec: &mut Exec,
    round: u32,
) -> impl Future<Output = Result<Payload, Mishap>> + Send + 'static {
    think_until(exec, Duration::from_millis(200), round)
}

fn think_until(
    exec: &mut Exec,
    time: Duration,
    round: u32,
) -> impl Future<Output = Result<Payload, Mishap>> + Send + 'static {
    let until = Clock::start().now() + time;
    match exec.think(&Question { until, ..question(round) }, &known(2, &[])) {
        Thinking::Later(thought) => thought,
        Thinking::Now(_) => panic!("a child is never that quick"),
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
    let exec = Exec::new(&command, &terms()).unwrap();
    check(exec, &[Some(ODD), Some(EVEN)]).await;
}

#[tokio::test]
async fn a_slow_child_is_killed_and_its_late_answer_is_lost() {
    // Asked in the first round it waits for more, and would answer with the second question.
    let script =
        r#"while read q; do case "$q" in *R1M1*) read q; echo odd;; *) echo even;; esac; done"#;
    let mut exec = sh(script, terms());
    assert_eq!(hurry(&mut exec, 1).await.unwrap_err().kind, MishapKind::TimedOut);
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
    let command = "sh -c 'read q; echo first >&2; echo oops >&2; exit 3'";
    let mut session = Session::start(&launch(command, &terms()).unwrap()).unwrap();
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
    let nowhere = BadCommand::NoProgram("/no/such/program".into());
    assert_eq!(Exec::new("/no/such/program", &terms()).err(), Some(nowhere));
    let file = tempfile::NamedTempFile::new().unwrap();
    let exec = Exec::new(&file.path().display().to_string(), &terms()).unwrap();
    check(exec, &[None]).await;
}

#[tokio::test]
async fn the_environment_is_clean() {
    // What is not ours is what a shell sets for itself.
    let script = "read q; env | grep -vqE '^(PATH|HOME|LANG|PWD|OLDPWD|SHLVL|_)=' \
                  && echo odd || echo even; read q";
    check(sh(script, terms()), &[Some(EVEN)]).await;
    // Cargo sets this one for us.
    let handed_down = ChildTerms { env: vec!["CARGO_MANIFEST_DIR".into()], ..terms() };
    check(sh(script, handed_down), &[Some(ODD)]).await;
    let usual = r#"read q; [ -n "$PATH" ] && echo even || echo odd; read q"#;
    check(sh(usual, terms()), &[Some(EVEN)]).await;
}

#[tokio::test]
async fn after_too_many_failures_there_is_a_pause() {
    let dir = tempfile::tempdir().unwrap();
    let counter = dir.path().join("starts");
    let resting = ChildTerms { restarts: 1, pause: LONG, pause_max: LONG, ..terms() };
    let mut exec = sh(&counting(&counter, "exit 1"), resting);
    assert_eq!(think(&mut exec, 1).await, None);
    assert_eq!(think(&mut exec, 2).await, None);
    assert_eq!(hurry(&mut exec, 3).await.unwrap_err().kind, MishapKind::Gone);
    assert_eq!(starts(&counter), 2);
}

#[tokio::test]
async fn a_pause_that_ends_in_time_costs_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let counter = dir.path().join("starts");
    let path = counter.display();
    let second = format!("read q; [ $(wc -l < {path}) -gt 1 ] || exit 3; echo even; read q");
    let resting = ChildTerms { restarts: 0, pause: Duration::from_millis(20), ..terms() };
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
fn faults_are_written_for_the_author() {
    let said = line::answer("thinking\u{7}…\n", &options()).unwrap_err();
    assert_eq!(
        said.to_string(),
        "it said `thinking\\u{7}…`, which is no choice; write {\"choice\":\"even\"} or even, \
         and nothing else, to stdout: notes belong to stderr"
    );
}

#[tokio::test]
async fn a_step_that_lasts_longer_than_half_a_minute_may_be_thought_about_as_long() {
    let exec = sh("cat", terms());
    let hour = Question { until: Clock::start().now() + LONG * 60, ..question(1) };
    match exec.0.time(&hour) {
        Time::Until(until) => {
            assert!(until.duration_since(tokio::time::Instant::now()) > LONG * 59);
        }
        Time::For(_) => panic!("somebody waits for it"),
    }
}

#[tokio::test]
async fn what_is_given_to_it_is_in_its_environment() {
    let script = r#"while read q; do echo "$AGON_TEST_KEY"; done"#;
    let given = ChildTerms { env: vec!["AGON_TEST_KEY=odd".into()], ..terms() };
    check(sh(script, given), &[Some(ODD)]).await;
}

#[tokio::test]
async fn a_program_that_cannot_be_asked_is_found_out_before_the_season() {
    let told = async |spec: &str| try_out(spec, &terms()).await.map_err(|mishap| mishap.text);
    assert_eq!(told("even").await, Ok(()));
    assert_eq!(told("exec:sh -c 'while read q; do echo even; done'").await, Ok(()));
    let said = told("exec:sh -c 'echo no such file >&2; exit 2'").await.unwrap_err();
    assert_eq!(
        &*said,
        "it ended (exit status: 2) before it was asked anything; it last wrote to stderr: \
         no such file"
    );
    let said = told("exec:no-such-program-anywhere").await.unwrap_err();
    assert!(said.starts_with("there is no program `no-such-program-anywhere`"), "{said}");
}
