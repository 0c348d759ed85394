//! Tests of conversation ids.

mod sender;

use super::ConversationId;
use crate::MatchId;

#[track_caller]
fn check(text: &str, expected: ConversationId) {
    assert_eq!(ConversationId::new(text), expected);
    assert_eq!(expected.to_string(), text, "it is echoed as it came");
}

#[test]
fn the_last_number_is_the_attempt() {
    let match_id = MatchId::new(12, 3);
    check("conv-r12m3-001", ConversationId::Match { match_id, attempt: 1 });
    check("conv-r12m3-1000", ConversationId::Match { match_id, attempt: 1000 });
    check("conv-r12m3-report", ConversationId::Report(match_id));
}

#[test]
fn the_season_has_its_own() {
    check("conv-round-2-announce", ConversationId::RoundAnnounce(2));
    check("conv-round-2-standings", ConversationId::RoundStandings(2));
    check("conv-round-2-complete", ConversationId::RoundComplete(2));
    check("conv-league-complete", ConversationId::LeagueComplete);
}

#[test]
fn all_others_are_kept_as_they_came() {
    for text in ["", "conv-r1m1-1", "conv-r01m1-001", "conv-round-0-announce", "a-uuid"] {
        check(text, ConversationId::Other(text.into()));
    }
}
