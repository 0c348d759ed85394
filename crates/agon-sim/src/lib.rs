//! The rehearsal stage of Agon: whole seasons in virtual time under faults.
//!
//! A seed decides everything: who takes part, what gets lost, delayed or doubled, and which
//! process dies under which batch. Phase one hurts, phase two heals, and every promise of the
//! league is held up to all that happens. A season that breaks one is played again from its seed.
//!
//! Spec: docs/decisions.md

mod audit;
mod digest;
mod invariant;
mod league;
mod plan;
mod rng;
mod sabotage;
mod stage;

pub use audit::{Audit, Broken, Delivery, Finding, FindingKind, Sent, Sight, Told};
pub use digest::Digests;
pub use plan::Plan;
pub use rng::Rng;
pub use sabotage::Sabotage;

use std::sync::atomic::{AtomicU64, Ordering};

use stage::Stage;

/// What came of one season.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    pub seed: u64,
    /// Matches with a result.
    pub matches: u64,
    /// Of those, matches that were cancelled.
    pub cancelled: u64,
    /// Matches that were played again by order.
    pub reruns: u64,
    /// Attempts beyond the first one of each match.
    pub attempts: u64,
    pub crashes: u64,
    pub lost: u64,
    pub duplicated: u64,
    pub delayed: u64,
    /// Calls that did not leave, because their host had no port for them.
    pub kept_back: u64,
    /// Calls that were not made, because their peer had failed too often.
    pub failed_fast: u64,
    pub virtual_seconds: u64,
    /// The first thing that was not as it must be.
    pub broken: Option<Broken>,
}

/// Plays that season.
pub fn run(plan: Plan, sabotage: Sabotage) -> Report {
    Stage::new(plan, sabotage, None).play()
}

/// Plays that season and tells what happens, line by line.
pub fn narrate(plan: Plan, listener: &mut dyn FnMut(&str)) -> Report {
    Stage::new(plan, Sabotage::None, Some(listener)).play()
}

/// Plays that season, and digests all that is said and written down in it.
pub fn digest(plan: Plan) -> Digests {
    Stage::new(plan, Sabotage::None, None).digest()
}

/// Plays the seasons of the first `seeds` seeds on all cores. Each is told as it ends, from the
/// core that played it and in no order.
pub fn run_all(seeds: u64, plan: impl Fn(u64) -> Plan + Sync, told: impl Fn(Report) + Sync) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicU64::new(0);
    let play = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds {
                break;
            }
            told(run(plan(seed), Sabotage::None));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(play);
        }
    });
}
