//! News reaches a peer in the order in which it was said, and so do letters. What counts as taken
//! has arrived, and what is replaced by newer news was tried in vain.

use std::collections::{BTreeMap, BTreeSet};

use agon_link::{CallFault, Loss};

use crate::audit::{Books, Delivery, Finding, Promise, Sight};

#[derive(Default)]
pub(super) struct NewsInOrder {
    /// The newest that was tried, by link; letters apart from news.
    newest: BTreeMap<((usize, usize), bool), u64>,
    arrived: BTreeSet<u64>,
    failed: BTreeSet<u64>,
}

impl Promise for NewsInOrder {
    fn see(&mut self, sight: &Sight<'_>, _: &Books) -> Result<(), Finding> {
        let Sight::Delivers { link, what, .. } = sight else {
            return Ok(());
        };
        let wrong = match what {
            Delivery::Tried(sent) if sent.is_news() || sent.is_letter() => {
                let newest = self.newest.entry((*link, sent.is_letter())).or_default();
                let overtaken = sent.number < *newest;
                *newest = sent.number.max(*newest);
                overtaken.then_some("is overtaken")
            }
            Delivery::Came(sent, Ok(()) | Err(CallFault::Oversized)) => {
                self.arrived.insert(sent.number);
                None
            }
            Delivery::Came(sent, Err(fault)) => {
                if *fault != CallFault::Exhausted {
                    self.failed.insert(sent.number);
                }
                None
            }
            Delivery::Taken(sent) => {
                (!self.arrived.contains(&sent.number)).then_some("was taken and never arrived")
            }
            Delivery::Dropped(sent, Loss::Replaced) => {
                (!self.failed.contains(&sent.number)).then_some("was replaced and never tried")
            }
            Delivery::Given(_)
            | Delivery::Tried(_)
            | Delivery::Dropped(_, Loss::QueueFull | Loss::GivenUp(_))
            | Delivery::FailedFast => None,
        };
        wrong.map_or(Ok(()), |wrong| Err(format!("{what:?} {wrong} on the way {link:?}").into()))
    }
}
