//! Chance that can be repeated: SplitMix64.

use std::time::{SystemTime, UNIX_EPOCH};

pub(crate) struct Chance(u64);

impl Chance {
    /// From `AGON_TEST_SEED`, or from the clock; says which seed it was.
    pub(crate) fn announced() -> Self {
        let seed = match std::env::var("AGON_TEST_SEED") {
            Ok(seed) => seed.parse().expect("AGON_TEST_SEED is a number"),
            Err(_) => {
                let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
                u64::from(now.subsec_nanos())
            }
        };
        eprintln!("AGON_TEST_SEED={seed}");
        Self(seed)
    }

    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^= word >> 31;
        u32::try_from(word % u64::from(bound)).unwrap()
    }
}
