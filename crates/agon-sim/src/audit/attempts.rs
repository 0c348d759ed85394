//! A result counts only for the attempt and the referee that hold the match; attempts are counted
//! one after the other.

use agon_core::LeagueFact;

use super::results::Entry;
use super::{Books, Kept, Sight, hold, wrong};

pub(super) fn attempts(sight: &Sight<'_>, books: &Books) -> Kept {
    let Sight::LeagueWrote(fact) = sight else { return Ok(()) };
    let (LeagueFact::MatchRerun { match_id, .. }
    | LeagueFact::MatchReassigned { match_id, .. }
    | LeagueFact::MatchVoided { match_id, .. }
    | LeagueFact::ResultAccepted { match_id, .. }) = fact
    else {
        return Ok(());
    };
    let Some(Entry { attempt: current, referee: holder, .. }) = books.season.matches.get(match_id)
    else {
        return wrong(format!("{match_id} was never given to anybody"));
    };
    if let LeagueFact::MatchRerun { attempt: next, .. }
    | LeagueFact::MatchReassigned { attempt: next, .. } = fact
    {
        let what = || format!("{match_id} goes from attempt {current} to {next}");
        return hold(*next == current + 1, what);
    }
    if let LeagueFact::ResultAccepted { attempt, referee, .. } = fact {
        return hold((current, holder) == (attempt, referee), || {
            let what = format!("{match_id} took attempt {attempt} of {referee}");
            format!("{what}; {holder} holds attempt {current}")
        });
    }
    Ok(())
}
