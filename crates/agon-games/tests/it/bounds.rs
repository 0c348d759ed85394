//! What is too large or too deep is refused, whatever it says.

use agon_games::{BadMove, BadPayload, DEPTH_MAX, PAYLOAD_MAX, Rules, Seat, VIEW_MAX, games};

#[track_caller]
fn check(json: &str, expected: &BadPayload) {
    for info in games().iter().filter(|info| !info.greets) {
        let rules = Rules::new(info.name, "{}").unwrap();
        let mut position = rules.open();
        let before = position.clone();
        let refused = position.seal(&rules, Seat::A, json);
        assert_eq!(refused, Err(BadMove::Payload(*expected)), "{}", info.name);
        assert_eq!(position, before);
        assert!(rules.retrace(json).is_err());
    }
}

#[test]
fn a_move_that_is_too_long_is_not_read() {
    let long = format!("\"{}\"", "x".repeat(PAYLOAD_MAX - 1));
    check(&long, &BadPayload::TooLong { bytes: PAYLOAD_MAX + 1, max: PAYLOAD_MAX });
}

#[test]
fn a_move_that_is_too_deep_is_not_read() {
    let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    check(&nested(DEPTH_MAX + 1), &BadPayload::TooDeep);
    let rules = Rules::new("even-odd", "{}").unwrap();
    let flat = rules.open().seal(&rules, Seat::A, nested(DEPTH_MAX));
    assert!(matches!(flat, Err(BadMove::Unreadable(_))), "{flat:?}");
    let quoted = format!("\"\\\"{}\"", "[".repeat(DEPTH_MAX + 1));
    let quoted = rules.open().seal(&rules, Seat::A, &quoted);
    assert!(matches!(quoted, Err(BadMove::Unreadable(_))), "{quoted:?}");
}

#[test]
fn a_word_that_would_fill_a_view_is_refused() {
    let rules = Rules::new("q21", "{}").unwrap();
    let mut position = rules.open();
    let said = |length| format!("{{\"warmup_question\":\"{}\"}}", "x".repeat(length));
    let refused = position.word(&rules, None, said(VIEW_MAX));
    assert!(matches!(refused, Err(BadMove::Illegal(_))), "{refused:?}");
    assert_eq!(position.word(&rules, None, said(900)), Ok(()));
}
