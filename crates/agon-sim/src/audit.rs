//! The auditor: folds a league's journal and holds every promise up to it, fact by fact.
//!
//! There is one: the simulator, the crash test and the end-to-end tests use it. A manager's journal
//! is enough for most promises. Whoever has more gives it as well, after the journal: the journals
//! of referees and players, what the manager's log has said, the table that it showed. The
//! simulator sees everything else too, and adds promises of its own.

mod answered;
mod books;
mod journal;
mod players;
mod results;
mod shown;
mod sight;

use std::fmt;

use agon_core::{League, LeagueFact, OutcomePoints};
use agon_proto::MatchId;

pub(crate) use answered::is_same;
pub(crate) use books::{Attempt, Books};
pub use shown::Told;
pub use sight::{Delivery, Sent, Sight};

/// One promise: says what is wrong with what is seen, if anything is. The books do not know of it
/// yet.
pub(crate) type Promise = Box<dyn FnMut(&Sight<'_>, &Books) -> Kept>;

/// Promises, each with its name.
pub(crate) type Promises = Vec<(&'static str, Promise)>;

/// Everything that is promised, and what was seen of a league.
pub struct Audit {
    pub(crate) books: Books,
    promises: Promises,
    found: Vec<Broken>,
}

impl Default for Audit {
    /// Of a league that pays what it says itself.
    fn default() -> Self {
        Self::watching(None, Vec::new())
    }
}

impl Audit {
    /// Of a league that has to pay these points, whatever it says itself.
    pub fn paying(points: OutcomePoints) -> Self {
        Self::watching(Some(points), Vec::new())
    }

    /// The same, with promises about what only a stage can see.
    pub(crate) fn watching(points: Option<OutcomePoints>, live: Promises) -> Self {
        let mut promises: Promises = vec![
            ("exactly-once", Box::new(journal::exactly_once)),
            ("standings-are-a-fold", shown::standings_are_a_fold(points)),
            // Before live ones, which see unfair results too.
            ("only-the-blamed-lose", Box::new(journal::only_the_blamed_lose)),
            ("attempts", Box::new(journal::attempts)),
            ("rounds-in-order", Box::new(journal::rounds_in_order)),
            ("only-what-counts-is-told", shown::only_what_counts_is_told()),
            ("acknowledged", Box::new(answered::acknowledged)),
            ("let-in", Box::new(answered::let_in)),
            ("one-story", Box::new(players::one_story)),
            ("same-answer", Box::new(players::same_answer)),
        ];
        promises.extend(live);
        promises.push(("completion", Box::new(journal::completion)));
        Self { books: Books::new(), promises, found: Vec::new() }
    }

    /// The league that the journal has made so far, up to the first broken promise.
    pub fn league(&self) -> &League {
        &self.books.league
    }

    /// All that is wrong with a season that was interrupted, most of it already said.
    pub fn interrupted(mut self) -> Vec<Broken> {
        self.see(&Sight::Paused);
        self.found
    }

    /// All that is wrong with a season that is said to be over, most of it already said.
    pub fn findings(mut self) -> Vec<Broken> {
        self.close();
        self.found
    }

    /// The season is over.
    ///
    /// # Errors
    /// When any promise was broken. The first one is told.
    pub fn end(mut self) -> Result<League, Broken> {
        self.close();
        self.found.into_iter().next().map_or(Ok(self.books.league), Err)
    }

    pub(crate) fn close(&mut self) {
        self.see(&Sight::Paused);
        self.see(&Sight::Ended);
    }

    /// The first promise that was broken.
    pub fn broken(&self) -> Option<&Broken> {
        self.found.first()
    }

    /// Something is not as it must be that no promise of the list is about.
    pub(crate) fn object(&mut self, promise: &'static str, what: impl Into<Finding>) {
        self.found.push(Broken { promise, finding: what.into() });
    }

    /// Holds every promise up to it. Whoever wants to know what else is wrong may go on.
    pub fn see(&mut self, sight: &Sight<'_>) {
        for (name, promise) in &mut self.promises {
            let found = promise(sight, &self.books).err().into_iter().flatten();
            self.found.extend(found.map(|finding| Broken { promise: name, finding }));
        }
        let sound = self.found.is_empty();
        self.books.see(sight, sound);
        if let Sight::LeagueWrote(LeagueFact::RoundCompleted { .. }) = sight
            && sound
        {
            self.see(&Sight::Table(&self.books.league.table(usize::MAX)));
        }
    }
}

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingKind {
    /// A result was acknowledged, and is not what counts.
    Lost,
    /// A match has two results, or counts twice.
    Duplicated,
    /// A result counts, and its referee was never told so.
    Unacknowledged,
    /// Something contradicts something else in another way.
    Wrong,
    /// A season did not come to its end.
    Unfinished,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub kind: FindingKind,
    pub match_id: Option<MatchId>,
    pub what: String,
}

impl Finding {
    pub fn about(kind: FindingKind, match_id: MatchId, what: impl fmt::Display) -> Self {
        Self { kind, match_id: Some(match_id), what: format!("{match_id}: {what}") }
    }

    pub fn general(kind: FindingKind, what: impl fmt::Display) -> Self {
        Self { kind, match_id: None, what: what.to_string() }
    }
}

/// Whether a promise is kept; all that is wrong, if it is not.
pub(crate) type Kept = Result<(), Vec<Finding>>;

/// Finds nothing if it is as it must be.
pub(crate) fn hold<W: Into<Finding>>(is_so: bool, what: impl FnOnce() -> W) -> Kept {
    if is_so { Ok(()) } else { wrong(what()) }
}

/// Finds that.
pub(crate) fn wrong(what: impl Into<Finding>) -> Kept {
    Err(vec![what.into()])
}

/// Finds all of that, which may be nothing.
pub(crate) fn all_wrong(what: impl IntoIterator<Item = impl Into<Finding>>) -> Kept {
    let found: Vec<Finding> = what.into_iter().map(Into::into).collect();
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// Most of what is wrong is just that.
impl<W: Into<String>> From<W> for Finding {
    fn from(what: W) -> Self {
        Self::general(FindingKind::Wrong, what.into())
    }
}

/// A broken promise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    pub promise: &'static str,
    pub finding: Finding,
}

#[cfg(test)]
mod tests;
