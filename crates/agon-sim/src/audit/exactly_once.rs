//! Every match of the season has exactly one result that counts; at the end none is missing.

use agon_core::LeagueFact;

use super::{Books, Finding, FindingKind, Promise, Sight};

#[derive(Default)]
pub(super) struct ExactlyOnce;

impl Promise for ExactlyOnce {
    fn name(&self) -> &'static str {
        "exactly-once"
    }

    fn see(&mut self, sight: &Sight<'_>, books: &Books) -> Result<(), Finding> {
        let season = &books.season;
        if let Sight::LeagueWrote(LeagueFact::ResultAccepted { match_id, .. }) = sight {
            if books.fixture(*match_id).is_none() {
                return Err(format!("{match_id} has a result and is no match").into());
            }
            if season.verdict(*match_id).is_some() {
                return Err(Finding::about(
                    FindingKind::Duplicated,
                    *match_id,
                    "it has two results",
                ));
            }
        }
        if let Sight::LeagueWrote(LeagueFact::MatchRerun { match_id, .. }) = sight
            && season.verdict(*match_id).is_none()
        {
            return Err(format!("{match_id} is played again and has no result yet").into());
        }
        Ok(())
    }

    fn end(&self, books: &Books) -> Vec<Finding> {
        let missing = books.league.season().ids().filter(|id| books.season.verdict(*id).is_none());
        let missing = missing.filter(|_| books.season.over);
        missing.map(|id| Finding::about(FindingKind::Lost, id, "it has no result")).collect()
    }
}
