//! Whole games, and every way in which they end.

use agon_proto::act::{Aborted, ActKind, ReportStatus};
use agon_proto::message::{Blame, Cause};
use agon_proto::{ShortText, StatedScore};

use super::*;
use crate::effect::Garbled;
use crate::verdict::Outcome;

#[test]
fn a_whole_game_is_played_and_reported() {
    let mut world = World::new();
    world.manager(start_season());
    world.manager(admitted());
    world.manager(Act::AssignmentTable(table()));
    assert_eq!(world.manager(new_round(1)), ["ask warm-up", "ok"]);
    assert_eq!(
        world.advise(),
        ["warmup-0101001-alpha to ada@league.test", "warmup-0101001-beta to bob@league.test"]
    );
    assert_eq!(world.player(ADA, warm_up()), ["ok"]);
    assert_eq!(world.player(BOB, warm_up()), ["ask book", "ok"]);
    assert_eq!(
        world.advise(),
        [
            "round-start-0101001-alpha to ada@league.test",
            "round-start-0101001-beta to bob@league.test",
        ]
    );
    assert_eq!(world.player(BOB, questions()), ["ask answers for beta", "ok"]);
    assert_eq!(world.advise(), ["answers-0101001-beta to bob@league.test"]);
    // A fast player is scored before the other has asked anything.
    assert_eq!(world.player(BOB, guess("72")), ["ask score of beta", "ok"]);
    assert_eq!(world.advise(), ["score-0101001-beta to bob@league.test"]);
    assert_eq!(world.player(ADA, questions()), ["ask answers for alpha", "ok"]);
    world.advise();
    assert_eq!(world.player(ADA, guess("83.5")), ["ask score of alpha", "ok"]);
    assert_eq!(
        world.advise(),
        ["score-0101001-alpha to ada@league.test", "result-0101001 to manager@league.test"]
    );
    let report = world.report();
    assert_eq!(report.status, ReportStatus::Completed);
    assert_eq!(report.winner, Some(GroupId::new("alpha")));
    assert!(!report.is_draw);
    let rows: Vec<_> =
        report.scores.iter().map(|row| (row.league_points, row.private_score.clone())).collect();
    let score = Score::from_points;
    let stated = |points| Some(StatedScore::Within(score(points)));
    assert_eq!(rows, [(Some(2), stated(83.5)), (Some(2), stated(72.0))]);
    assert_eq!((report.cause, report.blame), (Some(Cause::Played), None));
    assert_eq!((&report.abort_reason, report.player_states.len()), (&None, 0));
    let context = &world.last("result-0101001").head.context;
    assert_eq!(context.game, Some(GameId::new(GAME)));
    assert_eq!(context.season, Some(SeasonId::new("S1")));
    assert!(context.round.is_some());
    let held = &world.bench.role.records.matches.held[&GameId::new(GAME).match_id().unwrap()];
    let HeldStage::Over(verdict) = &held.stage else { panic!("it is over") };
    assert_eq!(verdict.outcome, Outcome::Won(crate::Seat::A));
}

#[test]
fn every_letter_says_what_it_answers_and_carries_the_players_own_token() {
    let mut world = World::in_game();
    world.player(ADA, questions());
    world.advise();
    #[expect(clippy::wildcard_enum_match_arm, reason = "three letters ask")]
    let token = |id: &str| match &world.last(id).act {
        Act::Ask(said) => said.token.clone().unwrap(),
        _ => panic!("{id}"),
    };
    let ours = token("warmup-0101001-alpha");
    assert!(ours.starts_with("tok_") && ours.len() == 12, "{ours}");
    assert_eq!(token("round-start-0101001-alpha"), ours);
    assert_eq!(token("answers-0101001-alpha"), ours);
    assert_ne!(token("warmup-0101001-beta"), ours);
    let answers = world.last("answers-0101001-alpha");
    assert_eq!(answers.head.answers, Some(MessageId::new(&format!("letter-{}", world.letters))));
    assert_eq!(&*answers.head.recipient, "alpha");
    assert_eq!(answers.auth_token, None);
}

