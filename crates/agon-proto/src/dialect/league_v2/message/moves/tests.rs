//! Tests of what a player may say when it is asked for a parity.

use super::{Parity, StatedParity};

/// Reads a choice, and reads once more what is written of it.
#[track_caller]
fn check(text: &str, expected: &StatedParity) {
    let stated = StatedParity::from(text);
    assert_eq!(stated, *expected, "{text:?}");
    let written = serde_json::to_string(&stated).unwrap();
    assert_eq!(serde_json::from_str::<StatedParity>(&written).unwrap(), stated, "{written}");
}

fn invalid(shown: &str) -> StatedParity {
    StatedParity::Invalid(shown.into())
}

#[test]
fn a_choice_is_trimmed_and_its_case_does_not_matter() {
    check("even", &StatedParity::Valid(Parity::Even));
    check(" \tODD\n", &StatedParity::Valid(Parity::Odd));
}

#[test]
fn an_invalid_choice_never_turns_into_a_valid_one() {
    check("", &invalid(""));
    check("ev en", &invalid("ev en"));
    check("ev\0en", &invalid("ev\u{fffd}en"));
    check("ev\u{200b}en", &invalid("ev\u{fffd}en"));
    check("odd\u{7f}", &invalid("odd\u{fffd}"));
    check("\u{feff}odd", &invalid("\u{fffd}odd"));
}

#[test]
fn a_long_choice_is_cut_with_a_mark_and_stays_invalid() {
    let blanks = " ".repeat(70);
    check(&format!("even{blanks}x"), &invalid(&format!("even{}…", " ".repeat(59))));
    let (a, long) = ("a".repeat(63), "a".repeat(65));
    check(&format!("{a} b"), &invalid(&format!("{a}…")));
    check(&long, &invalid(&format!("{a}…")));
    check(&"é".repeat(64), &invalid(&"é".repeat(64)));
}
