//! Taking matches and playing them.

use agon_proto::message::{
    Blame, Cause, GameError, MatchPhase, RoleInMatch, RoundCompleted, RoundSummary,
};

use agon_proto::message::{MoveCall, ResultStatus};
use agon_proto::{Fault, Objection, ShortText};

use super::*;
use crate::effect::{Lane, Topic};
use crate::testing::lines;

/// Where that match stands, as anybody may ask.
fn state(bench: &mut Bench<Referee>, given: &MatchAssignment) -> MatchState {
    let params = ToolParams { match_id: Some(given.match_id), ..ToolParams::default() };
    let effects = bench.tool(Tool::GetMatchState, params);
    let Answer::Tool(ToolAnswer::Match(state)) = crate::testing::answer(&effects) else {
        panic!("a match");
    };
    MatchState::clone(state)
}

#[test]
fn a_match_is_taken_and_both_players_are_invited_at_once() {
    let mut bench = enrolled(1);
    let given = assignment(1, 1, 1);
    let effects = assign(&mut bench, given.clone());
    check(&effects, &["reply 1: Accepted", "GAME_INVITATION to p1", "GAME_INVITATION to p2"]);
    assert_eq!(bench.facts.last(), Some(&RefereeFact::Assigned(Arc::new(given.clone()))));
    assert_eq!((bench.role.live(), bench.role.deadline()), (1, Some(at(5))));
    let Some(Effect::Send(to_b)) = effects.last() else {
        panic!("a letter");
    };
    let lane = Lane::Ask { until: at(5), last: false };
    assert_eq!((to_b.lane, to_b.tag), (lane, ask(&given, Seat::B, JOIN, 1)));
    assert_eq!(to_b.letter.head.sender, Sender::Referee(referee(1)));
    assert_eq!(to_b.letter.auth_token, Some(given.player_b_token));
    assert_eq!(to_b.letter.head.conversation_id.to_string(), "conv-r1m1-001");
    let Act::GameInvitation(said) = &to_b.letter.act else {
        panic!("an invitation");
    };
    assert_eq!((said.role_in_match, said.opponent_id), (RoleInMatch::PlayerB, given.player_a_id));
}

#[test]
fn a_repeated_assignment_is_accepted_again_and_played_once() {
    let mut bench = enrolled(1);
    let given = assignment(1, 1, 1);
    assign(&mut bench, given.clone());
    check(&assign(&mut bench, given.clone()), &["reply 2: Accepted"]);
    assert_eq!(bench.role.live(), 1);
    // When it is long over, whoever asks for it has forgotten its result: another attempt helps.
    let mut bench = enrolled(1);
    play(&mut bench, &given);
    recorded(&mut bench, &given);
    let effects = assign(&mut bench, given.clone());
    assert_eq!(*refusal(&effects), Refusal::StaleAttempt { current: 1 });
    assert_eq!(bench.role.live(), 0);
    assign(&mut bench, assignment(1, 1, 2));
    assert_eq!(bench.role.live(), 1);
}

#[test]
fn an_older_attempt_is_refused() {
    let mut bench = enrolled(2);
    assign(&mut bench, assignment(1, 1, 2));
    let effects = assign(&mut bench, assignment(1, 1, 1));
    assert_eq!(*refusal(&effects), Refusal::StaleAttempt { current: 2 });
}

#[test]
fn a_newer_attempt_replaces_the_one_under_way() {
    let mut bench = enrolled(2);
    let (old, new) = (assignment(1, 1, 1), assignment(1, 1, 2));
    assign(&mut bench, old.clone());
    join(&mut bench, &old, Seat::A);
    assign(&mut bench, new.clone());
    assert_eq!(bench.role.live(), 1);
    // Answers to the old one go nowhere.
    check(&join(&mut bench, &old, Seat::A), &[]);
    check(&join(&mut bench, &old, Seat::B), &[]);
    join(&mut bench, &new, Seat::A);
    let asked = join(&mut bench, &new, Seat::B);
    check(&asked, &["CHOOSE_PARITY_CALL to p1", "CHOOSE_PARITY_CALL to p2"]);
}

