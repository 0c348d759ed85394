//! Never more calls to one peer are under way than may be.

use std::collections::BTreeMap;

use crate::audit::{Books, Delivery, Finding, Promise, Sight, hold};

#[derive(Default)]
pub(super) struct Places {
    under_way: BTreeMap<(usize, usize), usize>,
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
        if let Delivery::Tried(_, in_flight_max) = what {
            *under_way += 1;
            let (count, (node, peer)) = (*under_way, link);
            hold(count <= *in_flight_max, || {
                format!("{count} calls of node {node} to {peer} are under way")
            })?;
        }
        if let Delivery::Came(..) = what {
            *under_way -= 1;
        }
        Ok(())
    }
}
