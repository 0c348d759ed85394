//! The stage: who is on it, and the loop that lets happen what can happen.

mod cast;
mod links;
mod mailbox;
mod node;
mod programs;
mod scene;
mod street;
mod traffic;
mod visitors;
mod work;

use std::time::Duration;

use agon_core::{LeagueFact, Manager, Outcome};

use crate::Report;
use crate::digest::{Digesting, Digests};
use crate::league::Script;
use crate::plan::{Faults, Plan, START};
use crate::sabotage::Sabotage;
use links::Links;
use node::{Node, Presence};
pub(crate) use scene::Listener;
use scene::Scene;
use street::{Partition, Street};

/// More happenings than any season needs: whoever gets there runs in circles.
const HAPPENINGS_MAX: u64 = 1_000_000;

pub(crate) struct Stage<'a> {
    script: Script,
    scene: Scene<'a>,
    nodes: Vec<Node>,
    street: Street,
    has_ended: bool,
}

impl<'a> Stage<'a> {
    pub(crate) fn new(plan: Plan, sabotage: Sabotage, listener: Listener<'a>) -> Self {
        let mut script = Script::new(plan);
        sabotage.spoil_script(&mut script);
        let plan = &script.plan;
        Self {
            scene: Scene::new(&script, sabotage, listener),
            nodes: (0..plan.nodes.len()).map(|node| Node::new(&script, node)).collect(),
            street: Street::new(plan),
            has_ended: false,
            script,
        }
    }

    /// Plays the season to its end, or to the first broken promise.
    pub(crate) fn play(mut self) -> Report {
        self.perform();
        self.sum_up()
    }

    /// Plays the season for its digests.
    pub(crate) fn digest(mut self) -> Digests {
        self.scene.digesting = Some(Digesting::default());
        self.perform();
        self.scene.digesting.unwrap_or_default().finish()
    }

    fn perform(&mut self) {
        self.set();
        while !self.has_ended
            && self.scene.audit.broken().is_none()
            && self.scene.planned < HAPPENINGS_MAX
            && let Some(happening) = self.scene.next()
        {
            happening(self);
        }
        if self.scene.audit.broken().is_none() {
            self.close();
        }
    }

    /// What has arrived is still handled; then the curtain falls.
    fn close(&mut self) {
        self.scene.faults = Faults::default();
        for node in 0..self.nodes.len() {
            if self.nodes[node].is_up() {
                self.work(node);
            }
        }
        self.compare();
        self.scene.audit.close();
    }

    /// Everything that is fixed beforehand.
    fn set(&mut self) {
        let (plan, scene) = (&self.script.plan, &mut self.scene);
        for node in 0..self.nodes.len() {
            scene.between(0, 300, move |stage| stage.begin(node));
        }
        let trouble = plan.trouble.as_millis() as u64;
        for _ in 0..plan.crashes {
            let wait = Duration::from_millis(scene.rng.between(0, trouble));
            let node = scene.rng.place(self.nodes.len());
            scene.after(wait, move |stage| stage.crash(node));
        }
        for _ in 0..plan.partitions {
            let wait = Duration::from_millis(scene.rng.between(0, trouble));
            let partition = Partition::draw(self.nodes.len(), &mut scene.rng);
            let length = Duration::from_millis(scene.rng.between(500, 30_000));
            scene.after(wait, move |stage| stage.street.part(partition, length, &mut stage.scene));
        }
        scene.after(plan.trouble, |stage| stage.heal());
        visitors::plan(plan, scene);
        let limit = self.script.completes_by().since(scene.now);
        scene.after(limit, |stage| stage.has_ended = true);
    }

    fn links(&mut self, node: usize) -> Links<'_, 'a> {
        let (node, street) = (&mut self.nodes[node], &mut self.street);
        Links { node, street, scene: &mut self.scene }
    }

    /// Phase two: nothing goes wrong any more, and everybody is up.
    fn heal(&mut self) {
        self.scene.tell(|| "everything heals".into());
        self.scene.faults = Faults::default();
        self.street.partitions.clear();
        for node in 0..self.nodes.len() {
            if self.nodes[node].presence == Presence::Down {
                self.scene.soon(500_000, move |stage| stage.begin(node));
            }
        }
    }

    /// What came of the season, in numbers.
    fn sum_up(self) -> Report {
        let Scene { audit, now, mut tally, .. } = self.scene;
        for entry in audit.books.season.matches.values() {
            tally.matches += u64::from(entry.verdict.is_some());
            let cancelled = entry.verdict.map(|verdict| verdict.outcome);
            tally.cancelled += u64::from(cancelled == Some(Outcome::Cancelled));
            tally.attempts += u64::from(entry.attempt - 1);
        }
        tally.virtual_seconds = now.since(START).as_secs();
        if let Some(cast) = self.nodes[0].mind.of::<Manager>() {
            let rerun = |fact: &&LeagueFact| matches!(fact, LeagueFact::MatchRerun { .. });
            tally.reruns = cast.journal.iter().filter(rerun).count() as u64;
        }
        tally.broken = audit.broken().cloned();
        tally
    }
}
