//! Seasons by letters, by seed: sound ones cost nobody anything, spoiled ones are found out.

use agon_sim::{LettersSabotage, Report, run_letters};

/// Seasons that are played at every run of the tests.
const SEEDS: u64 = 2_000;
/// Seasons within which every sabotage must be found out.
const SPOILED: u64 = 60;

fn broken(seeds: u64, sabotage: LettersSabotage) -> Option<Report> {
    (0..seeds).map(|seed| run_letters(seed, sabotage)).find(|report| report.broken.is_some())
}

#[test]
fn no_season_by_letters_breaks_a_promise() {
    let mut sum = Report::default();
    for seed in 0..SEEDS {
        let report = run_letters(seed, LettersSabotage::None);
        if let Some(broken) = &report.broken {
            panic!("seed {seed}: {broken}\n  cargo run -p agon-sim --example letters -- {seed}");
        }
        sum.matches += report.matches;
        sum.crashes += report.crashes;
        sum.duplicated += report.duplicated;
    }
    assert!(sum.matches > SEEDS && sum.crashes > SEEDS && sum.duplicated > SEEDS, "{sum:?}");
}

#[test]
fn the_same_seed_gives_the_same_season_by_letters() {
    assert_eq!(run_letters(7, LettersSabotage::None), run_letters(7, LettersSabotage::None));
}

#[test]
fn every_sabotage_of_letters_is_found_out() {
    for sabotage in [
        LettersSabotage::ReadBeforeDurable,
        LettersSabotage::ForgetHandled,
        LettersSabotage::ForgetWaiting,
        LettersSabotage::TellSecret,
    ] {
        let found = broken(SPOILED, sabotage);
        assert!(found.is_some(), "{sabotage:?} was not found out");
    }
}