#[test]
fn there_is_no_room_beyond_its_capacity() {
    let mut bench = enrolled(2);
    let first = assignment(1, 1, 1);
    assign(&mut bench, first.clone());
    assign(&mut bench, assignment(1, 2, 1));
    let third = assignment(1, 3, 1);
    check(&assign(&mut bench, third.clone()), &["reply 3: Refused"]);
    let facts = bench.facts.len();
    assert_eq!(bench.role.live(), 2);
    // A match that is judged makes room, even before its report is answered.
    let joined = Seat::BOTH.map(|seat| join(&mut bench, &first, seat).len());
    let chosen = Seat::BOTH.map(|seat| choose(&mut bench, &first, seat, "odd").len());
    assert_eq!((joined, chosen), ([0, 2], [0, 1]));
    draw(&mut bench, &first, 3);
    assert_eq!(bench.facts.len(), facts + 1);
    assert_eq!(lines(&assign(&mut bench, third))[0], "reply 4: Accepted");
}

#[test]
fn the_question_prints_the_deadline_that_is_kept() {
    let mut bench = enrolled(1);
    let given = assignment(1, 1, 1);
    assign(&mut bench, given.clone());
    bench.now = crate::testing::at_ms(1_250);
    join(&mut bench, &given, Seat::A);
    let effects = join(&mut bench, &given, Seat::B);
    check(&effects, &["CHOOSE_PARITY_CALL to p1", "CHOOSE_PARITY_CALL to p2"]);
    let (_, letter) = sent(&effects).nth(1).unwrap();
    let Act::MoveCall(MoveCall::ChooseParityCall(said)) = &letter.act else {
        panic!("a question");
    };
    assert_eq!(said.deadline, at(32));
    assert_eq!(said.player_id, given.player_b_id);
    assert_eq!(said.context.your_standings, given.player_b_standings);
    // The join's deadline is still in the index. When it comes nothing is due.
    assert_eq!(bench.role.deadline(), Some(at(5)));
    check(&bench.at(5).tick(), &[]);
    assert_eq!(bench.role.deadline(), Some(at(32)));
    check(&bench.at(32).tick(), &["GAME_ERROR to p1", "GAME_ERROR to p2"]);
}

/// Both have joined, and A has chosen.
fn half_chosen() -> (Bench<Referee>, MatchAssignment) {
    let mut bench = enrolled(1);
    let given = assignment(1, 1, 1);
    assign(&mut bench, given.clone());
    for seat in Seat::BOTH {
        join(&mut bench, &given, seat);
    }
    choose(&mut bench, &given, Seat::A, "odd");
    (bench, given)
}

#[test]
fn a_silent_player_is_warned_with_the_numbers_of_its_asks() {
    let (mut bench, given) = half_chosen();
    for (count, due, again) in [(1, 30, 32), (2, 62, 66), (3, 96, 104)] {
        let warned = bench.at(due).tick();
        check(&warned, &["GAME_ERROR to p2"]);
        let Some(Effect::Send(warning)) = warned.first() else {
            panic!("a warning");
        };
        assert!(matches!(warning.lane, Lane::Notice(Topic::Warning(_))));
        let Act::GameError(said) = &warning.letter.act else {
            panic!("a warning");
        };
        let GameError { error_code, affected_player, retry_info, game_state, .. } = &**said;
        assert_eq!((*error_code, *affected_player), (ErrorCode::Timeout, given.player_b_id));
        assert_eq!((said.retry_count, said.max_retries), (count, 3));
        assert_eq!(retry_info.and_then(|info| info.next_retry_at), Some(at(again)));
        assert_eq!(*game_state, Some(MatchPhase::CollectingChoices));
        check(&bench.at(again).tick(), &["CHOOSE_PARITY_CALL to p2"]);
    }
    check(&bench.at(134).tick(), &["MATCH_RESULT_REPORT to manager"]);
}

