//! Golden files and the pages that must name them.

use super::super::tests::check as on;
use super::check;

const ACK: (&str, &str) = ("crates/agon-proto/golden/league.v2/GAME_JOIN_ACK.json", "{}");
const ERROR: (&str, &str) = ("crates/agon-proto/golden/league.v2/GAME_ERROR.last.json", "{}");

#[test]
fn a_message_is_described() {
    let page = ("docs/protocol/match.md", "`GAME_JOIN_ACK` and then `GAME_ERRORS`.");
    let expected = ["crates/agon-proto/golden/league.v2/GAME_ERROR.last.json:1: GAME_ERROR is on"];
    on(check, &[ACK, ERROR, page], &expected);
}

#[test]
fn without_pages_there_is_nothing_to_compare() {
    on(check, &[ACK, ERROR], &[]);
}

#[test]
fn letters_of_ours_are_described_and_those_of_others_need_not_be() {
    let ours = ("crates/agon-proto/golden/q21/agon/Q21WARMUPCALL.json", "{}");
    let theirs = ("crates/agon-proto/golden/q21/book/Q21_HINTS.json", "{}");
    let page = ("docs/protocol/q21.md", "Nothing yet.");
    let expected = ["crates/agon-proto/golden/q21/agon/Q21WARMUPCALL.json:1: Q21WARMUPCALL is on"];
    on(check, &[ours, theirs, page], &expected);
}
