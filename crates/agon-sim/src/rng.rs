//! Chance from a seed. The same seed gives the same numbers on every machine, for ever.

/// A splitmix generator: small, fast, and good enough to invent trouble.
#[derive(Debug, Clone)]
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from `low` to `high`, both included.
    pub(crate) const fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low + 1)
    }

    /// A place in a list of that length, which must not be empty.
    pub(crate) const fn place(&mut self, length: usize) -> usize {
        (self.next() % length as u64) as usize
    }

    /// Whether something happens that happens `per_mille` times in a thousand.
    pub(crate) const fn happens(&mut self, per_mille: u32) -> bool {
        self.next() % 1000 < per_mille as u64
    }
}
