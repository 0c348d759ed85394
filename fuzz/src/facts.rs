//! Facts, as a journal holds them: what was written down is read again as it was.

use std::fmt::Debug;

use agon_core::{LeagueFact, PlayerFact, RefereeFact};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::whole;

/// A fact of any role comes back, and is then written with the same bytes.
pub fn check(bytes: &[u8]) {
    comes_back::<LeagueFact>(bytes, |fact| fact);
    comes_back::<RefereeFact>(bytes, |fact| fact);
    comes_back::<PlayerFact>(bytes, whole::player_fact);
}

fn comes_back<T>(bytes: &[u8], kept: impl Fn(T) -> T)
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    let Ok(fact) = serde_json::from_slice::<T>(bytes) else { return };
    let written = serde_json::to_vec(&fact).expect("a fact can be written");
    let again: T = serde_json::from_slice(&written).expect("what was written can be read");
    assert_eq!(serde_json::to_vec(&again).expect("a fact can be written"), written);
    assert_eq!(again, kept(fact));
}
