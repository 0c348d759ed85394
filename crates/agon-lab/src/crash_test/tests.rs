//! A fault is counted once for each match.

use agon_proto::MatchId;

use super::*;

#[test]
fn a_fault_is_counted_once_for_each_match() {
    let about = |fault, number, what: &str| Finding::about(fault, MatchId::new(1, number), what);
    // The log, the referee and a player miss the same result.
    let found = [
        about(FindingKind::Lost, 1, "the log"),
        about(FindingKind::Lost, 1, "the referee"),
        about(FindingKind::Duplicated, 1, "a player"),
        about(FindingKind::Lost, 2, "a player"),
        Finding::general(FindingKind::Wrong, "the table"),
    ];
    let mut tally = CrashFigures::default();
    tally.found(1, &found);
    assert_eq!((tally.lost, tally.duplicated, tally.unacknowledged), (2, 1, 0));
    assert_eq!(tally.problems.len(), 5);
}
