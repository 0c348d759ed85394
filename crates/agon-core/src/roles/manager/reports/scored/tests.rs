//! Reports of every generation, and what they amount to.

mod bounds;

use agon_proto::GameId;
use agon_proto::act::{Aborted, PlayerReached, ReportStatus, ResultReport, ScoreRow};

use super::*;
use crate::testing::settings;
use crate::verdict::{Outcome, conclude};
use crate::{Rules, Settings};

fn member(name: &str) -> Candidate {
    Candidate { address: Address::new(&format!("{name}@league.test")), group: GroupId::new(name) }
}

fn row(name: &str, score: u32) -> ScoreRow {
    ScoreRow {
        participant: GroupId::new(name),
        address: None,
        league_points: Some(u32::from(score > 0)),
        private_score: Some(StatedScore::Within(Score::from_hundredths(score * 100))),
        view: None,
        reason: None,
    }
}

fn state(name: &str, scored: bool) -> PlayerReached {
    PlayerReached {
        address: Some(Address::new(&format!("{name}@league.test"))),
        participant: GroupId::new(name),
        phase_reached: "questions_submitted".into(),
        scored,
        last_actor: "referee".into(),
    }
}

fn report(status: ReportStatus, scores: Vec<ScoreRow>) -> ResultReport {
    ResultReport {
        game: GameId::new("0101001"),
        status,
        winner: None,
        is_draw: false,
        scores,
        abort_reason: None,
        player_states: Vec::new(),
        cause: None,
        blame: None,
    }
}

/// Outcome, cause and blame, and the points of Ada and Bob.
fn judged(report: &ResultReport) -> (Outcome, Cause, Option<Blame>, [u32; 2]) {
    let (ada, bob) = (member("ada"), member("bob"));
    let settings = Settings { game: Rules::new("q21", "{}").unwrap(), ..settings() };
    let verdict = conclude(&Scores::new(report, [ada, bob]).ended(), &settings.scoring());
    (verdict.outcome, verdict.cause, verdict.blame, verdict.points)
}

const COMPLETED: ReportStatus = ReportStatus::Completed;
const ABANDONED: ReportStatus = ReportStatus::Abandoned;

#[test]
fn rows_are_found_by_address_or_by_group_in_any_case_and_in_any_order() {
    let won = (Outcome::Won(Seat::B), Cause::Played, None, [1, 3]);
    assert_eq!(judged(&report(COMPLETED, vec![row("BOB", 90), row("Ada", 60)])), won);
    assert_eq!(judged(&report(COMPLETED, vec![row("bob@LEAGUE.test", 90), row("ada", 60)])), won);
    let mut named = vec![row("G002", 90), row("G001", 60), row("ref", 100)];
    named[0].address = Some(Address::new("Bob@league.test"));
    named[1].address = Some(Address::new("ada@league.test"));
    assert_eq!(judged(&report(COMPLETED, named)), won);
}

#[test]
fn a_player_that_is_blamed_gets_nothing_and_the_other_what_its_play_was_worth() {
    let timed_out = ResultReport {
        blame: Some(Blame::PlayerA),
        cause: Some(Cause::TimedOut),
        ..report(COMPLETED, vec![row("ada", 0), row("bob", 75)])
    };
    let expected = (Outcome::Forfeited(Seat::A), Cause::TimedOut, Some(Blame::PlayerA), [0, 2]);
    assert_eq!(judged(&timed_out), expected);
}

#[test]
fn a_single_player_game_gives_the_absent_one_a_technical_loss() {
    let mut absent = row("bob", 0);
    absent.league_points = Some(1);
    absent.reason = Some("TECHNICAL_LOSS_MALFUNCTION".into());
    let single = report(COMPLETED, vec![row("ada", 88), absent]);
    let expected = (Outcome::Forfeited(Seat::B), Cause::NoShow, Some(Blame::PlayerB), [3, 0]);
    assert_eq!(judged(&single), expected);
}

#[test]
fn an_aborted_game_names_whoever_failed() {
    for (reason, cause) in [
        ("player_timeout:BOB@league.test", Cause::TimedOut),
        ("format_violation:bob@league.test", Cause::MalformedAnswer),
    ] {
        let aborted = ResultReport {
            abort_reason: Some(Aborted(reason.into())),
            player_states: vec![state("ada", true), state("bob", false)],
            ..report(ABANDONED, vec![row("ada", 72), row("bob", 0)])
        };
        let expected = (Outcome::Forfeited(Seat::B), cause, Some(Blame::PlayerB), [2, 0]);
        assert_eq!(judged(&aborted), expected);
    }
}

