//! Which command lines are understood.

use super::{Task, parse};
use crate::fuzz::Plan;
use crate::tidy::Detail;

#[track_caller]
fn check(line: &str, expected: Option<Task>) {
    assert_eq!(parse(line.split_whitespace().map(String::from)), expected, "{line}");
}

#[test]
fn every_task_has_a_word() {
    check("test", Some(Task::Test));
    check("ci", Some(Task::Ci));
    check("fix", Some(Task::Fix));
    check("fuzz --seconds 9 texts", Plan::parse(&["--seconds", "9", "texts"]).map(Task::Fuzz));
    check("tidy", Some(Task::Tidy(Detail::Findings)));
    check("tidy --verbose", Some(Task::Tidy(Detail::FindingsAndSizes)));
    check("--help", Some(Task::Help));
}

#[test]
fn anything_else_is_refused() {
    check("", None);
    check("tset", None);
    check("ci --quickly", None);
    check("fuzz --seconds soon", None);
    check("test tidy", None);
}
