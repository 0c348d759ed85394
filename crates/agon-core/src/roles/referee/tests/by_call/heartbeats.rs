//! A referee says that it is there as often as the manager wants to hear it.

use super::*;
use crate::testing::{at, check, sent};

/// Let in, by a manager that wants a heartbeat every five seconds.
fn beating() -> (Bench<Referee>, Vec<Effect>) {
    let mut bench = restarted(Vec::new());
    bench.resume();
    let effects = admit_with(&mut bench, Some(5_000));
    (bench, effects)
}

#[test]
fn the_first_one_goes_out_at_once_and_the_next_ones_on_time() {
    let (mut bench, effects) = beating();
    check(&effects, &["HEARTBEAT to manager"]);
    let (_, letter) = sent(&effects).next().unwrap();
    assert_eq!(letter.auth_token, Some(token()));
    assert_eq!(bench.role.deadline(), Some(at(5)));
    check(&bench.at(4).tick(), &[]);
    check(&bench.at(5).tick(), &["HEARTBEAT to manager"]);
    check(&bench.at(10).tick(), &["HEARTBEAT to manager"]);
}

#[test]
fn it_tells_how_many_matches_are_held() {
    let (mut bench, _) = beating();
    assign(&mut bench, assignment(1, 1, 1));
    let effects = bench.at(5).tick();
    let beats = sent(&effects).filter_map(|(_, letter)| {
        let Act::Heartbeat(said) = &letter.act else { return None };
        Some(said.matches_held)
    });
    assert_eq!(beats.collect::<Vec<_>>(), [1]);
}

#[test]
fn whoever_still_owes_a_report_does_not_leave_before_it_is_let_in() {
    let mut bench = enrolled(1);
    assign(&mut bench, assignment(1, 1, 1));
    let mut again = restarted(bench.facts);
    again.resume();
    let told = call(&mut again, Some(manager_token()), completed());
    assert!(told.iter().all(|effect| !matches!(effect, Effect::Finish(_))), "{told:?}");
    let settled = crate::testing::lines(&admit(&mut again));
    assert!(settled.contains(&"MATCH_RESULT_REPORT to manager".to_owned()), "{settled:?}");
}

#[test]
fn it_beats_no_more_when_the_league_is_complete() {
    let (mut bench, _) = beating();
    call(&mut bench, Some(manager_token()), completed());
    assert_eq!(bench.role.deadline(), None);
}

#[test]
fn a_manager_that_asks_for_none_gets_none() {
    let mut bench = restarted(Vec::new());
    bench.resume();
    check(&admit(&mut bench), &[]);
    assert_eq!(bench.role.deadline(), None);
}
