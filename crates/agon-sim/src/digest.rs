//! Digests of a season: of all that was said, and of every fact.
//!
//! What is said is digested as it stands on the wire, for each pair of nodes on its own; facts for
//! each node. So a rehearsal says what an earlier one said exactly if its digests are the same, and
//! a fact that is only written otherwise leaves the first of them alone.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// The digests of one season.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digests {
    /// Of every message and every answer, in the order in which each pair of nodes sent them.
    pub said: u64,
    /// Of every durable fact, in the order in which each node wrote them.
    pub facts: u64,
}

/// Digests in the making.
#[derive(Debug, Default)]
pub(crate) struct Digesting {
    said: BTreeMap<(usize, usize), Digest>,
    facts: BTreeMap<usize, Digest>,
}

impl Digesting {
    /// Bytes went from one node to another.
    pub(crate) fn say(&mut self, from: usize, to: usize, bytes: &[u8]) {
        let digest = self.said.entry((from, to)).or_default();
        digest.add(bytes);
        digest.add(b"\n");
    }

    /// A node wrote down a fact.
    pub(crate) fn write(&mut self, node: usize, fact: &impl fmt::Debug) {
        let digest = self.facts.entry(node).or_default();
        writeln!(digest, "{fact:?}").expect("a digest takes every text");
    }

    pub(crate) fn finish(&self) -> Digests {
        let (mut said, mut facts) = (Digest::default(), Digest::default());
        for ((from, to), digest) in &self.said {
            said.add(&[*from as u64, *to as u64, digest.0].map(u64::to_le_bytes).concat());
        }
        for (node, digest) in &self.facts {
            facts.add(&[*node as u64, digest.0].map(u64::to_le_bytes).concat());
        }
        Digests { said: said.0, facts: facts.0 }
    }
}

/// Fowler, Noll and Vo's hash of a text.
#[derive(Debug)]
struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

impl Write for Digest {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.add(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests;
