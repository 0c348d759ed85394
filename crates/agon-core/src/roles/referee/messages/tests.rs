//! Which answers belong to which question, and what is said about the others.

use agon_proto::message::{ChooseParityResponse, GameJoinAck, Parity};
use agon_proto::{AsPayload, ConversationId, Fault, Receipt, ReceiptStatus, Sender};

use super::*;
use crate::testing::{at, in_match, letter, player};

/// The first step after the invitation.
const CHOICE: u16 = 1;

#[track_caller]
fn check_reading(step: u16, message: impl Into<Act>, expected: Result<Move, Failure>) {
    let conversation = ConversationId::new("conv-r1m1-001");
    let said = letter(Sender::Player(player(1)), None, conversation, message);
    let answer = Answer::Message(Box::new(said));
    let read = read(step, (in_match(1, 1), &GameType::new("even_odd")), &answer)
        .map_err(|objected| objected.failure);
    assert_eq!(read, expected);
}

fn ack(number: u32, accept: bool) -> GameJoinAck {
    GameJoinAck {
        match_id: in_match(1, number),
        player_id: Some(player(1)),
        arrival_timestamp: at(0),
        accept,
    }
}

fn stated(number: u32, text: &str) -> ChooseParityResponse {
    ChooseParityResponse {
        match_id: in_match(1, number),
        player_id: Some(player(1)),
        parity_choice: text.into(),
    }
}

#[test]
fn an_answer_is_read_only_for_its_own_question() {
    check_reading(JOIN, ack(1, true), Ok(Move::Join));
    check_reading(JOIN, ack(1, false), Ok(Move::Decline));
    check_reading(CHOICE, stated(1, " EVEN "), Ok(Move::Chosen(Parity::Even.payload())));
    check_reading(CHOICE, stated(1, "seven"), Err(Failure::Invalid));
    check_reading(CHOICE, ack(1, true), Err(Failure::Malformed));
    check_reading(JOIN, stated(1, "even"), Err(Failure::Malformed));
    check_reading(JOIN, ack(2, true), Err(Failure::Malformed));
    check_reading(CHOICE, stated(2, "even"), Err(Failure::Malformed));
}

/// What the author of such an answer is told: the problem, and what was received.
#[track_caller]
fn check_objection(step: u16, message: impl Into<Act>, problem: &str, received: Option<&str>) {
    let conversation = ConversationId::new("conv-r1m1-001");
    let said = letter(Sender::Player(player(1)), None, conversation, message);
    let answer = Answer::Message(Box::new(said));
    let objection =
        read(step, (in_match(1, 1), &GameType::new("even_odd")), &answer).unwrap_err().objection;
    let objection = objection.expect("something is told");
    let told = objection.received.as_ref().map(|received| received.as_str());
    assert_eq!((objection.problem.as_str(), told), (problem, received));
}

#[test]
fn an_objection_names_what_is_wrong_and_leaves_the_word_to_its_author() {
    let problem = "CHOOSE_PARITY_RESPONSE: field parity_choice must be even or odd";
    check_objection(CHOICE, stated(1, "seven"), problem, Some("seven"));
    let problem = "GAME_JOIN_ACK: field match_id must be R1M1, as in the question";
    check_objection(JOIN, ack(2, true), problem, Some("match_id R1M2"));
    let problem = "the answer is a GAME_JOIN_ACK; a CHOOSE_PARITY_RESPONSE is expected";
    check_objection(CHOICE, ack(1, true), problem, None);
}

#[test]
fn who_says_that_it_is_too_late_is_late() {
    let (message, league_code) = ("too long".into(), Some(ErrorCode::Timeout));
    let fault = Answer::Fault(Fault { code: -32_000, message, league_code });
    let place = (in_match(1, 1), &GameType::new("even_odd"));
    let Err(Unfit { failure, objection: Some(objection) }) = read(CHOICE, place, &fault) else {
        panic!("that is no answer");
    };
    assert_eq!((failure, objection.code), (Failure::Silent, ErrorCode::Timeout));
}

#[test]
fn what_is_no_letter_is_no_answer() {
    let receipt = Answer::Receipt(Receipt {
        status: ReceiptStatus::Acknowledged,
        match_id: None,
        played: None,
    });
    let fault =
        Answer::Fault(Fault { code: -32_601, message: "no such method".into(), league_code: None });
    for answer in [receipt, fault] {
        let read = read(JOIN, (in_match(1, 1), &GameType::new("even_odd")), &answer);
        assert_eq!(read.map_err(|objected| objected.failure), Err(Failure::Malformed));
    }
}
