//! What a guess is worth, and that a secret never stands in what a player reads.

use super::*;

#[test]
fn the_parts_are_worth_50_20_20_and_10() {
    assert_eq!(WEIGHTS.iter().sum::<i32>(), 100);
    let score = |[sentence, why, word, why_word]: [i32; 4]| {
        let breakdown = Q21Breakdown {
            opening_sentence: sentence,
            sentence_justification: why,
            associative_word: word,
            word_justification: why_word,
        };
        breakdown.private_score()
    };
    assert_eq!(score([10_000, 0, 0, 0]), 5_000);
    assert_eq!(score([0, 10_000, 0, 0]), 2_000);
    assert_eq!(score([0, 0, 10_000, 0]), 2_000);
    assert_eq!(score([0, 0, 0, 10_000]), 1_000);
    assert_eq!(score([10_000; 4]), 10_000);
    assert_eq!(score([3_333, 5_000, 1_250, 7_000]), 3_617);
}

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
    let concealed = feedback.without_secrets(Some(&book()));
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
    assert_eq!(said.without_secrets(None), said);
    let empty = Q21Book { associative_word: Some(" ".into()), ..Q21Book::default() };
    assert_eq!(said.without_secrets(Some(&empty)), said);
}
