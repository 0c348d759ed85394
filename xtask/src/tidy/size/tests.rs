//! Walls, and what does not count towards them.

use super::super::tests::check as on;
use super::super::tree::Tree;
use super::{check, largest};

#[test]
fn three_hundred_lines_of_code_are_the_wall() {
    let code = "a();\n".repeat(300);
    let padded = format!("//! Long.\n\n{code}// Why.\n#[cfg(test)]\nmod tests;\n");
    on(check, &[("crates/a/src/lib.rs", &padded)], &[]);
    let over = format!("//! Long.\n{code}b();\n");
    let expected = ["crates/a/src/lib.rs:302: 301 lines of code"];
    on(check, &[("crates/a/src/lib.rs", &over)], &expected);
}

#[test]
fn tests_have_no_wall() {
    let code = "a();\n".repeat(301);
    on(check, &[("crates/a/src/b/tests.rs", &code), ("crates/a/tests/it/main.rs", &code)], &[]);
}

#[test]
fn a_line_ends_at_column_100() {
    let text = format!("//! Wide.\n//{}\n//{}\n", "é".repeat(98), "e".repeat(99));
    on(check, &[("crates/a/src/lib.rs", &text)], &["crates/a/src/lib.rs:3: 101 columns"]);
}

#[test]
fn the_birds_eye_view_stays_short() {
    on(check, &[("ARCHITECTURE.md", &"line\n".repeat(199))], &[]);
    on(check, &[("ARCHITECTURE.md", &"line\n".repeat(200))], &["ARCHITECTURE.md:200: 200 lines"]);
}

#[test]
fn the_largest_come_first() {
    let files = [("crates/a/src/a.rs", "a();\n"), ("crates/a/src/b.rs", "a();\n\nb();\n")];
    let tree = Tree::new(files.iter().map(|(path, text)| ((*path).into(), (*text).into())));
    assert_eq!(largest(&tree), [(2, "crates/a/src/b.rs"), (1, "crates/a/src/a.rs")]);
}
