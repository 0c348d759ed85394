//! A broken season is named with its seed, its promise and the command that shows it again.

use agon_sim::Sabotage;

use super::*;

#[test]
fn a_broken_season_is_told_with_the_way_to_see_it() {
    // A sabotage of the stage breaks a promise for certain within a few seeds.
    let report = (0..100)
        .map(|seed| agon_sim::run(Plan::from_seed(seed), Sabotage::CountTwice))
        .find(|report| report.broken.is_some())
        .unwrap();
    let seed = report.seed;
    let mut sum = Sum::default();
    sum.add(&Sim { game: None, seeds: 1, seed: None }, report);
    let text = sum.text();
    assert!(text.contains(&format!("seed {seed}: exactly-once")), "{text}");
    assert!(text.contains(&format!("agon sim --seed {seed}")), "{text}");
    assert!(!text.contains("every promise was kept"), "{text}");
}

#[test]
fn a_season_of_one_game_is_shown_with_that_game() {
    let args = Sim { game: Some(agon_core::Rules::default()), seeds: 1, seed: None };
    let broken = Broken { promise: "replay", finding: "it is another one".into() };
    let name = agon_core::Rules::default().info().name;
    assert_eq!(found(&args, 7, broken).show, format!("agon sim --game {name} --seed 7"));
}
