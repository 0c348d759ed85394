//! Absence, withdrawal and the operator's orders: each a fact, each told, the table always a fold.

use agon_proto::message::{Blame, Cause, ResultStatus};

use super::*;
use crate::Order;
use crate::testing::{check, in_match, lines, player, refusal};
use crate::verdict::Outcome;

impl League {
    pub(super) fn order(&mut self, command: Command, params: ToolParams) -> Vec<Effect> {
        let auth_token = Some(operator());
        self.bench.tool(Tool::Command(command), ToolParams { auth_token, ..params })
    }

    pub(super) fn void(&mut self, match_id: MatchId) -> Vec<Effect> {
        let match_id = Some(match_id);
        self.order(Command::VoidMatch, ToolParams { match_id, ..because("wrong build") })
    }

    pub(super) fn withdraw(&mut self, number: u32) -> Vec<Effect> {
        let player_id = Some(player(number));
        self.order(Command::WithdrawPlayer, ToolParams { player_id, ..because("left the course") })
    }

    pub(super) fn verdict(&self, match_id: MatchId) -> (Outcome, Cause, Option<Blame>) {
        let verdict = self.bench.role.league().season().result(match_id).unwrap().verdict;
        (verdict.outcome, verdict.cause, verdict.blame)
    }

    pub(super) fn points(&self, number: u32) -> (u32, u32) {
        let row = self.bench.role.league().season().standings.row(player(number));
        (row.points, row.played)
    }
}

pub(super) fn because(reason: &str) -> ToolParams {
    let reason = Some(DisplayName::new(reason));
    ToolParams { by: Some(DisplayName::new("alice")), reason, ..ToolParams::default() }
}

/// The match that P`absent` plays in is lost because it does not come.
pub(super) fn no_show(given: &MatchAssignment, absent: u32) -> MatchResultReport {
    let (winner, blame) = if given.player_a_id == player(absent) {
        (given.player_b_id, Blame::PlayerA)
    } else {
        (given.player_a_id, Blame::PlayerB)
    };
    let mut report = result(given, Some(winner));
    report.result.status = Some(ResultStatus::TechnicalLoss);
    report.result.reason = Some(Cause::NoShow);
    report.result.blame = Some(blame);
    report
}

pub(super) fn plays(given: &MatchAssignment, number: u32) -> bool {
    [given.player_a_id, given.player_b_id].contains(&player(number))
}

#[test]
fn three_absences_in_a_row_withdraw_a_player_and_forfeit_the_rest() {
    let (mut league, effects) = League::started(6, &[9]);
    let mut queue = VecDeque::from(assignments(&effects));
    let mut withdrawn_after = None;
    let mut absences = 0;
    while let Some(given) = queue.pop_front() {
        league.answer_assignment(&given, ReceiptStatus::Accepted);
        let absent = plays(&given, 3);
        absences += u32::from(absent);
        let report = if absent { no_show(&given, 3) } else { played(&given) };
        let effects = league.report(1, report);
        if lines(&effects).iter().any(|line| line.contains("PLAYER_WITHDRAWN")) {
            assert_eq!(withdrawn_after.replace(absences), None, "it is said once");
        }
        queue.extend(assignments(&effects));
    }
    assert_eq!((withdrawn_after, absences), (Some(3), 3));
    let season = league.bench.role.league().season();
    assert!(season.champion.is_some());
    let forfeits = (4..=5).map(|round| season.match_of(player(3), round).unwrap());
    for match_id in forfeits.collect::<Vec<_>>() {
        let (outcome, cause, _) = league.verdict(match_id);
        assert!(matches!(outcome, Outcome::Forfeited(_)), "{outcome:?}");
        assert_eq!(cause, Cause::Withdrawn);
    }
    assert_eq!(league.points(3), (0, 5));
}

#[test]
fn whoever_comes_in_between_is_not_withdrawn() {
    let (mut league, effects) = League::started(6, &[9]);
    let mut queue = VecDeque::from(assignments(&effects));
    while let Some(given) = queue.pop_front() {
        league.answer_assignment(&given, ReceiptStatus::Accepted);
        let absent = plays(&given, 3) && given.round_id != 3;
        let report = if absent { no_show(&given, 3) } else { played(&given) };
        queue.extend(assignments(&league.report(1, report)));
    }
    assert!(!league.bench.role.league().season().is_withdrawn(player(3)));
    assert!(league.bench.role.league().season().champion.is_some());
}

#[test]
fn an_order_that_nobody_signs_is_the_operators() {
    let (mut league, _) = League::started(4, &[1]);
    let (by, player_id) = (Some(DisplayName::new("  ")), Some(player(4)));
    league.order(Command::WithdrawPlayer, ToolParams { by, player_id, ..because("left") });
    let signed = league.bench.facts.iter().find_map(|fact| {
        let LeagueFact::PlayerWithdrawn { order, .. } = fact else { return None };
        order.as_ref().map(|order| order.by.clone())
    });
    assert_eq!(signed, Some(DisplayName::new("operator")));
}

#[test]
fn the_operator_withdraws_a_player_and_says_why() {
    let (mut league, effects) = League::started(4, &[1]);
    assert_eq!(given_to(&effects), ["R1M1 to REF01"]);
    let effects = league.withdraw(4);
    let order =
        Order { by: DisplayName::new("alice"), reason: DisplayName::new("left the course") };
    let fact = league.bench.facts.iter().find_map(|fact| {
        let LeagueFact::PlayerWithdrawn { player, order, .. } = fact else { return None };
        Some((*player, order.clone()))
    });
    assert_eq!(fact, Some((player(4), Some(order))));
    // R1M2 is P04's and had not begun.
    assert_eq!(league.verdict(in_match(1, 2)).1, Cause::Withdrawn);
    assert!(lines(&effects).iter().any(|line| line.contains("PLAYER_WITHDRAWN")), "{effects:?}");
    check(&league.withdraw(4), &["reply 8: a tool's answer"]);
    let again = Entry { conversation: "conv-p4-reg-2".into(), ..entry("p4", None) };
    let answer = league.bench.call_from(Origin::Endpoint, again.request());
    assert!(admission(&answer).unwrap_err().contains("withdrawn"));
}

