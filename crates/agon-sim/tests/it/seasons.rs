//! Seasons by seed: sound ones keep every promise, spoiled ones are found out.

use std::sync::Mutex;

use agon_games::games;
use agon_sim::{Plan, Report, Sabotage, digest, run, run_all};

/// Seasons that are played at every run of the tests: ten thousand by call, and two thousand by
/// letters.
const SEEDS: u64 = 12_000;
/// Seasons within which every sabotage must be found out. Most are in the first dozen; a thief
/// needs a report that is on its way for long enough.
const SPOILED: u64 = 5_000;

/// Seeds that once broke a promise, and how. The stage has changed since, and with it what a seed
/// plays; what was mended is held by scripts of the player and of the manager's registration.
const REGRESSIONS: &[(u64, &str)] = &[
    (0, "a question that arrived twice was thought about anew after GAME_OVER"),
    (286, "a question that a rogue repeated after GAME_OVER was answered differently"),
    (28187, "a question that came again after the player had given up was answered differently"),
    (6727, "a dead process's late registration locked out the only referee, for ever"),
    (9885, "the same, with three attempts spent before"),
];

/// The season by letters of that seed.
pub(crate) fn by_letters(seed: u64) -> Plan {
    let judged = games().iter().find(|info| info.is_judged());
    Plan::of_game(seed, judged.expect("some game is judged"))
}

/// Plays all seasons on all cores, and returns their sum and those that broke a promise.
fn play() -> (Report, Vec<Report>) {
    let found = Mutex::new((Report::default(), Vec::new()));
    run_all(SEEDS, Plan::from_seed, |report| {
        let (sum, broken) = &mut *found.lock().expect("no season panics");
        add(sum, &report);
        if report.broken.is_some() {
            broken.push(report);
        }
    });
    let (sum, mut broken) = found.into_inner().expect("no season panics");
    broken.sort_by_key(|report| report.seed);
    (sum, broken)
}

fn add(sum: &mut Report, report: &Report) {
    sum.matches += report.matches;
    sum.cancelled += report.cancelled;
    sum.attempts += report.attempts;
    sum.reruns += report.reruns;
    sum.crashes += report.crashes;
    sum.lost += report.lost;
    sum.duplicated += report.duplicated;
    sum.delayed += report.delayed;
    sum.kept_back += report.kept_back;
    sum.failed_fast += report.failed_fast;
    sum.virtual_seconds += report.virtual_seconds;
}

/// What to do about a broken season.
fn advice(report: &Report) -> String {
    let seed = report.seed;
    let (promise, what) = report
        .broken
        .as_ref()
        .map_or(("no promise", ""), |broken| (broken.promise, broken.finding.what.as_str()));
    format!("seed {seed}: {promise}: {what}\n  cargo run -- sim --seed {seed}\n")
}

#[test]
fn no_season_breaks_a_promise() {
    let (sum, broken) = play();
    let first: String = broken.iter().take(10).map(advice).collect();
    assert!(broken.is_empty(), "{} of {SEEDS} seasons broke a promise:\n{first}", broken.len());
    // Calm seasons would prove little.
    assert!(sum.matches > SEEDS, "{sum:?}");
    assert!(sum.reruns > SEEDS / 10, "{sum:?}");
    assert!(sum.kept_back > SEEDS && sum.failed_fast > SEEDS / 10, "{sum:?}");
    assert!(sum.crashes > SEEDS && sum.attempts > SEEDS / 10, "{sum:?}");
}

#[test]
fn every_sabotage_is_found_out() {
    for (sabotage, promise) in Sabotage::ALL {
        let found = (0..SPOILED).filter_map(|seed| run(Plan::from_seed(seed), *sabotage).broken);
        assert!(
            found.into_iter().any(|broken| broken.promise == *promise),
            "{sabotage:?} did not break {promise} in {SPOILED} seasons"
        );
    }
}

#[test]
fn a_seed_always_plays_the_same_season() {
    for seed in 0..50 {
        let [one, other] = [(); 2].map(|()| {
            let plan = Plan::from_seed(seed);
            (run(plan.clone(), Sabotage::None), digest(plan))
        });
        assert_eq!(one, other, "seed {seed}");
    }
}

#[test]
fn what_was_once_broken_stays_whole() {
    for (seed, how) in REGRESSIONS {
        let report = run(Plan::from_seed(*seed), Sabotage::None);
        assert!(report.broken.is_none(), "{how}: {}", advice(&report));
    }
}
