//! What our program is asked, how often, and what happens when it fails.

use agon_proto::q21::Choice;
use agon_proto::q21::callback::PublicBook;

use super::*;

fn query(stage: &Stage) -> &PlayerQuery {
    match &stage.asked[0].query {
        Query::Player(query, _) => query,
        Query::Referee(..) => panic!("a player's question"),
    }
}

/// The hint and the word stand in the questions' letter only; the program needs them for its guess.
#[test]
fn all_four_callbacks_are_asked_with_everything_that_they_need() {
    let mut stage = Stage::playing();
    stage.referee("w", warmup(ONE));
    assert_eq!(*query(&stage), PlayerQuery::Warmup { question: "What is 2 + 2?".into() });
    stage.advise_all();
    stage.referee("s", round_start(ONE));
    let book = || PublicBook {
        name: "00016".into(),
        hint: "about lighthouses".into(),
        association_word: "colour".into(),
    };
    assert_eq!(*query(&stage), PlayerQuery::Questions { book: book() });
    stage.advise_all();
    stage.referee("a", answers(ONE));
    let answers = vec![Answered { number: 1, choice: Choice::B }];
    let guess = PlayerQuery::Guess { book: book(), answers, questions: questions() };
    assert_eq!(*query(&stage), guess);
    stage.advise_all();
    stage.referee("p", score(ONE));
    let PlayerQuery::Score { league_points, private_score, feedback, .. } = query(&stage) else {
        panic!("the score");
    };
    assert_eq!((*league_points, private_score.points()), (2, 72.5));
    assert!(feedback.is_some());
    let Query::Player(_, standings) = &stage.asked[0].query else { panic!("a player's question") };
    assert_eq!(standings.games_played, 1, "the score counts before the program hears of it");
}

#[test]
fn what_it_says_is_a_fact_before_its_letter() {
    let mut stage = Stage::playing();
    stage.referee("w", warmup(ONE));
    let before = stage.bench.facts.len();
    stage.advise_all();
    let [Fact::Said { said, instead_of, .. }, Fact::Post(PostFact::Queued(parcel))] =
        &stage.bench.facts[before..]
    else {
        panic!("{:?}", &stage.bench.facts[before..]);
    };
    assert_eq!((said, instead_of), (&Said::Warmup("4".into()), &None));
    let sent = &parcel.letter;
    assert_eq!(sent.id.as_str(), "warmup-answer-0101001-ada@league.test");
    assert_eq!(sent.answers, Some(MessageId::new("w")));
    assert_eq!((&*sent.recipient, &sent.context.game), (REFEREE, &Some(game(ONE))));
    assert_eq!(sent.context.season, Some(SeasonId::new("S1")));
    let Body::WarmupResponse(said) = &sent.body else { panic!("an answer") };
    assert_eq!((&*said.answer, said.token.as_deref()), ("4", Some("tok_1bcc4969")));
}

#[test]
fn the_token_of_the_game_is_echoed_in_all_letters() {
    let stage = Stage::advanced(3);
    let tokens = stage.posted.iter().filter_map(|parcel| {
        if let Body::QuestionsBatch(said) = &parcel.letter.body {
            return said.token.as_deref();
        }
        if let Body::GuessSubmission(said) = &parcel.letter.body {
            return said.token.as_deref();
        }
        None
    });
    assert_eq!(tokens.collect::<Vec<_>>(), ["tok_1bcc4969"; 2]);
}

#[test]
fn a_warmup_that_fails_is_answered_with_a_zero() {
    let mut stage = Stage::playing();
    stage.referee("w", warmup(ONE));
    check(&stage.advise(Err(mishap())), &["Q21WARMUPRESPONSE to ref@league.test"]);
    let Body::WarmupResponse(said) = &stage.posted.last().unwrap().letter.body else {
        panic!("an answer")
    };
    assert_eq!(&*said.answer, "0");
    let told = stage.bench.facts.iter().find_map(|fact| {
        if let Fact::Said { instead_of, .. } = fact { instead_of.as_deref() } else { None }
    });
    assert_eq!(told, Some("get_warmup_answer raised an exception: KeyError: 'book_hint'"));
}

#[test]
fn questions_that_fail_are_asked_for_once_more() {
    let mut stage = Stage::advanced(1);
    stage.referee("s", round_start(ONE));
    let effects = stage.advise(Err(mishap()));
    assert_eq!(lines(&effects).len(), 1);
    assert_eq!(callback(&stage.asked[0].query), Callback::Questions);
    check(&stage.advise_all(), &["Q21QUESTIONSBATCH to ref@league.test"]);
    let Body::QuestionsBatch(said) = &stage.posted.last().unwrap().letter.body else {
        panic!("questions")
    };
    assert_eq!(said.questions, questions());
}

#[test]
fn a_program_that_fails_twice_does_not_stop_the_game() {
    let mut stage = Stage::advanced(1);
    stage.referee("s", round_start(ONE));
    stage.advise(Err(mishap()));
    // No questions at all are as bad as none.
    stage.advise(Ok(Advice::Questions(Vec::new())));
    let Body::QuestionsBatch(said) = &stage.posted.last().unwrap().letter.body else {
        panic!("questions")
    };
    assert_eq!(said.questions.len(), QUESTIONS);
    stage.referee("a", answers(ONE));
    stage.advise(Err(mishap()));
    stage.advise(Ok(Advice::Warmup("4".into())));
    let Body::GuessSubmission(said) = &stage.posted.last().unwrap().letter.body else {
        panic!("a guess")
    };
    assert_eq!((&*said.guess.associative_word, said.guess.confidence), ("colour", 0));
    assert_eq!(stage.phase(ONE), Some(PlayerPhase::GuessSubmitted));
    let told = stage.bench.facts.iter().rev().find_map(|fact| {
        if let Fact::Said { instead_of, .. } = fact { instead_of.as_deref() } else { None }
    });
    assert_eq!(told, Some("get_guess returned a wrong value: it answers something else"));
}

#[test]
fn a_score_that_its_program_cannot_take_is_told_once() {
    let mut stage = Stage::advanced(3);
    stage.referee("p", score(ONE));
    check(&stage.advise(Err(mishap())), &[]);
    assert_eq!(stage.asked, []);
    let mut stage = stage.restarted();
    stage.resume();
    assert_eq!(stage.asked, []);
}

#[test]
fn a_thought_about_a_game_that_is_over_is_dropped() {
    let mut stage = Stage::advanced(2);
    stage.referee("a", answers(ONE));
    stage.manager("round-2", new_round(2));
    let facts = stage.bench.facts.len();
    check(&stage.advise(Ok(Advice::Guess(a_guess()))), &[]);
    assert_eq!(stage.bench.facts.len(), facts);
}

#[test]
fn an_answer_to_nothing_changes_nothing() {
    let mut stage = Stage::playing();
    let facts = stage.bench.facts.len();
    let advice = Ok(Advice::Warmup("4".into()));
    check(&stage.tell(Event::Advised { number: 77, game: game(ONE), advice }), &[]);
    assert_eq!(stage.bench.facts.len(), facts);
}