#[test]
fn the_secret_stands_in_no_letter() {
    let mut world = World::in_game();
    for player in [ADA, BOB] {
        world.player(player, questions());
        world.advise();
        world.player(player, guess("10"));
        let asked = world.asked.remove(0);
        let said = format!("It was {} and the word is LANTERN!", SENTENCE.to_uppercase());
        world.advise_one(&asked, Ok(Word::Score(worth(10.0, &said))));
    }
    assert_eq!(world.reports().len(), 1);
    for letter in &world.sent {
        let text = format!("{letter:?}").to_lowercase();
        assert!(!text.contains(&SENTENCE.to_lowercase()), "{text}");
        assert!(!text.contains(WORD), "{text}");
    }
}

#[test]
fn the_length_of_the_feedback_never_costs_the_player_anything() {
    for feedback in ["", "Close.", &"word ".repeat(900)] {
        let mut world = World::in_game();
        world.player(ADA, questions());
        world.advise();
        world.player(ADA, guess(""));
        let asked = world.asked.remove(0);
        world.advise_one(&asked, Ok(Word::Score(worth(85.0, feedback))));
        let Act::Worth(told) = &world.last("score-0101001-alpha").act else { panic!() };
        assert_eq!((told.league_points, told.private_score), (3, Score::from_points(85.0)));
    }
}

#[test]
fn an_early_guess_is_kept_and_used() {
    let mut world = World::in_game();
    assert_eq!(world.player(ADA, guess("90")), ["ok"]);
    assert_eq!(world.player(ADA, questions()), ["ask answers for alpha", "ok"]);
    assert_eq!(world.advise(), ["answers-0101001-alpha to ada@league.test", "ask score of alpha"]);
    assert_eq!(world.advise(), ["score-0101001-alpha to ada@league.test"]);
}

#[test]
fn a_guess_before_the_other_players_questions_is_not_early_at_all() {
    let mut world = World::in_game();
    world.player(ADA, questions());
    world.advise();
    assert_eq!(world.player(ADA, guess("90")), ["ask score of alpha", "ok"]);
}

#[test]
fn repeats_change_nothing() {
    let mut world = World::in_game();
    let from = || Proof::Vouched(Address::new(ADA));
    let letter = world.letter(questions());
    assert_eq!(world.post(from(), letter.clone()), ["ask answers for alpha", "ok"]);
    let facts = world.bench.facts.len();
    assert_eq!(world.post(from(), letter), ["ok"]);
    assert_eq!(world.bench.facts.len(), facts);
    // The same again in another letter, and something answered long ago.
    assert_eq!(world.player(ADA, ask_so_many(3)), ["ok"]);
    assert_eq!(world.player(ADA, warm_up()), ["ok"]);
    assert_eq!(world.advise(), ["answers-0101001-alpha to ada@league.test"]);
    let Act::Ask(told) = &world.last("answers-0101001-alpha").act else { panic!() };
    assert_eq!(seen(&told.view).answers.unwrap().len(), 20);
}

#[test]
fn a_single_player_game_is_played_and_reported() {
    let mut world = World::in_round();
    world.advise();
    world.take_all();
    world.player(BOB, warm_up());
    let [rejection, score] = rejected("alpha", "ada");
    assert_eq!(world.at(120).tick(), [rejection, score, "ask book".into()]);
    assert_eq!(world.advise(), ["round-start-0101001-beta to bob@league.test"]);
    world.player(BOB, questions());
    world.advise();
    world.player(BOB, guess("51"));
    assert_eq!(
        world.advise(),
        ["score-0101001-beta to bob@league.test", "result-0101001 to manager@league.test"]
    );
    let report = world.report();
    assert_eq!(report.status, ReportStatus::Completed);
    assert_eq!(report.winner, Some(GroupId::new("beta")));
    assert_eq!((report.cause, report.blame), (Some(Cause::NoShow), Some(Blame::PlayerA)));
    let [absent, there] = &report.scores[..] else { panic!("{:?}", report.scores) };
    assert_eq!((absent.league_points, there.league_points), (Some(0), Some(1)));
    assert_eq!(absent.reason.as_deref(), Some("TECHNICAL_LOSS_MALFUNCTION"));
    assert_eq!(there.reason, None);
}

