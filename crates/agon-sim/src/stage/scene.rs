//! What everything on the stage shares: time, chance, trouble, and those who watch.
//!
//! There is one queue of all that is going to happen, ordered by time and then by who asked first.
//! Nothing else decides what comes next, so the same seed always plays the same season.

use std::collections::BTreeMap;
use std::time::Duration;

use agon_core::OutcomePoints;
use agon_proto::Timestamp;

use super::Stage;
use crate::Report;
use crate::audit::Audit;
use crate::digest::Digesting;
use crate::invariant;
use crate::league::Script;
use crate::plan::{Faults, START};
use crate::rng::Rng;
use crate::sabotage::Sabotage;

/// Something that is going to happen.
type Happening = Box<dyn FnOnce(&mut Stage<'_>)>;

/// Hears the story of a season, line by line.
pub(crate) type Listener<'a> = Option<&'a mut dyn FnMut(&str)>;

pub(super) struct Scene<'a> {
    pub(super) sabotage: Sabotage,
    pub(super) faults: Faults,
    pub(super) rng: Rng,
    /// The operator's own chance.
    pub(super) whim: Rng,
    pub(super) now: Timestamp,
    queue: BTreeMap<(Timestamp, u64), Happening>,
    /// How much was ever planned.
    pub(super) planned: u64,
    pub(super) audit: Audit,
    pub(super) tally: Report,
    /// Digests of the season, if somebody wants them: they cost more than the season itself.
    pub(super) digesting: Option<Digesting>,
    pub(super) listener: Listener<'a>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(script: &Script, sabotage: Sabotage, listener: Listener<'a>) -> Self {
        let plan = &script.plan;
        let live = invariant::promises(script);
        Self {
            sabotage,
            faults: plan.faults,
            rng: Rng::new(plan.seed),
            whim: Rng::new(!plan.seed),
            now: START,
            queue: BTreeMap::new(),
            planned: 0,
            audit: Audit::watching(Some(OutcomePoints::COURSE), live),
            tally: Report { seed: plan.seed, ..Report::default() },
            digesting: None,
            listener,
        }
    }

    pub(super) fn after(&mut self, wait: Duration, does: impl FnOnce(&mut Stage<'_>) + 'static) {
        self.planned += 1;
        self.queue.insert((self.now + wait, self.planned), Box::new(does));
    }

    /// Time passes until the next thing happens.
    pub(super) fn next(&mut self) -> Option<Happening> {
        let ((at, _), happening) = self.queue.pop_first()?;
        self.now = at;
        Some(happening)
    }

    /// After some time between these two, in milliseconds.
    pub(super) fn between(
        &mut self,
        low: u64,
        high: u64,
        does: impl FnOnce(&mut Stage<'_>) + 'static,
    ) {
        let wait = Duration::from_millis(self.rng.between(low, high));
        self.after(wait, does);
    }

    /// After a moment of at most that many microseconds.
    pub(super) fn soon(&mut self, micros_max: u64, does: impl FnOnce(&mut Stage<'_>) + 'static) {
        let wait = Duration::from_micros(self.rng.between(1, micros_max));
        self.after(wait, does);
    }

    /// How long a call or its answer is on its way.
    pub(super) fn delay(&mut self) -> Duration {
        if self.rng.happens(self.faults.slow) {
            self.tally.delayed += 1;
            return Duration::from_millis(self.rng.between(500, 12_000));
        }
        Duration::from_micros(self.rng.between(50, 50_000))
    }

    /// Tells the listener, if there is one; otherwise the line is not even written.
    pub(super) fn tell(&mut self, line: impl FnOnce() -> String) {
        if let Some(listener) = &mut self.listener {
            let elapsed = self.now.since(START);
            listener(&format!("{:10.3}  {}", elapsed.as_secs_f64(), line()));
        }
    }

    /// Digests what goes from one node to another, if somebody wants that.
    pub(super) fn say(&mut self, from: usize, to: usize, bytes: impl FnOnce(&mut Vec<u8>)) {
        if let Some(digesting) = &mut self.digesting {
            let mut said = Vec::new();
            bytes(&mut said);
            digesting.say(from, to, &said);
        }
    }
}
