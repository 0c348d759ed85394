//! One attempt, one choice; and what a player does about everything else in a match.

use super::*;

/// What can be chosen.
const OPTIONS: [&str; 2] = ["\"even\"", "\"odd\""];

#[test]
fn it_joins_with_the_token_that_came_with_the_invitation() {
    let mut bench = enrolled();
    let effects = invite(bench.at(3), 1);
    check(&effects, &["reply 1: GAME_JOIN_ACK"]);
    let Answer::Message(letter) = crate::testing::answer(&effects) else {
        panic!("a letter");
    };
    let shown = key().match_token(&league(), in_match(1, 1), 1, referee(1));
    assert_eq!(
        (&letter.head.sender, &letter.auth_token),
        (&Sender::Player(player(1)), &Some(shown))
    );
    // The league token never goes to a referee.
    assert_ne!(letter.auth_token, Some(token()));
    assert_eq!(letter.head.conversation_id.to_string(), "conv-r1m1-001");
    let Act::GameJoinAck(ack) = &letter.act else {
        panic!("an acknowledgement");
    };
    assert!(ack.accept);
    assert_eq!(ack.arrival_timestamp, at(3));
    assert_eq!(bench.role.state().state, PlayerPhase::InGame);
}

#[test]
fn it_thinks_once_and_says_what_it_thought() {
    let mut bench = enrolled();
    invite(&mut bench, 1);
    let effects = ask(&mut bench, 1);
    check(&effects, &["think R1M1: choose_parity"]);
    let Some(Effect::Think(question)) = effects.first() else {
        panic!("a question");
    };
    let view = Payload::trusted("{\"drawn_number\":null,\"choices\":[null,null]}");
    let options = OPTIONS.map(Payload::trusted).to_vec().into();
    let expected = Question {
        number: 1,
        match_id: in_match(1, 1),
        attempt: 1,
        kind: "choose_parity".into(),
        what: What::Move { view, options, said: Vec::new() },
        // A second is kept back for the way of the answer.
        until: at(29),
    };
    assert_eq!(**question, expected);
    let known = bench.role.known(question);
    assert_eq!((known.player, known.opponent), (Some(player(1)), Some(player(2))));
    let effects = think(&mut bench, 1, Some(Parity::Odd));
    check(&effects, &["reply 2: CHOOSE_PARITY_RESPONSE"]);
    assert_eq!(choice(&effects[0]), Some(Parity::Odd));
    let (match_id, attempt, choice) = (in_match(1, 1), 1, Parity::Odd.payload());
    let (instead_of, at) = (None, bench.now);
    let chosen = PlayerFact::Chosen { match_id, attempt, step: 1, choice, instead_of, at };
    assert_eq!(bench.facts.last(), Some(&chosen));
}

#[test]
fn asked_again_it_says_the_same() {
    let mut bench = enrolled();
    ask(&mut bench, 1);
    think(&mut bench, 1, Some(Parity::Odd));
    let again = ask(&mut bench, 1);
    check(&again, &["reply 2: CHOOSE_PARITY_RESPONSE"]);
    assert_eq!(choice(&again[0]), Some(Parity::Odd));
    // A second thought changes nothing.
    let facts = bench.facts.len();
    check(&think(&mut bench, 1, Some(Parity::Even)), &[]);
    assert_eq!(bench.facts.len(), facts);
    assert_eq!(choice(&ask(&mut bench, 1)[0]), Some(Parity::Odd));
}

#[test]
fn asked_again_after_a_restart_it_says_the_same() {
    let mut bench = enrolled();
    invite(&mut bench, 1);
    ask(&mut bench, 1);
    think(&mut bench, 1, Some(Parity::Odd));
    let mut again = restarted(bench.facts);
    again.resume();
    assert_eq!(choice(&ask(&mut again, 1)[0]), Some(Parity::Odd));
    // Another attempt is another match.
    check(&ask(&mut again, 2), &["think R1M1: choose_parity"]);
}

#[test]
fn a_question_that_comes_while_it_thinks_joins_the_thought() {
    let mut bench = enrolled();
    check(&ask(&mut bench, 1), &["think R1M1: choose_parity"]);
    check(&ask(&mut bench, 1), &[]);
    check(&ask(&mut bench, 1), &[]);
    let effects = think(&mut bench, 1, Some(Parity::Even));
    check(
        &effects,
        &[
            "reply 1: CHOOSE_PARITY_RESPONSE",
            "reply 2: CHOOSE_PARITY_RESPONSE",
            "reply 3: CHOOSE_PARITY_RESPONSE",
        ],
    );
    assert!(effects.iter().all(|effect| choice(effect) == Some(Parity::Even)));
}

