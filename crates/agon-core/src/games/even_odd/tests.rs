//! Who wins with which number, what an answer means, and what a failure costs.

use agon_proto::message::{ChooseParityResponse, GameJoinAck, Parity};
use agon_proto::{ConversationId, Fault, Receipt, ReceiptStatus, Sender};

use super::*;
use crate::testing::{LIMITS, at, in_match, letter, player};

const CHOICES: [Parity; 2] = [Parity::Even, Parity::Odd];

#[test]
fn whoever_named_the_parity_alone_wins() {
    for number in 1..=10 {
        for a in CHOICES {
            for b in CHOICES {
                let even = number % 2 == 0;
                let right = |choice| (choice == Parity::Even) == even;
                let expected = match (right(a), right(b)) {
                    (true, false) => Outcome::Won(Seat::A),
                    (false, true) => Outcome::Won(Seat::B),
                    (true, true) | (false, false) => Outcome::Drawn,
                };
                let halves = [Ok(Move::Parity(a)), Ok(Move::Parity(b))];
                let verdict = EvenOdd::new(LIMITS).judge(halves, number);
                let context = format!("{a} against {b}, drawn {number}");
                assert_eq!(verdict.outcome, expected, "{context}");
                assert_eq!(verdict.cause, Cause::Played, "{context}");
                assert_eq!(verdict.blame, None, "{context}");
                assert_eq!(verdict.drawn, Some(number), "{context}");
                assert_eq!(verdict.choices, [Some(a), Some(b)], "{context}");
            }
        }
    }
}

/// One row: the step, A's failure, and what it is called when B did its part.
#[track_caller]
fn check_cause(step: u8, failure: Failure, cause: Cause) {
    let fine = if step == JOIN { Move::Join } else { Move::Parity(Parity::Odd) };
    let choice = (step == CHOICE).then_some(Parity::Odd);
    let game = EvenOdd::new(LIMITS);
    let one = |seat: Seat, choices| {
        let outcome = Outcome::Forfeited(seat);
        let verdict = Verdict::unplayed(outcome, cause, seat.blame());
        Next::Over(Verdict { choices, ..verdict })
    };
    let a_failed = game.after(step, [Err(failure), Ok(fine)]);
    assert_eq!(a_failed, one(Seat::A, [None, choice]));
    let b_failed = game.after(step, [Ok(fine), Err(failure)]);
    assert_eq!(b_failed, one(Seat::B, [choice, None]));
}

#[test]
fn every_failure_has_its_name() {
    check_cause(JOIN, Failure::Silent, Cause::NoShow);
    check_cause(JOIN, Failure::Unreachable, Cause::NoShow);
    check_cause(JOIN, Failure::Declined, Cause::Refused);
    check_cause(JOIN, Failure::Malformed, Cause::MalformedAnswer);
    check_cause(JOIN, Failure::Oversized, Cause::OversizedAnswer);
    check_cause(CHOICE, Failure::Silent, Cause::TimedOut);
    check_cause(CHOICE, Failure::Unreachable, Cause::Crashed);
    check_cause(CHOICE, Failure::Invalid, Cause::InvalidMove);
    check_cause(CHOICE, Failure::Malformed, Cause::MalformedAnswer);
    check_cause(CHOICE, Failure::Oversized, Cause::OversizedAnswer);
}

#[test]
fn the_steps_follow_each_other() {
    let game = EvenOdd::new(LIMITS);
    assert_eq!(game.first().number, JOIN);
    assert!(!game.first().warns && !game.first().prints_deadline);
    let Next::Ask(choice) = game.after(JOIN, [Ok(Move::Join); 2]) else {
        panic!("a choice follows");
    };
    assert_eq!(choice.number, CHOICE);
    assert!(choice.warns && choice.prints_deadline);
    assert_eq!(choice.asks_max(), 4);
    let both = [Ok(Move::Parity(Parity::Odd)); 2];
    assert_eq!(game.after(CHOICE, both), Next::Roll(1, 10));
}

#[track_caller]
fn check_reading(step: u8, message: impl Into<Message>, expected: Result<Move, Failure>) {
    let conversation = ConversationId::new("conv-r1m1-001");
    let said = letter(Sender::Player(player(1)), None, conversation, message);
    let answer = Answer::Letter(Box::new(said));
    let read = read(step, in_match(1, 1), &answer).map_err(|objected| objected.failure);
    assert_eq!(read, expected);
}

fn ack(number: u32, accept: bool) -> GameJoinAck {
    GameJoinAck {
        match_id: in_match(1, number),
        player_id: player(1),
        arrival_timestamp: at(0),
        accept,
    }
}

fn stated(number: u32, text: &str) -> ChooseParityResponse {
    ChooseParityResponse {
        match_id: in_match(1, number),
        player_id: player(1),
        parity_choice: text.into(),
    }
}

#[test]
fn an_answer_is_read_only_for_its_own_question() {
    check_reading(JOIN, ack(1, true), Ok(Move::Join));
    check_reading(JOIN, ack(1, false), Ok(Move::Decline));
    check_reading(CHOICE, stated(1, " EVEN "), Ok(Move::Parity(Parity::Even)));
    check_reading(CHOICE, stated(1, "seven"), Err(Failure::Invalid));
    check_reading(CHOICE, ack(1, true), Err(Failure::Malformed));
    check_reading(JOIN, stated(1, "even"), Err(Failure::Malformed));
    check_reading(JOIN, ack(2, true), Err(Failure::Malformed));
    check_reading(CHOICE, stated(2, "even"), Err(Failure::Malformed));
}

/// What the author of such an answer is told: the problem, and what was received.
#[track_caller]
fn check_objection(step: u8, message: impl Into<Message>, problem: &str, received: Option<&str>) {
    let conversation = ConversationId::new("conv-r1m1-001");
    let said = letter(Sender::Player(player(1)), None, conversation, message);
    let answer = Answer::Letter(Box::new(said));
    let objection = read(step, in_match(1, 1), &answer).unwrap_err().objection;
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
fn what_is_no_letter_is_no_answer() {
    let receipt = Answer::Receipt(Receipt { status: ReceiptStatus::Acknowledged, match_id: None });
    let fault =
        Answer::Fault(Fault { code: -32_601, message: "no such method".into(), league_code: None });
    for answer in [receipt, fault] {
        let read = read(JOIN, in_match(1, 1), &answer);
        assert_eq!(read.map_err(|objected| objected.failure), Err(Failure::Malformed));
    }
}
