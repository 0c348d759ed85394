//! Digests of a season: of all that was said, and of every fact.
//!
//! What is said is digested as it stands on the wire, for each pair of nodes on its own; facts for
//! each node. So a rehearsal says what an earlier one said exactly if its digests are the same, and
//! a fact that is only written otherwise leaves the first of them alone.

use std::collections::BTreeMap;
use std::fmt;

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
    said: BTreeMap<(usize, usize), u64>,
    facts: BTreeMap<usize, u64>,
}

impl Digesting {
    /// Bytes went from one node to another.
    pub(crate) fn say(&mut self, from: usize, to: usize, bytes: &[u8]) {
        let digest = self.said.entry((from, to)).or_insert(EMPTY);
        add(digest, bytes);
        add(digest, b"\n");
    }

    /// A node wrote down a fact.
    pub(crate) fn write(&mut self, node: usize, fact: &impl fmt::Debug) {
        let digest = self.facts.entry(node).or_insert(EMPTY);
        add(digest, format!("{fact:?}\n").as_bytes());
    }

    pub(crate) fn finish(&self) -> Digests {
        let (mut said, mut facts) = (EMPTY, EMPTY);
        for ((from, to), digest) in &self.said {
            add(&mut said, &[*from as u64, *to as u64, *digest].map(u64::to_le_bytes).concat());
        }
        for (node, digest) in &self.facts {
            add(&mut facts, &[*node as u64, *digest].map(u64::to_le_bytes).concat());
        }
        Digests { said, facts }
    }
}

/// Fowler, Noll and Vo's hash of nothing.
const EMPTY: u64 = 0xcbf2_9ce4_8422_2325;

/// Of what the digest is of, and these bytes behind it.
fn add(digest: &mut u64, bytes: &[u8]) {
    for byte in bytes {
        *digest = (*digest ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
}

#[cfg(test)]
mod tests;
