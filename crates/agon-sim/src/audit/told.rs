//! What the manager's log has called accepted is what counts, and was called so once in all lives
//! of the manager.

use std::collections::BTreeSet;

use agon_proto::{MatchId, RefereeId};

use super::{Finding, FindingKind, Promise, Sight, hold};

/// A result that the manager's log called accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    pub match_id: MatchId,
    pub attempt: u32,
    pub referee: RefereeId,
    pub status: String,
    pub cause: String,
}

pub(super) fn only_what_counts_is_told() -> Promise {
    let mut matches = BTreeSet::new();
    Box::new(move |sight, books| {
        let Sight::Told(told) = sight else { return Ok(()) };
        let id = told.match_id;
        hold(matches.insert(id), || {
            let what = format!("the manager accepted it once more: {told:?}");
            Finding::about(FindingKind::Duplicated, id, what)
        })?;
        let kept = books.season.accepted.get(&(id, told.attempt));
        let same = kept.is_some_and(|kept| {
            kept.referee == told.referee
                && kept.verdict.status().as_str() == told.status
                && kept.verdict.cause.as_str() == told.cause
        });
        hold(same, || {
            let what = format!("the manager's log has {told:?}, its journal {kept:?}");
            Finding::about(FindingKind::Lost, id, what)
        })
    })
}
