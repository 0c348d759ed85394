//! Promises about letters: each leads to what it leads to once, and none holds a secret.

use std::collections::{BTreeMap, BTreeSet};

use agon_core::letterbox::{LetterboxFact, Parcel};
use agon_core::{Effect, What};
use agon_proto::{Address, MessageId, frame};

use crate::audit::{Promise, Sight, hold};

/// Stands in every secret of a rehearsal: no letter may hold it.
pub(crate) const SECRET: &str = "SECRET";

/// No letter of somebody who knows a secret holds it.
pub(super) fn secret_kept() -> Promise {
    // Who judges, and so knows secrets.
    let mut judges = BTreeSet::new();
    Box::new(move |sight, _| {
        let Sight::Leaves { node, effect } = sight else { return Ok(()) };
        if let Effect::Think(question) = effect
            && let What::Oracle { .. } = question.what
        {
            judges.insert(*node);
        }
        let Effect::SendLetter(parcel) = effect else { return Ok(()) };
        hold(!judges.contains(node) || !holds_secret(parcel), || {
            let kind = parcel.letter.act.kind().name();
            format!("{kind} to {:?} holds the secret", parcel.to)
        })
    })
}

fn holds_secret(parcel: &Parcel) -> bool {
    let mut written = Vec::new();
    frame::encode_letter_request(0, &parcel.letter, &mut written);
    String::from_utf8_lossy(&written).contains(SECRET)
}

/// Every letter leads to what it leads to once, as long as its writer remembers. The same may be
/// told to several; and who is called is asked once more when somebody comes back.
pub(super) fn counts_once() -> Promise {
    let mut queued: BTreeMap<(usize, MessageId, Vec<Address>), u32> = BTreeMap::new();
    let mut deaths = 0;
    Box::new(move |sight, _| {
        if let Sight::Died { node, keeps_journal } = sight {
            deaths += 1;
            queued.retain(|(writer, ..), _| *keeps_journal || writer != node);
        }
        let Some((node, LetterboxFact::Queued(parcel))) = sight.letterbox() else {
            return Ok(());
        };
        let Parcel { to, letter, .. } = parcel;
        let times = queued.entry((node, letter.head.id.clone(), to.clone())).or_default();
        *times += 1;
        let is_called = to.iter().any(Address::is_endpoint);
        let allowed = if is_called { 1 + deaths } else { 1 };
        hold(*times <= allowed, || {
            let (kind, id) = (letter.act.kind().name(), &letter.head.id);
            format!("node {node} wrote {kind} {id} to {to:?} once too often")
        })
    })
}
