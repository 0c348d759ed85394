//! Words as a person types them.

use super::super::*;

#[track_caller]
fn check(command: &str, expected: &[&str]) {
    let (program, arguments) = split(command).unwrap();
    let all: Vec<_> = std::iter::once(&program).chain(&arguments).collect();
    assert_eq!(all, expected);
}

#[test]
fn blanks_separate_words() {
    check("  python3\t-u   player.py ", &["python3", "-u", "player.py"]);
}

#[test]
fn quotes_join_words() {
    check(r#"sh -c 'read a; echo "even"'"#, &["sh", "-c", r#"read a; echo "even""#]);
    check(r#"run "my player's file".py"#, &["run", "my player's file.py"]);
    check("run '' x", &["run", "", "x"]);
}

#[test]
fn a_backslash_takes_the_next_character_as_it_is() {
    check(r"run my\ player \'", &["run", "my player", "'"]);
    check(r#"run "a\"b" 'c\d'"#, &["run", r#"a"b"#, r"c\d"]);
}

#[test]
fn nothing_is_expanded() {
    check("echo $HOME *.py ~ a;b", &["echo", "$HOME", "*.py", "~", "a;b"]);
}

#[test]
fn what_cannot_be_split_is_refused() {
    assert_eq!(split(" \t"), Err(BadCommand::Empty));
    assert_eq!(split("run 'x"), Err(BadCommand::OpenQuote));
    assert_eq!(split("run \"x'"), Err(BadCommand::OpenQuote));
    assert_eq!(split("run x\\"), Err(BadCommand::OpenEscape));
}
