//! Pages of hostile cases, and the tests that they name.

use super::super::tests::check as on;
use super::check;

const TESTS: (&str, &str) = (
    "crates/a/tests/it/b.rs",
    "#[test]\nfn a_bomb_is_not_unpacked() {}\n\
     #[tokio::test]\nasync fn a_flood_waits() {}\n\
     fn no() {}",
);

#[track_caller]
fn page(text: &str, expected: &[&str]) {
    on(check, &[TESTS, ("docs/hostile.md", text)], expected);
}

#[test]
fn a_case_has_tests_that_exist() {
    page("| case | answer | test |\n|---|---|---|\n| a | 413 | `a_bomb_is_not_unpacked` |", &[]);
    page("| a `b` | 413 | `a_bomb_is_not_unpacked`, `a_flood_waits` |", &[]);
    page("Not a `row` at all.", &[]);
}

#[test]
fn a_test_that_is_not_there_is_a_finding() {
    page("\n| a | 413 | `a_boom` |", &["docs/hostile.md:2: there is no test `a_boom`"]);
    page("| a | b | `no` |", &["docs/hostile.md:1: there is no test `no`"]);
}

#[test]
fn a_case_without_a_test_is_a_finding() {
    page("| a | 413 | soon |", &["docs/hostile.md:1: a case without a test"]);
}

#[test]
fn a_test_that_is_named_after_a_finding_has_its_row() {
    let tests = ("crates/a/tests/it/c.rs", "#[test]\nfn t05_a_thief() {}\n#[test]\nfn p_5() {}");
    let with = |page| [tests, ("docs/review.md", page)];
    on(check, &with("\n| T5 | a thief | `t05_a_thief` |"), &[]);
    on(check, &with("# Found\n"), &["docs/review.md:1: a test is named after T5"]);
}