#[test]
fn without_a_decision_it_refuses_and_thinks_anew_when_asked_again() {
    let mut bench = enrolled();
    ask(&mut bench, 1);
    let facts = bench.facts.len();
    let effects = think(&mut bench, 1, None);
    assert_eq!(*refusal(&effects), Refusal::NoDecision);
    assert_eq!(bench.facts.len(), facts);
    check(&ask(&mut bench, 1), &["think R1M1: choose_parity"]);
    let effects = think(&mut bench, 2, Some(Parity::Even));
    assert_eq!(choice(&effects[0]), Some(Parity::Even));
}

/// Its referee must not take that for an answer that cannot be read.
#[test]
fn who_thinks_too_long_says_so_and_thinks_anew_when_asked_again() {
    let mut bench = enrolled();
    ask(&mut bench, 1);
    let mishap = Mishap { kind: MishapKind::TimedOut, text: "it took too long".into() };
    let effects = bench.tell(Event::Thought { number: 1, answer: Err(mishap) });
    assert_eq!(*refusal(&effects), Refusal::TooSlow);
    assert_eq!(refusal(&effects).code(), agon_proto::ErrorCode::Timeout);
    check(&ask(&mut bench, 1), &["think R1M1: choose_parity"]);
}

#[test]
fn what_is_no_move_is_told_and_not_said() {
    let mut bench = enrolled();
    ask(&mut bench, 1);
    let facts = bench.facts.len();
    let answer = Ok(Payload::trusted("\"seven\""));
    let effects = bench.tell(Event::Thought { number: 1, answer });
    let [Effect::Alert(Alert::NoMove { said, .. }), refused] = &effects[..] else {
        panic!("{:?}", crate::testing::lines(&effects));
    };
    assert_eq!(said.as_str(), "\"seven\"");
    assert!(matches!(refused, Effect::Refuse { refusal: Refusal::NoDecision, .. }));
    assert_eq!(bench.facts.len(), facts);
}

#[test]
fn a_higher_attempt_begins_anew_and_an_older_one_is_refused() {
    let mut bench = enrolled();
    ask(&mut bench, 1);
    // The old question is still open: it is answered with a refusal.
    check(&ask(&mut bench, 2), &["refuse 1: STALE_ATTEMPT", "think R1M1: choose_parity"]);
    // So is the thought that belongs to it.
    check(&think(&mut bench, 1, Some(Parity::Odd)), &[]);
    let stale = Refusal::StaleAttempt { current: 2 };
    assert_eq!(*refusal(&ask(&mut bench, 1)), stale);
    assert_eq!(*refusal(&invite(&mut bench, 1)), stale);
    let effects = think(&mut bench, 2, Some(Parity::Even));
    assert_eq!(choice(&effects[0]), Some(Parity::Even));
}

#[test]
fn a_wrong_match_token_opens_nothing() {
    let mut bench = enrolled();
    let match_id = in_match(1, 1);
    let conversation = || ConversationId::Match { match_id, attempt: 1 };
    let next = key().match_token(&league(), match_id, 2, referee(1));
    let other = key().match_token(&league(), match_id, 1, referee(2));
    for wrong in [stolen(), next, other, token()] {
        let sender = Sender::Referee(referee(1));
        let said = letter(sender, Some(wrong.clone()), conversation(), question());
        assert_eq!(*refusal(&bench.call(said)), Refusal::TokenInvalid(wrong));
    }
    let sender = Sender::Referee(referee(1));
    let said = letter(sender, None, conversation(), question());
    assert_eq!(*refusal(&bench.call(said)), Refusal::TokenMissing);
    assert_eq!(bench.role.state().state, PlayerPhase::Registered);
}

#[test]
fn the_end_of_a_match_counts_once() {
    let mut bench = enrolled();
    invite(&mut bench, 1);
    bench.at(9);
    check(&from_referee(&mut bench, 1, won()), &["reply 2: Acknowledged"]);
    let facts = bench.facts.len();
    check(&from_referee(&mut bench, 1, won()), &["reply 3: Acknowledged"]);
    assert_eq!(bench.facts.len(), facts);
    let played = PlayedMatch {
        match_id: in_match(1, 1),
        opponent_id: player(2),
        result: PlayedResult::Win,
        my_choice: Some(Parity::Even),
        opponent_choice: Some(Parity::Odd),
        drawn_number: Some(8),
        timestamp: at(9),
        attempt: 1,
    };
    assert_eq!(bench.role.history().matches(), [played]);
    assert_eq!(bench.role.history().record().wins, 1);
    // It remembers after a restart, too.
    let again = restarted(bench.facts);
    assert_eq!(again.role.history().matches(), [played]);
}

#[test]
fn the_end_of_a_match_ends_the_thought() {
    let mut bench = enrolled();
    ask(&mut bench, 1);
    let effects = from_referee(&mut bench, 1, won());
    check(&effects, &["refuse 1: OUT_OF_TURN", "reply 2: Acknowledged"]);
    check(&think(&mut bench, 1, Some(Parity::Odd)), &[]);
}

