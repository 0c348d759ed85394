//! Unwanted words, where they count and where they do not.

use super::super::tests::check as on;
use super::check;

#[track_caller]
fn in_code(text: &str, expected: &[&str]) {
    on(check, &[("crates/a/src/lib.rs", text)], expected);
}

#[test]
fn lints_are_expected_not_allowed() {
    in_code("#[allow(dead_code)]\n", &["crates/a/src/lib.rs:1: `[allow(` is not used here"]);
    in_code("#![allow(dead_code)]\n", &["crates/a/src/lib.rs:1: `[allow(`"]);
    in_code("#[expect(dead_code, reason = \"x\")]\nbreaker.allow(1);\n", &[]);
}

#[test]
fn tests_are_not_skipped() {
    in_code("#[test]\n#[ignore = \"slow\"]\n", &["crates/a/src/lib.rs:2: `#[ignore`"]);
}

#[test]
fn nothing_is_left_for_later() {
    let text = "todo!();\nunimplemented!(\"x\");\n// FIXME: mend.\nlet a = \"todo!\";\n";
    let expected = [
        "crates/a/src/lib.rs:1: `todo!`",
        "crates/a/src/lib.rs:2: `unimplemented!`",
        "crates/a/src/lib.rs:3: `FIXME`",
    ];
    in_code(text, &expected);
}

#[test]
fn tests_do_not_sleep_but_the_world_may() {
    let sleep = "std::thread::sleep(a);\ntokio::time::sleep(b).await;\n";
    in_code(sleep, &[]);
    let expected = [
        "crates/a/tests/it/main.rs:1: `thread::sleep`",
        "crates/a/tests/it/main.rs:2: `time::sleep`",
    ];
    on(check, &[("crates/a/tests/it/main.rs", sleep)], &expected);
}
