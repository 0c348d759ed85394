//! A peer is left alone for a while after it failed, and no longer.

use std::collections::BTreeMap;

use agon_proto::Timestamp;

use crate::audit::{Books, Delivery, Finding, Promise, Sight, hold};
use crate::league::OPEN_FOR;

#[derive(Default)]
pub(super) struct NobodyLeftAlone {
    /// When a peer was last called, or a call to it last ended, by link.
    last: BTreeMap<(usize, usize), Timestamp>,
}

impl Promise for NobodyLeftAlone {
    fn see(&mut self, sight: &Sight<'_>, _: &Books) -> Result<(), Finding> {
        let Sight::Delivers { link, what, at } = sight else {
            return Ok(());
        };
        if let Delivery::Tried(_) | Delivery::Came(..) = what {
            self.last.insert(*link, *at);
        }
        let alone = self.last.get(link).map_or(OPEN_FOR, |last| at.since(*last));
        hold(!matches!(what, Delivery::FailedFast) || alone < OPEN_FOR, || {
            let (node, peer) = link;
            format!("node {node} has left {peer} alone for {alone:?}, and still does")
        })
    }
}