#[test]
fn who_has_not_checked_in_is_not_asked() {
    let mut world = World::new();
    world.manager(Act::AssignmentTable(table()));
    let present = ["BOB@league.test", "other@league.test"];
    let [rejection, score] = rejected("alpha", "ada");
    let lines = world.manager(round_with(1, Some(&present)));
    assert_eq!(lines, [rejection, score, "ask warm-up".into(), "ok".into()]);
    let Act::Rejection(said) = &world.last("rej-0101001-alpha").act else { panic!() };
    let why = "it has not checked in for the round; this game brings you 0 points";
    assert_eq!((&*said.reason, said.deadline), (why, None));
    assert_eq!(world.advise(), ["warmup-0101001-beta to bob@league.test"]);
    assert_eq!(world.player(BOB, warm_up()), ["ask book", "ok"]);
}

#[test]
fn a_game_to_which_nobody_has_checked_in_is_cancelled() {
    let mut world = World::new();
    world.manager(Act::AssignmentTable(table()));
    let lines = world.manager(round_with(1, Some(&[])));
    let told = [rejected("alpha", "ada"), rejected("beta", "bob")].concat();
    assert_eq!((&lines[..4], &*lines[4]), (&told[..], "result-0101001 to manager@league.test"));
    let report = world.report();
    assert_eq!((report.status, report.winner.as_ref()), (ReportStatus::Abandoned, None));
    assert!(report.scores.is_empty());
    assert_eq!(report.blame, Some(Blame::Both));
}

#[test]
fn a_letter_that_cannot_be_read_costs_only_its_sender() {
    let mut world = World::in_game();
    let game = GameId::new(GAME);
    let from = |address: &str| Proof::Vouched(Address::new(address));
    let garble = |world: &mut World, from: &Proof, kind: ActKind| {
        let received = Some(ShortText::new("<html>"));
        let garbled =
            Garbled { kind, game: Some(game.clone()), problem: "no JSON".into(), received };
        let (request, proof, at) = (RequestId(0), from.clone(), world.bench.now);
        let effects = world.bench.tell(Event::Garbled { request, proof, at, garbled });
        world.see(effects)
    };
    let unread = "no: invalid value: the letter cannot be read";
    let stranger = from("eve@league.test");
    assert_eq!(
        garble(&mut world, &stranger, ActKind::Move(1)),
        ["no: not permitted: only the two players of a game may answer in it"]
    );
    assert_eq!(garble(&mut world, &from(ADA), ActKind::Move(0)), [unread]);
    assert_eq!(garble(&mut world, &from(ADA), ActKind::KeepAlive), [unread]);
    assert_eq!(world.bench.role.live(), 1);
    let told = ["error-0101001-alpha-1-1", "score-0101001-alpha"];
    let told = told.map(|id| format!("{id} to ada@league.test"));
    let lines = garble(&mut world, &from(ADA), ActKind::Move(1));
    assert_eq!((&lines[..2], &*lines[2]), (&told[..], unread));
    let Act::Problem(said) = &world.last("error-0101001-alpha-1-1").act else { panic!() };
    assert_eq!(&*said.text, "no JSON; this game brings you 0 points; received: <html>");
    assert_eq!((&*said.code, said.recoverable), ("INVALID_MESSAGE", false));
    assert_eq!(said.original.as_deref(), Some("Q21QUESTIONSBATCH"));
    // Once told that its game is over it is told once more, and no more than that.
    let over = "no: out of turn: this is not awaited now";
    let again = "alr-0101001-alpha to ada@league.test";
    assert_eq!(world.player(ADA, questions()), [again, over]);
    assert_eq!(world.player(ADA, questions()), [over]);
    world.player(BOB, questions());
    world.advise();
    world.player(BOB, guess("90"));
    world.advise();
    let report = world.report();
    assert_eq!((report.cause, report.blame), (Some(Cause::MalformedAnswer), Some(Blame::PlayerA)));
    assert_eq!(report.winner, Some(GroupId::new("beta")));
    world.restart();
}

