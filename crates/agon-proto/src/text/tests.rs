//! Tests of names and kinds of game.

mod short_text;

use super::{DisplayName, GameType, marked, readable};

#[track_caller]
fn check_game(text: &str, expected: &str) {
    let game: GameType = serde_json::from_value(text.into()).unwrap();
    assert_eq!(game.as_str(), expected, "{text:?}");
    assert_eq!(game, GameType::new(expected), "{text:?}");
    let written = serde_json::to_string(&game).unwrap();
    assert_eq!(serde_json::from_str::<GameType>(&written).unwrap(), game, "{written}");
}

#[test]
fn a_game_goes_by_its_exact_name() {
    check_game("even_odd", "even_odd");
    check_game("q21", "q21");
    check_game("Q21", "Q21");
    check_game("", "");
    check_game("a_game_with_a_name_that_is_long", "a_game_with_a_name_that_is_long");
}

#[test]
fn a_game_that_hides_its_name_stays_another_game() {
    check_game("even_odd\u{200b}", "even_odd\u{fffd}");
    check_game("even\0_odd", "even\u{fffd}_odd");
}

#[test]
fn what_is_left_out_leaves_a_mark() {
    let check = |text: &str, expected: &str| {
        assert_eq!(marked(text, 4), expected, "{text:?}");
        assert_eq!(marked(expected, 4), expected, "a second time changes nothing");
    };
    check("", "");
    check("abcd", "abcd");
    check("abcde", "abc…");
    check("a\u{7f}b\u{202e}", "a\u{fffd}b\u{fffd}");
    check("ab\u{200b}\u{200b}\u{200b}", "ab\u{fffd}…");
}

#[test]
fn a_name_loses_what_could_harm() {
    let check = |text: &str, expected: &str| assert_eq!(DisplayName::new(text).as_str(), expected);
    check("Zoë\u{1b}[31m", "Zoë[31m");
    check("\u{202e}a\u{feff}b\n", "ab");
    check(&"é".repeat(100), &"é".repeat(64));
}

#[test]
fn names_look_the_same_in_any_case() {
    let check = |one: &str, other: &str| {
        assert_eq!(DisplayName::new(one).look(), DisplayName::new(other).look());
    };
    check("Tom", "TOM");
    check("modern", "rnodem");
    check("MODERN", "rnodem");
    // Capitals of another alphabet, and small letters of it.
    check("\u{397}amlet", "hAMLET");
    check("\u{430}da", "ADA");
    let letters = 'a'..='z';
    letters.for_each(|c| check(&c.to_string(), &c.to_uppercase().to_string()));
}

#[test]
fn text_that_is_read_keeps_its_lines() {
    assert_eq!(readable("a\r\n\tb\u{0}\u{202e}c", 9), "a\n\tbc");
    assert_eq!(readable("abc", 2), "ab");
}
