//! The same question always has the same answer.

use agon_proto::q21::callback::{MishapKind, read};
use agon_proto::q21::{Guess, Score};

use super::super::testing::{
    advice, all_of_a_player, all_of_a_referee, book, contestant, questions, referee, said,
};
use super::*;

#[test]
fn the_same_advice_comes_again() {
    for consultation in all_of_a_referee() {
        let once = advice(&BuiltinReferee::new(3), &consultation);
        assert_eq!(once, advice(&BuiltinReferee::new(3), &consultation));
    }
}

#[test]
fn it_keeps_the_rules_that_programs_must_keep() {
    for game in ["0101001", "0101002", "0102001"] {
        let players = || [contestant("alphateam"), contestant("betateam")];
        let start = RefereeQuery::RoundStart { players: players() };
        let start = referee(game, start);
        let Advice::RoundStart(book) = advice(&BuiltinReferee::new(1), &start) else {
            panic!("a book was asked for");
        };
        let public = &book.public;
        let json = format!(
            r#"{{"book_name": "{}", "book_hint": "{}", "association_word": "{}"}}"#,
            public.name, public.hint, public.association_word
        );
        assert_eq!(read(&start.query, json.as_bytes()).unwrap().remarks, [""; 0]);
        let warmup = RefereeQuery::WarmupQuestion { players: players() };
        let asked = advice(&BuiltinReferee::new(1), &referee(game, warmup));
        assert!(matches!(asked, Advice::WarmupQuestion(text) if text.len() >= 5));
    }
}

#[test]
fn two_seeds_choose_different_texts_somewhere() {
    let start = |seed, game: &str| {
        let players = [contestant("alphateam"), contestant("betateam")];
        advice(&BuiltinReferee::new(seed), &referee(game, RefereeQuery::RoundStart { players }))
    };
    let games = ["0101001", "0102001", "0103001", "0104001"];
    assert!(games.iter().any(|game| start(1, game) != start(2, game)));
}

#[test]
fn every_question_has_an_answer() {
    let asked = RefereeQuery::Answers {
        player: contestant("alphateam"),
        book: book(),
        questions: questions(),
    };
    let Advice::Answers(answers) = advice(&BuiltinReferee::new(1), &referee("0101001", asked))
    else {
        panic!("answers were asked for");
    };
    let numbers: Vec<u32> = answers.iter().map(|answer| answer.number).collect();
    assert_eq!(numbers, (1..=20).collect::<Vec<_>>());
}

#[test]
fn a_guess_is_measured_by_the_book_that_the_game_began_with() {
    let guess = Guess {
        opening_sentence: "it was late".into(),
        associative_word: "Green".into(),
        ..Guess::default()
    };
    let asked = RefereeQuery::Score { player: contestant("alphateam"), book: book(), guess };
    let Advice::Score(score) = advice(&BuiltinReferee::new(1), &referee("0101001", asked)) else {
        panic!("a score was asked for");
    };
    assert_eq!(score.breakdown.opening_sentence, Score::MAX);
    assert_eq!(score.breakdown.associative_word, Score::MAX);
    assert_eq!(score.private_score, Score::from_points(70.0));
}

#[test]
fn a_players_question_is_for_somebody_else() {
    for consultation in all_of_a_player() {
        let mishap = said(&BuiltinReferee::new(1), &consultation).unwrap_err();
        assert_eq!(mishap.kind, MishapKind::WrongValue);
    }
}
