//! The cast: a role's machine, and the journal that outlives it.
//!
//! Nothing else on the stage knows which types the roles are made of.

use std::any::Any;
use std::fmt::Debug;

use agon_core::matches::PlayedOnce;
use agon_core::{
    Effect, Effects, Event, LeagueFact, Machine, Manager, Moment, Player, PlayerFact, Referee,
    RefereeFact, RefereeSettings,
};
use agon_proto::Timestamp;

use super::scene::Scene;
use crate::audit::Sight;
use crate::league::{CALLBACKS, Script};

/// One machine and its journal.
pub(super) struct Cast<F: RoleFact> {
    pub(super) machine: F::Role,
    pub(super) journal: Vec<F>,
    pub(super) out: Effects<F>,
}

/// Any of the three roles, with its journal.
pub(super) trait Mind: Any {
    /// A new life: what was written is read again, and then it goes on.
    fn begin(&mut self, script: &Script, node: usize, scene: &mut Scene<'_>);
    fn handle(&mut self, event: Event, at: Timestamp);
    fn tick(&mut self, moment: Moment);
    fn deadline(&self) -> Option<Timestamp>;
    fn effects(&mut self) -> Vec<Effect>;
    /// What the last events led to is lost, and all that was written if nobody keeps it.
    fn die(&mut self, keeps_journal: bool);
    /// Makes the facts of the batch durable, before those who watch. Says whether a round came to
    /// its end.
    fn write(&mut self, node: usize, scene: &mut Scene<'_>) -> bool;
}

impl dyn Mind {
    /// What that node is before its first start.
    pub(super) fn new(script: &Script, node: usize) -> Box<Self> {
        match (node, script.plan.nodes[node].capacity) {
            (0, _) => Box::new(Cast::<LeagueFact>::new(script, node)),
            (_, Some(_)) => Box::new(Cast::<RefereeFact>::new(script, node)),
            (_, None) => Box::new(Cast::<PlayerFact>::new(script, node)),
        }
    }

    /// The role that writes such facts, if it is that one.
    pub(super) fn of<F: RoleFact>(&self) -> Option<&Cast<F>> {
        (self as &dyn Any).downcast_ref()
    }
}

impl<F: RoleFact> Cast<F> {
    fn new(script: &Script, node: usize) -> Self {
        Self { machine: F::role(script, node, 0), journal: Vec::new(), out: Effects::default() }
    }
}

impl<F: RoleFact> Mind for Cast<F> {
    fn begin(&mut self, script: &Script, node: usize, scene: &mut Scene<'_>) {
        self.machine = F::role(script, node, scene.rng.next());
        let last = self.journal.len();
        for (place, fact) in (1..).zip(&self.journal) {
            if !scene.sabotage.forgets(&fact.sight(node), place == last) {
                self.machine.apply(fact);
            }
        }
        self.machine.resume(scene.now, &mut self.out);
    }

    fn handle(&mut self, event: Event, at: Timestamp) {
        self.machine.handle(event, at, &mut self.out);
    }

    fn tick(&mut self, moment: Moment) {
        self.machine.tick(moment, &mut self.out);
    }

    fn deadline(&self) -> Option<Timestamp> {
        self.machine.deadline()
    }

    fn effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.out.effects)
    }

    fn die(&mut self, keeps_journal: bool) {
        self.out = Effects::default();
        self.journal.retain(|_| keeps_journal);
    }

    fn write(&mut self, node: usize, scene: &mut Scene<'_>) -> bool {
        let mut milestone = false;
        for fact in self.out.facts.drain(..) {
            let sight = fact.sight(node);
            let times = scene.sabotage.times_written(&sight);
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

/// The facts of a role: how that role is made, and what the auditor makes of them.
pub(super) trait RoleFact: Clone + Debug + 'static {
    type Role: Machine<Fact = Self>;
    /// A process that has just begun. The nonce is different at every start.
    fn role(script: &Script, node: usize, nonce: u64) -> Self::Role;
    fn sight(&self, node: usize) -> Sight<'_>;
}

impl RoleFact for LeagueFact {
    type Role = Manager;

    fn role(script: &Script, _: usize, _: u64) -> Manager {
        Manager::new(script.settings.clone(), script.options.clone())
    }

    fn sight(&self, _: usize) -> Sight<'_> {
        Sight::LeagueWrote(self)
    }
}

impl RoleFact for RefereeFact {
    type Role = Referee;

    fn role(script: &Script, node: usize, nonce: u64) -> Referee {
        let profile = script.profile(node, nonce);
        if !script.plan.is_by_letters() {
            return Referee::new(profile);
        }
        let played = PlayedOnce::course(script.plan.game.clone());
        Referee::by_letter(profile, RefereeSettings { played, callbacks: CALLBACKS.into() })
    }

    fn sight(&self, node: usize) -> Sight<'_> {
        Sight::RefereeWrote(node, self)
    }
}

impl RoleFact for PlayerFact {
    type Role = Player;

    fn role(script: &Script, node: usize, nonce: u64) -> Player {
        Player::new(script.profile(node, nonce), script.times())
    }

    fn sight(&self, node: usize) -> Sight<'_> {
        Sight::PlayerWrote(node, self)
    }
}
