//! What is said in a player's place is valid.

use super::*;
use crate::q21::{Q21, Side};
use crate::{Game, Seat};

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

fn in_domain(word: &str) -> Q21View {
    let book = Q21PublicBook { association_word: word.into(), ..Q21PublicBook::default() };
    Q21View { book: Some(book), ..Q21View::default() }
}

#[test]
fn twenty_questions_are_complete() {
    let Some(Q21Move::Questions(questions)) = instead(QUESTIONS, &Q21View::default()) else {
        panic!("questions");
    };
    assert!(questions.iter().map(|question| question.number).eq(1..=20));
    assert!(questions.iter().all(|question| question.text.len() >= 10));
    assert!(questions.iter().all(|question| question.text.ends_with('?')));
    assert!(questions.iter().flat_map(|question| &question.options).all(|text| !text.is_empty()));
}

#[test]
fn the_guess_is_empty_handed_but_valid() {
    let guess = empty_handed(&Q21View::default());
    assert!(guess.opening_sentence.len() >= 10);
    assert!((30..=50).contains(&words(&guess.sentence_justification)));
    assert!((20..=30).contains(&words(&guess.word_justification)));
    assert_eq!((&*guess.associative_word, guess.confidence), ("unknown", 0));
    assert_eq!(&*empty_handed(&in_domain(" colour ")).associative_word, "colour");
}

#[test]
fn a_guess_that_stands_in_is_no_guess() {
    let game = Q21 { questions: 20 };
    let mut table = game.begin();
    table.sides[0] = Side {
        warmup: Some("4".into()),
        questions: Some(neutral_questions()),
        answers: Some(Vec::new()),
        ..Side::default()
    };
    let mut said = empty_handed(&Q21View::default());
    let legal =
        |guess: &Q21Guess| game.legal(&table, Seat::A, &Q21Move::Guess(Box::new(guess.clone())));
    assert_eq!(legal(&said), Err(super::super::STANDS_IN.into()));
    said.stand_in = false;
    assert_eq!(legal(&said), Ok(()));
}

#[test]
fn nobody_answers_what_is_no_question() {
    assert_eq!(instead(GUESS + 1, &Q21View::default()), None);
    assert_eq!(instead(WARMUP, &Q21View::default()), Some(Q21Move::Warmup("0".into())));
}
