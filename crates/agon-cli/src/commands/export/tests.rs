//! A league's id never leads out of the export.

use agon_proto::LeagueId;

use super::folder_name;

#[track_caller]
fn check(id: &str, expected: &str) {
    assert_eq!(folder_name(&LeagueId::new(id)), expected);
}

#[test]
fn a_plain_id_stays() {
    check("league_2025_even-odd.v2", "league_2025_even-odd.v2");
}

#[test]
fn what_could_lead_elsewhere_is_replaced() {
    check("..", "_.");
    check(".", "_");
    check("", "_");
    check("../../etc", "_._.__etc");
    check("/absolute", "_absolute");
    check("a..b", "a._b");
    check("a\\b:c\0d", "a_b_c_d");
    check("Лига", "____");
}

#[test]
fn a_long_id_is_cut() {
    check(&"x".repeat(500), &"x".repeat(100));
}
