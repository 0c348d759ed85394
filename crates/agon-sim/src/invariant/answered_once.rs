//! A request gets one answer, never two; none only if its process died or still thinks.

use std::collections::{BTreeMap, BTreeSet};

use agon_core::{Effect, RequestId};
use agon_proto::MatchId;

use crate::audit::{Books, Finding, Promise, Sight, hold};

#[derive(Default)]
pub(super) struct AnsweredOnce {
    /// By node.
    open: BTreeMap<(usize, RequestId), Option<MatchId>>,
    /// Thoughts that never end, by node.
    brooded: BTreeSet<(usize, MatchId)>,
}

impl Promise for AnsweredOnce {
    fn see(&mut self, sight: &Sight<'_>, _: &Books) -> Result<(), Finding> {
        if let Sight::Opened { node, request, question } = sight {
            self.open.insert((*node, *request), *question);
        }
        if let Sight::Died { node, .. } = sight {
            self.open.retain(|(asked, _), _| asked != node);
        }
        if let Sight::Brooded { node, match_id } = sight {
            self.brooded.insert((*node, *match_id));
        }
        if let Sight::Leaves { node, effect } = sight
            && let Effect::Reply { request, .. }
            | Effect::Refuse { request, .. }
            | Effect::Fetch { request, .. } = effect
        {
            let was_open = self.open.remove(&(*node, *request)).is_some();
            hold(was_open, || format!("node {node} answered {request:?} once more"))?;
        }
        Ok(())
    }

    fn end(&self, _: &Books) -> Vec<Finding> {
        let broods = |node: usize, question: Option<MatchId>| {
            question.is_some_and(|id| self.brooded.contains(&(node, id)))
        };
        let open = self.open.iter().filter(|((node, _), question)| !broods(*node, **question));
        let what = open.map(|((node, request), question)| {
            format!("node {node} never answered {request:?} (question: {question:?})")
        });
        what.map(Finding::from).collect()
    }
}
