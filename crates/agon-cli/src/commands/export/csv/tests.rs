//! Cells that a spreadsheet reads as text and as nothing else.

use super::harmless;

#[track_caller]
fn check(cell: &str, expected: &str) {
    assert_eq!(harmless(cell), expected);
}

#[test]
fn plain_cells_stay() {
    check("", "");
    check("R1M1", "R1M1");
    check("2026-01-15T10:00:00.000001Z", "2026-01-15T10:00:00.000001Z");
}

#[test]
fn separators_and_quotes_are_wrapped() {
    check("Ada, the \"first\"", "\"Ada, the \"\"first\"\"\"");
    check("a;=b", "\"a;=b\"");
    check("two\nlines", "\"two\nlines\"");
}

#[test]
fn formulas_are_disarmed() {
    check("=cmd()", "\"'=cmd()\"");
    for begin in ["+", "-", "@", "\t", "\r", "\n", " =", "＝", "＠"] {
        check(&format!("{begin}1"), &format!("\"'{begin}1\""));
    }
}
