//! Fuzzing begins with facts that can be read: one that cannot is only as good as noise.

use agon_core::{LeagueFact, PlayerFact, RefereeFact};
use serde_json::from_str;

const FACTS: &str = include_str!("../../../../fuzz/seeds/facts/facts.lines");

#[test]
fn every_fact_that_fuzzing_begins_with_can_be_read() {
    for line in FACTS.lines() {
        let known = from_str::<LeagueFact>(line).is_ok()
            || from_str::<RefereeFact>(line).is_ok()
            || from_str::<PlayerFact>(line).is_ok();
        assert!(known, "no role has such a fact: {line}");
    }
}
