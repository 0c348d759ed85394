//! Every match of the season has exactly one result that counts; at the end none is missing.

use agon_core::LeagueFact;

use super::{Books, Finding, FindingKind, Kept, Sight, all_wrong, hold};

pub(super) fn exactly_once(sight: &Sight<'_>, books: &Books) -> Kept {
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
    if let (Sight::Ended, true) = (sight, season.over) {
        let missing = books.league.season().ids().filter(|id| season.verdict(*id).is_none());
        let lost = |id| Finding::about(FindingKind::Lost, id, "it has no result");
        all_wrong(missing.map(lost))?;
    }
    Ok(())
}
