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
        if let Sight::RefereeWrote(node, RefereeFact::Started(_)) = sight {
            self.scheduled.insert(*node);
        }
        if let Sight::RefereeWrote(node, RefereeFact::Assigned(assignment)) = sight {
            self.playing.entry(*node).or_default().insert(assignment.match_id);
        }
        if let Sight::RefereeWrote(node, RefereeFact::Judged { match_id, .. }) = sight {
            self.playing.entry(*node).or_default().remove(match_id);
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
