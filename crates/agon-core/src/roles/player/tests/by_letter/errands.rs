//! Keep-alive, pause, continue, reset, free text, connectivity.

use agon_proto::act::{Connectivity, EndRound, FreeText, Halt, KeepAlive, Problem, StateAnswer};

use super::*;

fn halt() -> Halt {
    Halt { reason: "server move".into() }
}

#[track_caller]
fn state_answer(stage: &Stage) -> StateAnswer {
    let Act::State(_, answer) = stage.said(stage.posted.len() - 1) else { panic!("a state") };
    answer
}

#[test]
fn it_says_that_it_is_there_and_where() {
    let mut stage = Stage::advanced(2);
    let effects = stage.manager("k", Act::KeepAlive(KeepAlive { text: "".into() }));
    check(&effects, &["KEEP_ALIVE_RESPONSE to manager@league.test", "reply 1: Acknowledged"]);
    let StateAnswer { status, state, game, text } = state_answer(&stage);
    assert_eq!((&*status, &*state), ("alive", "AWAITING_ANSWERS"));
    assert_eq!(game.as_ref().map(GameId::as_str), Some(ONE));
    assert_eq!(
        &*text,
        "AWAITING_ANSWERS, season S1, round 1, 0101001 QUESTIONS_SENT, 0101002 INITIALIZED"
    );
}

#[test]
fn every_state_has_its_word() {
    let mut stage = Stage::enrolled();
    let mut states = vec![stage.player().season_state()];
    stage.manager("round-1", new_round(1));
    states.push(stage.player().season_state());
    for (id, act) in whole_game(ONE) {
        stage.referee(id, act);
        states.push(stage.player().season_state());
        stage.advise_all();
        states.push(stage.player().season_state());
    }
    let words: Vec<_> = states.into_iter().map(SeasonState::name).collect();
    assert_eq!(
        words,
        [
            "ASSIGNMENTS_RECEIVED",
            "INVITED",
            "WARMUP",
            "WARMUP",
            "QUESTIONING",
            "AWAITING_ANSWERS",
            "GUESSING",
            "IN_MATCH",
            // The other game of this round.
            "INVITED",
            "INVITED",
        ]
    );
}

#[test]
fn a_pause_holds_game_letters_back_until_it_goes_on() {
    let mut stage = Stage::advanced(1);
    stage.manager("p", Act::Pause(halt()));
    let StateAnswer { status, state, .. } = state_answer(&stage);
    assert_eq!((&*status, &*state), ("PAUSED", "WARMUP"));
    assert_eq!(stage.player().season_state(), SeasonState::Paused);
    stage.referee("s", round_start(ONE));
    check(&stage.advise_all(), &[]);
    // Nothing is sent, nothing has moved: the referee was the last to act.
    assert_eq!(stage.phase(ONE), Some(Progress::Answered(1)));
    assert_eq!(stage.controller(ONE).last_actor(), agon_proto::act::LastActor::Referee);
    check(&stage.referee("w-again", warmup(ONE)), &["reply 1: Acknowledged"]);
    let mut stage = stage.restarted();
    // The answer to the warm-up was on its way before; it stays here, too.
    let resumed = stage.resume();
    assert!(!lines(&resumed).iter().any(|line| line.starts_with("Q21")), "{:?}", lines(&resumed));
    let effects = stage.manager("c", Act::Continue(halt()));
    check(
        &effects,
        &[
            "CRITICAL_CONTINUE_RESPONSE to manager@league.test",
            "Q21WARMUPRESPONSE to ref@league.test",
            "reply 1: Acknowledged",
            "Q21QUESTIONSBATCH to ref@league.test",
        ],
    );
    assert_eq!(stage.phase(ONE), Some(Progress::Answered(2)));
    // Everything goes out once.
    check(&stage.manager("c2", Act::Continue(halt()))[1..], &["reply 1: Acknowledged"]);
}

#[test]
fn a_repeat_during_a_pause_is_not_answered() {
    let mut stage = Stage::advanced(1);
    stage.dispatch_all();
    stage.manager("p", Act::Pause(halt()));
    check(&stage.referee("w-again", warmup(ONE)), &["reply 1: Acknowledged"]);
    stage.manager("c", Act::Continue(halt()));
    let effects = stage.referee("w-once-more", warmup(ONE));
    check(&effects, &["Q21WARMUPRESPONSE to ref@league.test", "reply 1: Acknowledged"]);
}

