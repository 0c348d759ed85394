//! News reaches a peer in the order in which it was said, and so do letters. What counts as taken
//! has arrived, and what is replaced by newer news was tried in vain.

use std::collections::{BTreeMap, BTreeSet};

use agon_link::{CallFault, Loss};

use crate::audit::{Delivery, Promise, Sight, all_wrong};

pub(super) fn news_in_order() -> Promise {
    // The newest that was tried, by link; letters apart from news.
    let mut newest = BTreeMap::new();
    let [mut arrived, mut failed] = [(); 2].map(|()| BTreeSet::new());
    Box::new(move |sight, _| {
        let Sight::Delivers { link, what, .. } = sight else { return Ok(()) };
        let wrong = match what {
            Delivery::Tried(sent) if sent.is_news() || sent.is_letter() => {
                let newest = newest.entry((*link, sent.is_letter())).or_default();
                let overtaken = sent.number < *newest;
                *newest = sent.number.max(*newest);
                overtaken.then_some("is overtaken")
            }
            Delivery::Came(sent, Ok(()) | Err(CallFault::Oversized)) => {
                arrived.insert(sent.number);
                None
            }
            Delivery::Came(sent, Err(fault)) => {
                if *fault != CallFault::Exhausted {
                    failed.insert(sent.number);
                }
                None
            }
            Delivery::Taken(sent) => {
                (!arrived.contains(&sent.number)).then_some("was taken and never arrived")
            }
            Delivery::Dropped(sent, Loss::Replaced) => {
                (!failed.contains(&sent.number)).then_some("was replaced and never tried")
            }
            Delivery::Given(_)
            | Delivery::Tried(_)
            | Delivery::Dropped(_, Loss::QueueFull | Loss::GivenUp(_))
            | Delivery::FailedFast => None,
        };
        all_wrong(wrong.map(|wrong| format!("{what:?} {wrong} on the way {link:?}")))
    })
}
