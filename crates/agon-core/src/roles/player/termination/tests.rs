//! What the manager is told of a game.

use super::super::tests::by_letter::{ME, ONE, address, game};
use super::*;
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
    let report = TerminationReport {
        game: game(ONE),
        round_number: 1,
        season: Some(SeasonId::new("S01")),
        phase_at_termination: Progress::Answered(2),
        last_actor: LastActor::Player,
        last_message_sent: Some(ActKind::Move(1)),
        last_message_received: Some(ActKind::Ask(1)),
        terminated_at: at(7),
        reason: StopReason::NewRoundStarted,
        my_role: Part::Player1,
        score: None,
    };
    let said = report.status_report(&address(ME));
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
    let second = TerminationReport { my_role: Part::Player2, ..report };
    assert_eq!(&*second.status_report(&address(ME)).reporter.role, "PLAYER_B");
}
