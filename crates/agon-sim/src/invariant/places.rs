//! Never more calls to one peer are under way than may be.

use std::collections::BTreeMap;

use crate::audit::{Books, Delivery, Finding, Promise, Sight, hold};

pub(super) struct Places {
    in_flight_max: usize,
    under_way: BTreeMap<(usize, usize), usize>,
}

impl Places {
    pub(super) const fn new(in_flight_max: usize) -> Self {
        Self { in_flight_max, under_way: BTreeMap::new() }
    }
}

impl Promise for Places {
    fn see(&mut self, sight: &Sight<'_>, _: &Books) -> Result<(), Finding> {
        if let Sight::Died { node, .. } = sight {
            self.under_way.retain(|(caller, _), _| caller != node);
        }
        let Sight::Delivers { link, what, .. } = sight else {
            return Ok(());
        };
        let under_way = self.under_way.entry(*link).or_default();
        if let Delivery::Tried(_) = what {
            *under_way += 1;
            let (count, (node, peer)) = (*under_way, link);
            hold(count <= self.in_flight_max, || {
                format!("{count} calls of node {node} to {peer} are under way")
            })?;
        }
        if let Delivery::Came(..) = what {
            *under_way -= 1;
        }
        Ok(())
    }
}
