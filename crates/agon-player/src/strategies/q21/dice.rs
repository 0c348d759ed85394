//! Luck that is no luck: the same for the same seed and the same game, after a restart as well.

use crate::chance::stir;

pub(super) struct Dice(u64);

impl Dice {
    /// Dice that depend on the seed and on all of the texts.
    pub(super) fn new(seed: u64, texts: &[&str]) -> Self {
        let mut state = stir(seed);
        for text in texts {
            let bytes = text.bytes();
            state = bytes.fold(stir(state), |state, byte| stir(state ^ u64::from(byte)));
        }
        Self(state)
    }

    /// A number below the bound, which is not 0.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = stir(self.0);
        // The upper half: it is the better stirred one.
        ((self.0 >> 32) as usize) % bound
    }

    /// One of them, if there is one.
    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        if from.is_empty() { None } else { from.get(self.below(from.len())) }
    }

    /// The same things in another order.
    pub(super) fn shuffle<T>(&mut self, things: &mut [T]) {
        for end in (1..things.len()).rev() {
            let other = self.below(end + 1);
            things.swap(end, other);
        }
    }
}
