//! The cast: a role's machine, and the journal that outlives it.

use std::fmt::Debug;

use agon_core::{
    Effect, Effects, Event, LeagueFact, Machine, Manager, ManagerOptions, Moment, Player,
    PlayerFact, PlayerTimes, Profile, Question, Referee, RefereeFact, Settings,
};
use agon_proto::{Payload, Timestamp};

use crate::audit::{Audit, Sight};
use crate::digest::Digesting;
use crate::league;
use crate::plan::Plan;
use crate::report::Sabotage;

/// One machine and its journal.
pub(crate) struct Cast<M: Machine> {
    pub(crate) machine: M,
    pub(crate) journal: Vec<M::Fact>,
    pub(crate) out: Effects<M::Fact>,
}

impl<M: Machine> Cast<M> {
    pub(crate) fn new(machine: M) -> Self {
        Self { machine, journal: Vec::new(), out: Effects::default() }
    }

    /// A new life: what was written is read again, and then it goes on.
    pub(crate) fn begin(
        &mut self,
        machine: M,
        reads: impl Fn(usize, &M::Fact) -> bool,
        now: Timestamp,
    ) {
        self.machine = machine;
        for (place, fact) in self.journal.iter().enumerate() {
            if reads(place, fact) {
                self.machine.apply(fact);
            }
        }
        self.machine.resume(now, &mut self.out);
    }
}

/// Any of the three roles, in a league of either kind.
pub(crate) enum Mind<R: Machine = Referee, P: Machine = Player> {
    Manager(Box<Cast<Manager>>),
    Referee(Box<Cast<R>>),
    Player(Box<Cast<P>>),
}

/// Does the same with whichever role it is.
macro_rules! with {
    ($mind:expr, $cast:ident => $what:expr) => {
        match $mind {
            Mind::Manager($cast) => $what,
            Mind::Referee($cast) => $what,
            Mind::Player($cast) => $what,
        }
    };
}

pub(crate) use with;

impl<R: Machine<Fact: Debug>, P: Machine<Fact: Debug>> Mind<R, P> {
    pub(crate) fn handle(&mut self, event: Event, at: Timestamp) {
        with!(self, cast => cast.machine.handle(event, at, &mut cast.out));
    }

    pub(crate) fn tick(&mut self, now: Timestamp) {
        with!(self, cast => cast.machine.tick(Moment::at(now), &mut cast.out));
    }

    pub(crate) fn deadline(&self) -> Option<Timestamp> {
        with!(self, cast => cast.machine.deadline())
    }

    pub(crate) fn effects(&mut self) -> Vec<Effect> {
        with!(self, cast => std::mem::take(&mut cast.out.effects))
    }

    /// What it knows besides a question of its own.
    pub(crate) fn context(&self, question: &Question) -> Payload {
        with!(self, cast => cast.machine.known(question).context)
    }

    /// What the last events led to is lost.
    pub(crate) fn drop_batch(&mut self) {
        with!(self, cast => cast.out = Effects::default());
    }

    /// How many facts its journal holds.
    pub(crate) fn journalled(&self) -> usize {
        with!(self, cast => cast.journal.len())
    }

    /// Digests what was written after the first so many facts.
    pub(crate) fn digest_since(&self, facts: usize, node: usize, digesting: &mut Digesting) {
        with!(self, cast => {
            cast.journal.iter().skip(facts).for_each(|fact| digesting.write(node, fact));
        });
    }

    pub(crate) fn forget(&mut self) {
        with!(self, cast => cast.journal.clear());
    }
}

impl Mind {
    pub(crate) fn manager(settings: &Settings, options: &ManagerOptions) -> Self {
        let manager = Manager::new(settings.clone(), options.clone());
        Self::Manager(Box::new(Cast::new(manager)))
    }

    pub(crate) fn referee(plan: &Plan, node: usize, capacity: u32) -> Self {
        let referee = Referee::new(league::profile(&plan.game, node, Some(capacity), 0));
        Self::Referee(Box::new(Cast::new(referee)))
    }

    pub(crate) fn player(plan: &Plan, node: usize) -> Self {
        let profile = league::profile(&plan.game, node, None, 0);
        let player = Player::new(profile, league::times(plan));
        Self::Player(Box::new(Cast::new(player)))
    }

    /// Makes the facts of the batch durable. Says whether a round or the league came to its end.
    pub(crate) fn write(&mut self, node: usize, sabotage: Sabotage, audit: &mut Audit) -> bool {
        match self {
            Self::Manager(cast) => {
                let mut milestone = false;
                for fact in cast.out.facts.drain(..) {
                    let completed = matches!(fact, LeagueFact::RoundCompleted { .. });
                    if completed && sabotage == Sabotage::SkipFact {
                        continue;
                    }
                    milestone |= completed;
                    audit.see(&Sight::LeagueWrote(&fact));
                    let result = matches!(fact, LeagueFact::ResultAccepted { .. });
                    if result && sabotage == Sabotage::CountTwice {
                        audit.see(&Sight::LeagueWrote(&fact));
                        cast.journal.push(fact.clone());
                    }
                    cast.journal.push(fact);
                }
                milestone
            }
            Self::Referee(cast) => {
                for fact in cast.out.facts.drain(..) {
                    audit.see(&Sight::RefereeWrote(node, &fact));
                    cast.journal.push(fact);
                }
                false
            }
            Self::Player(cast) => {
                for fact in cast.out.facts.drain(..) {
                    audit.see(&Sight::PlayerWrote(node, &fact));
                    cast.journal.push(fact);
                }
                false
            }
        }
    }

    /// Starts the process anew.
    pub(crate) fn begin(
        &mut self,
        (profile, times): (Profile, PlayerTimes),
        (settings, options): (&Settings, &ManagerOptions),
        sabotage: Sabotage,
        now: Timestamp,
    ) {
        match self {
            Self::Manager(cast) => {
                let manager = Manager::new(settings.clone(), options.clone());
                let forgets = sabotage == Sabotage::ForgetFact;
                let last = cast.journal.len().saturating_sub(1);
                cast.begin(manager, |place, _| !forgets || place != last, now);
            }
            Self::Referee(cast) => {
                cast.begin(Referee::new(profile), |_, _: &RefereeFact| true, now);
            }
            Self::Player(cast) => {
                let player = Player::new(profile, times);
                let forgets = sabotage == Sabotage::ForgetChoice;
                let chosen = |fact: &PlayerFact| matches!(fact, PlayerFact::Chosen { .. });
                cast.begin(player, |_, fact| !(forgets && chosen(fact)), now);
            }
        }
    }
}
