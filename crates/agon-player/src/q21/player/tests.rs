//! Whole games against the referee of the house.

use std::collections::BTreeSet;

use agon_proto::q21::callback::{Assessment, Book, MishapKind, RefereeQuery};
use agon_proto::q21::{Guess, QUESTIONS, Question, Score};

use super::super::BuiltinReferee;
use super::super::library::texts;
use super::super::testing::{
    advice, all_of_a_player, all_of_a_referee, contestant, player, referee, said,
};
use super::*;

fn asked(seed: u64, game: &str, book: &Book) -> Vec<Question> {
    let query = PlayerQuery::Questions { book: book.public.clone() };
    let Advice::Questions(questions) = advice(&BuiltinPlayer::new(seed), &player(game, query))
    else {
        panic!("questions were asked for");
    };
    questions
}

/// One game of that player, about that book.
fn play(seed: u64, game: &str, book: &Book) -> (Guess, Assessment) {
    let (house, questions) = (BuiltinReferee::new(1), asked(seed, game, book));
    let contestant = contestant("alphateam");
    let query = RefereeQuery::Answers {
        player: contestant.clone(),
        book: book.clone(),
        questions: questions.clone(),
    };
    let Advice::Answers(answers) = advice(&house, &referee(game, query)) else {
        panic!("answers were asked for");
    };
    let query = PlayerQuery::Guess { book: book.public.clone(), answers, questions };
    let Advice::Guess(guess) = advice(&BuiltinPlayer::new(seed), &player(game, query)) else {
        panic!("a guess was asked for");
    };
    let query =
        RefereeQuery::Score { player: contestant, book: book.clone(), guess: guess.clone() };
    let Advice::Score(assessment) = advice(&house, &referee(game, query)) else {
        panic!("a score was asked for");
    };
    (guess, assessment)
}

fn games() -> impl Iterator<Item = (u64, String, Book)> {
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
    let scores: Vec<Score> =
        games().map(|(seed, game, book)| play(seed, &game, &book).1.private_score).collect();
    let thresholds = [0, 50, 70, 85];
    let reached = |least: u32, score: &Score| score.hundredths() >= least * 100;
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
        score > Score::from_points(35.0)
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
    for consultation in all_of_a_referee() {
        let mishap = said(&BuiltinPlayer::new(1), &consultation).unwrap_err();
        assert_eq!(mishap.kind, MishapKind::WrongValue);
    }
    for consultation in all_of_a_player() {
        advice(&BuiltinPlayer::new(1), &consultation);
    }
}
