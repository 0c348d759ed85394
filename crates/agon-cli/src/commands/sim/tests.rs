//! A broken season is named with its seed, its promise and the command that shows it again.

use super::*;

#[test]
fn a_broken_season_is_told_with_the_way_to_see_it() {
    // A sabotage of the stage breaks a promise for certain within a few seeds.
    let report = (0..100)
        .map(|seed| agon_sim::run(seed, Sabotage::CountTwice))
        .find(|report| report.broken.is_some())
        .unwrap();
    let seed = report.seed;
    let mut sum = Sum::default();
    sum.add(None, report);
    let text = sum.text();
    assert!(text.contains(&format!("seed {seed}: exactly-once")), "{text}");
    assert!(text.contains(&format!("agon sim --seed {seed}")), "{text}");
    assert!(!text.contains("every promise was kept"), "{text}");
}
