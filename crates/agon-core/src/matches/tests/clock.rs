//! What asking somebody again costs its clock, and who is asked once.

use super::*;

/// What B is charged who does that after both have joined, while A has chosen.
#[track_caller]
fn charges(script: &[(u64, MatchEvent)], expected_ms: u32) {
    let script = after_arrival(&[&[(1_500, chose(A, ODD))], script].concat());
    let table = Table::play(LIMITS, &script);
    assert_eq!(table.live.charged_ms(), [0, expected_ms]);
}

/// Of an answer that comes to the first ask nothing is charged, however late it is.
#[test]
fn the_first_ask_is_free() {
    charges(&[(30_999, chose(B, EVEN))], 0);
}

#[test]
fn asks_after_the_first_are_charged_with_the_waits_before_them() {
    // Asked again at 33 s, 67 s and 105 s.
    charges(&[(43_000, chose(B, EVEN))], 2_000 + 10_000);
    let three = 2_000 + 30_000 + 4_000 + 30_000 + 8_000;
    charges(&[(105_500, chose(B, EVEN))], three + 500);
    charges(&[], three + 30_000);
}

#[test]
fn who_answers_wrongly_again_and_again_is_charged_as_well() {
    let wrong = |ms, number| (ms, failed(B, CHOICE, number, Failure::Malformed));
    charges(&[wrong(2_000, 1), wrong(5_000, 2), (9_600, chose(B, EVEN))], 3_000 + 4_600);
}

#[test]
fn a_choice_that_cannot_be_chosen_ends_the_charge() {
    charges(&[(43_000, chose_badly(B))], 12_000);
}

#[test]
fn invitations_count_and_each_has_a_clock_of_its_own() {
    let script = [(8_000, joined(A)), (17_000, joined(B))];
    let mut table = Table::new(LIMITS);
    for (milliseconds, event) in script {
        table.wait_until(milliseconds);
        table.handle(milliseconds, event);
    }
    assert_eq!(table.live.charged_ms(), [3_000, 2_000 + 5_000 + 4_000 + 1_000]);
}

/// A deadline that is printed is up to a second later: that is not the player's doing, nor is it
/// when its referee is late.
#[test]
fn what_a_deadline_is_rounded_by_costs_nobody() {
    let limits = StepLimits { choice_ms: 100, backoff_ms: [50, 50, 50], ..LIMITS };
    let table = Table::play(limits, &after_arrival(&[(1_050, chose(A, ODD))]));
    assert_eq!(table.live.charged_ms(), [0, 3 * (50 + 100)]);
}

#[test]
fn whose_clock_is_empty_is_asked_once_and_the_other_as_ever() {
    let mut out = Vec::new();
    let terms = MatchTerms::attempted(Rules::new("even_odd", "{}").unwrap(), &LIMITS);
    let live = Match::begin(Arc::new(terms), [false, true], at_ms(0), &mut out);
    assert_eq!((live.retries_max(A), live.retries_max(B)), (3, 0));
    let last = MatchEffect::Ask { seat: B, step: JOIN, ask: 1, until: at_ms(5_000), last: true };
    assert_eq!(out, [ask(A, JOIN, 1, 5_000), last.clone()]);
    let told = vec![(0, ask(A, JOIN, 1, 5_000)), (0, last)];
    let mut table = Table { live, now_ms: 0, told, lapsed: Vec::new() };
    table.handle(1_000, joined(B));
    table.wait_until(7_001);
    assert_eq!(table.told.last(), Some(&(7_000, ask(A, JOIN, 2, 12_000))));
    table.handle(8_000, joined(A));
    table.handle(9_000, chose(A, EVEN));
    table.wait_until(u64::MAX);
    // Nobody is warned of an ask that does not come.
    let end = lost(B, Cause::TimedOut, [Some(EVEN), None]);
    assert_eq!(table.told.last(), Some(&(38_000, end)));
    assert_eq!(table.live.charged_ms(), [3_000, 0]);
}
