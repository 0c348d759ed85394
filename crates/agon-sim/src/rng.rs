//! Chance from a seed. The same seed gives the same numbers on every machine, for ever.

use std::time::Duration;

/// A splitmix generator: small, fast, and good enough to invent trouble.
#[derive(Debug, Clone, Default)]
pub struct Rng(u64);

impl Rng {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Another one, whose choices do not depend on how many this one makes.
    pub const fn branch(&self, number: u64) -> Self {
        let mut branch = Self(self.0 ^ number.wrapping_mul(0xd134_2543_de82_ef95));
        branch.next();
        branch
    }

    pub(crate) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below the bound, which must not be 0.
    pub const fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// A number from `low` to `high`, both included.
    pub const fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    /// A time from `least` on, and shorter than `most`.
    pub fn time(&mut self, least: Duration, most: Duration) -> Duration {
        let span = u64::try_from(most.saturating_sub(least).as_micros()).unwrap_or(u64::MAX);
        least + Duration::from_micros(self.below(span.max(1)))
    }

    /// A place in a list of that length, which must not be empty.
    pub(crate) const fn place(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// One of those; nothing if there are none.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        if from.is_empty() { None } else { from.get(self.place(from.len())) }
    }

    /// Whether something happens that happens `per_mille` times in a thousand.
    pub(crate) const fn happens(&mut self, per_mille: u32) -> bool {
        self.below(1000) < per_mille as u64
    }
}
