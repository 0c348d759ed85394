//! What our program is asked, how often, and what happens when it fails.

use agon_games::q21::{Q21Choice as Choice, Q21PublicBook as PublicBook, Q21View as Seen};

use super::*;
use crate::thinking::What;

/// What the program is shown, and what it has said so far.
fn asked(stage: &Stage) -> (Seen, Vec<Said>) {
    match &stage.asked[0].what {
        What::Move { view, said, .. } => {
            let said = said.iter().map(|said| Said::of(said).unwrap());
            (Seen::of(view).unwrap(), said.collect())
        }
        What::Heard { view } => (Seen::of(view).unwrap(), Vec::new()),
        What::Oracle { .. } => panic!("a player's question"),
    }
}

/// The hint and the word stand in the questions' letter only; the program needs them for its guess.
#[test]
fn all_four_callbacks_are_asked_with_everything_that_they_need() {
    let mut stage = Stage::playing();
    stage.referee("w", warmup(ONE));
    let question = || Some("What is 2 + 2?".into());
    let warming = Seen { warmup_question: question(), ..Seen::default() };
    assert_eq!(asked(&stage), (warming, Vec::new()));
    stage.advise_all();
    stage.referee("s", round_start(ONE));
    let book = || {
        Some(PublicBook {
            name: "00016".into(),
            hint: "about lighthouses".into(),
            association_word: "colour".into(),
        })
    };
    let begun = Seen { warmup_question: question(), book: book(), ..Seen::default() };
    assert_eq!(asked(&stage), (begun, vec![Said::Warmup("4".into())]));
    stage.advise_all();
    stage.referee("a", answers(ONE));
    let answers = Some(vec![Answered { number: 1, choice: Choice::B }]);
    let answered = Seen { warmup_question: question(), book: book(), answers, ..Seen::default() };
    let said = vec![Said::Warmup("4".into()), Said::Questions(questions())];
    assert_eq!(asked(&stage), (answered, said));
    stage.advise_all();
    stage.referee("p", score(ONE));
    let (Seen { score: Some(score), .. }, _) = asked(&stage) else { panic!("the score") };
    assert_eq!(score.private_score, 7_250);
    let PlayerContext { game: told, standings } = context(&stage);
    assert_eq!(
        (told, standings.games_played),
        (game(ONE), 1),
        "the score counts before it is told"
    );
    assert_eq!(standings.history[0].league_points, 2);
}

/// A minute is kept back for the mail, and half of a short step at most.
#[test]
fn there_is_time_until_the_referee_waits_no_longer() {
    let mut stage = Stage::playing();
    stage.referee("w", warmup(ONE));
    assert_eq!(stage.asked[0].until, at(60), "of two minutes");
    stage.advise_all();
    stage.referee("s", round_start(ONE));
    assert_eq!(stage.asked[0].until, at(240), "of five");
    stage.advise_all();
    stage.referee("a", answers(ONE));
    assert_eq!(stage.asked[0].until, at(240), "nobody names a deadline");
}

#[test]
fn what_it_says_is_a_fact_before_its_letter() {
    let mut stage = Stage::playing();
    stage.referee("w", warmup(ONE));
    let before = stage.bench.facts.len();
    stage.advise_all();
    let [
        PlayerFact::Chosen { choice: said, instead_of, .. },
        PlayerFact::Agent(AgentFact::Letterbox(LetterboxFact::Queued(parcel))),
    ] = &stage.bench.facts[before..]
    else {
        panic!("{:?}", &stage.bench.facts[before..]);
    };
    assert_eq!((said, instead_of), (&Said::Warmup("4".into()).payload(), &None));
    let sent = parcel.letter.read().unwrap();
    assert_eq!(sent.head.id.as_str(), "warmup-answer-0101001-ada@league.test");
    assert_eq!(sent.head.answers, Some(MessageId::new("w")));
    assert_eq!((&*sent.head.recipient, &sent.head.context.game), (REFEREE, &Some(game(ONE))));
    assert_eq!(sent.head.context.season, Some(SeasonId::new("S1")));
    let Act::Move(said) = &sent.act else { panic!("an answer") };
    assert_eq!(Said::of(&said.said), Ok(Said::Warmup("4".into())));
    assert_eq!(said.token.as_deref(), Some("tok_1bcc4969"));
}

#[test]
fn the_token_of_the_game_is_echoed_in_all_letters() {
    let stage = Stage::advanced(3);
    let tokens = stage.posted.iter().filter_map(|parcel| {
        let Act::Move(said) = parcel.letter.read()?.act else { return None };
        said.token.filter(|_| said.number > 0)
    });
    assert_eq!(tokens.collect::<Vec<_>>(), ["tok_1bcc4969".into(), "tok_1bcc4969".into()]);
}

#[test]
fn a_warmup_that_fails_is_answered_with_a_zero() {
    let mut stage = Stage::playing();
    stage.referee("w", warmup(ONE));
    check(&stage.advise(Err(mishap())), &["Q21WARMUPRESPONSE to ref@league.test"]);
    assert_eq!(stage.said_last(), Said::Warmup("0".into()));
    let told = stage.bench.facts.iter().find_map(|fact| {
        if let PlayerFact::Chosen { instead_of, .. } = fact { instead_of.as_deref() } else { None }
    });
    assert_eq!(told, Some("warmup raised an exception: KeyError: 'book_hint'"));
}

#[test]
fn questions_that_fail_are_asked_for_once_more() {
    let mut stage = Stage::advanced(1);
    stage.referee("s", round_start(ONE));
    let effects = stage.advise(Err(mishap()));
    assert_eq!(lines(&effects).len(), 1);
    assert_eq!(callback(&stage.asked[0]), Callback::Questions);
    check(&stage.advise_all(), &["Q21QUESTIONSBATCH to ref@league.test"]);
    assert_eq!(stage.said_last(), Said::Questions(questions()));
}

#[test]
fn a_program_that_fails_twice_does_not_stop_the_game() {
    let mut stage = Stage::advanced(1);
    stage.referee("s", round_start(ONE));
    stage.advise(Err(mishap()));
    // No questions at all are as bad as none.
    stage.advise(Ok(Said::Questions(Vec::new())));
    let Said::Questions(said) = stage.said_last() else { panic!("questions") };
    assert_eq!(said.len(), QUESTIONS);
    stage.referee("a", answers(ONE));
    stage.advise(Err(mishap()));
    stage.advise(Ok(Said::Warmup("4".into())));
    let Said::Guess(guess) = stage.said_last() else { panic!("a guess") };
    assert_eq!((&*guess.associative_word, guess.confidence), ("colour", 0));
    assert_eq!(stage.phase(ONE), Some(Progress::Answered(3)));
    let told = stage.bench.facts.iter().rev().find_map(|fact| {
        if let PlayerFact::Chosen { instead_of, .. } = fact { instead_of.as_deref() } else { None }
    });
    assert_eq!(told, Some("guess returned a wrong value: it answers something else"));
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
    check(&stage.advise(Ok(Said::Guess(Box::new(a_guess())))), &[]);
    assert_eq!(stage.bench.facts.len(), facts);
}

#[test]
fn an_answer_to_nothing_changes_nothing() {
    let mut stage = Stage::playing();
    let facts = stage.bench.facts.len();
    let answer = Ok(Said::Warmup("4".into()).payload());
    check(&stage.tell(Event::Thought { number: 77, answer }), &[]);
    assert_eq!(stage.bench.facts.len(), facts);
}
