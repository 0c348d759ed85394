//! Results: from whom they count, what they are worth, and what becomes of a second one.

use agon_proto::message::{Blame, Cause};

use agon_proto::Contact;

use super::*;
use crate::testing::check;
use crate::verdict::{Outcome, Seat, Verdict};

const FIRST: MatchId = MatchId::new(1, 1);

fn verdict(league: &League, id: MatchId) -> Verdict {
    league.season().result(id).expect("a result").verdict
}

fn disputes(league: &League) -> usize {
    let disputed = |fact: &&LeagueFact| matches!(fact, LeagueFact::ResultDisputed { .. });
    league.bench.facts.iter().filter(disputed).count()
}

#[test]
fn our_thresholds_give_the_points() {
    for (scores, points, outcome) in [
        ([85, 84], [3, 2], Outcome::Won(Seat::A)),
        ([70, 69], [2, 1], Outcome::Won(Seat::A)),
        ([49, 50], [0, 1], Outcome::Won(Seat::B)),
        ([90, 86], [3, 3], Outcome::Won(Seat::A)),
        ([10, 20], [0, 0], Outcome::Won(Seat::B)),
        ([60, 60], [1, 1], Outcome::Drawn),
    ] {
        let mut league = League::started(terms(3));
        league.report(FIRST, scores);
        let verdict = verdict(&league, FIRST);
        assert_eq!(verdict.points, points);
        assert_eq!((verdict.outcome, verdict.cause, verdict.blame), (outcome, Cause::Played, None));
    }
}

#[test]
fn only_the_referee_of_the_table_is_believed() {
    let mut league = League::started(terms(6));
    let right = league.party(FIRST, Part::Referee);
    let report = league.result(FIRST, [90, 10]);
    for other in (1..=6).map(referee).filter(|other| *other != right) {
        let effects = league.mail(&other, Act::ResultReport(report.clone().into()));
        assert!(matches!(refused(&effects), Refusal::NotYourMatch(_)), "{other}");
    }
    for cheat in (1..=6).map(player) {
        let effects = league.mail(&cheat, Act::ResultReport(report.clone().into()));
        assert!(matches!(refused(&effects), Refusal::NotPermitted(_)), "{cheat}");
    }
    assert!(league.season().result(FIRST).is_none());
    league.mail(&right, Act::ResultReport(report.into()));
    assert!(league.season().result(FIRST).is_some());
}

#[test]
fn a_game_that_is_not_on_yet_or_not_at_all_has_no_result() {
    let mut league = League::started(terms(3));
    let later = MatchId::new(2, 1);
    let effects = league.report(later, [90, 10]);
    assert!(matches!(refused(&effects), Refusal::OutOfTurn(_)));
    for game in ["0201001", "0101009", "0109001", "nonsense"] {
        let report = ResultReport { game: GameId::new(game), ..league.result(FIRST, [90, 10]) };
        let from = league.party(FIRST, Part::Referee);
        let effects = league.mail(&from, Act::ResultReport(report.into()));
        assert!(matches!(refused(&effects), Refusal::NoSuchMatch), "{game}");
    }
}

#[test]
fn the_first_result_is_final() {
    let mut league = League::started(terms(6));
    check(&league.report(FIRST, [90, 10]), &["reply 14: Acknowledged"]);
    check(&league.report(FIRST, [90, 10]), &["reply 15: Acknowledged"]);
    assert_eq!(disputes(&league), 0);
    for scores in [[10, 90], [20, 80]] {
        let effects = league.report(FIRST, scores);
        assert!(matches!(refused(&effects), Refusal::Conflict(_)));
    }
    assert_eq!(disputes(&league), 1, "written down once");
    assert_eq!(verdict(&league, FIRST).outcome, Outcome::Won(Seat::A));
}

#[test]
fn a_report_that_contradicts_itself_is_refused_and_its_referee_may_mend_it() {
    let mut league = League::started(terms(3));
    let from = league.party(FIRST, Part::Referee);
    let mut report = league.result(FIRST, [20, 10]);
    report.scores[0].league_points = Some(3);
    for _ in 0..2 {
        let effects = league.mail(&from, Act::ResultReport(report.clone().into()));
        assert!(matches!(refused(&effects), Refusal::Contradicted(_)));
    }
    assert_eq!(disputes(&league), 1, "written down once");
    assert!(league.season().result(FIRST).is_none());
    league.report(FIRST, [20, 10]);
    let record = *league.season().result(FIRST).unwrap();
    assert_eq!((record.verdict.outcome, record.unverified), (Outcome::Won(Seat::A), false));
    let told = league.role().match_state(FIRST).unwrap().contradictions;
    let told = told[0].contradiction.as_deref().unwrap();
    assert!(told.contains("`league_points` 3") && told.contains("20.00"), "{told}");
}

