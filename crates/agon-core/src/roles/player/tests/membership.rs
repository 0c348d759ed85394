//! Getting in, being told the news, being asked about itself, and leaving.

use agon_proto::message::{GameError, LeagueStandingsUpdate, MatchPhase, RetryInfo};
use agon_proto::{ErrorCode, Fault, ShortText};

use super::*;
use crate::Ending;

fn lost() -> Event {
    undelivered(Setback::Malformed)
}

fn undelivered(why: Setback) -> Event {
    Event::Undelivered { tag: Tag::Register, why, objection: None }
}

#[test]
fn every_try_of_one_start_is_the_same_request() {
    let mut bench = newcomer();
    let first = bench.resume();
    check(&first, &["LEAGUE_REGISTER_REQUEST to manager"]);
    let (_, said) = sent(&first).next().unwrap();
    assert_eq!(said.head.sender, Sender::NewPlayer(Box::new(DisplayName::new("p1"))));
    check(&bench.tell(lost()), &[]);
    assert_eq!(bench.role.deadline(), Some(at(2)));
    let second = bench.at(2).tick();
    let (_, again) = sent(&second).next().unwrap();
    assert_eq!(again.head.conversation_id, said.head.conversation_id);
    assert_eq!(again.act, said.act);
}

/// Tells it as often as it asks that nobody is there, until it ends; when that is, in seconds.
fn wait_for_nobody(bench: &mut Bench<Player>, why: Setback) -> (u64, Vec<Effect>) {
    let mut effects = bench.tell(undelivered(why));
    for second in 1..1000 {
        let done = bench.at(second).tick();
        let asks = done.iter().any(|effect| matches!(effect, Effect::Send(_)));
        let ends = done.iter().any(|effect| matches!(effect, Effect::Finish(_)));
        effects.extend(done);
        if ends {
            return (second, effects);
        }
        if asks {
            effects.extend(bench.tell(undelivered(why)));
        }
    }
    panic!("it waits for ever");
}

#[test]
fn it_waits_for_a_manager_that_is_not_there_and_says_so() {
    for why in [Setback::Unreachable, Setback::TimedOut, Setback::NotSent, Setback::Unwell] {
        let mut bench = newcomer();
        bench.resume();
        let (ended, effects) = wait_for_nobody(&mut bench, why);
        assert_eq!(ended, 300);
        let count = |is_it: fn(&Effect) -> bool| effects.iter().filter(|it| is_it(it)).count();
        let asked = count(|effect| matches!(effect, Effect::Send(_)));
        assert!((60..70).contains(&asked), "{asked}");
        let said = count(|effect| matches!(effect, Effect::Alert(Alert::NoManager { .. })));
        assert_eq!(said, 60);
        let last = effects.last().unwrap();
        assert!(matches!(last, Effect::Finish(Ending::NoManager(_))), "{last:?}");
    }
}

#[test]
fn whoever_is_told_to_come_again_does() {
    let mut bench = newcomer();
    bench.resume();
    check(
        &bench.tell(undelivered(Setback::Unreachable)),
        &["alert: NoManager { manager: manager, left: 300s }"],
    );
    check(&bench.at(2).tick(), &["LEAGUE_REGISTER_REQUEST to manager"]);
    let fault = Fault::new(ErrorCode::RateLimited, "too many".into());
    let answer = Answer::Fault(fault);
    check(&bench.tell(Event::Answered { tag: Tag::Register, answer }), &[]);
    // Somebody is there: there is nothing to say.
    check(&bench.at(5).tick(), &[]);
    check(&bench.at(6).tick(), &["LEAGUE_REGISTER_REQUEST to manager"]);
    check(&admit(&mut bench, None), &[]);
    assert_eq!(bench.role.id(), Some(player(1)));
}

