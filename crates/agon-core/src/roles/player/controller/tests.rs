//! One game: its phases, and what it remembers of its letters.

use agon_proto::dialect::q21::{AsPayload, Body, Said};
use agon_proto::{MatchId, Part};

use super::super::parameters::Assignment;
use super::super::spelling::Callback;
use super::super::tests::by_letter::{
    ME, ONE, OPPONENT, REFEREE, a_guess, address, answers, game, questions, round_start, score,
    warmup,
};
use super::*;
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

fn hear(controller: &mut Controller, body: &Body) {
    controller.receive(&MessageId::new("m"), &Heard::of(body).expect("a referee's letter"), None);
}

fn said(number: u32) -> (Payload, Kind) {
    let (said, kind) = match Callback::of(number) {
        Some(Callback::Warmup) => (Said::Warmup("4".into()), Kind::WarmupResponse),
        Some(Callback::Questions) => (Said::Questions(questions()), Kind::QuestionsBatch),
        Some(Callback::Guess) => (Said::Guess(a_guess()), Kind::GuessSubmission),
        Some(Callback::Score) | None => panic!("nothing is said about a score"),
    };
    (said.payload(), kind)
}

/// The referee says it, the program answers, the letter goes.
fn answer(controller: &mut Controller, body: &Body) {
    hear(controller, body);
    let wanted: Vec<_> = controller.wanted().collect();
    for number in wanted {
        let (said, kind) = said(number);
        controller.say(number, at(1), &said);
        assert_eq!(controller.owed().collect::<Vec<_>>(), [number]);
        controller.sent(kind);
    }
}

fn all() -> [Body; 4] {
    [warmup(ONE), round_start(ONE), answers(ONE), score(ONE)]
}

#[test]
fn phase_transitions() {
    let mut controller = fresh();
    let mut phases = vec![controller.phase()];
    for body in all() {
        answer(&mut controller, &body);
        phases.push(controller.phase());
    }
    assert_eq!(
        phases,
        [
            PlayerPhase::Initialized,
            PlayerPhase::WarmupComplete,
            PlayerPhase::QuestionsSent,
            PlayerPhase::GuessSubmitted,
            PlayerPhase::Completed,
        ]
    );
    assert!(controller.is_over());
}

#[test]
fn last_sent_last_received_tracking() {
    let mut controller = fresh();
    assert_eq!((controller.last_sent(), controller.last_received()), (None, None));
    let expected = [
        (Kind::WarmupCall, Some(Kind::WarmupResponse)),
        (Kind::RoundStart, Some(Kind::QuestionsBatch)),
        (Kind::AnswersBatch, Some(Kind::GuessSubmission)),
        (Kind::ScoreFeedback, Some(Kind::GuessSubmission)),
    ];
    for (body, (received, sent)) in all().iter().zip(expected) {
        answer(&mut controller, body);
        assert_eq!((controller.last_received(), controller.last_sent()), (Some(received), sent));
    }
}

#[test]
fn get_termination_report() {
    let mut controller = fresh();
    answer(&mut controller, &warmup(ONE));
    answer(&mut controller, &round_start(ONE));
    let report =
        controller.termination_report(StopReason::NewRoundStarted, at(9)).expect("a report");
    assert_eq!(report.phase_at_termination, PlayerPhase::QuestionsSent);
    assert_eq!(report.last_actor, LastActor::Player);
    assert_eq!(report.last_message_sent, Some(Kind::QuestionsBatch));
    assert_eq!(report.last_message_received, Some(Kind::RoundStart));
    assert_eq!((report.terminated_at, report.reason), (at(9), StopReason::NewRoundStarted));
    // While the program thinks, the referee was the last to act.
    hear(&mut controller, &answers(ONE));
    let report =
        controller.termination_report(StopReason::LeagueCompleted, at(9)).expect("a report");
    assert_eq!(report.phase_at_termination, PlayerPhase::QuestionsSent);
    assert_eq!(report.last_actor, LastActor::Referee);
    assert_eq!(report.last_message_received, Some(Kind::AnswersBatch));
}

#[test]
fn terminate_sets_phase() {
    let mut controller = fresh();
    hear(&mut controller, &warmup(ONE));
    controller.terminate();
    assert_eq!(controller.phase(), PlayerPhase::Terminated);
    assert!(controller.is_over());
    assert_eq!(controller.last_actor(), LastActor::None);
    // Nothing is wanted, owed or heard any more.
    hear(&mut controller, &round_start(ONE));
    assert_eq!(controller.wanted().count() + controller.owed().count(), 0);
    assert_eq!(controller.last_received(), Some(Kind::WarmupCall));
}

#[test]
fn the_first_letter_of_each_kind_counts() {
    let mut controller = fresh();
    answer(&mut controller, &round_start(ONE));
    let mut other = round_start(ONE);
    if let Body::RoundStart(said) = &mut other {
        said.book_hint = "about something else".into();
    }
    hear(&mut controller, &other);
    let number = Callback::Questions.number();
    controller.say(number, at(9), &Said::Questions(Vec::new()).payload());
    let reply = controller.reply(number).expect("our questions");
    let body = agon_proto::dialect::q21::reply(game(ONE), None, reply.said).expect("a letter");
    let Body::QuestionsBatch(batch) = body else { panic!("questions") };
    assert_eq!((batch.questions, reply.said_at), (questions(), at(1)), "and the first word");
    let (_, views, _) = controller.seen(number).expect("the question");
    let book = agon_proto::dialect::q21::shown(&views).book.expect("a book");
    assert_eq!(&*book.hint, "about lighthouses");
    assert_eq!(controller.wanted().count(), 0);
}

#[test]
fn the_result_is_what_the_score_says() {
    let mut controller = fresh();
    assert_eq!(controller.result(), None);
    hear(&mut controller, &score(ONE));
    let result = controller.result().expect("a result");
    assert_eq!((result.league_points, result.private_score.points()), (2, 72.5));
    assert_eq!(result.status, super::super::parameters::GameStatus::Completed);
    let report = controller.termination_report(StopReason::GameCompleted, at(1)).expect("a report");
    assert_eq!(report.status_report(&address(ME)).points.map(|(points, _)| points), Some(2));
}
