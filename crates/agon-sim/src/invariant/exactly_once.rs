//! Every match of the season has exactly one result that counts; at the end none is missing.

use std::collections::BTreeSet;

use agon_core::LeagueFact;
use agon_proto::MatchId;

use super::{Invariant, Sight};
use crate::ledger::Ledger;

#[derive(Default)]
pub(super) struct ExactlyOnce {
    accepted: BTreeSet<MatchId>,
}

impl Invariant for ExactlyOnce {
    fn name(&self) -> &'static str {
        "exactly-once"
    }

    fn see(&mut self, sight: &Sight<'_>, ledger: &Ledger) -> Result<(), String> {
        if let Sight::LeagueWrote(LeagueFact::ResultAccepted { match_id, .. }) = sight {
            if ledger.paper.fixture(*match_id).is_none() {
                return Err(format!("{match_id} has a result and is no match"));
            }
            if !self.accepted.insert(*match_id) {
                return Err(format!("{match_id} has two results"));
            }
        }
        if let Sight::LeagueWrote(LeagueFact::MatchVoided { match_id, .. }) = sight {
            self.accepted.insert(*match_id);
        }
        if let Sight::LeagueWrote(LeagueFact::MatchRerun { match_id, .. }) = sight
            && !self.accepted.remove(match_id)
        {
            return Err(format!("{match_id} is played again and has no result yet"));
        }
        if let Sight::Ended = sight
            && ledger.over
            && let Some(missing) = ledger.paper.ids().find(|id| !self.accepted.contains(id))
        {
            return Err(format!("{missing} has no result"));
        }
        Ok(())
    }
}
