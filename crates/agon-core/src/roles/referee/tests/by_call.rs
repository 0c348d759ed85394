//! A referee by call: the manager gives it matches, players answer it, the manager answers.

mod clocks;
mod displaced;
mod heartbeats;
mod moves;
mod playing;
mod reporting;
mod telling;

use std::sync::Arc;

use agon_proto::act::{Act, Decided};
use agon_proto::message::{
    Champion, ChooseParityResponse, ErrorContext, GameJoinAck, LeagueCompleted, LeagueError,
    Record, RoundAnnouncement,
};
use agon_proto::tool::{Command, MatchState, Tool, ToolAnswer, ToolParams};
use agon_proto::{
    AgentId, Answer, AuthToken, ConversationId, DisplayName, Endpoint, Envelope, ErrorCode,
    GameType, PlayerId, Receipt, ReceiptStatus, Role, Sender,
};

use agon_proto::message::MatchAssignment;

use super::super::records::player;
use super::super::*;
use crate::Refusal;
use crate::effect::{Setback, Tag};
use crate::matches::JOIN;
use crate::secret::SigningKey;
use crate::testing::{
    Bench, LIMITS, at, check, in_match, league, letter, profile, referee, refusal, sent, stolen,
};
use crate::verdict::Seat;

/// The first step after the invitation.
const CHOICE: u16 = 1;

fn token() -> AuthToken {
    AuthToken::derived([1; 32])
}

fn manager_token() -> AuthToken {
    SigningKey::of(&token()).unwrap().manager_token(&league())
}

/// Registered as REF01, with room for so many matches.
fn enrolled(capacity: u32) -> Bench<Referee> {
    let mut bench = Bench::new(Referee::new(profile("ref1", Some(capacity))), Vec::new());
    bench.resume();
    admit(&mut bench);
    bench
}

/// The process died and came back with its journal.
fn restarted(facts: Vec<RefereeFact>) -> Bench<Referee> {
    Bench::new(Referee::new(profile("ref1", Some(2))), facts)
}

/// The manager lets it in.
fn admit(bench: &mut Bench<Referee>) -> Vec<Effect> {
    admit_with(bench, None)
}

/// The same, by a manager that wants to hear from it so often.
fn admit_with(bench: &mut Bench<Referee>, heartbeat_ms: Option<u32>) -> Vec<Effect> {
    let response = Act::Decide(Box::new(Decided {
        role: Some(Role::Referee),
        agent: Some(AgentId::Referee(referee(1))),
        token: Some(token()),
        league: Some(league()),
        signed_calls: true,
        heartbeat_ms,
        ..Decided::default()
    }));
    answered(bench, Tag::Register, said(Sender::LeagueManager, response))
}

fn said(sender: Sender, message: impl Into<Act>) -> Answer {
    let conversation = ConversationId::new("conv-any");
    Answer::Message(Box::new(letter(sender, None, conversation, message)))
}

fn answered(bench: &mut Bench<Referee>, tag: Tag, answer: Answer) -> Vec<Effect> {
    bench.tell(Event::Answered { tag, answer })
}

/// The manager calls, with this token.
fn call(
    bench: &mut Bench<Referee>,
    token: Option<AuthToken>,
    message: impl Into<Act>,
) -> Vec<Effect> {
    let conversation = ConversationId::new("conv-any");
    bench.call(letter(Sender::LeagueManager, token, conversation, message))
}

fn assign(bench: &mut Bench<Referee>, assignment: MatchAssignment) -> Vec<Effect> {
    call(bench, Some(manager_token()), assignment)
}

/// The season is over.
fn completed() -> LeagueCompleted {
    LeagueCompleted {
        league_id: league(),
        total_rounds: 1,
        total_matches: 1,
        champion: Champion {
            player_id: PlayerId::new(1),
            display_name: DisplayName::new("one"),
            points: 3,
        },
        final_standings: [].into(),
    }
}

/// P01 against P02.
fn assignment(round: u32, number: u32, attempt: u32) -> MatchAssignment {
    MatchAssignment {
        league_id: league(),
        round_id: round,
        match_id: in_match(round, number),
        attempt,
        game_type: GameType::new("even_odd"),
        referee_id: referee(1),
        player_a_id: PlayerId::new(1),
        player_a_endpoint: Endpoint::new("p1"),
        player_a_display_name: DisplayName::new("one"),
        player_a_token: AuthToken::derived([11; 32]),
        player_a_standings: Record::default(),
        player_b_id: PlayerId::new(2),
        player_b_endpoint: Endpoint::new("p2"),
        player_b_display_name: DisplayName::new("two"),
        player_b_token: AuthToken::derived([12; 32]),
        player_b_standings: Record { wins: 1, ..Record::default() },
        limits: LIMITS,
        game_settings: None,
        hints: false,
        asked_once: Vec::new(),
    }
}

fn ask(given: &MatchAssignment, seat: Seat, step: u16, ask: u8) -> Tag {
    Tag::Ask { match_id: given.match_id, attempt: given.attempt, seat, step, ask }
}

fn report(given: &MatchAssignment) -> Tag {
    Tag::Report { match_id: given.match_id, attempt: given.attempt }
}

fn join(bench: &mut Bench<Referee>, given: &MatchAssignment, seat: Seat) -> Vec<Effect> {
    let player_id = player(given, seat);
    let message = GameJoinAck {
        match_id: given.match_id,
        player_id: Some(player_id),
        arrival_timestamp: at(0),
        accept: true,
    };
    let answer = said(Sender::Player(player_id), message);
    answered(bench, ask(given, seat, JOIN, 1), answer)
}

