//! A report is tried again and again until it arrives, unless its sender dies.

use std::collections::BTreeMap;
use std::time::Duration;

use agon_proto::Timestamp;

use crate::audit::{Books, Delivery, Finding, Promise, SentKind, Sight};

/// No report waits so long for its next try: not behind a breaker that opens twice, and not behind
/// questions that come first and are not answered.
const WAIT_MAX: Duration = Duration::from_secs(120);

#[derive(Default)]
pub(super) struct ReportsArrive {
    /// Those that have not arrived: their sender, and since when they wait for a try.
    open: BTreeMap<u64, (usize, Option<Timestamp>)>,
}

impl Promise for ReportsArrive {
    fn name(&self) -> &'static str {
        "reports-arrive"
    }

    fn see(&mut self, sight: &Sight<'_>, _: &Books) -> Result<(), Finding> {
        if let Sight::Died { node, .. } = sight {
            self.open.retain(|_, (sender, _)| sender != node);
        }
        let Sight::Delivers { link: (node, _), what, at } = sight else {
            return Ok(());
        };
        match what {
            Delivery::Given(sent) | Delivery::Came(sent, Err(_)) => {
                if sent.kind == SentKind::Report {
                    self.open.insert(sent.number, (*node, Some(*at)));
                }
            }
            Delivery::Tried(sent, _) => {
                if sent.kind == SentKind::Report {
                    self.open.insert(sent.number, (*node, None));
                }
            }
            Delivery::Came(sent, Ok(())) => {
                self.open.remove(&sent.number);
            }
            Delivery::Taken(_) | Delivery::Dropped(..) | Delivery::FailedFast => {}
        }
        let waits = |since: &Option<Timestamp>| since.is_some_and(|it| at.since(it) > WAIT_MAX);
        match self.open.values().find(|(_, since)| waits(since)) {
            None => Ok(()),
            Some((node, since)) => {
                Err(format!("nobody tries a report of node {node} again since {since:?}").into())
            }
        }
    }
}
