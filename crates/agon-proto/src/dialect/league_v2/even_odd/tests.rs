//! What a player may say when it is asked for a parity; and a view is what `details` says, in both
//! directions.

use super::{Parity, StatedParity, made};
use crate::message::ReportDetails;
use crate::{Payload, PerPlayer, PlayerId};

const PLAYERS: [PlayerId; 2] = [PlayerId::new(1), PlayerId::new(2)];

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

#[test]
fn details_and_views_say_the_same() {
    let choices = [None, Some(Parity::Even), Some(Parity::Odd)];
    for drawn_number in [None, Some(0), Some(10), Some(u32::MAX)] {
        for a in choices {
            for b in choices {
                let entry = |place: usize, choice: Option<Parity>| {
                    choice.map(|choice| (PLAYERS[place], choice))
                };
                let choices = PerPlayer::of([entry(0, a), entry(1, b)]);
                let details = ReportDetails { drawn_number, choices, played: None };
                let view = details.view(PLAYERS);
                assert_eq!(Payload::new(view.as_str()).as_ref(), Some(&view));
                assert_eq!(ReportDetails::of(&view, PLAYERS), details);
            }
        }
    }
}

#[test]
fn a_view_is_written_as_the_game_writes_it() {
    let choices = PerPlayer::both((PLAYERS[0], Parity::Even), (PLAYERS[1], Parity::Odd));
    let view = ReportDetails { drawn_number: Some(8), choices, played: None }.view(PLAYERS);
    assert_eq!(view.as_str(), r#"{"drawn_number":8,"choices":["even","odd"]}"#);
    assert_eq!(made(Parity::Even).as_str(), "\"even\"");
    assert_eq!(Parity::of_json(Parity::Odd.json().as_bytes()), Some(Parity::Odd));
}

#[test]
fn what_is_no_view_of_even_odd_says_nothing() {
    for text in ["{}", "null", r#"{"drawn_number":8}"#, r#"{"drawn_number":x,"choices":[1,2]}"#] {
        let shown = Payload::trusted(text);
        assert_eq!(ReportDetails::of(&shown, PLAYERS), ReportDetails::default());
    }
}