#[test]
fn who_could_not_guess_because_the_other_failed_is_not_punished() {
    let aborted = ResultReport {
        abort_reason: Some(Aborted("player_timeout:ada@league.test".into())),
        player_states: vec![state("ada", false), state("bob", false)],
        ..report(ABANDONED, vec![row("ada", 0), row("bob", 0)])
    };
    let expected = (Outcome::Forfeited(Seat::A), Cause::TimedOut, Some(Blame::PlayerA), [0, 2]);
    assert_eq!(judged(&aborted), expected);
}

#[test]
fn a_game_that_neither_player_came_to_is_cancelled_whatever_they_said_instead() {
    for cause in [Cause::NoShow, Cause::MalformedAnswer, Cause::TimedOut] {
        let (cause, blame) = (Some(cause), Some(Blame::Both));
        let nobody = ResultReport { cause, blame, ..report(ABANDONED, Vec::new()) };
        let (outcome, told, blamed, points) = judged(&nobody);
        assert_eq!((outcome, Some(told), blamed), (Outcome::Cancelled, cause, blame));
        assert_eq!(points, [0, 0]);
        let begun = ResultReport { scores: vec![row("ada", 0), row("bob", 0)], ..nobody };
        let expected =
            if cause == Some(Cause::NoShow) { Outcome::Cancelled } else { Outcome::BothForfeited };
        assert_eq!(judged(&begun).0, expected, "{cause:?}");
    }
}

#[test]
fn a_game_that_its_referee_broke_off_costs_nobody() {
    for reason in ["new_round_started", "end_round_received", "league_completed"] {
        let scores = vec![row("ada", 0), row("bob", 0)];
        let aborted = ResultReport {
            abort_reason: Some(Aborted(reason.into())),
            ..report(ABANDONED, scores)
        };
        let expected = (Outcome::Cancelled, Cause::RefereeLost, Some(Blame::Referee), [2, 2]);
        assert_eq!(judged(&aborted), expected);
        let scored = vec![row("ada", 90), row("bob", 0)];
        let aborted = ResultReport { scores: scored, ..aborted };
        assert_eq!(judged(&aborted).3, [3, 2], "what was scored counts");
    }
    let given_up = ResultReport {
        cause: Some(Cause::RefereeLost),
        blame: Some(Blame::Referee),
        ..report(ABANDONED, Vec::new())
    };
    assert_eq!(judged(&given_up).3, [2, 2]);
}

#[test]
fn with_both_absent_there_was_no_game() {
    let nobody = ResultReport {
        cause: Some(Cause::NoShow),
        blame: Some(Blame::Both),
        ..report(ABANDONED, Vec::new())
    };
    let expected = (Outcome::Cancelled, Cause::NoShow, Some(Blame::Both), [0, 0]);
    assert_eq!(judged(&nobody), expected);
    let both_late = ResultReport {
        cause: Some(Cause::TimedOut),
        blame: Some(Blame::Both),
        ..report(ReportStatus::Timeout, vec![row("ada", 0), row("bob", 0)])
    };
    let expected = (Outcome::BothForfeited, Cause::TimedOut, Some(Blame::Both), [0, 0]);
    assert_eq!(judged(&both_late), expected);
}

#[test]
fn zero_is_a_score_in_a_game_that_came_to_its_end() {
    let poor = report(COMPLETED, vec![row("ada", 0), row("bob", 0)]);
    assert_eq!(judged(&poor), (Outcome::Drawn, Cause::Played, None, [0, 0]));
}

#[test]
fn a_referee_cannot_speak_for_the_operator() {
    for (cause, blame) in
        [(Cause::CancelledByOperator, Blame::Operator), (Cause::Withdrawn, Blame::Operator)]
    {
        let claimed = ResultReport {
            cause: Some(cause),
            blame: Some(blame),
            ..report(ABANDONED, Vec::new())
        };
        let expected = (Outcome::Cancelled, Cause::RefereeLost, Some(Blame::Referee), [2, 2]);
        assert_eq!(judged(&claimed), expected);
    }
}

#[test]
fn the_network_and_the_host_are_named_as_they_are() {
    let slept = ResultReport {
        cause: Some(Cause::HostOverloaded),
        blame: Some(Blame::Host),
        ..report(ABANDONED, Vec::new())
    };
    let expected = (Outcome::Cancelled, Cause::HostOverloaded, Some(Blame::Host), [2, 2]);
    assert_eq!(judged(&slept), expected);
}
