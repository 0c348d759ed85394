//! What can be a code, and that none is seen.

use super::super::*;

#[track_caller]
fn check_shown(url: &str, expected: &str) {
    assert_eq!(without_code(url), expected);
}

#[test]
fn a_code_is_neither_short_nor_long_nor_odd() {
    for good in ["abcd-EF_9", "12345678", &"x".repeat(64)] {
        assert!(good.parse::<InvitationCode>().is_ok(), "{good}");
    }
    for bad in ["", "short", "with space", "a/b/c/d/e", "äöüäöüäöü", &"x".repeat(65)] {
        assert_eq!(bad.parse::<InvitationCode>(), Err(BadCode), "{bad}");
    }
}

#[test]
fn an_address_shows_no_code() {
    check_shown("http://host:8000/mcp", "http://host:8000/mcp");
    check_shown("http://host:8000/join/secret-code/mcp", "http://host:8000/join/…/mcp");
    check_shown("http://host/join/secret", "http://host/join/…");
    check_shown("http://host/join//mcp", "http://host/join//mcp");
    check_shown("http://join/join/join/join/x", "http://join/join/…/join/x");
    check_shown("join/secret", "join/secret");
    let code: InvitationCode = "secret-code".parse().unwrap();
    assert_eq!(format!("{code:?}"), "…");
}

#[test]
fn an_address_takes_one_code() {
    let code: InvitationCode = "secret-code".parse().unwrap();
    let with = code.in_address("http://host:8000/mcp");
    assert_eq!(with, "http://host:8000/join/secret-code/mcp");
    assert_eq!(code_in(&with), Some("secret-code"));
    assert_eq!(code.in_address("http://h/join/other-code/mcp"), "http://h/join/other-code/mcp");
}

#[test]
fn what_is_read_is_bounded_and_not_echoed() {
    let long = format!("\"{}\"", "s".repeat(65));
    let refused = serde_json::from_str::<InvitationCode>(&long).unwrap_err().to_string();
    assert!(!refused.contains("sss"), "{refused}");
    // What was never given out can never be right, and needs no other answer.
    let odd: InvitationCode = serde_json::from_str("\"a b\"").unwrap();
    assert_eq!(odd.reveal(), "a b");
}
