//! Never more calls to one peer are under way than may be.

use std::collections::BTreeMap;

use crate::audit::{Delivery, Promise, Sight, hold};

pub(super) fn places(in_flight_max: usize) -> Promise {
    let mut under_way: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    Box::new(move |sight, _| {
        if let Sight::Died { node, .. } = sight {
            under_way.retain(|(caller, _), _| caller != node);
        }
        let Sight::Delivers { link, what, .. } = sight else { return Ok(()) };
        let under_way = under_way.entry(*link).or_default();
        if let Delivery::Tried(_) = what {
            *under_way += 1;
        }
        if let Delivery::Came(..) = what {
            *under_way -= 1;
        }
        hold(*under_way <= in_flight_max, || {
            let (node, peer) = link;
            format!("{under_way} calls of node {node} to {peer} are under way")
        })
    })
}
