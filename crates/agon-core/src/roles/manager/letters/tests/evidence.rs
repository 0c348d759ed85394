//! What players say: kept, and shown where it contradicts the result.

use agon_proto::act::{LastActor, Progress, Reporter, StatusReport, StopReason};
use agon_proto::message::{Blame, Cause};

use super::*;

const GAME: MatchId = MatchId::new(1, 1);

fn said(phase: Progress, points: Option<(u32, u32)>) -> StatusReport {
    StatusReport {
        game: GameId::of(1, GAME),
        round: 1,
        season: None,
        phase,
        last_actor: LastActor::None,
        last_sent: None,
        last_received: None,
        at: None,
        reason: StopReason::GameCompleted,
        reporter: Reporter { address: None, role: "PLAYER".into() },
        points: points.map(|(points, score)| (points, Score::from_hundredths(score * 100))),
        view: None,
    }
}

/// What the match's state shows after those reports, whichever came first.
#[track_caller]
fn shown(said: &StatusReport, scores: [u32; 2]) -> usize {
    let mut first = League::started(terms(3));
    first.report(GAME, scores);
    let from = first.party(GAME, Part::Player1);
    first.mail(&from, Act::StatusReport(said.clone().into()));
    let mut then = League::started(terms(3));
    then.mail(&from, Act::StatusReport(said.clone().into()));
    then.report(GAME, scores);
    let evidence = |league: &League| league.role().match_state(GAME).unwrap().evidence;
    assert_eq!(evidence(&first), evidence(&then));
    evidence(&first).len()
}

#[test]
fn a_player_that_agrees_is_not_shown() {
    assert_eq!(shown(&said(Progress::Completed, Some((3, 90))), [90, 20]), 0);
    assert_eq!(shown(&said(Progress::Completed, None), [90, 20]), 0);
}

#[test]
fn a_player_that_was_told_other_points_is_shown() {
    assert_eq!(shown(&said(Progress::Completed, Some((2, 90))), [90, 20]), 1);
    assert_eq!(shown(&said(Progress::Completed, Some((3, 89))), [90, 20]), 1);
}

#[test]
fn a_player_whose_game_was_broken_off_contradicts_one_that_was_played() {
    assert_eq!(shown(&said(Progress::Terminated, None), [90, 20]), 1);
    assert_eq!(shown(&said(Progress::Answered(2), None), [90, 20]), 1);
    let mut league = League::started(terms(3));
    let from = league.party(GAME, Part::Player1);
    league.mail(&from, Act::StatusReport(said(Progress::Answered(2), None).into()));
    let report = ResultReport {
        cause: Some(Cause::RefereeLost),
        blame: Some(Blame::Referee),
        scores: Vec::new(),
        ..league.result(GAME, [0, 0])
    };
    let referee = league.party(GAME, Part::Referee);
    league.mail(&referee, Act::ResultReport(report.into()));
    assert!(league.role().match_state(GAME).unwrap().evidence.is_empty());
}

#[test]
fn evidence_says_what_the_player_said_and_changes_no_points() {
    let mut league = League::started(terms(3));
    league.report(GAME, [90, 20]);
    let before = league.points();
    let from = league.party(GAME, Part::Player2);
    league.mail(&from, Act::StatusReport(said(Progress::Completed, Some((3, 99))).into()));
    league.mail(&from, Act::StatusReport(said(Progress::Completed, Some((3, 98))).into()));
    let state = league.role().match_state(GAME).unwrap();
    let [evidence] = &state.evidence[..] else { panic!("one report counts") };
    assert_eq!(evidence.player_id, state.player_b_id);
    assert_eq!((evidence.league_points, evidence.private_score), (Some(3), Some(99.0)));
    assert_eq!(&*evidence.phase, "COMPLETED");
    assert_eq!(league.points(), before);
    let noted = league
        .bench
        .facts
        .iter()
        .filter(|fact| matches!(fact, LeagueFact::Season(SeasonFact::Contradicted { .. })));
    assert_eq!(noted.count(), 1);
}

#[test]
fn who_was_not_in_a_game_has_nothing_to_say_of_it() {
    let mut league = League::started(terms(3));
    let report = || Act::StatusReport(said(Progress::Completed, Some((3, 99))).into());
    let players = [Part::Player1, Part::Player2].map(|part| league.party(GAME, part));
    let other = (1..=3).map(player).find(|one| !players.contains(one)).unwrap();
    assert!(matches!(refused(&league.mail(&other, report())), Refusal::NotPermitted(_)));
    let referee = league.party(GAME, Part::Referee);
    assert!(matches!(refused(&league.mail(&referee, report())), Refusal::NotPermitted(_)));
}