fn choose(
    bench: &mut Bench<Referee>,
    given: &MatchAssignment,
    seat: Seat,
    choice: &str,
) -> Vec<Effect> {
    let player_id = player(given, seat);
    let message = ChooseParityResponse {
        match_id: given.match_id,
        player_id: Some(player_id),
        parity_choice: choice.into(),
    };
    let answer = said(Sender::Player(player_id), message);
    answered(bench, ask(given, seat, CHOICE, 1), answer)
}

/// That number is drawn from 1 to 10. Dice count from 0.
fn draw(bench: &mut Bench<Referee>, given: &MatchAssignment, number: u32) -> Vec<Effect> {
    let (match_id, attempt, number) = (given.match_id, given.attempt, number - 1);
    bench.tell(Event::Drawn { match_id, attempt, number })
}

/// Takes the match and plays it; P01 wins with an even number. Returns the report.
fn play(bench: &mut Bench<Referee>, given: &MatchAssignment) -> Vec<Effect> {
    assign(bench, given.clone());
    for seat in Seat::BOTH {
        join(bench, given, seat);
    }
    choose(bench, given, Seat::A, "even");
    choose(bench, given, Seat::B, "odd");
    draw(bench, given, 8)
}

/// The manager has written the result down.
fn recorded(bench: &mut Bench<Referee>, given: &MatchAssignment) -> Vec<Effect> {
    let receipt =
        Receipt { status: ReceiptStatus::Recorded, match_id: Some(given.match_id), played: None };
    answered(bench, report(given), Answer::Receipt(receipt))
}

fn league_error(code: ErrorCode) -> Answer {
    let error = LeagueError {
        error_code: code,
        error_name: code.name().into(),
        error_description: "".into(),
        problem: None,
        original_message_type: None,
        retryable: code.is_retryable(),
        context: ErrorContext::default(),
    };
    said(Sender::LeagueManager, error)
}

#[test]
fn it_registers_with_its_room_and_then_has_an_id() {
    let mut bench = Bench::new(Referee::new(profile("ref1", Some(3))), Vec::new());
    let effects = bench.resume();
    check(&effects, &["REFEREE_REGISTER_REQUEST to manager"]);
    let (_, letter) = sent(&effects).next().unwrap();
    let Act::Apply(request) = &letter.act else {
        panic!("a request");
    };
    assert_eq!(request.capacity, Some(3));
    assert_eq!(letter.auth_token, None);
    assert_eq!(bench.role.id(), None);
    check(&admit(&mut bench), &[]);
    assert_eq!(bench.role.id(), Some(referee(1)));
    // A second answer to the same request is no news.
    check(&admit(&mut bench), &[]);
    assert_eq!(bench.facts.len(), 2);
}

#[test]
fn three_answers_that_are_none_are_enough() {
    let mut bench = Bench::new(Referee::new(profile("ref1", Some(1))), Vec::new());
    bench.resume();
    let why = Setback::Malformed;
    let lost = || Event::Undelivered { tag: Tag::Register, why, objection: None };
    check(&bench.tell(lost()), &[]);
    check(&bench.at(1).tick(), &[]);
    check(&bench.at(2).tick(), &["REFEREE_REGISTER_REQUEST to manager"]);
    check(&bench.tell(lost()), &[]);
    check(&bench.at(6).tick(), &["REFEREE_REGISTER_REQUEST to manager"]);
    let why = r#"finish: NotAdmitted("no good answer from manager in 3 tries")"#;
    check(&bench.tell(lost()), &[why]);
    assert_eq!(bench.role.deadline(), None);
}

#[test]
fn the_manager_must_show_its_token() {
    let mut bench = enrolled(1);
    let given = assignment(1, 1, 1);
    assert_eq!(*refusal(&call(&mut bench, None, given.clone())), Refusal::TokenMissing);
    for wrong in [stolen(), token()] {
        let effects = call(&mut bench, Some(wrong.clone()), given.clone());
        assert_eq!(*refusal(&effects), Refusal::TokenInvalid(wrong));
    }
    assert_eq!(bench.role.live(), 0);
}

#[test]
fn nobody_but_the_manager_calls_a_referee() {
    let mut bench = enrolled(1);
    let given = assignment(1, 1, 1);
    let conversation = || ConversationId::new("conv-r1m1-001");
    let shown = Some(manager_token());
    let from_player = letter(
        Sender::Player(player(&given, Seat::A)),
        shown.clone(),
        conversation(),
        given.clone(),
    );
    let no = Refusal::NotPermitted("players do not call each other");
    assert_eq!(*refusal(&bench.call(from_player)), no);
    let from_referee = letter(Sender::Referee(referee(2)), shown, conversation(), given);
    let no = Refusal::Unsupported("MATCH_ASSIGNMENT");
    assert_eq!(*refusal(&bench.call(from_referee)), no);
    let stranger = Sender::NewReferee(Box::new(DisplayName::new("new")));
    let said = letter(stranger, None, conversation(), assignment(1, 1, 1));
    assert_eq!(*refusal(&bench.call(said)), Refusal::NotRegistered);
}

#[test]
fn news_is_acknowledged_and_what_is_not_for_it_is_refused() {
    let mut bench = enrolled(1);
    let matches = Vec::new().into();
    let news = RoundAnnouncement { league_id: league(), round_id: 1, matches, repeated: false };
    check(&call(&mut bench, Some(manager_token()), news), &["reply 1: Acknowledged"]);
    let effects = call(&mut bench, Some(manager_token()), choice_of_nobody());
    assert_eq!(*refusal(&effects), Refusal::Unsupported("CHOOSE_PARITY_RESPONSE"));
}

fn choice_of_nobody() -> ChooseParityResponse {
    ChooseParityResponse {
        match_id: in_match(1, 1),
        player_id: Some(PlayerId::new(1)),
        parity_choice: "odd".into(),
    }
}
