//! A report is tried again and again until it arrives, unless its sender dies; so is a letter, as
//! soon as those before it have arrived.

use std::collections::BTreeMap;
use std::time::Duration;

use agon_link::LinkLane;
use agon_proto::Timestamp;

use crate::audit::{Delivery, Promise, Sent, Sight, all_wrong};

/// No report waits so long for its next try: not behind a breaker that opens twice, and not behind
/// questions that come first and are not answered.
const WAIT_MAX: Duration = Duration::from_secs(120);

pub(super) fn reports_arrive() -> Promise {
    // Those that have not arrived, by link.
    let mut open: BTreeMap<(usize, usize), BTreeMap<u64, Waiting>> = BTreeMap::new();
    Box::new(move |sight, _| {
        if let Sight::Died { node, .. } = sight {
            open.retain(|(sender, _), _| sender != node);
        }
        let Sight::Delivers { link, what, at } = sight else { return Ok(()) };
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
        && must_arrive(*sent)
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

const fn must_arrive(sent: Sent) -> bool {
    matches!(sent.lane, LinkLane::Report | LinkLane::InOrder)
}

/// Whether something waits for too long: a report, or the first letter.
fn is_forgotten(open: &BTreeMap<u64, Waiting>, at: Timestamp) -> bool {
    let reports = open.values().filter(|it| it.sent.lane == LinkLane::Report);
    let first_letter = open.values().find(|it| it.sent.is_letter());
    let mut since = reports.chain(first_letter).filter_map(|it| it.since);
    since.any(|since| at.since(since) > WAIT_MAX)
}
