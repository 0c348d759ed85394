//! Promises about links: what they deliver to a peer, in which order, how much at once, and that
//! they neither forget it nor leave it alone for too long.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use agon_link::{CallFault, LinkLane, Loss};
use agon_proto::Timestamp;

use crate::audit::{Delivery, Promise, Sent, Sight, all_wrong, hold};
use crate::league::OPEN_FOR;

/// Never more calls to one peer are under way than may be.
pub(super) fn places(in_flight_max: usize) -> Promise {
    let mut under_way: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    Box::new(move |sight, _| {
        if let Sight::Died(node) = sight {
            under_way.retain(|(caller, _), _| caller != node);
        }
        let Sight::Delivers(link, what, _) = sight else { return Ok(()) };
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

/// News reaches a peer in the order in which it was said, and so do letters. What counts as taken
/// has arrived, and what is replaced by newer news was tried in vain.
pub(super) fn news_in_order() -> Promise {
    // The newest that was tried, by link; letters apart from news.
    let mut newest = BTreeMap::new();
    let [mut arrived, mut failed] = [(); 2].map(|()| BTreeSet::new());
    Box::new(move |sight, _| {
        let Sight::Delivers(link, what, _) = sight else { return Ok(()) };
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

/// A peer is left alone for a while after it failed, and no longer.
pub(super) fn nobody_left_alone() -> Promise {
    // When a peer was last called, or a call to it last ended, by link.
    let mut last = BTreeMap::new();
    Box::new(move |sight, _| {
        let Sight::Delivers(link, what, at) = sight else { return Ok(()) };
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

/// No report waits so long for its next try: not behind a breaker that opens twice, and not behind
/// questions that come first and are not answered.
const WAIT_MAX: Duration = Duration::from_secs(120);

/// A report is tried again and again until it arrives, unless its sender dies; so is a letter, as
/// soon as those before it have arrived.
pub(super) fn reports_arrive() -> Promise {
    // Those that have not arrived, by link.
    let mut open: BTreeMap<(usize, usize), BTreeMap<u64, Waiting>> = BTreeMap::new();
    Box::new(move |sight, _| {
        if let Sight::Died(node) = sight {
            open.retain(|(sender, _), _| sender != node);
        }
        let Sight::Delivers(link, what, at) = sight else { return Ok(()) };
        note(open.entry(*link).or_default(), what, *at);
        let forgotten = open.iter().filter(|(_, open)| is_forgotten(open, *at));
        all_wrong(forgotten.map(|((node, peer), _)| {
            format!("nobody tries a report of node {node} to {peer} again")
        }))
    })
}

struct Waiting {
    sent: Sent,
    /// Since when it waits for a try, if it is not tried just now.
    since: Option<Timestamp>,
}

fn note(open: &mut BTreeMap<u64, Waiting>, what: &Delivery, at: Timestamp) {
    if let Delivery::Given(sent) | Delivery::Tried(sent) | Delivery::Came(sent, Err(_)) = what
        && let LinkLane::Report | LinkLane::InOrder = sent.lane
    {
        let since = (!matches!(what, Delivery::Tried(_))).then_some(at);
        open.insert(sent.number, Waiting { sent: *sent, since });
    }
    if let Delivery::Came(sent, Ok(())) = what
        && open.remove(&sent.number).is_some()
        && sent.is_letter()
        && let Some(next) = open.values_mut().find(|it| it.sent.is_letter())
    {
        // The next letter has waited for this one, and waits for a try from now on.
        next.since = Some(at);
    }
}

/// Whether something waits for too long: a report, or the first letter.
fn is_forgotten(open: &BTreeMap<u64, Waiting>, at: Timestamp) -> bool {
    let reports = open.values().filter(|it| it.sent.lane == LinkLane::Report);
    let first_letter = open.values().find(|it| it.sent.is_letter());
    let mut since = reports.chain(first_letter).filter_map(|it| it.since);
    since.any(|since| at.since(since) > WAIT_MAX)
}
