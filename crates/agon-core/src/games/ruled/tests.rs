//! Which step follows which, and what a failure is called in each.

use agon_proto::message::Cause;

use super::*;
use crate::testing::LIMITS;
use crate::verdict::{Outcome, blamed};

/// A game of one move each, and the number of the step that asks for it.
fn game() -> (Ruled, u16) {
    let rules = Rules::new("even_odd", "{}").unwrap();
    (Ruled::new(Arc::new(rules), LIMITS), JOIN + 1)
}

fn choose(game: &mut Ruled, seat: Seat) -> Half {
    game.take(seat, &Payload::new("\"odd\"").unwrap()).map_err(|unfit| unfit.failure)
}

/// One row: the step, one player's failure, and what it is called when the other did its part.
#[track_caller]
fn check_cause(at_join: bool, failure: Failure, cause: Cause) {
    for seat in Seat::BOTH {
        let (mut game, choice) = game();
        let step = if at_join { JOIN } else { choice };
        if !at_join {
            game.after(JOIN, [Ok(()); 2]);
            assert_eq!(choose(&mut game, seat.other()), Ok(()));
        }
        let mut halves = [Ok(()); 2];
        halves[seat.index()] = Err(failure);
        let Next::Over(verdict) = game.after(step, halves) else {
            panic!("{cause:?} of {seat:?} ends the match");
        };
        assert_eq!(verdict.outcome, Outcome::Forfeited(seat));
        assert_eq!((verdict.cause, verdict.blame), (cause, Some(blamed(seat))));
        let mut choices = ["null"; 2];
        if !at_join {
            choices[seat.other().index()] = "\"odd\"";
        }
        let shown = format!("{{\"drawn_number\":null,\"choices\":[{}]}}", choices.join(","));
        assert_eq!(game.shown().as_str(), shown);
    }
}

#[test]
fn every_failure_has_its_name() {
    check_cause(true, Failure::Silent, Cause::NoShow);
    check_cause(true, Failure::Unreachable, Cause::NoShow);
    check_cause(true, Failure::Declined, Cause::Refused);
    check_cause(true, Failure::Malformed, Cause::MalformedAnswer);
    check_cause(true, Failure::Oversized, Cause::OversizedAnswer);
    check_cause(false, Failure::Silent, Cause::TimedOut);
    check_cause(false, Failure::Unreachable, Cause::Crashed);
    check_cause(false, Failure::Invalid, Cause::InvalidMove);
    check_cause(false, Failure::Malformed, Cause::MalformedAnswer);
    check_cause(false, Failure::Oversized, Cause::OversizedAnswer);
}

#[test]
fn the_steps_follow_each_other() {
    let (mut game, number) = game();
    let first = game.step(JOIN);
    assert!(!first.warns && !first.prints_deadline);
    let Next::Ask(choice, seats) = game.after(JOIN, [Ok(()); 2]) else {
        panic!("a choice follows");
    };
    assert_eq!((choice.number, seats), (number, Seats::BOTH));
    assert!(choice.warns && choice.prints_deadline);
    assert_eq!(choice.asks_max(), 4);
    for seat in Seat::BOTH {
        assert_eq!(choose(&mut game, seat), Ok(()));
    }
    assert_eq!(game.after(number, [Ok(()); 2]), Next::Roll(10));
    assert!(matches!(game.drawn(number, 0), Next::Over(_)));
}
