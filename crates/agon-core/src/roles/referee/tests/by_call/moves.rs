//! A game that asks several times: the same referee, with GAME_MOVE_CALL and the game's own words.

use agon_proto::Payload;
use agon_proto::message::{GameMoveResponse, MoveCall, MoveData, MoveRequest, PlayedDetails};

use super::*;

const SETTINGS: &str = r#"{"rounds":2,"payoffs":[[0,-1,1],[1,0,-1],[-1,1,0]]}"#;

fn payload(json: &str) -> Payload {
    Payload::new(json).unwrap()
}

fn hands() -> MatchAssignment {
    let (game_type, game_settings) =
        (GameType::new("rock_paper_scissors"), Some(payload(SETTINGS)));
    MatchAssignment { game_type, game_settings, hints: true, ..assignment(1, 1, 1) }
}

fn begun(given: &MatchAssignment) -> (Bench<Referee>, Vec<Effect>) {
    let mut bench = enrolled(1);
    assign(&mut bench, given.clone());
    join(&mut bench, given, Seat::A);
    let effects = join(&mut bench, given, Seat::B);
    (bench, effects)
}

fn show(
    bench: &mut Bench<Referee>,
    given: &MatchAssignment,
    at: (Seat, u16),
    hand: &str,
) -> Vec<Effect> {
    let (seat, step) = at;
    let player_id = player(given, seat);
    let message = GameMoveResponse {
        match_id: given.match_id,
        player_id: Some(player_id),
        game_type: given.game_type.clone(),
        move_data: MoveData { move_type: DisplayName::new("choose_hand"), choice: payload(hand) },
    };
    let answer = said(Sender::Player(player_id), message);
    answered(bench, ask(given, seat, step, 1), answer)
}

fn round(
    bench: &mut Bench<Referee>,
    given: &MatchAssignment,
    step: u16,
    hands: [&str; 2],
) -> Vec<Effect> {
    check(&show(bench, given, (Seat::A, step), hands[0]), &[]);
    show(bench, given, (Seat::B, step), hands[1])
}

/// What is asked in the last of these calls.
#[track_caller]
fn asked(effects: &[Effect]) -> MoveRequest {
    let (_, letter) = sent(effects).last().unwrap();
    let Act::MoveCall(MoveCall::GameMoveCall(call)) = &letter.act else {
        panic!("{:?}", letter.act);
    };
    call.move_request.clone()
}

#[test]
fn an_invitation_tells_the_settings_of_the_game() {
    let mut bench = enrolled(1);
    let effects = assign(&mut bench, hands());
    let (_, letter) = sent(&effects).next().unwrap();
    let Act::GameInvitation(invitation) = &letter.act else {
        panic!("{:?}", letter.act);
    };
    assert_eq!(invitation.game_type.as_str(), "rock_paper_scissors");
    assert_eq!(invitation.game_settings.as_deref().unwrap().as_str(), SETTINGS);
}

