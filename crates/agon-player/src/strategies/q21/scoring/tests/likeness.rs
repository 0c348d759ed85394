//! The same is all, nothing is nothing, and nearer is more.

use proptest::prelude::*;

use super::super::*;

#[test]
fn case_and_punctuation_do_not_matter() {
    assert_eq!(of_sentences("The soup, was late", "the SOUP was late."), 1000);
    assert_eq!(of_words(" Green! ", "green"), 1000);
}

#[test]
fn another_form_of_a_word_is_worth_less_than_the_word_and_more_than_its_like() {
    assert_eq!(of_words("ballads", "ballad"), 900);
    let alike = of_words("salad", "ballad");
    assert!((1..900).contains(&alike), "{alike}");
    assert_eq!(of_words("hymn", "ballad"), 0);
}

#[test]
fn nothing_is_like_nothing() {
    assert_eq!(of_sentences("", ""), 0);
    assert_eq!(of_sentences("?!", "a sentence"), 0);
    assert_eq!(of_words("", "green"), 0);
}

#[test]
fn more_of_the_sentence_is_worth_more() {
    let sentence = "Salt falls upward in my sister's kitchen after midnight";
    let words: Vec<&str> = sentence.split(' ').collect();
    let beginnings = (1..=words.len()).map(|count| words[..count].join(" "));
    let scores: Vec<usize> = beginnings.map(|text| of_sentences(&text, sentence)).collect();
    assert!(scores.windows(2).all(|pair| pair[0] < pair[1]), "{scores:?}");
    assert_eq!(scores.last(), Some(&1000));
}

proptest! {
    #[test]
    fn likeness_lies_between_none_and_all(one in ".{0,80}", other in ".{0,80}") {
        prop_assert!(of_sentences(&one, &other) <= 1000);
        prop_assert!(of_words(&one, &other) <= 1000);
    }

    #[test]
    fn likeness_does_not_depend_on_the_order(one in "[a-c ]{0,30}", other in "[a-c ]{0,30}") {
        prop_assert_eq!(of_sentences(&one, &other), of_sentences(&other, &one));
    }

    #[test]
    fn only_the_same_words_are_the_same(one in "[a-c ]{1,20}", other in "[a-c ]{1,20}") {
        let same = tokens(&one) == tokens(&other) && !tokens(&one).is_empty();
        prop_assert_eq!(of_sentences(&one, &other) == 1000, same);
    }

    #[test]
    fn letters_change_as_often_as_they_must(one in "[ab]{0,8}", cut in 0_usize..8) {
        let one: Vec<char> = one.chars().collect();
        let kept = &one[..cut.min(one.len())];
        prop_assert_eq!(slips(&one, kept), one.len() - kept.len());
    }
}