#[track_caller]
fn check_result(status: ResultStatus, winner: Option<u32>, expected: PlayedResult) {
    let mut bench = enrolled();
    let mut over = won();
    over.game_result.status = status;
    over.game_result.winner_player_id = winner.map(player);
    from_referee(&mut bench, 1, over);
    let results: Vec<_> = bench.role.history().matches().iter().map(|one| one.result).collect();
    assert_eq!(results, [expected]);
}

#[test]
fn every_end_has_its_name_in_the_history() {
    check_result(ResultStatus::Win, Some(2), PlayedResult::Loss);
    check_result(ResultStatus::Draw, None, PlayedResult::Draw);
    check_result(ResultStatus::TechnicalLoss, Some(1), PlayedResult::Win);
    check_result(ResultStatus::TechnicalLoss, None, PlayedResult::Loss);
    check_result(ResultStatus::Cancelled, None, PlayedResult::Cancelled);
}

#[test]
fn it_gives_up_a_match_that_it_hears_nothing_more_of() {
    let mut bench = enrolled();
    ask(&mut bench, 1);
    assert_eq!(bench.role.deadline(), Some(at(240)));
    check(&bench.at(239).tick(), &[]);
    let told = "alert: RefereeSilent { match_id: R1M1 }";
    check(&bench.at(240).tick(), &[told, "refuse 1: OUT_OF_TURN"]);
    assert_eq!(bench.role.state().state, PlayerPhase::Registered);
    assert_eq!(bench.role.deadline(), None);
    check(&think(&mut bench, 1, Some(Parity::Odd)), &[]);
}

#[test]
fn what_is_over_is_not_thought_about_anew() {
    let over = Refusal::StaleAttempt { current: 2 };
    let mut bench = enrolled();
    from_referee(&mut bench, 2, won());
    for attempt in [1, 2] {
        assert_eq!(*refusal(&ask(&mut bench, attempt)), over);
        assert_eq!(*refusal(&invite(&mut bench, attempt)), over);
    }
    let mut again = restarted(bench.facts);
    assert_eq!(*refusal(&ask(&mut again, 2)), over);
    // A round that is complete has no open match, even if the news of its end did not come.
    let mut bench = enrolled();
    from_manager(&mut bench, round_completed(1));
    assert_eq!(*refusal(&ask(&mut bench, 1)), Refusal::StaleAttempt { current: 1 });
}

#[test]
fn a_completed_round_ends_the_thoughts_of_earlier_ones() {
    let mut bench = enrolled();
    check(&ask(&mut bench, 1), &["think R1M1: choose_parity"]);
    // The news of the last matches may still be on its way.
    check(&from_manager(&mut bench, round_completed(1)), &["reply 2: Acknowledged"]);
    assert_eq!(bench.role.state().state, PlayerPhase::InGame);
    let effects = from_manager(&mut bench, round_completed(2));
    check(&effects, &["refuse 1: OUT_OF_TURN", "reply 3: Acknowledged"]);
    assert_eq!(bench.role.state().state, PlayerPhase::Registered);
}

/// A match that was assigned before the player registered again goes on with the old token.
#[test]
fn a_restart_in_a_match_costs_nothing() {
    let mut bench = enrolled();
    invite(bench.at(3), 1);
    ask(bench.at(4), 1);
    think(&mut bench, 1, Some(Parity::Odd));
    let mut again = restarted(bench.facts);
    let fresh = crate::Credentials {
        agent: Some(AgentId::Player(player(1))),
        league: league(),
        token: AuthToken::derived([9; 32]),
        signed_calls: true,
        heartbeat_ms: None,
    };
    let admitted = AgentFact::Admitted { season: None, league: None, given: Some(fresh) };
    again.role.apply(&PlayerFact::Agent(admitted));
    let effects = ask(again.at(6), 1);
    let Answer::Message(letter) = crate::testing::answer(&effects) else {
        panic!("a letter");
    };
    let Act::MoveResponse(MoveResponse::ChooseParityResponse(said)) = &letter.act else {
        panic!("a choice");
    };
    assert_eq!(said.parity_choice, StatedParity::Valid(Parity::Odd));
}

#[test]
fn a_win_against_somebody_it_never_heard_of_can_be_read_again() {
    let played = agon_proto::tool::PlayedMatch {
        match_id: crate::testing::in_match(1, 1),
        opponent_id: PlayerId::new(0),
        result: agon_proto::tool::PlayedResult::Win,
        my_choice: None,
        opponent_choice: None,
        drawn_number: None,
        timestamp: crate::testing::at(1),
        attempt: 1,
    };
    let fact = PlayerFact::Over(played);
    let written = serde_json::to_string(&fact).unwrap();
    assert_eq!(serde_json::from_str::<PlayerFact>(&written).unwrap(), fact);
}