#[test]
fn after_three_answers_that_are_none_it_has_failed() {
    let mut bench = newcomer();
    bench.resume();
    check(&bench.tell(lost()), &[]);
    check(&bench.at(2).tick(), &["LEAGUE_REGISTER_REQUEST to manager"]);
    check(&bench.tell(lost()), &[]);
    check(&bench.at(5).tick(), &[]);
    check(&bench.at(6).tick(), &["LEAGUE_REGISTER_REQUEST to manager"]);
    let why = r#"finish: NotAdmitted("no good answer from manager in 3 tries")"#;
    check(&bench.tell(lost()), &[why]);
    assert_eq!(bench.role.state().lifecycle, Lifecycle::Failed);
    // An answer that comes after all is too late, and so is another loss.
    check(&admit(&mut bench, None), &[]);
    check(&bench.tell(lost()), &[]);
    assert_eq!(bench.role.id(), None);
}

#[test]
fn a_rejection_is_final_and_says_why() {
    let mut bench = newcomer();
    bench.resume();
    let effects = admit(&mut bench, Some(Denial::Full));
    check(&effects, &[r#"finish: NotAdmitted("E020: full")"#]);
    let mut bench = newcomer();
    bench.resume();
    let answer =
        Answer::Fault(Fault { code: -32_601, message: "no such method".into(), league_code: None });
    let tag = Tag::Register;
    let effects = bench.tell(Event::Answered { tag, answer });
    check(&effects, &[r#"finish: NotAdmitted("no such method")"#]);
}

#[test]
fn after_a_restart_it_shows_its_old_token() {
    let bench = enrolled();
    let mut again = restarted(bench.facts);
    assert_eq!(again.role.id(), Some(player(1)));
    let effects = again.resume();
    let (_, said) = sent(&effects).next().unwrap();
    assert_eq!((&said.head.sender, &said.auth_token), (&Sender::Player(player(1)), &Some(token())));
}

#[test]
fn its_phases_are_spelled_as_the_league_spells_them() {
    let mut bench = newcomer();
    let phases = |bench: &Bench<Player>| {
        let state = bench.role.state();
        (state.state, state.lifecycle)
    };
    assert_eq!(phases(&bench), (PlayerPhase::Unregistered, Lifecycle::Init));
    bench.resume();
    assert_eq!(phases(&bench), (PlayerPhase::Unregistered, Lifecycle::Registering));
    admit(&mut bench, None);
    assert_eq!(phases(&bench), (PlayerPhase::Registered, Lifecycle::Registered));
    check(&from_manager(&mut bench, announcement()), &["reply 1: Acknowledged"]);
    assert_eq!(phases(&bench), (PlayerPhase::WaitingForRound, Lifecycle::Active));
    invite(&mut bench, 1);
    assert_eq!(phases(&bench), (PlayerPhase::InGame, Lifecycle::Active));
    from_referee(&mut bench, 1, won());
    assert_eq!(phases(&bench), (PlayerPhase::WaitingForRound, Lifecycle::Active));
    from_manager(&mut bench, completed());
    assert_eq!(phases(&bench), (PlayerPhase::WaitingForRound, Lifecycle::Shutdown));
}

#[test]
fn its_state_is_its_own_business() {
    let mut bench = enrolled();
    let look = |bench: &mut Bench<Player>, auth_token| {
        let match_id = None;
        bench.tool(
            Tool::GetPlayerState,
            ToolParams { auth_token, match_id, ..ToolParams::default() },
        )
    };
    assert_eq!(*refusal(&look(&mut bench, None)), Refusal::TokenMissing);
    for wrong in [stolen(), AuthToken::from("please")] {
        let effects = look(&mut bench, Some(wrong.clone()));
        assert_eq!(*refusal(&effects), Refusal::TokenInvalid(wrong));
    }
    let effects = look(&mut bench, Some(token()));
    let Answer::Tool(ToolAnswer::Player(state)) = crate::testing::answer(&effects) else {
        panic!("its state");
    };
    assert_eq!(**state, bench.role.state());
    // Before it is in, nobody has the token.
    let effects = look(&mut newcomer(), Some(token()));
    assert_eq!(*refusal(&effects), Refusal::TokenInvalid(token()));
}

#[test]
fn tools_of_others_are_not_offered() {
    let mut bench = enrolled();
    check(&bench.tool(Tool::Ping, ToolParams::default()), &["reply 1: a tool's answer"]);
    for tool in [Tool::GetStandings, Tool::GetMatchState, Tool::Command(Command::PauseLeague)] {
        let effects = bench.tool(tool, ToolParams::default());
        assert_eq!(*refusal(&effects), Refusal::Unsupported("ask the league manager"));
    }
}

#[test]
fn it_remembers_the_newest_table() {
    let mut bench = enrolled();
    let row = StandingsRow {
        rank: 1,
        player_id: player(1),
        display_name: DisplayName::new("p1"),
        played: 1,
        wins: 1,
        draws: 0,
        losses: 0,
        points: 3,
        clock_ms: None,
        unverified: None,
        unproved: false,
    };
    let update = LeagueStandingsUpdate {
        league_id: league(),
        round_id: 1,
        standings: vec![row.clone()].into(),
    };
    check(&from_manager(&mut bench, update), &["reply 1: Acknowledged"]);
    assert_eq!(bench.role.table().entries(), [row]);
}

/// The table says what is left on our clock: whoever runs us hears it when it changes.
#[test]
fn what_was_charged_to_its_clock_is_told_once() {
    let mut bench = enrolled();
    let row = |number, clock_ms| StandingsRow {
        rank: 1,
        player_id: player(number),
        display_name: DisplayName::new("p1"),
        played: 1,
        wins: 0,
        draws: 0,
        losses: 1,
        points: 0,
        clock_ms,
        unverified: None,
        unproved: false,
    };
    let mut told = |own, other| {
        let standings = vec![row(2, other), row(1, own)].into();
        let update = LeagueStandingsUpdate { league_id: league(), round_id: 1, standings };
        let effects = from_manager(&mut bench, update);
        let left = effects.iter().find_map(|effect| {
            if let Effect::Alert(Alert::ClockCharged { left_ms }) = effect {
                Some(*left_ms)
            } else {
                None
            }
        });
        assert_eq!(bench.role.state().clock_ms, own);
        left
    };
    assert_eq!(told(None, None), None);
    assert_eq!(told(None, Some(7)), None);
    assert_eq!(told(Some(45_000), None), Some(45_000));
    assert_eq!(told(Some(45_000), Some(0)), None);
    assert_eq!(told(Some(0), None), Some(0));
}

#[test]
fn a_warning_is_acknowledged_and_changes_nothing() {
    let mut bench = enrolled();
    let warning = GameError {
        match_id: in_match(1, 1),
        error_code: ErrorCode::Timeout,
        error_name: "".into(),
        error_description: "".into(),
        affected_player: player(1),
        action_required: "".into(),
        retry_count: 1,
        max_retries: 3,
        retry_info: Some(RetryInfo { retry_count: 1, max_retries: 3, next_retry_at: None }),
        retryable: true,
        game_state: Some(MatchPhase::CollectingChoices),
        consequence: "".into(),
        problem: Some(ShortText::new("HTTP 500")),
        received: None,
    };
    let effects = from_referee(&mut bench, 1, warning.clone());
    let [Effect::Alert(Alert::Complained(said)), acknowledged] = &effects[..] else {
        panic!("whoever runs the player is told: {effects:?}");
    };
    assert_eq!(**said, warning);
    check(std::slice::from_ref(acknowledged), &["reply 1: Acknowledged"]);
    assert_eq!(bench.role.state().state, PlayerPhase::Registered);
}

#[test]
fn what_is_not_for_a_player_is_refused() {
    let mut bench = enrolled();
    let ack = GameJoinAck {
        match_id: in_match(1, 1),
        player_id: Some(player(1)),
        arrival_timestamp: at(0),
        accept: true,
    };
    let effects = from_manager(&mut bench, ack);
    assert_eq!(*refusal(&effects), Refusal::Unsupported("GAME_JOIN_ACK"));
}

#[test]
fn the_end_of_the_league_is_the_end_of_its_work() {
    let mut bench = enrolled();
    let effects = from_manager(&mut bench, completed());
    check(&effects, &["reply 1: Acknowledged", "finish: LeagueCompleted"]);
}

#[test]
fn it_waits_a_little_for_the_end_of_its_last_match() {
    let mut bench = enrolled();
    invite(&mut bench, 1);
    check(&from_manager(&mut bench, completed()), &["reply 2: Acknowledged"]);
    let effects = from_referee(&mut bench, 1, won());
    check(&effects, &["reply 3: Acknowledged", "finish: LeagueCompleted"]);
    assert_eq!(bench.role.history().matches().len(), 1);

    let mut bench = enrolled();
    invite(&mut bench, 1);
    from_manager(&mut bench, completed());
    assert_eq!(bench.role.deadline(), Some(at(10)));
    check(&bench.at(10).tick(), &["finish: LeagueCompleted"]);
    assert_eq!(bench.role.deadline(), Some(at(240)));
}

/// Until the league has answered, nobody can prove anything; so nobody is believed, and nobody is
/// sent away either.
#[test]
fn who_calls_before_the_admission_is_heard_after_it() {
    let mut bench = newcomer();
    bench.resume();
    check(&invite(&mut bench, 1), &[]);
    let forged = bench.call(letter(
        Sender::LeagueManager,
        Some(AuthToken::derived([7; 32])),
        ConversationId::LeagueComplete,
        completed(),
    ));
    check(&forged, &[]);
    let effects = admit(&mut bench, None);
    check(&effects, &["reply 1: GAME_JOIN_ACK", "refuse 2: AUTH_TOKEN_INVALID"]);
}

#[test]
fn who_waited_for_an_admission_that_does_not_come_is_refused() {
    let mut bench = newcomer();
    bench.resume();
    check(&invite(&mut bench, 1), &[]);
    let effects = admit(&mut bench, Some(Denial::Full));
    let expected = ["refuse 1: PLAYER_NOT_REGISTERED", "finish: NotAdmitted(\"E020: full\")"];
    check(&effects, &expected);
}

#[test]
fn it_shows_the_token_that_the_operator_gave_until_it_is_let_in() {
    let facts = enrolled().facts;
    let mut bench = restarted(facts);
    bench.role.show(stolen());
    let effects = bench.resume();
    let shown = |effects: &[Effect]| sent(effects).next().unwrap().1.auth_token.clone();
    assert_eq!(shown(&effects), Some(stolen()));
    admit(&mut bench, None);
    assert_eq!(shown(&bench.resume()), Some(token()));
}

/// The manager's answer to what the player asks about itself.
fn denied() -> Event {
    let league_code = Some(ErrorCode::AuthTokenInvalid);
    let fault = Fault { code: -32_000, message: "no".into(), league_code };
    Event::Answered { tag: Tag::Reach, answer: Answer::Fault(fault) }
}

#[test]
fn whoever_signs_as_nobody_we_know_makes_it_ask_whether_it_is_still_in() {
    let mut bench = enrolled();
    let stranger = |bench: &mut Bench<Player>| {
        let said = letter(
            Sender::LeagueManager,
            Some(stolen()),
            ConversationId::new("conv-any"),
            RoundAnnouncement {
                league_id: league(),
                round_id: 1,
                matches: Vec::new().into(),
                repeated: false,
            },
        );
        bench.call(said)
    };
    let asked = |effects: &[Effect]| {
        let (_, letter) = sent(effects).next()?;
        matches!(letter.act, Act::LeagueQuery(_)).then_some(())
    };
    // It does not register again because of that: anybody can call so, and what left before it was
    // let in may still come. Later it asks, and ever more seldom.
    let mut times = Vec::new();
    for second in 0..100 {
        bench.at(second);
        refusal(&stranger(&mut bench));
        times.extend(asked(&bench.tick()).map(|()| second));
    }
    assert_eq!(times, [10, 12, 16, 24, 40, 72]);
    // Only the manager's own word counts.
    check(&bench.tell(denied()), &["alert: Displaced"]);
    let (_, request) = (bench.role.deadline(), bench.at(105).tick());
    let (_, request) = sent(&request).next().expect("it registers");
    assert!(matches!(request.act, Act::Apply(_)), "{request:?}");
    assert_eq!(request.auth_token, Some(token()));
}

#[test]
fn whoever_is_driven_out_again_and_again_leaves() {
    let mut bench = enrolled();
    for second in [100, 200, 300] {
        check(&bench.at(second).tell(denied()), &["alert: Displaced"]);
        bench.at(second + 20).tick();
        admit(&mut bench, None);
    }
    let ended = bench.at(400).tell(denied());
    assert!(matches!(ended[..], [Effect::Finish(Ending::NotAdmitted(_))]), "{ended:?}");
}
