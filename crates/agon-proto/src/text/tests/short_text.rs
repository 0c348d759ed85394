//! What is repeated of what somebody sent.

use super::super::*;

#[track_caller]
fn check(sent: &[u8], repeated: &str) {
    assert_eq!(ShortText::received(sent).as_str(), repeated);
}

#[test]
fn plain_text_is_repeated_as_it_is() {
    check(br#"{"accept":true}"#, r#"{"accept":true}"#);
    check("café ✓".as_bytes(), "café ✓");
}

#[test]
fn what_could_harm_a_terminal_is_escaped() {
    check(b"yes\x1b[2J\r\n", r"yes\u{1b}[2J\r\n");
    check("a\u{202e}b".as_bytes(), r"a\u{202e}b");
    check(b"\xff\xfe!", "\u{fffd}\u{fffd}!");
}

#[test]
fn tokens_and_what_looks_like_one_are_left_out() {
    let digits = "9f2c41d07be85a36c1f0e4729d6b83a5".repeat(2);
    check(format!(r#""tok-p01-{digits}""#).as_bytes(), r#""tok-…""#);
    check(format!(r#""auth":"{digits}"}}"#).as_bytes(), r#""auth":"…"}"#);
    check(b"Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "Bearer …");
    check(b"?tok-short", "?tok-…");
    check(br#"{"auth_token":"abc","token": null}"#, r#"{"auth_token":"…","token": null}"#);
    check(b"password=hunter2 tokens are bad", "password=… tokens are bad");
}

#[test]
fn words_of_the_protocol_stay() {
    let usual = r#"{"message_type":"CHOOSE_PARITY_RESPONSE","timestamp":"2026-01-15T10:05:00Z"}"#;
    check(usual.as_bytes(), usual);
    let usual = r#"{"conversation_id":"conv-r1m1-001","league_id":"league_2026_even"}"#;
    check(usual.as_bytes(), usual);
}

#[test]
fn no_more_than_the_beginning_is_kept() {
    let long = ShortText::received(&b"no ".repeat(100_000));
    assert_eq!(long.as_str().chars().count(), ShortText::LENGTH_MAX);
    assert!(long.as_str().ends_with('…'));
    let escaped = ShortText::received(&[0; 1000]);
    assert!(escaped.as_str().chars().count() <= ShortText::LENGTH_MAX);
}

#[test]
fn a_secret_at_the_edge_of_what_is_looked_at_is_not_repeated() {
    let secret = "0a1b2c3d".repeat(8);
    for start in 0..64 {
        let sent = format!("{}{}", " ".repeat(start), format!("{secret} ").repeat(2000));
        let short = ShortText::received(sent.as_bytes());
        assert!(!short.as_str().contains("0a1b"), "{short}");
    }
}

#[test]
fn reading_it_again_changes_nothing() {
    for sent in [&b"yes\x1b"[..], &[0; 1000], &b"no ".repeat(1000)] {
        let short = ShortText::received(sent);
        assert_eq!(ShortText::new(short.as_str()), short);
    }
}