#[test]
fn a_report_without_scores_is_taken_and_marked() {
    let mut league = League::started(terms(3));
    let from = league.party(FIRST, Part::Referee);
    let mut report = league.result(FIRST, [20, 10]);
    for row in &mut report.scores {
        (row.league_points, row.private_score) = (None, None);
    }
    league.mail(&from, Act::ResultReport(report.into()));
    assert!(league.season().result(FIRST).unwrap().unverified);
}

#[test]
fn a_lost_referee_costs_its_players_nothing() {
    let mut league = League::started(terms(6));
    league.report(FIRST, [90, 10]);
    league.at(600);
    let lost = MatchId::new(1, 2);
    let Verdict { outcome, cause, blame, gains, points } = verdict(&league, lost);
    assert_eq!((outcome, cause), (Outcome::Cancelled, Cause::RefereeLost));
    assert_eq!(blame, Some(Blame::Referee));
    assert_eq!((gains, points), (Some([0, 0]), [2, 2]));
    let sent = league.take_sent();
    let end =
        sent.iter().find_map(
            |(_, letter)| {
                if let Act::EndRound(end) = &letter.act { Some(end) } else { None }
            },
        );
    assert_eq!((end.unwrap().matches_completed, end.unwrap().matches_total), (1, 2));
    assert_eq!(league.season().round(), 2, "and it is not played again");
    let players = [Part::Player1, Part::Player2].map(|part| league.party(lost, part));
    for player in players {
        let registry = &league.role().league().registry;
        let id = registry.at(&Contact::of(&player)).unwrap();
        let name = &registry.agent(id).unwrap().name;
        assert_eq!(league.points()[name.as_str()], 2);
    }
}

#[test]
fn a_report_for_a_round_that_is_over_is_a_dispute() {
    let mut league = League::started(terms(3));
    league.at(600);
    let effects = league.report(FIRST, [90, 10]);
    assert!(matches!(refused(&effects), Refusal::Conflict(_)));
    assert_eq!(disputes(&league), 1);
    assert_eq!(verdict(&league, FIRST).cause, Cause::RefereeLost);
}

#[test]
fn a_player_that_never_comes_is_withdrawn_in_the_end() {
    let mut league = League::started(SeasonSettings { rounds: Some(12), ..terms(3) });
    let absent = player(1);
    while league.season().phase == LeaguePhase::Running {
        for id in league.open_games() {
            let mut report = league.result(id, [80, 80]);
            let seats = [Part::Player1, Part::Player2].map(|part| league.party(id, part));
            if let Some(place) = seats.iter().position(|player| *player == absent) {
                report.blame = Some([Blame::PlayerA, Blame::PlayerB][place]);
                report.cause = Some(Cause::NoShow);
                report.scores.remove(place);
            }
            let from = league.party(id, Part::Referee);
            league.mail(&from, Act::ResultReport(report.into()));
        }
        league.tick();
    }
    let id = agon_proto::PlayerId::new(1);
    assert!(league.season().is_withdrawn(id));
    assert_eq!(league.season().standings.row(id).points, 0);
    // Who played alone got what its play was worth, every time.
    assert_eq!(league.season().standings.row(agon_proto::PlayerId::new(2)).points, 16);
    let told = league.take_sent();
    let told = told.iter().filter(|(_, letter)| letter.head.id.as_str() == "bc-withdrawn-S01-P01");
    assert_eq!(told.count(), 1);
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(32))]

    /// In whatever order the reports of a round come, and however often: the same table.
    #[test]
    fn the_order_of_reports_changes_nothing(
        teams in 6u32..=9,
        order in proptest::collection::vec(proptest::prelude::any::<u16>(), 40),
    ) {
        let mut straight = League::started(terms(teams));
        straight.play_on();
        let mut league = League::started(terms(teams));
        let mut order = order.into_iter().cycle();
        while league.season().phase == LeaguePhase::Running {
            let games = league.open_games();
            while !league.open_games().is_empty() {
                let id = games[usize::from(order.next().unwrap()) % games.len()];
                league.report(id, scores(id));
            }
            league.tick();
        }
        proptest::prop_assert_eq!(league.points(), straight.points());
        let table = |league: &League| league.role().league().table(99);
        proptest::prop_assert_eq!(table(&league), table(&straight));
        proptest::prop_assert_eq!(disputes(&league), 0);
        let points = |id| verdict(&league, id).points.iter().sum::<u32>();
        let awarded: u32 = league.season().ids().map(points).sum();
        proptest::prop_assert_eq!(league.points().values().sum::<u32>(), awarded);
    }
}