#[test]
fn a_reset_forgets_the_season() {
    let mut stage = Stage::advanced(4);
    let effects = stage.manager("r", Act::Reset(halt()));
    check(&effects, &["CRITICAL_RESET_RESPONSE to manager@league.test", "reply 1: Acknowledged"]);
    let StateAnswer { status, state, .. } = state_answer(&stage);
    assert_eq!((&*status, &*state), ("COMPLETED", "INIT_START_STATE"));
    assert_eq!(standings(&stage), PlayerStandings::default());
    assert_eq!((stage.player().rounds().current_round(), stage.phase(ONE)), (0, None));
    // A repeat of the order forgets nothing more.
    stage.manager("open-2", start_season("S2"));
    check(&stage.manager("r", Act::Reset(halt())), &["reply 1: Acknowledged"]);
    assert_eq!(stage.player().season_state(), SeasonState::WaitingForConfirmation);
}

#[test]
fn what_is_said_of_a_forgotten_season_changes_nothing() {
    let about = |id: &str, season: &str, act: Act| {
        let mut letter = letter(id, MANAGER, Role::Manager, act);
        letter.head.context.season = Some(SeasonId::new(season));
        letter
    };
    let from = Proof::Vouched(address(MANAGER));
    // The invitation overtakes the reset: that one has nothing to forget any more.
    let mut stage = Stage::advanced(2);
    stage.manager("open-2", start_season("S1-2"));
    let late = [Act::Reset(halt()), Act::Pause(halt()), Act::Continue(halt())];
    for (id, act) in ["r", "p", "c"].into_iter().zip(late.clone()) {
        let effects = stage.post(from.clone(), about(id, "S1", act));
        assert_eq!(why(&effects), "out of turn: it is about another season");
    }
    assert_eq!(stage.player().season_state(), SeasonState::WaitingForConfirmation);
    // And the other way around: what comes after the reset is too late.
    let mut stage = Stage::advanced(2);
    stage.post(from.clone(), about("r", "S1", late[0].clone()));
    for (id, act) in [("p", late[1].clone()), ("n", new_round(2)), ("t", table())] {
        let effects = stage.post(from.clone(), about(id, "S1", act));
        assert_eq!(why(&effects), "out of turn: it is about another season");
    }
    assert_eq!(stage.player().season_state().name(), "INIT_START_STATE");
    // Unless that very season opens again.
    stage.manager("open-again", start_season("S1"));
    let effects = stage.post(from, about("k", "S1", Act::Pause(halt())));
    assert_eq!(lines(&effects).last().unwrap(), "reply 1: Acknowledged");
    assert_eq!(stage.player().season_state(), SeasonState::Paused);
}

#[test]
fn it_echoes_and_answers_free_text() {
    let mut stage = Stage::new();
    let ping = Connectivity { ping: "p-7".into(), echo_from: None, at: Some(at(3)) };
    check(
        &stage.manager("c", Act::ConnectivityCall(ping)),
        &["CONNECTIVITY_TEST_ECHO to manager@league.test", "reply 1: Acknowledged"],
    );
    let Act::ConnectivityEcho(echo) = stage.said(0) else { panic!("an echo") };
    assert_eq!((&*echo.ping, &echo.echo_from, echo.at), ("p-7", &Some(address(ME)), Some(at(3))));
    check(
        &stage.manager("t", Act::FreeText(FreeText { text: "Welcome".into() })),
        &["FREE_TEXT_RESPONSE to manager@league.test", "reply 1: Acknowledged"],
    );
}

#[test]
fn news_is_read_and_nothing_follows() {
    let mut stage = Stage::playing();
    let end = EndRound { number: 1, matches_completed: 1, matches_total: 2 };
    let problem = Problem {
        code: "NOT_REGISTERED".into(),
        text: "Who are you?".into(),
        original: None,
        recoverable: true,
    };
    check(&stage.manager("e", Act::EndRound(end)), &["reply 1: Acknowledged"]);
    // But for its author, who is told what went wrong.
    let told =
        r#"alert: Rejected { match_id: None, original: None, text: ShortText("Who are you?") }"#;
    check(&stage.manager("x", Act::Problem(problem)), &[told, "reply 1: Acknowledged"]);
    assert_eq!(stage.phase(ONE), Some(Progress::Answered(0)));
}
