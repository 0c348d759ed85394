//! No line is too wide, and nothing is lost.

use super::*;

#[test]
fn a_line_that_fits_stays_what_it_is() {
    for line in ["", "\n", "INFO listening a=1\n", &("x".repeat(100) + "\n")] {
        assert_eq!(wrapped(line), line);
    }
}

#[test]
fn a_longer_line_goes_on_below() {
    let line = "word ".repeat(50) + "end\n";
    let shown = wrapped(&line);
    assert!(shown.lines().count() == 3 && shown.ends_with("end\n"), "{shown}");
    for line in shown.lines() {
        assert!(line.len() <= COLUMNS && !line.ends_with(' '), "{line:?}");
    }
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&shown), words(&line));
}

#[test]
fn a_word_is_never_broken_and_colours_take_no_room() {
    let long = "x".repeat(150);
    assert_eq!(wrapped(&format!("a {long} b\n")), format!("a {long}\n    b\n"));
    let coloured = "\u{1b}[32mINFO\u{1b}[0m ".repeat(19) + "end\n";
    assert_eq!(wrapped(&coloured), coloured);
}
