//! The cast: a role's machine, and the journal that outlives it.
//!
//! Nothing else on the stage knows which types the roles are made of.

use std::any::Any;
use std::fmt::Debug;

use agon_core::matches::PlayedOnce;
use agon_core::{
    Effect, Effects, Event, LeagueFact, Machine, Manager, Moment, Player, Referee, RefereeSettings,
};
use agon_proto::Timestamp;

use super::scene::Scene;
use crate::audit::Sight;
use crate::league::{CALLBACKS, Script};

/// One machine and its journal.
pub(super) struct Cast<M: Machine> {
    pub(super) machine: M,
    pub(super) journal: Vec<M::Fact>,
    pub(super) out: Effects<M::Fact>,
    role: Role<M>,
}

/// A process that has just begun, by its number and a nonce that is different at every start; and
/// what the auditor makes of its facts.
type Role<M> = (fn(&Script, usize, u64) -> M, fn(usize, &<M as Machine>::Fact) -> Sight<'_>);

/// Any of the three roles, with its journal.
pub(super) trait Mind: Any {
    /// A new life: what was written is read again, and then it goes on.
    fn begin(&mut self, script: &Script, node: usize, scene: &mut Scene<'_>);
    /// Handles all of that, and then the deadlines that are due, if it is told the time.
    fn handle(&mut self, inbox: Vec<(Event, Timestamp)>, tick: Option<Moment>);
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
            (0, _) => {
                let manager = |script: &Script, _, _| {
                    Manager::new(script.settings.clone(), script.options.clone())
                };
                Cast::boxed(script, node, (manager, |_, fact| Sight::LeagueWrote(fact)))
            }
            (_, Some(_)) => {
                Cast::boxed(script, node, (referee, |node, fact| Sight::RefereeWrote(node, fact)))
            }
            (_, None) => {
                let player = |script: &Script, node, nonce| {
                    Player::new(script.profile(node, nonce), script.times())
                };
                Cast::boxed(script, node, (player, |node, fact| Sight::PlayerWrote(node, fact)))
            }
        }
    }

    /// That role, if it is that one.
    pub(super) fn of<M: Machine + 'static>(&self) -> Option<&Cast<M>> {
        (self as &dyn Any).downcast_ref()
    }
}

fn referee(script: &Script, node: usize, nonce: u64) -> Referee {
    let profile = script.profile(node, nonce);
    if !script.plan.is_by_letters() {
        return Referee::new(profile);
    }
    let played = PlayedOnce::course(script.plan.game.clone());
    Referee::by_letter(profile, RefereeSettings { played, callbacks: CALLBACKS.into() })
}

impl<M: Machine<Fact: Debug> + 'static> Cast<M> {
    fn boxed(script: &Script, node: usize, role: Role<M>) -> Box<dyn Mind> {
        let machine = role.0(script, node, 0);
        Box::new(Self { machine, journal: Vec::new(), out: Effects::default(), role })
    }
}

impl<M: Machine<Fact: Debug> + 'static> Mind for Cast<M> {
    fn begin(&mut self, script: &Script, node: usize, scene: &mut Scene<'_>) {
        let (begins, sight) = self.role;
        self.machine = begins(script, node, scene.rng.next());
        let last = self.journal.len();
        for (place, fact) in (1..).zip(&self.journal) {
            if !scene.sabotage.forgets(&sight(node, fact), place == last) {
                self.machine.apply(fact);
            }
        }
        self.machine.resume(scene.now, &mut self.out);
    }

    fn handle(&mut self, inbox: Vec<(Event, Timestamp)>, tick: Option<Moment>) {
        for (event, at) in inbox {
            self.machine.handle(event, at, &mut self.out);
        }
        if let Some(moment) = tick {
            self.machine.tick(moment, &mut self.out);
        }
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
            let sight = self.role.1(node, &fact);
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
