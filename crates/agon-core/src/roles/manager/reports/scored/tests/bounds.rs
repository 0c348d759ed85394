//! Reports of scores that agree with themselves, and all the ways not to.

use agon_proto::GameId;
use agon_proto::act::{Aborted, ReportStatus, ResultReport, ScoreRow};
use agon_proto::{Address, GroupId};

use super::super::*;
use super::member;
use crate::testing::settings;
use crate::{Rules, Settings};

fn row(name: &str, points: Option<u32>, score: Option<f64>) -> ScoreRow {
    ScoreRow {
        participant: GroupId::new(name),
        address: None,
        league_points: points,
        private_score: score.map(StatedScore::from_points),
        view: None,
        reason: None,
    }
}

/// A game that came to its end: the points and the scores of Ada and Bob, and who won.
fn report(rows: [(u32, f64); 2], winner: Option<&str>, is_draw: bool) -> ResultReport {
    let [ada, bob] = rows.map(|(points, score)| (Some(points), Some(score)));
    ResultReport {
        game: GameId::new("0101001"),
        status: ReportStatus::Completed,
        winner: winner.map(GroupId::new),
        is_draw,
        scores: vec![row("ada", ada.0, ada.1), row("bob", bob.0, bob.1)],
        abort_reason: None,
        player_states: Vec::new(),
        cause: None,
        blame: None,
    }
}

fn checked(report: &ResultReport) -> Result<Claim, String> {
    let settings = Settings { game: Rules::new("q21", "{}").unwrap(), ..settings() };
    let scores = Scores::new(report, ["ada", "bob"].map(member));
    scores.check(&settings.scoring()).map_err(|what| what.to_string())
}

#[track_caller]
fn believed(report: &ResultReport) {
    assert_eq!(checked(report), Ok(Claim::Verified), "{report:?}");
}

#[track_caller]
fn refused(report: &ResultReport, why: &str) {
    assert_eq!(checked(report), Err(why.to_owned()));
}

#[test]
fn what_follows_from_the_scores_is_verified() {
    believed(&report([(3, 90.0), (1, 54.25)], Some("ada"), false));
    believed(&report([(3, 85.0), (3, 100.0)], Some("BOB"), false));
    believed(&report([(0, 10.0), (0, 10.0)], None, true));
    // Whoever decides by league points alone calls this a draw.
    believed(&report([(2, 72.0), (2, 83.5)], None, true));
    believed(&report([(2, 72.0), (1, 60.0)], None, false));
}

#[test]
fn points_are_what_the_thresholds_make_of_a_score() {
    let generous = report([(3, 20.0), (0, 10.0)], Some("ada"), false);
    let why = "`league_points` 3 of ada contradicts `private_score` 20.00, which is worth 0";
    refused(&generous, why);
    let mut silent = generous;
    silent.scores[0].league_points = None;
    believed(&silent);
}

#[test]
fn a_score_is_within_its_bounds() {
    for (score, digits) in [(180.0, "180"), (-1.0, "-1"), (100.01, "100.01")] {
        let beyond = report([(3, score), (0, 10.0)], Some("ada"), false);
        let why = format!("`private_score` {digits} of ada contradicts the bounds 0 to 100");
        refused(&beyond, &why);
    }
    believed(&report([(3, 100.001), (0, 0.0)], Some("ada"), false));
}

#[test]
fn the_winner_is_who_the_scores_make_it() {
    let scores = "`private_score` 20.00 of ada and 90.00 of bob";
    let other = report([(0, 20.0), (3, 90.0)], Some("ada"), false);
    refused(&other, &format!("`winner_id` ada contradicts {scores}"));
    let drawn = report([(0, 20.0), (3, 90.0)], None, true);
    refused(&drawn, &format!("`is_draw` true contradicts {scores}"));
    let equal = report([(1, 60.0), (1, 60.0)], Some("ada"), false);
    let why = "`winner_id` ada contradicts `private_score` 60.00 of ada and 60.00 of bob";
    refused(&equal, why);
    let both = report([(3, 90.0), (0, 20.0)], Some("ada"), true);
    refused(&both, "`winner_id` ada contradicts `is_draw` true");
    let stranger = report([(3, 90.0), (0, 20.0)], Some("eve"), false);
    refused(&stranger, "`winner_id` eve contradicts the game of ada and bob");
}

#[test]
fn a_winner_by_a_name_of_its_own_is_found_by_its_row() {
    let mut named = report([(3, 90.0), (0, 20.0)], Some("G001"), false);
    for (row, (name, address)) in
        named.scores.iter_mut().zip([("G001", "ada@league.test"), ("G002", "bob@league.test")])
    {
        (row.participant, row.address) = (GroupId::new(name), Some(Address::new(address)));
    }
    believed(&named);
    named.winner = Some(GroupId::new("G002"));
    assert!(checked(&named).is_err());
}

#[test]
fn one_player_has_one_score() {
    let mut twice = report([(3, 90.0), (0, 20.0)], Some("ada"), false);
    twice.scores.push(row("bob", Some(0), Some(20.0)));
    believed(&twice);
    twice.scores.push(row("Bob", Some(3), Some(95.0)));
    refused(&twice, "one row of `scores` for bob contradicts another one");
}

#[test]
fn who_failed_has_not_won() {
    let mut absent = report([(3, 88.0), (1, 0.0)], Some("ada"), false);
    absent.scores[1].reason = Some("TECHNICAL_LOSS_MALFUNCTION".into());
    believed(&absent);
    absent.winner = Some(GroupId::new("bob"));
    refused(&absent, "`winner_id` bob contradicts its technical loss");
    let blamed = ResultReport {
        blame: Some(Blame::PlayerA),
        cause: Some(Cause::TimedOut),
        ..report([(0, 0.0), (2, 75.0)], Some("ada"), false)
    };
    refused(&blamed, "`winner_id` ada contradicts `blame` PLAYER_A");
    let played = ResultReport {
        blame: Some(Blame::PlayerA),
        cause: Some(Cause::Played),
        ..report([(0, 0.0), (2, 75.0)], None, false)
    };
    refused(&played, "`cause` PLAYED contradicts `blame` PLAYER_A");
}

#[test]
fn what_was_not_played_to_its_end_has_points_of_its_own() {
    let broken_off = ResultReport {
        status: ReportStatus::Abandoned,
        abort_reason: Some(Aborted("new_round_started".into())),
        ..report([(2, 30.0), (0, 0.0)], None, true)
    };
    believed(&broken_off);
}

#[test]
fn without_scores_nobody_can_check() {
    let mut bare = report([(0, 0.0), (0, 0.0)], Some("ada"), false);
    bare.scores[0] = row("ada", Some(3), None);
    assert_eq!(checked(&bare), Ok(Claim::Unverified));
    bare.scores.clear();
    assert_eq!(checked(&bare), Ok(Claim::Unverified));
    let nobody = ResultReport {
        status: ReportStatus::Abandoned,
        cause: Some(Cause::NoShow),
        blame: Some(Blame::Both),
        scores: Vec::new(),
        ..report([(0, 0.0), (0, 0.0)], None, true)
    };
    believed(&nobody);
}

#[test]
fn two_scores_count_also_if_the_game_is_called_abandoned() {
    let abandoned = |winner| ResultReport {
        status: ReportStatus::Abandoned,
        ..report([(3, 90.0), (1, 54.25)], Some(winner), false)
    };
    believed(&abandoned("ada"));
    let why = "`winner_id` bob contradicts `private_score` 90.00 of ada and 54.25 of bob";
    refused(&abandoned("bob"), why);
}
