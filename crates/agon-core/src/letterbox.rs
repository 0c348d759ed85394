//! The letterbox: letters that wait to be carried, and letters that were dealt with.
//!
//! A letter is queued in the same commit as the facts that led to it, and stays queued until
//! whoever carries it has taken it: so it is sent at least once. A letter that was dealt with is
//! remembered by its sender and its id, in the same commit as its effects: so it counts once,
//! across restarts and however often it comes.
//!
//! Spec: docs/q21.md

use std::collections::BTreeMap;

use agon_proto::{Address, Letter, MessageId, Timestamp, WrittenLetter};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

/// One letter on its way, counted by its sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ParcelId(pub u64);

/// A letter with its addresses, in the words that were decided. By mail many may share one; a call
/// goes to one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Parcel {
    pub id: ParcelId,
    pub to: Vec<Address>,
    pub letter: Box<WrittenLetter>,
    /// After this nobody wants it any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

/// What is written down about letters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum LetterboxFact {
    /// A letter must be sent.
    Queued(Parcel),
    /// It was taken, or nobody wants it any more.
    Settled(ParcelId),
    /// A letter of somebody else's was dealt with.
    Handled { from: Address, id: MessageId },
}

/// The letters of one node.
#[derive(Debug, Default)]
pub(crate) struct Letterbox {
    next: u64,
    waiting: BTreeMap<ParcelId, Parcel>,
    /// Of each sender the last ones, in two halves: what is older is not said again by anybody.
    handled: FxHashMap<Address, [FxHashSet<MessageId>; 2]>,
}

/// So many letters make a half.
const HANDLED_MAX: usize = 4096;

impl Letterbox {
    /// The parcel that a letter becomes: record it as `Queued`, and let it go.
    pub(crate) fn parcel(
        &self,
        to: Vec<Address>,
        letter: &Letter,
        until: Option<Timestamp>,
    ) -> Parcel {
        Parcel { id: ParcelId(self.next + 1), to, letter: letter.written().into(), until }
    }

    /// Whether that letter was dealt with before.
    pub(crate) fn knows(&self, from: &Address, id: &MessageId) -> bool {
        self.handled.get(from).is_some_and(|halves| halves.iter().any(|half| half.contains(id)))
    }

    /// Whether a letter of that id still waits to be taken.
    pub(crate) fn holds(&self, id: &MessageId) -> bool {
        self.waiting.values().any(|parcel| parcel.letter.head.id == *id)
    }

    /// Whether that parcel still waits to be taken.
    pub(crate) fn awaits(&self, parcel: ParcelId) -> bool {
        self.waiting.contains_key(&parcel)
    }

    /// Everything that still waits, oldest first: after a restart all of it goes out again.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &Parcel> {
        self.waiting.values()
    }

    /// When the next letter is wanted no more.
    pub(crate) fn deadline(&self) -> Option<Timestamp> {
        self.waiting.values().filter_map(|parcel| parcel.until).min()
    }

    /// Letters that nobody wants any more: record them as `Settled`.
    pub(crate) fn expired(&self, now: Timestamp) -> Vec<ParcelId> {
        let late = |parcel: &&Parcel| parcel.until.is_some_and(|until| until <= now);
        self.waiting.values().filter(late).map(|parcel| parcel.id).collect()
    }

    pub(crate) fn apply(&mut self, fact: &LetterboxFact) {
        match fact {
            LetterboxFact::Queued(parcel) => {
                self.next = self.next.max(parcel.id.0);
                self.waiting.insert(parcel.id, parcel.clone());
            }
            LetterboxFact::Settled(parcel) => {
                self.waiting.remove(parcel);
            }
            LetterboxFact::Handled { from, id } => {
                let [new, old] = self.handled.entry(from.clone()).or_default();
                if new.len() >= HANDLED_MAX {
                    *old = std::mem::take(new);
                }
                new.insert(id.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests;
