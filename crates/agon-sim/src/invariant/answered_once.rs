//! A request gets one answer, never two; none only if its process died or still thinks.

use std::collections::{BTreeMap, BTreeSet};

use agon_core::{Effect, RequestId};
use agon_proto::MatchId;

use crate::audit::{Promise, Sight, all_wrong, hold};

pub(super) fn answered_once() -> Promise {
    // By node.
    let mut open: BTreeMap<(usize, RequestId), Option<MatchId>> = BTreeMap::new();
    // Thoughts that never end, by node.
    let mut brooded = BTreeSet::new();
    Box::new(move |sight, _| {
        if let Sight::Opened { node, request, question } = sight {
            open.insert((*node, *request), *question);
        }
        if let Sight::Died { node, .. } = sight {
            open.retain(|(asked, _), _| asked != node);
        }
        if let Sight::Brooded { node, match_id } = sight {
            brooded.insert((*node, *match_id));
        }
        if let Sight::Leaves { node, effect } = sight
            && let Effect::Reply { request, .. }
            | Effect::Refuse { request, .. }
            | Effect::Fetch { request, .. } = effect
        {
            let was_open = open.remove(&(*node, *request)).is_some();
            hold(was_open, || format!("node {node} answered {request:?} once more"))?;
        }
        let Sight::Ended = sight else { return Ok(()) };
        let broods =
            |node, question: Option<_>| question.is_some_and(|id| brooded.contains(&(node, id)));
        let open = open.iter().filter(|((node, _), question)| !broods(*node, **question));
        all_wrong(open.map(|((node, request), question)| {
            format!("node {node} never answered {request:?} (question: {question:?})")
        }))
    })
}
