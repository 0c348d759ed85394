//! Dice: a cryptographic source, or a seed for a season that must come out the same again; and what
//! is drawn from that source for secrets.

use agon_proto::MatchId;

/// Where numbers come from.
#[derive(Debug, Clone)]
pub enum Dice {
    /// The operating system's cryptographic source.
    Fair,
    /// From a seed and the match alone, so that concurrency cannot change it. For practice only.
    Seeded(u64),
}

impl Dice {
    /// A number for that match, between `min` and `max`, both included.
    pub(crate) fn roll(&self, match_id: MatchId, min: u32, max: u32) -> u32 {
        let span = u64::from(max - min) + 1;
        let chance = match self {
            Self::Fair => uniform(span),
            Self::Seeded(seed) => {
                let MatchId { round, number } = match_id;
                mix(mix(*seed, u64::from(round)), u64::from(number)) % span
            }
        };
        min + u32::try_from(chance).expect("smaller than the span, which is a u32's")
    }
}

/// A number below `span`, every one equally likely: what does not divide evenly is thrown again.
fn uniform(span: u64) -> u64 {
    let fair = u64::MAX - u64::MAX % span;
    loop {
        let bits = random_nonce();
        if bits < fair {
            return bits % span;
        }
    }
}

/// Stirs `value` into `state` (the finalizer of splitmix64).
pub(crate) const fn mix(state: u64, value: u64) -> u64 {
    let mut bits = state.wrapping_add(value.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// 256 bits from the operating system.
pub fn random_secret() -> [u8; 32] {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret).expect("the operating system has a source of randomness");
    secret
}

/// 64 bits from the operating system.
pub fn random_nonce() -> u64 {
    getrandom::u64().expect("the operating system has a source of randomness")
}

#[cfg(test)]
mod tests;
