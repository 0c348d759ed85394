//! The cast: a role's machine, and the journal that outlives it.
//!
//! Nothing else on the stage knows which types the roles are made of.

use std::fmt::Debug;

use agon_core::matches::PlayedOnce;
use agon_core::{
    Effect, Effects, Event, LeagueFact, Machine, Manager, Moment, Player, PlayerFact, Referee,
    RefereeFact, RefereeSettings,
};
use agon_proto::Timestamp;

use super::scene::Scene;
use super::spoil;
use crate::audit::Sight;
use crate::league::{CALLBACKS, Script};

/// One machine and its journal.
pub(super) struct Cast<M: Machine> {
    pub(super) machine: M,
    pub(super) journal: Vec<M::Fact>,
    pub(super) out: Effects<M::Fact>,
}

/// Any of the three roles.
pub(super) enum Mind {
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
    pub(super) fn new(script: &Script, node: usize) -> Self {
        match (node, script.plan.nodes[node].capacity) {
            (0, _) => Self::Manager(Cast::new(script, node)),
            (_, Some(_)) => Self::Referee(Cast::new(script, node)),
            (_, None) => Self::Player(Cast::new(script, node)),
        }
    }

    /// Starts the process anew.
    pub(super) fn begin(&mut self, script: &Script, node: usize, scene: &mut Scene<'_>) {
        with!(self, cast => cast.begin(script, node, scene));
    }

    pub(super) fn handle(&mut self, event: Event, at: Timestamp) {
        with!(self, cast => cast.machine.handle(event, at, &mut cast.out));
    }

    pub(super) fn tick(&mut self, moment: Moment) {
        with!(self, cast => cast.machine.tick(moment, &mut cast.out));
    }

    pub(super) fn deadline(&self) -> Option<Timestamp> {
        with!(self, cast => cast.machine.deadline())
    }

    pub(super) fn effects(&mut self) -> Vec<Effect> {
        with!(self, cast => std::mem::take(&mut cast.out.effects))
    }

    /// What the last events led to is lost, and all that was written if nobody keeps it.
    pub(super) fn die(&mut self, keeps_journal: bool) {
        with!(self, cast => {
            cast.out = Effects::default();
            cast.journal.retain(|_| keeps_journal);
        });
    }

    /// Makes the facts of the batch durable, before those who watch. Says whether a round came to
    /// its end.
    pub(super) fn write(&mut self, node: usize, scene: &mut Scene<'_>) -> bool {
        with!(self, cast => cast.write(node, scene))
    }
}

impl<M: Part> Cast<M> {
    fn new(script: &Script, node: usize) -> Box<Self> {
        let machine = M::new(script, node, 0);
        Box::new(Self { machine, journal: Vec::new(), out: Effects::default() })
    }

    /// A new life: what was written is read again, and then it goes on.
    fn begin(&mut self, script: &Script, node: usize, scene: &mut Scene<'_>) {
        self.machine = M::new(script, node, scene.rng.next());
        let last = self.journal.len();
        for (place, fact) in (1..).zip(&self.journal) {
            if !spoil::forgets(scene.sabotage, &M::sight(node, fact), place == last) {
                self.machine.apply(fact);
            }
        }
        self.machine.resume(scene.now, &mut self.out);
    }

    fn write(&mut self, node: usize, scene: &mut Scene<'_>) -> bool {
        let mut milestone = false;
        for fact in self.out.facts.drain(..) {
            let sight = M::sight(node, &fact);
            let times = spoil::times_written(scene.sabotage, &sight);
            let completed = matches!(sight, Sight::LeagueWrote(LeagueFact::RoundCompleted { .. }));
            milestone |= completed && times > 0;
            for _ in 0..times {
                scene.audit.see(&sight);
                if let Some(digesting) = &mut scene.digesting {
                    digesting.write(node, &fact);
                }
                self.journal.push(fact.clone());
            }
        }
        milestone
    }
}

/// A role that can be cast: how it is made, and what the auditor makes of its facts.
pub(super) trait Part: Machine<Fact: Debug> {
    /// A process that has just begun. The nonce is different at every start.
    fn new(script: &Script, node: usize, nonce: u64) -> Self;
    fn sight(node: usize, fact: &Self::Fact) -> Sight<'_>;
}

impl Part for Manager {
    fn new(script: &Script, _: usize, _: u64) -> Self {
        Self::new(script.settings.clone(), script.options.clone())
    }

    fn sight(_: usize, fact: &LeagueFact) -> Sight<'_> {
        Sight::LeagueWrote(fact)
    }
}

impl Part for Referee {
    fn new(script: &Script, node: usize, nonce: u64) -> Self {
        let profile = script.profile(node, nonce);
        if !script.plan.is_by_letters() {
            return Self::new(profile);
        }
        let played = PlayedOnce::course(script.plan.game.clone());
        Self::by_letter(profile, RefereeSettings { played, callbacks: CALLBACKS.into() })
    }

    fn sight(node: usize, fact: &RefereeFact) -> Sight<'_> {
        Sight::RefereeWrote(node, fact)
    }
}

impl Part for Player {
    fn new(script: &Script, node: usize, nonce: u64) -> Self {
        Self::new(script.profile(node, nonce), script.times())
    }

    fn sight(node: usize, fact: &PlayerFact) -> Sight<'_> {
        Sight::PlayerWrote(node, fact)
    }
}
