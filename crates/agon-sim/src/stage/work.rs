//! Lives and batches: a node handles what waits, makes its facts durable, lets its effects go.
//!
//! The process may die before the facts are durable, after that and before any effect has left, or
//! after some have. What was not durable never happened.

use std::time::Duration;

use agon_core::{Effect, Ending, Manager, Referee};
use agon_link::CallFault;
use agon_proto::Timestamp;

use super::node::Presence;
use super::{Stage, street};
use crate::audit::Sight;
use crate::sabotage::Sabotage;

/// A reader that must know whether it is late looks into its mailbox within this time.
const LOOK_WITHIN: Duration = Duration::from_secs(2);
/// Longest time that a process is down in a gentle season.
const DOWN_MAX_MS: u64 = 20_000;

/// Where in a batch the process dies.
#[derive(Debug, Clone, Copy)]
enum Blow {
    None,
    BeforeDurable,
    /// So many effects leave.
    After(usize),
}

impl Stage<'_> {
    /// A deadline is due. Who gets mail knows that only after a look into the box.
    pub(super) fn wake(&mut self, node: usize, at: Timestamp) {
        let home = &mut self.nodes[node];
        if home.wakes_at != Some(at) {
            return;
        }
        home.wakes_at = None;
        if home.mailbox.as_ref().is_some_and(|mailbox| mailbox.heard < at) {
            home.plan_look(LOOK_WITHIN, &mut self.scene);
        } else {
            self.work(node);
        }
    }

    /// One batch.
    pub(super) fn work(&mut self, node: usize) {
        self.nodes[node].handle(&self.scene);
        self.commit(node);
    }

    /// Facts first, then effects, unless the process dies in between.
    pub(super) fn commit(&mut self, node: usize) {
        let mut effects = self.nodes[node].mind.effects();
        let blow = self.draw_blow(effects.len());
        if node == 0 && self.scene.sabotage == Sabotage::AcknowledgeBeforeDurable {
            self.let_go(node, effects.drain(..));
        }
        if let Blow::BeforeDurable = blow {
            return self.crash(node);
        }
        self.write(node, &effects);
        if let Blow::After(count) = blow {
            self.let_go(node, effects.drain(..).take(count));
            return self.crash(node);
        }
        self.let_go(node, effects.drain(..));
        let home = &mut self.nodes[node];
        if let Some(cast) = home.mind.of::<Referee>()
            && home.is_up()
        {
            self.scene.audit.see(&Sight::Playing(node, cast.machine.live()));
        }
        home.wind(&mut self.scene);
    }

    fn draw_blow(&mut self, effects: usize) -> Blow {
        let scene = &mut self.scene;
        let spared = scene.tally.crashes >= self.script.plan.crashes_max;
        if spared || !scene.rng.happens(scene.faults.crash) {
            return Blow::None;
        }
        match scene.rng.between(0, 2) {
            0 => Blow::BeforeDurable,
            1 => Blow::After(0),
            _ => Blow::After(scene.rng.place(effects + 1)),
        }
    }

    fn write(&mut self, node: usize, effects: &[Effect]) {
        let scene = &mut self.scene;
        for effect in effects {
            if let Effect::Archive { match_id, .. } = effect {
                scene.audit.see(&Sight::Archived(*match_id));
            }
        }
        let was_over = scene.audit.books.season.over;
        if self.nodes[node].mind.write(node, scene) {
            self.compare();
        }
        if self.scene.audit.books.season.over && !was_over {
            self.scene.tell(|| "the league is complete".into());
            let wait = self.script.plan.afterwards(self.scene.now);
            self.scene.after(wait, |stage| stage.has_ended = true);
        }
    }

    fn let_go(&mut self, node: usize, effects: impl IntoIterator<Item = Effect>) {
        let mut ending = None;
        for effect in effects {
            if let Effect::Finish(how) = effect {
                ending = Some(how);
            } else {
                self.carry_out(node, effect);
            }
        }
        let Some(ending) = ending else { return };
        self.scene.tell(|| format!("node {node} ends: {ending:?}"));
        self.die(node);
        match ending {
            Ending::LeagueCompleted => {
                self.nodes[node].presence = Presence::Gone;
                self.scene.audit.see(&Sight::Gone(node));
            }
            // Nobody starts a player again that was told that it plays no more.
            Ending::NotAdmitted(why) if why.contains("withdrawn") => {
                self.nodes[node].presence = Presence::Gone;
            }
            Ending::NotAdmitted(_) | Ending::NoManager(_) => {
                self.scene.between(5_000, 20_000, move |stage| stage.begin(node));
            }
        }
    }

    /// The process dies, and somebody starts it again later.
    pub(super) fn crash(&mut self, node: usize) {
        if !self.nodes[node].is_up() {
            return;
        }
        self.scene.tell(|| format!("node {node} crashes"));
        self.scene.tally.crashes += 1;
        self.die(node);
        let rng = &mut self.scene.rng;
        let wait = match rng.between(0, 9) {
            _ if self.script.plan.is_gentle => rng.between(1, DOWN_MAX_MS),
            0 => rng.between(20_000, 60_000),
            1..=3 => rng.between(2_000, 20_000),
            _ => rng.between(50, 2_000),
        };
        self.scene.after(Duration::from_millis(wait), move |stage| stage.begin(node));
    }

    fn die(&mut self, node: usize) {
        for from in self.nodes[node].die(&self.script).into_values() {
            // Whoever waits for an answer of a dead process sees the line break.
            street::turn_away(from, CallFault::Broken, &mut self.scene);
        }
        self.scene.audit.see(&Sight::Died(node));
        if !self.nodes[node].planned.keeps_journal {
            self.scene.audit.see(&Sight::Forgot(node));
        }
    }

    pub(super) fn begin(&mut self, node: usize) {
        let home = &mut self.nodes[node];
        if home.presence != Presence::Down {
            return;
        }
        self.scene.tell(|| format!("node {node} begins"));
        home.presence = Presence::Up;
        home.mind.begin(&self.script, node, &mut self.scene);
        self.commit(node);
        let home = &mut self.nodes[node];
        if home.is_up() {
            home.plan_look(LOOK_WITHIN, &mut self.scene);
        }
        if node == 0 && home.is_up() {
            self.compare();
        }
    }

    /// Holds the manager up to its journal. Only between batches, when both know the same.
    pub(super) fn compare(&mut self) {
        let manager = &self.nodes[0];
        if let Some(cast) = manager.mind.of::<Manager>()
            && manager.is_up()
        {
            self.scene.audit.see(&Sight::Rests(&cast.machine));
        }
    }
}
