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
        match what {
            Delivery::Tried(_) | Delivery::Came(..) => {
                self.last.insert(*link, *at);
                Ok(())
            }
            Delivery::FailedFast => {
                let alone = self.last.get(link).map_or(OPEN_FOR, |last| at.since(*last));
                let (node, peer) = link;
                hold(alone < OPEN_FOR, || {
                    format!("node {node} has left {peer} alone for {alone:?}, and still does")
                })
            }
            Delivery::Given(_) | Delivery::Taken(_) | Delivery::Dropped(..) => Ok(()),
        }
    }
}
