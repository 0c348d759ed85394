//! A referee never plays more matches at once than it said it could.

use std::collections::{BTreeMap, BTreeSet};

use agon_core::RefereeFact;
use agon_proto::MatchId;

use crate::audit::{Books, Finding, Promise, Sight, hold};

#[derive(Default)]
pub(super) struct Capacity {
    /// What each node took and has not judged, in its present life.
    playing: BTreeMap<usize, BTreeSet<MatchId>>,
    /// Whose matches the season's table sets: how many at once is not theirs to say.
    scheduled: BTreeSet<usize>,
}

impl Promise for Capacity {
    fn see(&mut self, sight: &Sight<'_>, _: &Books) -> Result<(), Finding> {
        if let Sight::Died { node, .. } = sight {
            self.playing.remove(node);
        }
        if let Sight::RefereeWrote(node, fact) = sight {
            let playing = self.playing.entry(*node).or_default();
            match fact {
                RefereeFact::Assigned(assignment) => {
                    playing.insert(assignment.match_id);
                }
                RefereeFact::Started(_) => {
                    self.scheduled.insert(*node);
                }
                RefereeFact::Judged { match_id, .. } => {
                    playing.remove(match_id);
                }
                RefereeFact::Agent(_)
                | RefereeFact::Scheduled { .. }
                | RefereeFact::RoundBegan(_)
                | RefereeFact::RoundEnded { .. }
                | RefereeFact::Answered { .. }
                | RefereeFact::Stepped { .. }
                | RefereeFact::Recorded { .. }
                | RefereeFact::Settled { .. } => {}
            }
        }
        if let Sight::Playing { node, live, capacity } = sight
            && !self.scheduled.contains(node)
        {
            let known = self.playing.get(node).map_or(0, BTreeSet::len);
            hold(known <= *capacity as usize && known == *live as usize, || {
                format!("node {node} plays {known} matches, says {live}, and can play {capacity}")
            })?;
        }
        Ok(())
    }
}
