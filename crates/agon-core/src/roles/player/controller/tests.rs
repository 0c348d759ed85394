//! One game: its phases, and what it remembers of its letters.

use agon_games::q21::{Q21Move as Said, Q21View as Seen};
use agon_proto::AsPayload;
use agon_proto::act::Act;
use agon_proto::{MatchId, Part};

use super::super::tests::by_letter::{
    ME, ONE, OPPONENT, REFEREE, a_guess, address, answers, game, profile, questions, round_start,
    rows, score, warmup,
};
use super::*;
use crate::agent::Agent;
use crate::testing::at;

fn fresh() -> Controller {
    let assignment = Assignment {
        game: game(ONE),
        match_id: MatchId::new(1, 1),
        my_role: Part::Player1,
        referee: Some(address(REFEREE)),
        opponent: Some(address(OPPONENT)),
    };
    Controller::by_letter(GameParameters::new(assignment, None))
}

fn hear(controller: &mut Controller, act: &Act) {
    controller.receive(&MessageId::new("m"), &Heard::of(act).expect("a referee's letter"), None);
}

fn said(number: u32) -> (Payload, ActKind) {
    let (said, kind) = match number {
        1 => (Said::Warmup("4".into()), ActKind::Move(0)),
        2 => (Said::Questions(questions()), ActKind::Move(1)),
        3 => (Said::Guess(Box::new(a_guess())), ActKind::Move(2)),
        _ => panic!("nothing is said about a score"),
    };
    (said.payload(), kind)
}

/// The referee says it, the program answers, the letter goes.
fn answer(controller: &mut Controller, act: &Act) {
    hear(controller, act);
    let wanted: Vec<_> = controller.wanted().collect();
    for number in wanted {
        let (said, kind) = said(number);
        controller.say(number, at(1), &said);
        assert_eq!(controller.owed().collect::<Vec<_>>(), [number]);
        controller.sent(kind);
    }
}

fn all() -> [Act; 4] {
    [warmup(ONE), round_start(ONE), answers(ONE), score(ONE)]
}

#[test]
fn phase_transitions() {
    let mut controller = fresh();
    let mut phases = vec![controller.phase()];
    for act in all() {
        answer(&mut controller, &act);
        phases.push(controller.phase());
    }
    assert_eq!(
        phases,
        [
            Progress::Answered(0),
            Progress::Answered(1),
            Progress::Answered(2),
            Progress::Answered(3),
            Progress::Completed,
        ]
    );
    assert!(controller.is_over());
}

#[test]
fn last_sent_last_received_tracking() {
    let mut controller = fresh();
    assert_eq!((controller.last_sent(), controller.last_received()), (None, None));
    let expected = [
        (ActKind::Ask(0), Some(ActKind::Move(0))),
        (ActKind::Ask(1), Some(ActKind::Move(1))),
        (ActKind::Ask(2), Some(ActKind::Move(2))),
        (ActKind::Worth, Some(ActKind::Move(2))),
    ];
    for (act, (received, sent)) in all().iter().zip(expected) {
        answer(&mut controller, act);
        assert_eq!((controller.last_received(), controller.last_sent()), (Some(received), sent));
    }
}

#[test]
fn get_termination_report() {
    let mut controller = fresh();
    answer(&mut controller, &warmup(ONE));
    answer(&mut controller, &round_start(ONE));
    let report = |controller: &Controller, reason| {
        controller.report(&address(ME), reason, at(9)).expect("a report")
    };
    let said = report(&controller, StopReason::NewRoundStarted);
    assert_eq!(said.phase, Progress::Answered(2));
    assert_eq!(said.last_actor, LastActor::Player);
    assert_eq!(said.last_sent.as_deref(), Some(ActKind::Move(1).name()));
    assert_eq!(said.last_received.as_deref(), Some(ActKind::Ask(1).name()));
    assert_eq!((said.at, said.reason), (Some(at(9)), StopReason::NewRoundStarted));
    // While the program thinks, the referee was the last to act.
    hear(&mut controller, &answers(ONE));
    let said = report(&controller, StopReason::LeagueCompleted);
    assert_eq!(said.phase, Progress::Answered(2));
    assert_eq!(said.last_actor, LastActor::Referee);
    assert_eq!(said.last_received.as_deref(), Some(ActKind::Ask(2).name()));
}

#[test]
fn terminate_sets_phase() {
    let mut controller = fresh();
    hear(&mut controller, &warmup(ONE));
    controller.terminate(StopReason::NewRoundStarted);
    assert_eq!(controller.phase(), Progress::Terminated);
    assert!(controller.is_over());
    assert_eq!(controller.last_actor(), LastActor::None);
    // Nothing is wanted, owed or heard any more.
    hear(&mut controller, &round_start(ONE));
    assert_eq!(controller.wanted().count() + controller.owed().count(), 0);
    assert_eq!(controller.last_received(), Some(ActKind::Ask(0)));
}

#[test]
fn the_first_letter_of_each_kind_counts() {
    let mut controller = fresh();
    answer(&mut controller, &round_start(ONE));
    let mut other = round_start(ONE);
    if let Act::Ask(said) = &mut other {
        let text = said.view.as_str().replace("about lighthouses", "about something else");
        assert_ne!(said.view.as_str(), text);
        said.view = Payload::trusted(&text);
    }
    hear(&mut controller, &other);
    let number = 2;
    controller.say(number, at(9), &Said::Questions(Vec::new()).payload());
    let turn = controller.turn(number).expect("our questions");
    let (said_at, said) = turn.said.as_ref().expect("our questions");
    assert_eq!(Said::of(said), Ok(Said::Questions(questions())));
    assert_eq!(*said_at, at(1), "and the first word");
    let (_, shown) = controller.seen(number).expect("the question");
    let book = Seen::of(&shown).unwrap().book.expect("a book");
    assert_eq!(&*book.hint, "about lighthouses");
    assert_eq!(controller.wanted().count(), 0);
}

#[test]
fn the_result_is_what_the_score_says() {
    let mut controller = fresh();
    assert_eq!(controller.score, None);
    hear(&mut controller, &score(ONE));
    let result = controller.score.clone().expect("a result");
    assert_eq!((result.league_points, result.private_score.points()), (2, 72.5));
    assert_eq!((controller.phase(), controller.terminated), (Progress::Completed, None));
    let report = controller.report(&address(ME), StopReason::GameCompleted, at(1));
    let points = report.expect("a report").points;
    assert_eq!(points.map(|(points, _)| points), Some(2));
}

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
