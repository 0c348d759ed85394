//! The promises that no season may break, one file each, and the watch that holds them up to
//! everything that happens on the stage.

mod answered_once;
mod blame;
mod capacity;
mod completion;
mod durable_before_visible;
mod exactly_once;
mod fencing;
mod news_in_order;
mod nobody_left_alone;
mod one_story;
mod places;
mod replay;
mod reports_arrive;
mod rounds_in_order;
mod same_answer;
mod sealed;
mod standings_are_a_fold;
mod verdict_before_news;

use agon_core::{Effect, LeagueFact, Manager, PlayerFact, RefereeFact, RequestId, Tag};
use agon_link::{CallFault, Loss};
use agon_proto::{MatchId, Timestamp};

use crate::ledger::Ledger;
use crate::report::Broken;

/// What can be seen from the stalls. Nodes are known by their number; the manager is 0.
pub(crate) enum Sight<'a> {
    /// The manager's journal grew. The ledger does not know it yet.
    LeagueWrote(&'a LeagueFact),
    RefereeWrote(usize, &'a RefereeFact),
    PlayerWrote(usize, &'a PlayerFact),
    /// A transcript was kept in the same commit.
    Archived(MatchId),
    /// A node died and lost all that its journal does not hold.
    Died {
        node: usize,
        keeps_journal: bool,
    },
    /// An effect leaves a node.
    Leaves {
        node: usize,
        effect: &'a Effect,
    },
    /// A request came in; it may be a question that needs a thought.
    Opened {
        node: usize,
        request: RequestId,
        question: Option<MatchId>,
    },
    /// Its process is gone.
    Closed(RequestId),
    /// A thought that will never come to an end.
    Brooded {
        node: usize,
        match_id: MatchId,
    },
    /// What a node's link to another one does.
    Delivers {
        link: (usize, usize),
        what: Delivery,
        at: Timestamp,
    },
    /// All that a forged letter led to.
    Forged(&'a [LeagueFact]),
    /// A referee at work.
    Playing {
        node: usize,
        live: u32,
        capacity: u32,
    },
    /// The manager as it is, and as its journal makes it.
    Compared {
        live: &'a Manager,
        replayed: &'a Manager,
    },
    /// The curtain.
    Ended,
}

/// What happens on a link.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Delivery {
    /// It is given something to deliver.
    Given(Sent),
    /// It calls the peer, which may be called so often at a time.
    Tried(Sent, usize),
    /// How that went.
    Came(Sent, Result<(), CallFault>),
    /// It says that the peer has it.
    Taken(Sent),
    /// It gives it up.
    Dropped(Sent, Loss),
    /// It does not call the peer, which failed too often.
    FailedFast,
}

/// What was given to a link, counted over all links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sent {
    pub(crate) number: u64,
    pub(crate) kind: SentKind,
    pub(crate) tag: Tag,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SentKind {
    Step,
    News,
    Report,
}

/// One promise.
pub(crate) trait Invariant {
    fn name(&self) -> &'static str;

    /// Says what is wrong, if anything is.
    fn see(&mut self, sight: &Sight<'_>, ledger: &Ledger) -> Result<(), String>;
}

/// Everything that is promised.
pub(crate) struct Watch {
    ledger: Ledger,
    invariants: Vec<Box<dyn Invariant>>,
    broken: Option<Broken>,
}

impl Default for Watch {
    fn default() -> Self {
        Self {
            ledger: Ledger::default(),
            invariants: vec![
                Box::<durable_before_visible::DurableBeforeVisible>::default(),
                Box::<exactly_once::ExactlyOnce>::default(),
                Box::<replay::Replay>::default(),
                Box::<standings_are_a_fold::StandingsAreAFold>::default(),
                // Before the next one, which sees unfair results too.
                Box::<blame::OnlyTheBlamedLose>::default(),
                Box::<fencing::Fencing>::default(),
                Box::<one_story::OneStory>::default(),
                Box::<verdict_before_news::VerdictBeforeNews>::default(),
                Box::<sealed::Sealed>::default(),
                Box::<answered_once::AnsweredOnce>::default(),
                Box::<rounds_in_order::RoundsInOrder>::default(),
                Box::<capacity::Capacity>::default(),
                Box::<places::Places>::default(),
                Box::<news_in_order::NewsInOrder>::default(),
                Box::<nobody_left_alone::NobodyLeftAlone>::default(),
                // Before the next one: a season may hang on a report that was lost.
                Box::<reports_arrive::ReportsArrive>::default(),
                Box::<completion::Completion>::default(),
                Box::<same_answer::SameAnswer>::default(),
            ],
            broken: None,
        }
    }
}

impl Watch {
    pub(crate) fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Holds every promise up to it. The first one that breaks is kept.
    pub(crate) fn see(&mut self, sight: &Sight<'_>, at: Timestamp) {
        for invariant in &mut self.invariants {
            if let Err(what) = invariant.see(sight, &self.ledger) {
                let invariant = invariant.name();
                let broken = Broken { invariant, what, at };
                self.broken.get_or_insert(broken);
            }
        }
        if let Sight::LeagueWrote(fact) = sight {
            self.ledger.write(fact);
        }
    }

    pub(crate) fn is_broken(&self) -> bool {
        self.broken.is_some()
    }

    pub(crate) fn into_broken(self) -> Option<Broken> {
        self.broken
    }
}