#[test]
fn it_is_asked_round_after_round_and_reported_with_what_everybody_may_see() {
    let given = hands();
    let (mut bench, effects) = begun(&given);
    check(&effects, &["GAME_MOVE_CALL to p1", "GAME_MOVE_CALL to p2"]);
    assert_eq!(asked(&effects).context.step, 1);
    let effects = round(&mut bench, &given, 1, ["\"rock\"", "\"paper\""]);
    check(&effects, &["GAME_MOVE_CALL to p1", "GAME_MOVE_CALL to p2"]);
    let MoveRequest { context, valid_options, .. } = asked(&effects);
    let view = r#"{"last":["rock","paper"],"round":2,"rounds":2,"totals":[-1,1]}"#;
    assert_eq!((context.step, context.view.as_str()), (2, view));
    assert_eq!(valid_options.map(|options| options.len()), Some(3));
    let effects = round(&mut bench, &given, 2, ["\"rock\"", "\"rock\""]);
    check(&effects, &["MATCH_RESULT_REPORT to manager"]);
    let (_, letter) = sent(&effects).next().unwrap();
    let Act::MatchResultReport(report) = &letter.act else {
        panic!("{:?}", letter.act);
    };
    let played = report.result.details.played.as_deref().unwrap();
    let view = r#"{"last":["rock","rock"],"round":3,"rounds":2,"totals":[-1,1]}"#;
    let (a, b) = (player(&given, Seat::A), player(&given, Seat::B));
    assert_eq!((report.result.winner, played.view.as_str()), (Some(b), view));
    assert_eq!((played.gains.get(a), played.gains.get(b)), (Some(-1), Some(1)));
    let acts = played.acts.as_ref().map(Payload::as_str);
    assert_eq!(acts, Some(r#"[["rock","paper"],["rock","rock"]]"#));
    let effects = recorded(&mut bench, &given);
    check(&effects, &["GAME_OVER to p1", "GAME_OVER to p2", "HEARTBEAT to manager"]);
    let (_, letter) = sent(&effects).next().unwrap();
    let Act::GameOver(over) = &letter.act else {
        panic!("{:?}", letter.act);
    };
    assert_eq!(&*over.game_result.reason, "P01 got -1 and P02 got 1 in 2 rounds");
    // The players know what they have done, and see the rest.
    let seen = PlayedDetails { acts: None, ..played.clone() };
    assert_eq!(over.game_result.details.as_deref(), Some(&seen));
}

#[test]
fn what_may_be_answered_is_only_told_where_the_league_says_so() {
    let (_, effects) = begun(&MatchAssignment { hints: false, ..hands() });
    assert_eq!(asked(&effects).valid_options, None);
}

#[test]
fn an_answer_of_another_game_is_no_answer() {
    let given = hands();
    let (mut bench, _) = begun(&given);
    let effects = choose(&mut bench, &given, Seat::A, "even");
    let (_, letter) = sent(&effects).next().unwrap();
    let Act::GameError(error) = &letter.act else {
        panic!("{:?}", letter.act);
    };
    assert_eq!(&*error.action_required, "GAME_MOVE_RESPONSE");
    let problem = "the answer is a CHOOSE_PARITY_RESPONSE; a GAME_MOVE_RESPONSE is expected";
    assert_eq!(error.problem.as_ref().unwrap().as_str(), problem);
}

fn reason(letter: &Envelope) -> Option<String> {
    let Act::GameOver(over) = &letter.act else {
        return None;
    };
    Some(over.game_result.reason.to_string())
}

#[test]
fn a_move_that_is_none_loses_and_its_author_hears_why() {
    let given = hands();
    let (mut bench, _) = begun(&given);
    show(&mut bench, &given, (Seat::A, 1), "\"well\"");
    show(&mut bench, &given, (Seat::B, 1), "\"rock\"");
    let effects = recorded(&mut bench, &given);
    let reasons: Vec<String> = sent(&effects).filter_map(|(_, letter)| reason(letter)).collect();
    let why =
        "technical loss of P01: INVALID_MOVE; P01: GAME_MOVE_RESPONSE: field move_data.choice: ";
    assert!(reasons.iter().all(|reason| reason.starts_with(why)), "{reasons:?}");
    let heard: Vec<bool> =
        reasons.iter().map(|reason| reason.ends_with("; received: \"well\"")).collect();
    assert_eq!(heard, [true, false], "{reasons:?}");
}

#[test]
fn settings_that_do_not_fit_and_games_that_are_not_played_by_calls_are_refused() {
    let strange = Some(payload(r#"{"rounds":0}"#));
    let unknown = GameType::new("chess");
    for given in [
        MatchAssignment { game_settings: strange, ..hands() },
        MatchAssignment { game_type: unknown, ..hands() },
        MatchAssignment { game_type: GameType::new("q21"), game_settings: None, ..hands() },
    ] {
        let mut bench = enrolled(1);
        let effects = assign(&mut bench, given);
        assert_eq!(*refusal(&effects), Refusal::Unsupported("game_type"));
        assert_eq!(bench.role.live(), 0);
    }
}
