//! Telling code from comments, literals and tests.

use super::{Source, mentions};

/// Compares the code that is left of one line.
#[track_caller]
fn check(line: &str, code: &str) {
    let source = Source::read("crates/a/src/lib.rs", line);
    assert_eq!(source.lines[0].code, code, "{line}");
}

#[test]
fn comments_are_not_code() {
    check("a(); // b()", "a(); ");
    check("a /* b /* c */ d */ e", "a  e");
    check("a /* never closed", "a ");
    let source = Source::read("x.rs", "a(); // Why.\n/* one\ntwo */ b();");
    assert_eq!(source.lines[0].comment, "// Why.");
    assert_eq!(source.lines[2].code, " b();");
}

#[test]
fn literals_are_blanked() {
    check(r#"f("a // b", c)"#, "f(~~ ~~ ~~, c)");
    check(r#"f("\"", c)"#, "f(~~~~, c)");
    check(r##"f(r#"a"b"#, c)"##, "f(~~~~~~~~, c)");
    check(r"f('\'', '{', b'x')", "f(~~~~, ~~~, b~~~)");
    check("fn f<'a, 'b>(x: &'a str) {}", "fn f<'a, 'b>(x: &'a str) {}");
    check("let r#type = bar\"x\";", "let r#type = bar~~~;");
}

#[test]
fn a_string_of_many_lines_stays_code() {
    let source = Source::read("x.rs", "let a = \"one\ntodo!()\n\";\nb();");
    let codes: Vec<&str> = source.lines.iter().map(|line| line.code.as_str()).collect();
    assert_eq!(codes, ["let a = ~~~~", "~~~~~~~", "~;", "b();"]);
}

#[test]
fn a_test_ends_where_its_item_ends() {
    let text = "a();\n#[cfg(test)]\nfn f(x: [u8; 2]) {\n    g({});\n}\nb();\n\
                #[cfg(test)]\nmod tests;\nc();";
    let marks: Vec<bool> =
        Source::read("crates/a/src/lib.rs", text).lines.iter().map(|line| line.test).collect();
    assert_eq!(marks, [false, true, true, true, true, false, true, true, false]);
}

#[test]
fn files_of_tests_are_tests_throughout() {
    for path in ["crates/a/tests/it/main.rs", "crates/a/src/x/tests.rs"] {
        assert!(Source::read(path, "a();").lines[0].test, "{path}");
    }
    assert!(!Source::read("crates/a/src/contests.rs", "a();").lines[0].test);
}

#[test]
fn words_are_found_whole() {
    assert!(mentions("use rand::rng;", "rand::"));
    assert!(!mentions("strand::cut()", "rand::"));
    assert!(mentions("tokio::spawn", "tokio"));
    assert!(!mentions("tokio_like", "tokio"));
}
