//! A request gets one answer, never two; none only if its process died or still thinks.

use std::collections::{BTreeMap, BTreeSet};

use agon_core::{Effect, RequestId};
use agon_proto::MatchId;

use super::{Invariant, Sight};
use crate::ledger::Ledger;

#[derive(Default)]
pub(super) struct AnsweredOnce {
    open: BTreeMap<RequestId, (usize, Option<MatchId>)>,
    /// Thoughts that never end, by node.
    brooded: BTreeSet<(usize, MatchId)>,
}

impl Invariant for AnsweredOnce {
    fn name(&self) -> &'static str {
        "answered-once"
    }

    fn see(&mut self, sight: &Sight<'_>, _: &Ledger) -> Result<(), String> {
        match sight {
            Sight::Opened { node, request, question } => {
                self.open.insert(*request, (*node, *question));
            }
            Sight::Closed(request) => {
                self.open.remove(request);
            }
            Sight::Brooded { node, match_id } => {
                self.brooded.insert((*node, *match_id));
            }
            Sight::Leaves { node, effect } => {
                if let Some(request) = answered(effect)
                    && self.open.remove(&request).is_none()
                {
                    return Err(format!("node {node} answered {request:?} once more"));
                }
            }
            Sight::Ended => return self.all_answered(),
            Sight::LeagueWrote(_)
            | Sight::RefereeWrote(..)
            | Sight::PlayerWrote(..)
            | Sight::Archived(_)
            | Sight::Died { .. }
            | Sight::Delivers { .. }
            | Sight::Forged(_)
            | Sight::Playing { .. }
            | Sight::Compared { .. } => {}
        }
        Ok(())
    }
}

impl AnsweredOnce {
    fn all_answered(&self) -> Result<(), String> {
        let brooded = |node: usize, question: Option<MatchId>| {
            question.is_some_and(|id| self.brooded.contains(&(node, id)))
        };
        let mut open = self.open.iter();
        match open.find(|(_, (node, question))| !brooded(*node, *question)) {
            None => Ok(()),
            Some((request, (node, question))) => {
                Err(format!("node {node} never answered {request:?} (question: {question:?})"))
            }
        }
    }
}

const fn answered(effect: &Effect) -> Option<RequestId> {
    match effect {
        Effect::Reply { request, .. }
        | Effect::Refuse { request, .. }
        | Effect::Fetch { request, .. } => Some(*request),
        Effect::Send(_)
        | Effect::Broadcast(_)
        | Effect::Archive { .. }
        | Effect::Draw { .. }
        | Effect::Think(_)
        | Effect::Post(_)
        | Effect::Heard(_)
        | Effect::Alert(_)
        | Effect::Finish(_) => None,
    }
}
