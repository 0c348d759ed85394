//! Once everything is healed, the season comes to its end.

use super::{Books, Finding, FindingKind, Promise};

pub(super) struct Completion;

impl Promise for Completion {
    fn end(&self, books: &Books) -> Vec<Finding> {
        let season = &books.season;
        if season.over {
            return Vec::new();
        }
        let open = season.matches.iter().filter(|(_, entry)| entry.verdict.is_none());
        let open =
            open.map(|(id, entry)| format!("{id} attempt {} at {}", entry.attempt, entry.referee));
        let (round, rounds) = (season.announced, books.league.season().rounds());
        let what =
            format!("stopped in round {round} of {rounds}; open: {:?}", open.collect::<Vec<_>>());
        vec![Finding::general(FindingKind::Unfinished, what)]
    }
}
