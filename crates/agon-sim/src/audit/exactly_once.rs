//! Every match of the season has exactly one result that counts; at the end none is missing.

use agon_core::LeagueFact;

use super::{Books, Finding, FindingKind, Promise, Sight, hold};

pub(super) struct ExactlyOnce;

impl Promise for ExactlyOnce {
    fn see(&mut self, sight: &Sight<'_>, books: &Books) -> Result<(), Finding> {
        let season = &books.season;
        if let Sight::LeagueWrote(LeagueFact::ResultAccepted { match_id, .. }) = sight {
            let is_match = books.fixture(*match_id).is_some();
            hold(is_match, || format!("{match_id} has a result and is no match"))?;
            hold(season.verdict(*match_id).is_none(), || {
                Finding::about(FindingKind::Duplicated, *match_id, "it has two results")
            })?;
        }
        if let Sight::LeagueWrote(LeagueFact::MatchRerun { match_id, .. }) = sight {
            let has_result = season.verdict(*match_id).is_some();
            hold(has_result, || format!("{match_id} is played again and has no result yet"))?;
        }
        Ok(())
    }

    fn end(&self, books: &Books) -> Vec<Finding> {
        let missing = books.league.season().ids().filter(|id| books.season.verdict(*id).is_none());
        let missing = missing.filter(|_| books.season.over);
        missing.map(|id| Finding::about(FindingKind::Lost, id, "it has no result")).collect()
    }
}
