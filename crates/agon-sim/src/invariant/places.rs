//! Never more calls to one peer are under way than may be.

use std::collections::BTreeMap;

use crate::audit::{Books, Delivery, Finding, Promise, Sight};

#[derive(Default)]
pub(super) struct Places {
    under_way: BTreeMap<(usize, usize), usize>,
}

impl Promise for Places {
    fn name(&self) -> &'static str {
        "places"
    }

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
            if *under_way > *in_flight_max {
                let (node, peer) = link;
                return Err(
                    format!("{under_way} calls of node {node} to {peer} are under way").into()
                );
            }
        }
        if let Delivery::Came(..) = what {
            *under_way -= 1;
        }
        Ok(())
    }
}