#[test]
fn a_broken_line_ends_the_ask_and_the_postmans_clock_does_not() {
    let mut bench = enrolled(1);
    let given = assignment(1, 1, 1);
    assign(&mut bench, given.clone());
    let tag = ask(&given, Seat::A, JOIN, 1);
    let lost = |why| Event::Undelivered { tag, why, objection: None };
    check(&bench.at(1).tell(lost(Setback::TimedOut)), &[]);
    assert_eq!(bench.role.deadline(), Some(at(5)));
    check(&bench.tell(lost(Setback::Unreachable)), &[]);
    assert_eq!(bench.role.deadline(), Some(at(3)));
    check(&bench.at(3).tick(), &["GAME_INVITATION to p1"]);
}

#[test]
fn an_answer_that_is_none_ends_the_ask() {
    let mut bench = enrolled(1);
    let given = assignment(1, 1, 1);
    assign(&mut bench, given.clone());
    let nonsense = said(Sender::Player(given.player_a_id), choice_of_nobody());
    let warned = answered(&mut bench, ask(&given, Seat::A, JOIN, 1), nonsense);
    check(&warned, &["GAME_ERROR to p1"]);
    assert_eq!(bench.role.deadline(), Some(at(2)));
}

fn objection() -> Option<Box<Objection>> {
    Some(Objection::new(ErrorCode::MissingField, "field x is missing").to(b"{\"y\":1}").into())
}

