//! The journal on real files: what it promises, what it refuses, and what survives a kill.

#![expect(clippy::unwrap_used, reason = "the helpers of a test may fail like the test itself")]

mod append;
mod damage;
mod kill;
mod open;
mod read;
mod split;

use std::{collections::BTreeMap, future::Future};

use agon_store::{Batch, Exhibit, Journal};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Fact {
    Joined {
        name: String,
    },
    Scored {
        by: u32,
        points: i64,
    },
    /// JSON has no such keys, so this one cannot be written down.
    Unwritable(BTreeMap<(u8, u8), u8>),
}

fn joined(name: &str) -> Fact {
    Fact::Joined { name: name.to_owned() }
}

fn scored(points: i64) -> Fact {
    Fact::Scored { by: 7, points }
}

fn unwritable() -> Fact {
    Fact::Unwritable(BTreeMap::from([((1, 2), 3)]))
}

fn facts(facts: &[Fact]) -> Batch<Fact> {
    Batch { facts: facts.to_vec(), exhibits: vec![] }
}

fn exhibit(key: &str, body: &str) -> Exhibit {
    Exhibit { key: key.to_owned(), body: body.as_bytes().to_vec() }
}

/// Every fact of the journal, in the order of the replay.
fn replayed(journal: &Journal<Fact>) -> Vec<Fact> {
    let mut seen = Vec::new();
    let count = journal.replay(|fact| seen.push(fact)).unwrap();
    assert_eq!(count, seen.len() as u64);
    seen
}

fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}
