//! A league of a game that is spoken with GAME_MOVE_CALL: the same manager, by that game's rules.

use agon_proto::Payload;
use agon_proto::message::{PlayedDetails, ResultStatus};

use super::*;
use crate::Rules;
use crate::testing::{check, in_match, refusal};
use crate::verdict::Outcome;

fn hands() -> Settings {
    let game = Rules::new("rock-paper-scissors", "{\"rounds\":2}").unwrap();
    Settings { game, hints: true, ..settings() }
}

fn hand(name: &str, capacity: Option<u32>) -> Entry {
    Entry { game: GameType::new("rock_paper_scissors"), ..entry(name, capacity) }
}

/// Two players, one referee, and the match that it is given.
pub(super) fn started() -> (League, Given) {
    let mut league = League::open_with(hands(), options(None));
    for who in [hand("p1", None), hand("p2", None), hand("ref1", Some(1))] {
        league.register(&who);
    }
    let effects = league.command(Command::StartLeague);
    let given = assignments(&effects).remove(0);
    (league, given)
}

/// A report with that view at the end, and what it was worth to both.
pub(super) fn shown(
    given: &MatchAssignment,
    winner: Option<PlayerId>,
    view: &str,
    gains: [i32; 2],
) -> MatchResultReport {
    let gains = PerPlayer::both((given.player_a_id, gains[0]), (given.player_b_id, gains[1]));
    let played = PlayedDetails { view: Payload::new(view).unwrap(), gains, acts: None };
    let mut report = result(given, winner);
    report.game_type = given.game_type.clone();
    report.result.details =
        ReportDetails { played: Some(played.into()), ..ReportDetails::default() };
    report
}

/// The same, with all that was played.
pub(super) fn told(
    given: &MatchAssignment,
    winner: Option<PlayerId>,
    view: &str,
    gains: [i32; 2],
    acts: &str,
) -> MatchResultReport {
    let mut report = shown(given, winner, view, gains);
    if let Some(played) = &mut report.result.details.played {
        played.acts = Payload::new(acts);
    }
    report
}

pub(super) const WON_BY_A: &str =
    r#"{"last":["rock","rock"],"round":3,"rounds":2,"totals":[1,-1]}"#;

#[test]
fn who_does_not_play_the_game_of_the_league_is_refused_with_the_reason() {
    let mut league = League::open_with(hands(), options(None));
    for wrong in [entry("p1", None), entry("ref1", Some(1))] {
        let reason = admission(&league.bench.call(wrong.request())).unwrap_err();
        assert!(reason.contains("game_types must contain rock_paper_scissors"), "{reason}");
    }
}

#[test]
fn an_assignment_tells_the_game_its_settings_and_whether_to_tell_what_may_be_answered() {
    let (_, given) = started();
    assert_eq!(given.game_type.as_str(), "rock_paper_scissors");
    let settings = given.game_settings.as_ref().unwrap().as_str();
    assert_eq!(settings, r#"{"rounds":2,"payoffs":[[0,-1,1],[1,0,-1],[-1,1,0]]}"#);
    assert!(given.hints);
}

#[test]
fn even_odd_has_its_settings_in_the_limits_and_nothing_else_is_said() {
    let mut league = League::with(Settings { hints: true, ..settings() }, 2, &[1]);
    let given = assignments(&league.command(Command::StartLeague)).remove(0);
    assert_eq!((given.game_settings.clone(), given.hints), (None, false));
}

#[test]
fn a_report_is_checked_by_the_rules_of_its_game() {
    let (mut league, given) = started();
    let acts = r#"[["paper","rock"],["rock","rock"]]"#;
    let report = told(&given, Some(given.player_a_id), WON_BY_A, [1, -1], acts);
    let effects = league.report(1, report.clone());
    assert_eq!(crate::testing::lines(&effects)[0], "reply 5: Recorded");
    let record = *league.bench.role.league().season().result(in_match(1, 1)).unwrap();
    assert!(matches!(record.verdict.outcome, Outcome::Won(_)) && !record.unverified);
    assert_eq!(record.verdict.gains, Some([1, -1]));
    // The same again is the same; another end is none.
    check(&league.report(1, report), &["reply 6: Recorded"]);
    let other = WON_BY_A.replace("[1,-1]", "[2,-2]");
    let other = shown(&given, Some(given.player_a_id), &other, [2, -2]);
    assert_eq!(*refusal(&league.report(1, other)), Refusal::Conflict(in_match(1, 1)));
}

/// The report is refused, and the match stays open.
#[track_caller]
fn check_contradicted(report: impl FnOnce(&MatchAssignment) -> MatchResultReport, why: &str) {
    let (mut league, given) = started();
    let effects = league.report(1, report(&given));
    let refused = refusal(&effects).to_string();
    assert!(refused.contains(why), "{refused}");
    assert!(league.bench.role.league().season().result(in_match(1, 1)).is_none());
}

#[test]
fn what_the_rules_do_not_lead_to_is_a_contradiction() {
    check_contradicted(|it| shown(it, Some(it.player_b_id), WON_BY_A, [1, -1]), "`status` WIN for");
    check_contradicted(|it| shown(it, Some(it.player_a_id), WON_BY_A, [2, -2]), "`gains` P01 2");
    let endless = WON_BY_A.replace("\"round\":3", "\"round\":9");
    check_contradicted(
        |it| shown(it, Some(it.player_a_id), &endless, [1, -1]),
        "a match of 2 rounds",
    );
    let rich = WON_BY_A.replace("[1,-1]", "[7,-7]");
    check_contradicted(|it| shown(it, Some(it.player_a_id), &rich, [7, -7]), "the payoffs");
    check_contradicted(|it| shown(it, Some(it.player_a_id), "\"nonsense\"", [1, -1]), "`details`");
    let lost = |it: &MatchAssignment| {
        let mut report = shown(it, Some(it.player_a_id), WON_BY_A, [1, -1]);
        report.result.status = Some(ResultStatus::TechnicalLoss);
        report
    };
    check_contradicted(lost, "`view`");
}

#[test]
fn what_was_not_played_so_is_a_contradiction() {
    let with = |acts: &'static str| {
        move |it: &MatchAssignment| told(it, Some(it.player_a_id), WON_BY_A, [1, -1], acts)
    };
    let other = r#"[["rock","rock"],["paper","rock"]]"#;
    check_contradicted(with(other), "contradicts `acts`");
    let more = r#"[["paper","rock"],["rock","rock"],["rock","rock"]]"#;
    check_contradicted(with(more), "`acts`, number 3, contradicts the rules: it is out of turn");
    let none = r#"[["well","rock"],["rock","rock"]]"#;
    check_contradicted(with(none), "it must be rock, paper or scissors");
    check_contradicted(with("{}"), "`details`");
}

#[test]
fn a_report_that_does_not_say_all_that_was_played_is_marked() {
    for view in [None, Some(WON_BY_A)] {
        let (mut league, given) = started();
        let winner = Some(given.player_a_id);
        let nothing = MatchResultReport {
            game_type: given.game_type.clone(),
            ..result(&given, Some(given.player_a_id))
        };
        league.report(1, view.map_or(nothing, |view| shown(&given, winner, view, [1, -1])));
        let record = *league.bench.role.league().season().result(in_match(1, 1)).unwrap();
        assert!(record.unverified, "{view:?}");
    }
}
