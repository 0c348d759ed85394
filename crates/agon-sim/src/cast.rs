//! The cast: a role's machine, and the journal that outlives it.
//!
//! Nothing else on the stage knows which types the roles are made of.

use std::fmt::Debug;

use agon_core::letterbox::LetterboxFact;
use agon_core::matches::PlayedOnce;
use agon_core::{
    Effect, Effects, Event, LeagueFact, Machine, Manager, Moment, Player, PlayerFact, Referee,
    RefereeFact, RefereeSettings,
};
use agon_proto::Timestamp;

use crate::audit::{Audit, Sight};
use crate::digest::Digesting;
use crate::league::{CALLBACKS, Script};
use crate::report::Sabotage;

/// One machine and its journal.
pub(crate) struct Cast<M: Machine> {
    pub(crate) machine: M,
    pub(crate) journal: Vec<M::Fact>,
    pub(crate) out: Effects<M::Fact>,
}

/// Any of the three roles.
pub(crate) enum Mind {
    Manager(Box<Cast<Manager>>),
    Referee(Box<Cast<Referee>>),
    Player(Box<Cast<Player>>),
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

impl Mind {
    /// What that node is before its first start.
    pub(crate) fn new(script: &Script, node: usize) -> Self {
        let capacity = script.plan.capacity(node);
        match (node, capacity) {
            (0, _) => Self::Manager(Cast::new(manager(script))),
            (_, None) => Self::Player(Cast::new(player(script, node, 0))),
            (_, Some(capacity)) => Self::Referee(Cast::new(referee(script, node, capacity, 0))),
        }
    }

    /// Starts the process anew.
    pub(crate) fn begin(
        &mut self,
        (script, node): (&Script, usize),
        nonce: u64,
        sabotage: Sabotage,
        now: Timestamp,
    ) {
        let too_many = u32::from(sabotage == Sabotage::Overload);
        let capacity = script.plan.capacity(node).map_or(0, |capacity| capacity + too_many);
        match self {
            Self::Manager(cast) => cast.begin(manager(script), sabotage, now),
            Self::Referee(cast) => {
                cast.begin(referee(script, node, capacity, nonce), sabotage, now);
            }
            Self::Player(cast) => cast.begin(player(script, node, nonce), sabotage, now),
        }
    }

    pub(crate) fn handle(&mut self, event: Event, at: Timestamp) {
        with!(self, cast => cast.machine.handle(event, at, &mut cast.out));
    }

    pub(crate) fn tick(&mut self, moment: Moment) {
        with!(self, cast => cast.machine.tick(moment, &mut cast.out));
    }

    pub(crate) fn deadline(&self) -> Option<Timestamp> {
        with!(self, cast => cast.machine.deadline())
    }

    pub(crate) fn effects(&mut self) -> Vec<Effect> {
        with!(self, cast => std::mem::take(&mut cast.out.effects))
    }

    /// What the last events led to is lost, and all that was written if nobody keeps it.
    pub(crate) fn die(&mut self, keeps_journal: bool) {
        with!(self, cast => {
            cast.out = Effects::default();
            cast.journal.retain(|_| keeps_journal);
        });
    }

    /// Makes the facts of the batch durable, before those who watch. Says whether a round or the
    /// league came to its end.
    pub(crate) fn write(
        &mut self,
        node: usize,
        sabotage: Sabotage,
        watching: (&mut Audit, Option<&mut Digesting>),
    ) -> bool {
        with!(self, cast => cast.write(node, sabotage, watching))
    }
}

fn manager(script: &Script) -> Manager {
    Manager::new(script.settings.clone(), script.options.clone())
}

fn referee(script: &Script, node: usize, capacity: u32, nonce: u64) -> Referee {
    let profile = script.profile(node, Some(capacity), nonce);
    if !script.plan.is_by_letters() {
        return Referee::new(profile);
    }
    let played = PlayedOnce::course(script.plan.game.clone());
    Referee::by_letter(profile, RefereeSettings { played, callbacks: CALLBACKS.into() })
}

fn player(script: &Script, node: usize, nonce: u64) -> Player {
    Player::new(script.profile(node, None, nonce), script.times())
}

impl<M: Machine<Fact: Written>> Cast<M> {
    fn new(machine: M) -> Box<Self> {
        Box::new(Self { machine, journal: Vec::new(), out: Effects::default() })
    }

    /// A new life: what was written is read again, and then it goes on.
    fn begin(&mut self, machine: M, sabotage: Sabotage, now: Timestamp) {
        self.machine = machine;
        let last = self.journal.len();
        for (place, fact) in (1..).zip(&self.journal) {
            if !is_forgotten(&fact.sight(0), place == last, sabotage) {
                self.machine.apply(fact);
            }
        }
        self.machine.resume(now, &mut self.out);
    }

    fn write(
        &mut self,
        node: usize,
        sabotage: Sabotage,
        (audit, mut digesting): (&mut Audit, Option<&mut Digesting>),
    ) -> bool {
        let mut milestone = false;
        for fact in self.out.facts.drain(..) {
            let sight = fact.sight(node);
            let completed = matches!(sight, Sight::LeagueWrote(LeagueFact::RoundCompleted { .. }));
            let result = matches!(sight, Sight::LeagueWrote(LeagueFact::ResultAccepted { .. }));
            if completed && sabotage == Sabotage::SkipFact {
                continue;
            }
            milestone |= completed;
            let times = if result && sabotage == Sabotage::CountTwice { 2 } else { 1 };
            for _ in 0..times {
                audit.see(&sight);
                if let Some(digesting) = &mut digesting {
                    digesting.write(node, &fact);
                }
                self.journal.push(fact.clone());
            }
        }
        milestone
    }
}

/// Whether it is what a spoiled restart does not read.
fn is_forgotten(fact: &Sight<'_>, is_last: bool, sabotage: Sabotage) -> bool {
    let of_letters = fact.letterbox().map(|(_, fact)| fact);
    #[expect(clippy::wildcard_enum_match_arm, reason = "the others do not spoil a restart")]
    match sabotage {
        Sabotage::ForgetFact => is_last && matches!(fact, Sight::LeagueWrote(_)),
        Sabotage::ForgetChoice => {
            matches!(fact, Sight::PlayerWrote(_, PlayerFact::Chosen { .. }))
        }
        Sabotage::ForgetWaiting => matches!(of_letters, Some(LetterboxFact::Queued(_))),
        Sabotage::ForgetHandled => matches!(of_letters, Some(LetterboxFact::Handled { .. })),
        _ => false,
    }
}

/// What the auditor makes of a fact, whoever writes it down.
pub(crate) trait Written: Clone + Debug {
    fn sight(&self, node: usize) -> Sight<'_>;
}

impl Written for LeagueFact {
    fn sight(&self, _: usize) -> Sight<'_> {
        Sight::LeagueWrote(self)
    }
}

impl Written for RefereeFact {
    fn sight(&self, node: usize) -> Sight<'_> {
        Sight::RefereeWrote(node, self)
    }
}

impl Written for PlayerFact {
    fn sight(&self, node: usize) -> Sight<'_> {
        Sight::PlayerWrote(node, self)
    }
}
