//! How long and how often a player is asked, in each kind of match.

use super::*;
use crate::testing::LIMITS;

fn once(greetings: u8) -> MatchTerms {
    MatchTerms::once(&PlayedOnce {
        game: Rules::new("q21", "{}").unwrap(),
        ask_ms: vec![120_000, 300_000, 200_000],
        greetings,
        thresholds: Thresholds::default(),
        lost_points: 2,
    })
}

#[test]
fn every_deadline_is_printed_and_nobody_is_asked_twice_unless_the_rules_say_so() {
    for (kind, seconds) in [(0, 120), (1, 300), (2, 200)] {
        let limit = *once(1).moves(kind);
        assert!(limit.prints_deadline && !limit.warns);
        assert_eq!((limit.asks, limit.limit.as_secs()), (1, seconds));
        assert_eq!(limit.wait_after(1), None);
    }
    let twice = once(2);
    assert_eq!(twice.moves(0).wait_after(1), Some(Duration::ZERO));
    assert_eq!(twice.moves(0).wait_after(2), None);
    assert_eq!(twice.moves(1).asks, 1);
}

#[test]
fn a_match_that_may_be_tried_again_asks_four_times_and_prints_the_deadline_of_moves() {
    let terms = MatchTerms::attempted(Rules::default(), &LIMITS);
    for kind in [0, 7] {
        let limit = terms.moves(kind);
        assert!(limit.prints_deadline && limit.warns);
        assert_eq!((limit.asks, limit.limit.as_millis()), (4, u128::from(LIMITS.choice_ms)));
    }
    assert!(!terms.join.prints_deadline && !terms.join.warns);
    let waits = [1, 2, 3, 4].map(|ask| terms.join.wait_after(ask));
    let [a, b, c] = LIMITS.backoff_ms.map(|ms| Some(Duration::from_millis(ms.into())));
    assert_eq!(waits, [a, b, c, None]);
}
