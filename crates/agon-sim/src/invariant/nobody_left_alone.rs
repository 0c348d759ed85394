//! A peer is left alone for a while after it failed, and no longer.

use std::collections::BTreeMap;

use crate::audit::{Delivery, Promise, Sight, hold};
use crate::league::OPEN_FOR;

pub(super) fn nobody_left_alone() -> Promise {
    // When a peer was last called, or a call to it last ended, by link.
    let mut last = BTreeMap::new();
    Box::new(move |sight, _| {
        let Sight::Delivers { link, what, at } = sight else { return Ok(()) };
        if let Delivery::Tried(_) | Delivery::Came(..) = what {
            last.insert(*link, *at);
        }
        let alone = last.get(link).map_or(OPEN_FOR, |last| at.since(*last));
        hold(!matches!(what, Delivery::FailedFast) || alone < OPEN_FOR, || {
            let (node, peer) = link;
            format!("node {node} has left {peer} alone for {alone:?}, and still does")
        })
    })
}