#[test]
fn asking_nothing_is_no_question_and_asking_too_much_brings_nothing() {
    let mut world = World::in_game();
    let told = ["error-0101001-alpha-1-1", "score-0101001-alpha"];
    let told = told.map(|id| format!("{id} to ada@league.test"));
    assert_eq!(world.player(ADA, ask_so_many(0))[..2], told);
    let Act::Problem(said) = &world.last("error-0101001-alpha-1-1").act else { panic!() };
    assert!(said.text.contains("it asks nothing"), "{}", said.text);
    let Act::Worth(told) = &world.last("score-0101001-alpha").act else { panic!() };
    assert_eq!((told.league_points, told.private_score), (0, Score::ZERO));
    assert_eq!(world.player(BOB, ask_so_many(25)), ["ask answers for beta", "ok"]);
    world.advise();
    let Act::Ask(told) = &world.last("answers-0101001-beta").act else { panic!() };
    assert_eq!(seen(&told.view).answers.unwrap().len(), 20);
    world.player(BOB, guess("0"));
    world.advise();
    assert_eq!(world.report().cause, Some(Cause::InvalidMove));
}

#[test]
fn without_our_program_there_is_still_a_warm_up() {
    let mut world = World::in_round();
    assert_eq!(world.fail().len(), 2);
    let Act::Ask(call) = &world.last("warmup-0101001-alpha").act else { panic!() };
    let question = seen(&call.view).warmup_question.unwrap();
    assert!(question.starts_with("What is ") && question.contains('+'));
}

#[test]
fn our_program_is_asked_once_more_and_then_the_game_is_lost_by_us() {
    let mut world = World::in_game();
    world.player(ADA, questions());
    assert_eq!(world.fail(), ["ask answers for alpha"]);
    assert_eq!(world.fail(), ["result-0101001 to manager@league.test"]);
    let report = world.report();
    assert_eq!(report.status, ReportStatus::Abandoned);
    assert_eq!((report.cause, report.blame), (Some(Cause::RefereeLost), Some(Blame::Referee)));
    let points: Vec<_> = report.scores.iter().map(|row| row.league_points).collect();
    assert_eq!(points, [Some(2); 2]);
    assert_eq!(report.abort_reason, Some(Aborted("referee_callback_failed".into())));
    assert_eq!(&*report.player_states[0].phase_reached, "questions_submitted");
    assert_eq!(&*report.player_states[0].last_actor, "alpha");
    assert_eq!(&*report.player_states[1].last_actor, "referee");
    world.restart();
}

#[test]
fn an_answer_to_another_question_is_a_mishap() {
    let mut world = World::in_round();
    world.advise();
    world.player(ADA, warm_up());
    world.player(BOB, warm_up());
    let asked = world.asked.remove(0);
    let unread = "no book: it could not be read: expected value at line 1 column 1";
    assert_eq!(world.answer(&asked, Ok(Payload::default())), [unread, "ask book"]);
    // An old thought that comes back changes nothing.
    assert_eq!(world.answer(&asked, Ok(Payload::default())), [""; 0]);
    assert_eq!(world.advise().len(), 2);
}

#[test]
fn the_author_of_our_program_is_told_why_its_word_does_not_count() {
    let mut world = World::in_game();
    world.player(ADA, questions());
    for then in ["ask answers for alpha", "result-0101001 to manager@league.test"] {
        let asked = world.asked.remove(0);
        let lines = world.advise_one(&asked, Ok(Word::WarmupQuestion("Why?".into())));
        assert_eq!(lines, ["no answers: it is not legal: it answers another question", then]);
    }
}

#[test]
fn when_both_fail_the_report_says_who_was_there() {
    let mut world = World::in_game();
    let told = [rejected("alpha", "ada"), rejected("beta", "bob")].concat();
    let lines = world.at(300).tick();
    assert_eq!((&lines[..4], &*lines[4]), (&told[..], "result-0101001 to manager@league.test"));
    let Act::Rejection(said) = &world.last("rej-0101001-beta").act else { panic!() };
    assert_eq!(&*said.reason, "no answer within 300 s; this game brings you 0 points");
    assert_eq!((said.deadline, said.received_at), (Some(at(300)), None));
    assert_eq!(said.original.as_deref(), Some("Q21QUESTIONSBATCH"));
    let report = world.report();
    assert_eq!(report.status, ReportStatus::Timeout);
    assert_eq!((report.cause, report.blame), (Some(Cause::TimedOut), Some(Blame::Both)));
    assert_eq!(report.abort_reason, Some(Aborted("player_timeout:ada@league.test".into())));
    assert_eq!(&*report.player_states[1].phase_reached, "round_started");
}
