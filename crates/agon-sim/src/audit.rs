//! The auditor: folds a league's journal and holds every promise up to it, fact by fact.
//!
//! There is one: the simulator, the crash test and the end-to-end tests use it. A manager's journal
//! is enough for most promises. Whoever has more gives it as well, after the journal: the journals
//! of referees and players, what the manager's log has said, the table that it showed. The
//! simulator sees everything else too, and adds promises of its own.

mod acknowledged;
mod attempts;
mod blame;
mod books;
mod completion;
mod exactly_once;
mod finding;
mod let_in;
mod one_story;
mod results;
mod rounds_in_order;
mod same_answer;
mod sight;
mod standings_are_a_fold;
mod told;

use agon_core::{League, LeagueFact, OutcomePoints, PlayerFact, RefereeFact};
use agon_proto::message::StandingsRow;

pub(crate) use acknowledged::is_same;
pub(crate) use books::Books;
pub use finding::{Broken, Finding, FindingKind};
pub(crate) use finding::{Kept, all_wrong, hold, wrong};
pub(crate) use sight::{Delivery, Sent, Sight};
pub use told::Told;

/// One promise: says what is wrong with what is seen, if anything is. The books do not know of it
/// yet.
pub(crate) type Promise = Box<dyn FnMut(&Sight<'_>, &Books) -> Kept>;

/// Promises, each with its name.
pub(crate) type Promises = Vec<(&'static str, Promise)>;

/// Everything that is promised, and what was seen of a league.
pub struct Audit {
    books: Books,
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
            ("exactly-once", Box::new(exactly_once::exactly_once)),
            ("standings-are-a-fold", standings_are_a_fold::standings_are_a_fold(points)),
            // Before live ones, which see unfair results too.
            ("only-the-blamed-lose", Box::new(blame::only_the_blamed_lose)),
            ("attempts", Box::new(attempts::attempts)),
            ("rounds-in-order", Box::new(rounds_in_order::rounds_in_order)),
            ("only-what-counts-is-told", told::only_what_counts_is_told()),
            ("acknowledged", Box::new(acknowledged::acknowledged)),
            ("let-in", Box::new(let_in::let_in)),
            ("one-story", Box::new(one_story::one_story)),
            ("same-answer", Box::new(same_answer::same_answer)),
        ];
        promises.extend(live);
        promises.push(("completion", Box::new(completion::completion)));
        Self { books: Books::default(), promises, found: Vec::new() }
    }

    /// The next fact of the manager's journal.
    ///
    /// # Errors
    /// When it breaks a promise. Whoever wants to know what else is wrong may go on.
    pub fn fact(&mut self, fact: &LeagueFact) -> Result<(), Broken> {
        self.hear(|audit| audit.see(&Sight::LeagueWrote(fact)))
    }

    /// The next fact of the journal of that referee, whom only this number has.
    ///
    /// # Errors
    /// When it breaks a promise.
    pub fn referee(&mut self, node: usize, fact: &RefereeFact) -> Result<(), Broken> {
        self.hear(|audit| audit.see(&Sight::RefereeWrote(node, fact)))
    }

    /// The next fact of the journal of that player, whom only this number has.
    ///
    /// # Errors
    /// When it breaks a promise.
    pub fn player(&mut self, node: usize, fact: &PlayerFact) -> Result<(), Broken> {
        self.hear(|audit| audit.see(&Sight::PlayerWrote(node, fact)))
    }

    /// A result that the manager's log called accepted.
    ///
    /// # Errors
    /// When it breaks a promise.
    pub fn told(&mut self, told: &Told) -> Result<(), Broken> {
        self.hear(|audit| audit.see(&Sight::Told(told)))
    }

    /// A table that was shown to people.
    ///
    /// # Errors
    /// When it breaks a promise.
    pub fn table(&mut self, rows: &[StandingsRow]) -> Result<(), Broken> {
        self.hear(|audit| audit.see(&Sight::Table(rows)))
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

    pub(crate) fn books(&self) -> &Books {
        &self.books
    }

    /// The first promise that was broken.
    pub(crate) fn broken(&self) -> Option<&Broken> {
        self.found.first()
    }

    /// Something is not as it must be that no promise of the list is about.
    pub(crate) fn object(&mut self, promise: &'static str, what: impl Into<Finding>) {
        self.found.push(Broken { promise, finding: what.into() });
    }

    /// Holds every promise up to it.
    pub(crate) fn see(&mut self, sight: &Sight<'_>) {
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

    fn hear(&mut self, what: impl FnOnce(&mut Self)) -> Result<(), Broken> {
        let before = self.found.len();
        what(self);
        self.found.get(before).cloned().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests;
