//! What is said in a program's place is valid.

use super::*;

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

#[test]
fn twenty_questions_are_complete() {
    let Some(Said::Questions(questions)) = said(Callback::Questions, &PublicBook::default()) else {
        panic!("questions");
    };
    assert!(questions.iter().map(|question| question.number).eq(1..=20));
    assert!(questions.iter().all(|question| question.text.len() >= 10));
    assert!(questions.iter().all(|question| question.text.ends_with('?')));
    assert!(questions.iter().flat_map(|question| &question.options).all(|text| !text.is_empty()));
}

#[test]
fn the_guess_is_empty_handed_but_valid() {
    let guess = guess(&PublicBook::default());
    assert!(guess.opening_sentence.len() >= 10);
    assert!((30..=50).contains(&words(&guess.sentence_justification)));
    assert!((20..=30).contains(&words(&guess.word_justification)));
    assert_eq!((&*guess.associative_word, guess.confidence), ("unknown", 0));
    let book = PublicBook { association_word: " colour ".into(), ..PublicBook::default() };
    assert_eq!(&*super::guess(&book).associative_word, "colour");
}

#[test]
fn nobody_answers_a_score() {
    assert_eq!(said(Callback::Score, &PublicBook::default()), None);
    assert_eq!(said(Callback::Warmup, &PublicBook::default()), Some(Said::Warmup("0".into())));
}