#[test]
fn when_all_but_one_have_left_the_season_ends_at_once() {
    let (mut league, effects) = League::started(4, &[2]);
    for number in 1..=3 {
        league.withdraw(number);
    }
    // Two matches were under way, and are played to their end.
    for given in assignments(&effects) {
        league.play(&given);
    }
    let season = league.bench.role.league().season();
    assert_eq!(season.completed, 6);
    assert_eq!(season.champion, Some(player(4)));
    let (outcome, cause, blame) = league.verdict(in_match(2, 1));
    let both = (Outcome::Cancelled, Cause::Withdrawn, Some(Blame::Both));
    assert_eq!((outcome, cause, blame), both);
}

#[test]
fn a_result_that_is_taken_back_counts_for_nobody() {
    let (mut league, effects) = League::started(4, &[2]);
    let given = assignments(&effects);
    league.play(&given[0]);
    let before = [league.points(1), league.points(2)];
    assert_ne!(before, [(0, 0), (0, 0)]);
    let effects = league.void(given[0].match_id);
    assert!(lines(&effects).iter().any(|line| line.contains("LEAGUE_STANDINGS_UPDATE")));
    assert_eq!([league.points(1), league.points(2)], [(0, 0), (0, 0)]);
    let voided = (Outcome::Cancelled, Cause::CancelledByOperator, Some(Blame::Operator));
    assert_eq!(league.verdict(given[0].match_id), voided);
    league.play(&given[1]);
    assert_eq!(league.bench.role.league().season().round(), 2);
}

#[test]
fn a_match_under_way_can_be_voided_and_its_report_comes_too_late() {
    let (mut league, effects) = League::started(2, &[1]);
    let given = assignments(&effects).remove(0);
    league.void(given.match_id);
    assert!(league.bench.role.league().season().champion.is_some());
    let late = league.report(1, played(&given));
    assert_eq!(refusal(&late).code().name(), "RESULT_CONFLICT");
    assert_eq!(league.points(1), (0, 0));
}

#[test]
fn an_order_needs_a_reason_a_subject_and_the_operators_token() {
    let (mut league, _) = League::started(4, &[1]);
    let facts = league.bench.facts.len();
    let match_id = Some(in_match(1, 1));
    let nameless = ToolParams { match_id, ..ToolParams::default() };
    let future = ToolParams { match_id: Some(in_match(2, 1)), ..because("x") };
    let nowhere = ToolParams { match_id: Some(in_match(9, 1)), ..because("x") };
    let nobody = ToolParams { player_id: Some(player(9)), ..because("x") };
    for (command, params) in [
        (Command::VoidMatch, nameless),
        (Command::VoidMatch, because("x")),
        (Command::VoidMatch, future),
        (Command::VoidMatch, nowhere),
        (Command::WithdrawPlayer, because("x")),
        (Command::WithdrawPlayer, nobody),
    ] {
        refusal(&league.order(command, params));
    }
    let unsigned = ToolParams { match_id, ..because("x") };
    refusal(&league.bench.tool(Tool::Command(Command::VoidMatch), unsigned));
    assert_eq!(league.bench.facts.len(), facts);
}

#[test]
fn what_the_operator_ordered_is_signed_also_without_a_reason() {
    let (mut league, _) = League::started(2, &[1]);
    league.order(Command::PauseLeague, because("lunch"));
    let shown = league.bench.role.state().paused_by.unwrap();
    assert_eq!((shown.by.as_str(), shown.reason.as_str()), ("alice", "lunch"));
    league.command(Command::ResumeLeague);
    assert_eq!(league.bench.role.state().paused_by, None);
    let signed = |order: &Option<Order>| order.as_ref().map(|order| order.by.to_string());
    let signatures = league.bench.facts.iter().filter_map(|fact| {
        if let LeagueFact::SeasonStarted { order, .. }
        | LeagueFact::Paused { order, .. }
        | LeagueFact::Resumed { order, .. } = fact
        {
            signed(order)
        } else {
            None
        }
    });
    assert_eq!(signatures.collect::<Vec<_>>(), ["operator", "alice", "operator"]);
}

#[test]
fn a_journal_from_before_orders_were_signed_can_be_read() {
    let (league, _) = League::started(2, &[1]);
    let strip = |fact: &LeagueFact| {
        let mut written = serde_json::to_value(fact).unwrap();
        for body in written.as_object_mut().unwrap().values_mut() {
            body.as_object_mut().unwrap().remove("order");
        }
        serde_json::from_value::<LeagueFact>(written).unwrap()
    };
    let mut facts: Vec<LeagueFact> = league.bench.facts.iter().map(strip).collect();
    for old in [r#"{"Paused":{"at":1}}"#, r#"{"Resumed":{"at":2}}"#, r#"{"Paused":{"at":3}}"#] {
        facts.push(serde_json::from_str(old).unwrap());
    }
    let role = Bench::new(Manager::new(settings(), options(None)), facts).role;
    assert!(role.league().season().paused && role.state().paused_by.is_none());
    assert_eq!(role.league().season().phase, LeaguePhase::Running);
}
