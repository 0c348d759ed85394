//! A secret never stands in what a player reads.

use super::*;

fn book() -> Q21Book {
    Q21Book {
        opening_sentence: Some("The rain came late.".into()),
        associative_word: Some("Umbrella".into()),
        ..Q21Book::default()
    }
}

#[track_caller]
fn check(said: &str, told: &str) {
    let feedback = Q21Feedback { opening_sentence: said.into(), associative_word: said.into() };
    let concealed = without_secrets(&feedback, Some(&book()));
    assert_eq!(&*concealed.opening_sentence, told);
    assert_eq!(&*concealed.associative_word, told);
}

#[test]
fn a_secret_is_hidden_in_whatever_case_it_is_written() {
    check("It was: the RAIN came late. Well.", "It was: … Well.");
    check("umbrella, UMBRELLA and (Umbrella)", "…, … and (…)");
}

#[test]
fn only_whole_words_are_a_secret() {
    check("Two umbrellas are no secret.", "Two umbrellas are no secret.");
    check("", "");
}

#[test]
fn without_a_secret_nothing_is_hidden() {
    let said = Q21Feedback { opening_sentence: "umbrella".into(), associative_word: "".into() };
    assert_eq!(without_secrets(&said, None), said);
    let empty = Q21Book { associative_word: Some(" ".into()), ..Q21Book::default() };
    assert_eq!(without_secrets(&said, Some(&empty)), said);
}
