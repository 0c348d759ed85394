//! A report is tried again and again until it arrives, unless its sender dies; so is a letter, as
//! soon as those before it have arrived.

use std::collections::BTreeMap;
use std::time::Duration;

use agon_proto::Timestamp;

use crate::audit::{Books, Delivery, Finding, Promise, Sent, SentKind, Sight};

/// No report waits so long for its next try: not behind a breaker that opens twice, and not behind
/// questions that come first and are not answered.
const WAIT_MAX: Duration = Duration::from_secs(120);

#[derive(Default)]
pub(super) struct ReportsArrive {
    /// Those that have not arrived, by link.
    open: BTreeMap<(usize, usize), BTreeMap<u64, Waiting>>,
}

struct Waiting {
    kind: SentKind,
    /// Since when it waits for a try, if it is not tried just now.
    since: Option<Timestamp>,
}

impl Promise for ReportsArrive {
    fn see(&mut self, sight: &Sight<'_>, _: &Books) -> Result<(), Finding> {
        if let Sight::Died { node, .. } = sight {
            self.open.retain(|(sender, _), _| sender != node);
        }
        let Sight::Delivers { link, what, at } = sight else {
            return Ok(());
        };
        let open = self.open.entry(*link).or_default();
        match what {
            Delivery::Given(sent) | Delivery::Came(sent, Err(_)) if must_arrive(*sent) => {
                open.insert(sent.number, Waiting { kind: sent.kind, since: Some(*at) });
            }
            Delivery::Tried(sent) if must_arrive(*sent) => {
                open.insert(sent.number, Waiting { kind: sent.kind, since: None });
            }
            Delivery::Came(sent, Ok(())) if open.remove(&sent.number).is_some() => {
                // The next letter has waited for this one, and waits for a try from now on.
                let mut letters = open.values_mut().filter(|it| it.kind == SentKind::Letter);
                if let (SentKind::Letter, Some(next)) = (sent.kind, letters.next()) {
                    next.since = Some(*at);
                }
            }
            Delivery::Given(_)
            | Delivery::Tried(_)
            | Delivery::Came(..)
            | Delivery::Taken(_)
            | Delivery::Dropped(..)
            | Delivery::FailedFast => {}
        }
        match self.open.iter().find(|(_, open)| is_forgotten(open, *at)) {
            None => Ok(()),
            Some(((node, peer), _)) => {
                Err(format!("nobody tries a report of node {node} to {peer} again").into())
            }
        }
    }
}

const fn must_arrive(sent: Sent) -> bool {
    matches!(sent.kind, SentKind::Report | SentKind::Letter)
}

/// Whether something waits for too long: a report, or the first letter.
fn is_forgotten(open: &BTreeMap<u64, Waiting>, at: Timestamp) -> bool {
    let reports = open.values().filter(|it| it.kind == SentKind::Report);
    let first_letter = open.values().find(|it| it.kind == SentKind::Letter);
    let mut since = reports.chain(first_letter).filter_map(|it| it.since);
    since.any(|since| at.since(since) > WAIT_MAX)
}
