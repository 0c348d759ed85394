//! A strategy's dice: from the operating system, or repeatable.

use agon_core::Question;
use agon_proto::message::Parity;

/// Where a strategy's luck comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chance {
    /// The operating system's cryptographic source.
    Fair,
    /// From a seed, the player and the match alone: neither the order of the questions nor another
    /// attempt at a match changes it. For practice only, because whoever knows the seed knows all.
    Seeded(u64),
}

impl Chance {
    /// Even or odd, with equal chances.
    pub fn parity(self, question: &Question) -> Parity {
        let bits = match self {
            Self::Fair => {
                getrandom::u32().expect("the operating system has a source of randomness")
            }
            Self::Seeded(seed) => {
                let place =
                    u64::from(question.match_id.round) << 32 | u64::from(question.match_id.number);
                let player = u64::from(question.player.number());
                // The upper half: it is the better stirred one.
                (stir(stir(stir(seed) ^ player) ^ place) >> 32) as u32
            }
        };
        Parity::of(bits)
    }
}

/// Maps every number to another one that looks unrelated: multiply by an odd constant, fold the
/// upper half onto the lower, twice. Each step can be undone, so no two inputs fall together.
pub(crate) const fn stir(value: u64) -> u64 {
    const ODD: u64 = 0xd134_2543_de82_ef95;
    let mut bits = value.wrapping_add(ODD);
    bits = (bits ^ (bits >> 32)).wrapping_mul(ODD);
    bits = (bits ^ (bits >> 29)).wrapping_mul(ODD);
    bits ^ (bits >> 32)
}

#[cfg(test)]
mod tests;
