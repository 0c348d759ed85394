//! Chance that can be repeated: every choice of a run follows from its seed.

use std::time::Duration;

/// A splitmix generator.
#[derive(Debug, Clone)]
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Another one, whose choices do not depend on how many this one makes.
    pub(super) fn branch(&self, number: u64) -> Self {
        let mut branch = Self(self.0 ^ number.wrapping_mul(0xd134_2543_de82_ef95));
        branch.next();
        branch
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number below the bound, which must not be 0.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// One of those; nothing if there are none.
    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        let count = u64::try_from(from.len()).ok().filter(|count| *count > 0)?;
        from.get(usize::try_from(self.below(count)).ok()?).copied()
    }

    /// Whether something happens that happens once in `times`.
    pub(super) fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// A time between the two.
    pub(super) fn between(&mut self, least: Duration, most: Duration) -> Duration {
        let span = u64::try_from(most.saturating_sub(least).as_micros()).unwrap_or(u64::MAX);
        least + Duration::from_micros(self.below(span.max(1)))
    }
}
