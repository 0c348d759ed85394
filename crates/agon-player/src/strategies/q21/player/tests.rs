//! Whole games against the referee of the house.

use std::collections::BTreeSet;

use agon_core::{MishapKind, What};
use agon_games::q21::{Q21Assessment, Q21Book, Q21Guess, Q21Question, Q21View, Q21Word};
use agon_proto::Payload;
use agon_proto::dialect::q21::QUESTIONS;
use serde_json::json;

use super::super::library::texts;
use super::super::tests::{misplaced, player, referee, unseen};
use super::*;
use crate::typed;

fn asked(seed: u64, game: &str, book: &Q21Book) -> Vec<Q21Question> {
    let view = Q21View { book: Some(book.public.clone()), ..unseen() };
    let Q21Move::Questions(questions) = player(seed, game, "questions", (&view, &[])) else {
        panic!("questions were asked for");
    };
    questions
}

/// One game of that player, about that book.
fn play(seed: u64, game: &str, book: &Q21Book) -> (Q21Guess, Q21Assessment) {
    let questions = asked(seed, game, book);
    let prompt = json!({"book": book, "questions": questions});
    let Q21Word::Answers(answers) = referee(1, game, "answers", &prompt) else {
        panic!("answers were asked for");
    };
    let view = Q21View { book: Some(book.public.clone()), answers: Some(answers), ..unseen() };
    let said = [Q21Move::Questions(questions)];
    let Q21Move::Guess(guess) = player(seed, game, "guess", (&view, &said)) else {
        panic!("a guess was asked for");
    };
    let prompt = json!({"book": book, "guess": guess});
    let Q21Word::Score(assessment) = referee(1, game, "score", &prompt) else {
        panic!("a score was asked for");
    };
    (*guess, assessment)
}

fn games() -> impl Iterator<Item = (u64, String, Q21Book)> {
    (0..8_u64).flat_map(|seed| {
        let game = move |(number, text): (usize, &super::super::library::Text)| {
            (seed, format!("01{:02}{:03}", seed + 1, number + 1), text.as_book())
        };
        texts().iter().enumerate().map(game)
    })
}

#[test]
fn a_sum_is_added_up_and_everything_else_is_answered_too() {
    let asked = |question: &str| warmup(question).to_string();
    assert_eq!(asked("What is 2 + 2?"), "4");
    assert_eq!(asked("What is the capital of France?"), READY);
    assert_eq!(asked(&format!("{} + {}", u64::MAX, u64::MAX)), u64::MAX.to_string());
}

#[test]
fn it_asks_twenty_different_questions() {
    for (seed, game, book) in games() {
        let questions = asked(seed, &game, &book);
        let texts: BTreeSet<_> = questions.iter().map(|question| &question.text).collect();
        let numbers: Vec<u32> = questions.iter().map(|question| question.number).collect();
        assert_eq!(texts.len(), QUESTIONS);
        assert_eq!(numbers, (1..=20).collect::<Vec<_>>());
        assert!(questions.iter().all(|question| question.options.iter().all(|o| !o.is_empty())));
    }
}

#[test]
fn its_reasons_have_the_right_length() {
    for (seed, game, book) in games() {
        let (guess, _) = play(seed, &game, &book);
        let count = |text: &str| text.split_whitespace().count();
        let sentence = &guess.sentence_justification;
        assert!((30..=50).contains(&count(sentence)), "{sentence}");
        assert!((20..=30).contains(&count(&guess.word_justification)), "{guess:?}");
        assert!(guess.confidence <= 100);
    }
}

#[test]
fn the_same_game_is_played_in_the_same_way() {
    for (seed, game, book) in games().take(20) {
        assert_eq!(play(seed, &game, &book), play(seed, &game, &book));
    }
}

#[test]
fn scores_differ_and_none_is_hopeless() {
    let scores: Vec<i32> =
        games().map(|(seed, game, book)| play(seed, &game, &book).1.private_score).collect();
    let thresholds = [0, 50, 70, 85];
    let reached = |least: i32, score: &i32| *score >= least * 100;
    let counts = thresholds.map(|least| scores.iter().filter(|s| reached(least, s)).count());
    let [all, fair, good, best] = counts;
    assert!(best > all / 10 && best < all * 9 / 10, "{counts:?}");
    assert!(good > best && fair > good, "{counts:?}");
    let different: BTreeSet<_> = scores.iter().collect();
    assert!(different.len() > all / 4, "{}", different.len());
}

#[test]
fn answers_lead_to_the_right_text_more_often_than_luck() {
    let found = games().filter(|(seed, game, book)| {
        let score = play(*seed, game, book).1.breakdown.opening_sentence;
        score > 3_500
    });
    let (found, all) = (found.count(), games().count());
    assert!(found * 2 > all, "{found} of {all}, and a third would be luck");
}

#[test]
fn a_book_that_it_does_not_know_gets_a_guess_all_the_same() {
    let mut book = texts()[0].as_book();
    book.public.name = "Somebody's lecture".into();
    book.public.association_word = "number".into();
    let (guess, _) = play(1, "0101001", &book);
    assert!(!guess.opening_sentence.is_empty());
    assert_eq!(&*guess.associative_word, "number");
}

#[test]
fn a_referees_question_is_for_somebody_else() {
    let what = What::Oracle { about: None, prompt: Payload::default() };
    let mishap = misplaced(&mut *typed(BuiltinPlayer { seed: 1 }), what).unwrap_err();
    assert_eq!(mishap.kind, MishapKind::WrongValue);
    let warming = Q21View { warmup_question: Some("What is 2 + 2?".into()), ..unseen() };
    let said = player(1, "0101001", "warmup", (&warming, &[]));
    assert_eq!(said, Q21Move::Warmup("4".into()));
}
