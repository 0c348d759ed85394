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
