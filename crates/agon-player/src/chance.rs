//! A strategy's dice: from the operating system, or repeatable.

use agon_core::{Known, Question, What};
use agon_node::random_nonce;

/// Where a strategy's luck comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chance {
    /// The operating system's cryptographic source.
    Fair,
    /// From a seed, the player, the match and how often it has moved in it: neither the order of
    /// the questions nor another attempt at a match changes it. For practice only, because whoever
    /// knows the seed knows all.
    Seeded(u64),
}

impl Chance {
    /// One of them, if there is one: each with the same chance.
    pub fn pick<'a, T>(
        self,
        question: &Question,
        known: &Known<'_>,
        from: &'a [T],
    ) -> Option<&'a T> {
        let bits = match self {
            Self::Fair => random_nonce(),
            Self::Seeded(seed) => {
                let place =
                    u64::from(question.match_id.round) << 32 | u64::from(question.match_id.number);
                let player = known.player.map_or(0, |player| u64::from(player.number()));
                let first = stir(stir(stir(seed) ^ player) ^ place);
                match &question.what {
                    What::Move { said, .. } if !said.is_empty() => stir(first ^ said.len() as u64),
                    What::Move { .. } | What::Oracle { .. } | What::Heard { .. } => first,
                }
            }
        };
        // The upper half: it is the better stirred one.
        from.get(((bits >> 32) as usize).checked_rem(from.len())?)
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
