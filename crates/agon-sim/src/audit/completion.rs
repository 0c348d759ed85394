//! Once everything is healed, the season comes to its end.

use super::{Books, Finding, FindingKind, Kept, Sight, hold};

pub(super) fn completion(sight: &Sight<'_>, books: &Books) -> Kept {
    let Sight::Ended = sight else { return Ok(()) };
    let season = &books.season;
    hold(season.over, || {
        let open = season.matches.iter().filter(|(_, entry)| entry.verdict.is_none());
        let open =
            open.map(|(id, entry)| format!("{id} attempt {} at {}", entry.attempt, entry.referee));
        let (round, rounds) = (season.announced, books.league.season().rounds());
        let what =
            format!("stopped in round {round} of {rounds}; open: {:?}", open.collect::<Vec<_>>());
        Finding::general(FindingKind::Unfinished, what)
    })
}
