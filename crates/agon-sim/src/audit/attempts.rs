//! A result counts only for the attempt and the referee that hold the match; attempts are counted
//! one after the other.

use agon_core::LeagueFact;

use super::books::Entry;
use super::{Books, Finding, Promise, Sight};

#[derive(Default)]
pub(super) struct Attempts;

impl Promise for Attempts {
    fn name(&self) -> &'static str {
        "attempts"
    }

    fn see(&mut self, sight: &Sight<'_>, books: &Books) -> Result<(), Finding> {
        let Sight::LeagueWrote(fact) = sight else { return Ok(()) };
        let (LeagueFact::MatchRerun { match_id, .. }
        | LeagueFact::MatchReassigned { match_id, .. }
        | LeagueFact::MatchVoided { match_id, .. }
        | LeagueFact::ResultAccepted { match_id, .. }) = fact
        else {
            return Ok(());
        };
        let Some(Entry { attempt: current, referee: holder, .. }) =
            books.season.matches.get(match_id)
        else {
            return Err(format!("{match_id} was never given to anybody").into());
        };
        if let LeagueFact::MatchRerun { attempt: next, .. }
        | LeagueFact::MatchReassigned { attempt: next, .. } = fact
            && *next != current + 1
        {
            return Err(format!("{match_id} goes from attempt {current} to {next}").into());
        }
        if let LeagueFact::ResultAccepted { attempt, referee, .. } = fact
            && (current, holder) != (attempt, referee)
        {
            let what = format!("{match_id} took attempt {attempt} of {referee}");
            return Err(format!("{what}; {holder} holds attempt {current}").into());
        }
        Ok(())
    }
}
