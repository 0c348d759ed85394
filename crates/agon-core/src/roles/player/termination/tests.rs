//! What the manager is told of a game.

use agon_proto::{MessageId, SeasonId};

use super::super::parameters::Assignment;
use super::super::spelling::Heard;
use super::super::tests::by_letter::{
    ME, ONE, OPPONENT, REFEREE, address, profile, round_start, rows, warmup,
};
use super::*;
use crate::agent::Agent;
use crate::testing::at;

#[test]
fn phase_to_last_actor_mapping() {
    let mapping = [
        (Progress::Answered(0), LastActor::None, LastActor::Referee),
        (Progress::Answered(1), LastActor::Player, LastActor::Referee),
        (Progress::Answered(2), LastActor::Player, LastActor::Referee),
        (Progress::Answered(3), LastActor::Player, LastActor::Referee),
        (Progress::Completed, LastActor::None, LastActor::None),
        (Progress::Terminated, LastActor::None, LastActor::None),
    ];
    for (phase, answered, thinking) in mapping {
        assert_eq!(last_actor(phase, false), answered, "{phase:?}");
        assert_eq!(last_actor(phase, true), thinking, "{phase:?}, still thinking");
    }
}

#[test]
fn to_match_result_report() {
    let report = |my_role| {
        let season = Some(SeasonId::new("S01"));
        let rows = rows(ONE, REFEREE, [ME, OPPONENT]);
        let assignment = Assignment::ours(&Agent::new(profile()), &rows).remove(0);
        let assignment = Assignment { my_role, ..assignment };
        let mut controller = Controller::by_letter(GameParameters::new(assignment, season));
        for (place, act) in (0..).zip([warmup(ONE), round_start(ONE)]) {
            let heard = Heard::of(&act).expect("a referee's letter");
            controller.receive(&MessageId::new("m"), &heard, None);
            controller.sent(ActKind::Move(place));
        }
        controller.report(&address(ME), StopReason::NewRoundStarted, at(7)).expect("a report")
    };
    let said = report(Part::Player1);
    assert_eq!((said.game.as_str(), said.round), (ONE, 1));
    assert_eq!(said.season, Some(SeasonId::new("S01")));
    assert_eq!(said.phase.name(), "QUESTIONS_SENT");
    assert_eq!(said.last_actor.as_str(), "PLAYER");
    assert_eq!(said.last_sent.as_deref(), Some("Q21QUESTIONSBATCH"));
    assert_eq!(said.last_received.as_deref(), Some("Q21ROUNDSTART"));
    assert_eq!(said.at, Some(at(7)));
    assert_eq!(said.reason.as_str(), "NEW_ROUND_STARTED");
    assert_eq!(said.reporter.address, Some(address(ME)));
    assert_eq!(&*said.reporter.role, "PLAYER_A");
    assert_eq!((said.points, said.view), (None, None));
    assert_eq!(&*report(Part::Player2).reporter.role, "PLAYER_B");
}
