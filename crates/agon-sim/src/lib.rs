//! The rehearsal stage of Agon: whole seasons in virtual time under faults.
//!
//! A seed decides everything: who takes part, what gets lost, delayed or doubled, and which
//! process dies under which batch. Phase one hurts, phase two heals, and every promise of the
//! league is held up to all that happens. A season that breaks one is played again from its seed.
//!
//! Spec: docs/decisions.md

mod agenda;
mod audit;
mod cast;
mod digest;
mod invariant;
mod league;
mod letters;
mod plan;
mod report;
mod rng;
mod stage;

pub use audit::{Audit, Broken, Finding, FindingKind, Told};
pub use digest::Digests;
pub use letters::{LettersSabotage, digest_letters, narrate_letters, run_letters};
pub use plan::{Crew, Faults, Plan, PlannedPlayer, Temper};
pub use report::{Report, Sabotage};

use std::sync::atomic::{AtomicU64, Ordering};

use stage::Stage;

/// Plays the season of that seed.
pub fn run(seed: u64, sabotage: Sabotage) -> Report {
    Stage::new(Plan::from_seed(seed), sabotage, None).play()
}

/// Plays the season of that seed and tells what happens, line by line.
pub fn narrate(seed: u64, sabotage: Sabotage, listener: &mut dyn FnMut(&str)) -> Report {
    Stage::new(Plan::from_seed(seed), sabotage, Some(listener)).play()
}

/// Plays the season of that seed, and digests all that is said and written down in it.
pub fn digest(seed: u64) -> Digests {
    Stage::new(Plan::from_seed(seed), Sabotage::None, None).digest()
}

/// Plays the seasons of the first `seeds` seeds on all cores. Each is told as it ends, from the
/// core that played it and in no order.
pub fn run_all(seeds: u64, sabotage: Sabotage, told: impl Fn(Report) + Sync) {
    on_all_cores(seeds, |seed| run(seed, sabotage), told);
}

/// The same with seasons by letters.
pub fn run_all_letters(seeds: u64, told: impl Fn(Report) + Sync) {
    on_all_cores(seeds, |seed| run_letters(seed, LettersSabotage::None), told);
}

fn on_all_cores(seeds: u64, season: impl Fn(u64) -> Report + Sync, told: impl Fn(Report) + Sync) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicU64::new(0);
    let play = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds {
                break;
            }
            told(season(seed));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(play);
        }
    });
}
