//! The same question always has the same answer.

use agon_core::MishapKind;
use agon_games::q21::{Q21Choice, Q21Guess, Q21PublicBook, SCORE_MAX};
use agon_proto::Payload;
use serde_json::json;

use super::super::tests::{misplaced, referee};
use super::*;

fn book() -> Q21Book {
    Q21Book {
        public: Q21PublicBook {
            name: "Harbour Notes".into(),
            hint: "Somebody quarrels beside water".into(),
            association_word: "colour".into(),
        },
        opening_sentence: Some("It was late.".into()),
        associative_word: Some("green".into()),
    }
}

fn questions() -> Vec<Q21Question> {
    let options = ["yes", "no", "partly", "unknown"];
    let question = |number| Q21Question {
        number,
        text: "Is it about the sea?".into(),
        options: options.map(Into::into),
    };
    (1..=20).map(question).collect()
}

#[test]
fn the_same_comes_again() {
    let prompt = json!({"book": book(), "questions": questions(), "guess": Q21Guess::default()});
    for kind in ["warmup_question", "book", "answers", "score"] {
        let once = referee(3, "0101001", kind, &prompt);
        assert_eq!(once, referee(3, "0101001", kind, &prompt));
    }
}

#[test]
fn it_keeps_the_rules_that_programs_must_keep() {
    for game in ["0101001", "0101002", "0102001"] {
        let Q21Word::Book(book) = referee(1, game, "book", &json!({})) else {
            panic!("a book was asked for");
        };
        let Q21PublicBook { name, hint, association_word } = &book.public;
        assert!(!name.is_empty() && !association_word.is_empty());
        assert!((10..=200).contains(&hint.chars().count()), "{hint}");
        assert!(hint.split_whitespace().count() <= 15, "{hint}");
        let asked = referee(1, game, "warmup_question", &json!({}));
        assert!(matches!(asked, Q21Word::WarmupQuestion(text) if text.len() >= 5));
    }
}

#[test]
fn two_seeds_choose_different_texts_somewhere() {
    let start = |seed, game: &str| referee(seed, game, "book", &json!({}));
    let games = ["0101001", "0102001", "0103001", "0104001"];
    assert!(games.iter().any(|game| start(1, game) != start(2, game)));
}

#[test]
fn every_question_has_an_answer() {
    let prompt = json!({"book": book(), "questions": questions()});
    let Q21Word::Answers(answers) = referee(1, "0101001", "answers", &prompt) else {
        panic!("answers were asked for");
    };
    let numbers: Vec<u32> = answers.iter().map(|answer| answer.number).collect();
    assert_eq!(numbers, (1..=20).collect::<Vec<_>>());
    assert!(answers.iter().all(|answer| answer.choice != Q21Choice::NotRelevant));
}

#[test]
fn a_guess_is_measured_by_the_book_that_the_game_began_with() {
    let guess = Q21Guess {
        opening_sentence: "it was late".into(),
        associative_word: "Green".into(),
        ..Q21Guess::default()
    };
    let prompt = json!({"book": book(), "guess": guess});
    let Q21Word::Score(score) = referee(1, "0101001", "score", &prompt) else {
        panic!("a score was asked for");
    };
    assert_eq!(score.breakdown.opening_sentence, SCORE_MAX);
    assert_eq!(score.breakdown.associative_word, SCORE_MAX);
    assert_eq!(score.private_score, 7_000);
}

#[test]
fn a_players_question_is_for_somebody_else() {
    let what = What::Heard { view: Payload::default() };
    let mishap = misplaced(&mut BuiltinReferee { seed: 1 }, what).unwrap_err();
    assert_eq!(mishap.kind, MishapKind::WrongValue);
}