#[test]
fn a_wrong_answer_is_followed_by_what_was_wrong_with_it() {
    let mut bench = enrolled(1);
    let given = assignment(1, 1, 1);
    assign(&mut bench, given.clone());
    let (tag, why) = (ask(&given, Seat::A, JOIN, 1), Setback::Malformed);
    let warned = bench.at(1).tell(Event::Undelivered { tag, why, objection: objection() });
    check(&warned, &["GAME_ERROR to p1"]);
    let (_, letter) = sent(&warned).next().unwrap();
    let Act::GameError(said) = &letter.act else {
        panic!("a warning");
    };
    assert_eq!(
        (said.error_code, &*said.action_required),
        (ErrorCode::MissingField, "GAME_JOIN_ACK")
    );
    assert_eq!(said.problem, Some(ShortText::new("field x is missing")));
    assert_eq!(said.received, Some(ShortText::new(r#"{"y":1}"#)));
    let [failed] = &bench.failed[..] else {
        panic!("the operator is told once: {:?}", bench.failed);
    };
    let player = given.player_a_id.to_string();
    assert_eq!((failed.match_id, &*failed.player), (given.match_id, &*player));
    assert_eq!((failed.ask, &failed.problem), (1, said.problem.as_ref().unwrap()));
    assert_eq!(failed.received, said.received);
}

#[test]
fn nobody_can_see_a_sealed_choice() {
    let mut bench = enrolled(1);
    let given = assignment(1, 1, 1);
    assign(&mut bench, given.clone());
    assert_eq!(state(&mut bench, &given).state, MatchPhase::WaitingForPlayers);
    for seat in Seat::BOTH {
        join(&mut bench, &given, seat);
    }
    let before = state(&mut bench, &given);
    choose(&mut bench, &given, Seat::A, "odd");
    let after = state(&mut bench, &given);
    assert_eq!(after, before);
    assert_eq!((after.state, after.result), (MatchPhase::CollectingChoices, None));
    assert!(after.transcript.is_empty());
    choose(&mut bench, &given, Seat::B, "odd");
    assert_eq!(state(&mut bench, &given).state, MatchPhase::DrawingNumber);
    draw(&mut bench, &given, 1);
    assert_eq!(state(&mut bench, &given).state, MatchPhase::Finished);
    let nothing = bench.tool(Tool::GetMatchState, ToolParams::default());
    assert_eq!(*refusal(&nothing), Refusal::NoSuchMatch);
}

#[test]
fn dice_for_another_attempt_decide_nothing() {
    let mut bench = enrolled(1);
    let given = assignment(1, 1, 2);
    assign(&mut bench, given.clone());
    for seat in Seat::BOTH {
        join(&mut bench, &given, seat);
    }
    check(&choose(&mut bench, &given, Seat::A, "odd"), &[]);
    check(&choose(&mut bench, &given, Seat::B, "even"), &["draw R1M1 0-9"]);
    check(&draw(&mut bench, &assignment(1, 1, 1), 4), &[]);
    check(&draw(&mut bench, &given, 4), &["MATCH_RESULT_REPORT to manager"]);
}

#[test]
fn old_rounds_are_forgotten() {
    let mut bench = enrolled(1);
    let given = assignment(1, 1, 2);
    play(&mut bench, &given);
    recorded(&mut bench, &given);
    let completed = RoundCompleted {
        league_id: league(),
        round_id: 1,
        matches_played: 1,
        matches_completed: 1,
        next_round_id: Some(2),
        summary: RoundSummary::default(),
        repeated: false,
    };
    check(&call(&mut bench, Some(manager_token()), completed), &["reply 2: Acknowledged"]);
    // A late letter of the round that just ended is still known.
    let effects = assign(&mut bench, assignment(1, 1, 1));
    assert_eq!(*refusal(&effects), Refusal::StaleAttempt { current: 2 });
}

#[test]
fn tools_of_others_are_not_offered() {
    let mut bench = enrolled(1);
    check(&bench.tool(Tool::Ping, ToolParams::default()), &["reply 1: a tool's answer"]);
    for tool in [Tool::GetStandings, Tool::GetPlayerState, Tool::Command(Command::StartLeague)] {
        let effects = bench.tool(tool, ToolParams::default());
        assert_eq!(*refusal(&effects), Refusal::Unsupported("ask the league manager"));
    }
}

#[test]
fn a_referee_that_was_frozen_charges_nobody() {
    let (mut bench, _) = half_chosen();
    // The choice was due in the 30th second. A little late is as good as on time.
    let effects = bench.at(33).tick();
    check_nobody_is_charged(&effects);
}

#[test]
fn a_referee_that_could_not_ask_charges_nobody() {
    let (mut bench, given) = half_chosen();
    let tag = ask(&given, Seat::B, CHOICE, 1);
    let why = Setback::NotSent;
    let not_sent = || Event::Undelivered { tag, why, objection: None };
    check_nobody_is_charged(&bench.at(30).tell(not_sent()));
    // It is over, and hears no more of it.
    check(&bench.tell(not_sent()), &[]);
    // What an older attempt could not send is no trouble of this one.
    assign(&mut bench, MatchAssignment { attempt: 2, ..given });
    check(&bench.tell(not_sent()), &[]);
    assert_eq!(bench.role.live(), 1);
}

#[test]
fn an_attempt_that_is_over_for_a_player_is_void_before_it_begins() {
    let mut bench = enrolled(1);
    let given = assignment(1, 1, 1);
    assign(&mut bench, given.clone());
    join(&mut bench, &given, Seat::A);
    let stale = || {
        let league_code = Some(ErrorCode::StaleAttempt);
        Answer::Fault(Fault { code: -32_600, message: "over".into(), league_code })
    };
    let effects = answered(&mut bench, ask(&given, Seat::B, JOIN, 1), stale());
    check_void(&effects, Cause::Refused, Blame::PlayerB);
    // Who has joined plays: to a question that is no answer.
    let (mut bench, given) = half_chosen();
    let effects = answered(&mut bench, ask(&given, Seat::B, CHOICE, 1), stale());
    check(&effects, &["GAME_ERROR to p2"]);
}

#[track_caller]
fn check_nobody_is_charged(effects: &[Effect]) {
    check_void(effects, Cause::HostOverloaded, Blame::Host);
}

#[track_caller]
fn check_void(effects: &[Effect], cause: Cause, blame: Blame) {
    check(effects, &["MATCH_RESULT_REPORT to manager"]);
    let (_, letter) = sent(effects).next().unwrap();
    let Act::MatchResultReport(report) = &letter.act else {
        panic!("a report");
    };
    let result = &report.result;
    assert_eq!(result.status, Some(ResultStatus::Aborted));
    assert_eq!((result.reason, result.blame), (Some(cause), Some(blame)));
}
