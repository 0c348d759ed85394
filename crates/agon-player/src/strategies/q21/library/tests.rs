//! The library keeps its promises.

mod answering;

use super::*;

#[test]
fn there_are_at_least_twelve_texts_and_no_two_begin_alike() {
    assert!(texts().len() >= 12);
    let openings: BTreeSet<_> = texts().iter().map(|text| &text.opening).collect();
    assert_eq!(openings.len(), texts().len());
}

#[test]
fn no_book_has_one_text_only() {
    for text in texts() {
        let same = texts().iter().filter(|other| other.book == text.book).count();
        assert!(same > 1, "{}", text.book);
    }
}

#[test]
fn a_hint_keeps_its_limits() {
    for Text { hint, .. } in texts() {
        assert!((10..=200).contains(&hint.chars().count()), "{hint}");
        assert!(hint.split_whitespace().count() <= 15, "{hint}");
    }
}

#[test]
fn a_hint_has_no_word_of_its_text_nor_the_secret_word() {
    for text in texts() {
        let secret = tokens(&format!("{} {} {}", text.opening, text.rest, text.word));
        for word in tokens(&text.hint) {
            assert!(!secret.contains(&word), "`{word}` in: {}", text.hint);
        }
    }
}

#[test]
fn the_secret_word_is_given_away_by_nothing_that_is_told() {
    for text in texts() {
        let told = tokens(&format!("{} {} {} {}", text.book, text.hint, text.domain, text.topics));
        assert!(!told.contains(&text.word.to_lowercase()), "{}", text.word);
        assert!(!text.decoys.contains(&text.word), "{}", text.word);
        assert!(text.decoys.len() >= 5, "{}", text.word);
    }
}

#[test]
fn a_game_has_the_same_text_whenever_it_is_asked_for() {
    for game in ["0101001", "0101002", "0203004"] {
        assert_eq!(text_of(5, game).opening, text_of(5, game).opening);
    }
}

#[test]
fn every_text_is_played_by_some_game() {
    let played: BTreeSet<_> =
        (0..400).map(|game| &text_of(1, &format!("{game:07}")).opening).collect();
    assert_eq!(played.len(), texts().len());
}
