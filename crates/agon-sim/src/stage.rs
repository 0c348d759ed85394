//! The stage: who is on it, what can happen, and the loop that lets it happen.

mod arrive;
mod carry;
mod intruder;
mod links;
mod mailbox;
mod node;
mod operator;
mod programs;
mod said;
mod scene;
mod spoil;
mod street;
mod work;

use std::fmt::Write;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use agon_core::letterbox::Parcel;
use agon_core::{Event, LeagueFact, Outcome};
use agon_link::{CallFault, LinkSettings, Time};
use agon_proto::{Answer, Timestamp};

use crate::cast::Mind;
use crate::digest::{Digest, Digesting, Digests};
use crate::league::Script;
use crate::plan::{Faults, Plan, START};
use crate::report::{Report, Sabotage};
use links::Links;
use mailbox::Mail;
use node::{Node, Presence};
use operator::Operator;
use programs::Programs;
use said::Said;
pub(crate) use scene::Listener;
use scene::Scene;
use street::{Partition, Requester, Street};

/// More happenings than any season needs: whoever gets there runs in circles.
const HAPPENINGS_MAX: u64 = 1_000_000;

/// Something that is going to happen. Nodes are named with the life that it belongs to.
enum Happening {
    /// A node looks into its inbox.
    Works(usize, u32),
    /// A deadline of a node is due.
    Wakes(usize, u32, Timestamp),
    /// A node looks into its mailbox.
    Reads(usize, u32),
    /// A node hears of something: dice, a thought, a mail that was taken.
    Hears(usize, u32, Box<Event>),
    /// A deadline of a link is due.
    Due(usize, u32, (usize, Time)),
    /// A node's mail server is tried again, after so many tries.
    Mails(usize, u32, (Rc<Parcel>, u32)),
    /// A mail arrives in the box of a node.
    Lands(usize, Box<Mail>),
    /// A request reaches its callee.
    Arrives {
        to: usize,
        from: Requester,
        said: Said,
    },
    /// The outcome of a call reaches its caller.
    Returns(usize, Result<Box<Answer>, CallFault>),
    Dies(usize),
    Begins(usize),
    Parts(Partition, Duration),
    Heals,
    /// A spectator looks at a match.
    Looks,
    Intrudes,
    /// The operator takes a hand.
    Orders,
    Ends,
}

pub(crate) struct Stage<'a> {
    script: Script,
    scene: Scene<'a>,
    nodes: Vec<Node>,
    street: Street,
    programs: Programs,
    operator: Operator,
    link: Arc<LinkSettings>,
    has_ended: bool,
}

impl<'a> Stage<'a> {
    pub(crate) fn new(plan: Plan, sabotage: Sabotage, listener: Listener<'a>) -> Self {
        let mut script = Script::new(plan);
        spoil::settings(sabotage, &mut script.settings);
        let mut link = script.link();
        spoil::link(sabotage, &mut link);
        let link = Arc::new(link);
        let plan = &script.plan;
        Self {
            scene: Scene::new(&script, sabotage, listener),
            nodes: (0..plan.nodes()).map(|node| Node::new(&script, node, &link)).collect(),
            street: Street::new(plan),
            programs: Programs::new(plan),
            operator: Operator::new(plan.seed),
            link,
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
            self.happen(happening);
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
            scene.between(0, 300, Happening::Begins(node));
        }
        let trouble = plan.trouble.as_millis() as u64;
        for _ in 0..plan.crashes {
            let wait = Duration::from_millis(scene.rng.between(0, trouble));
            let node = scene.rng.place(self.nodes.len());
            scene.after(wait, Happening::Dies(node));
        }
        for _ in 0..plan.partitions {
            let wait = Duration::from_millis(scene.rng.between(0, trouble));
            let partition = Partition::draw(self.nodes.len(), &mut scene.rng);
            let length = Duration::from_millis(scene.rng.between(500, 30_000));
            scene.after(wait, Happening::Parts(partition, length));
        }
        scene.after(plan.trouble, Happening::Heals);
        scene.after(Duration::from_millis(700), Happening::Looks);
        if plan.rogue {
            scene.after(Duration::from_millis(900), Happening::Intrudes);
        }
        self.operator.plan(plan, scene);
        let limit = self.script.completes_by().since(scene.now);
        scene.after(limit, Happening::Ends);
    }

    fn links(&mut self, node: usize) -> Links<'_, 'a> {
        let (node, street) = (&mut self.nodes[node], &mut self.street);
        Links { node, street, scene: &mut self.scene }
    }

    fn happen(&mut self, happening: Happening) {
        match happening {
            // What a dead process had before it died with it.
            Happening::Works(node, life)
            | Happening::Wakes(node, life, _)
            | Happening::Reads(node, life)
            | Happening::Hears(node, life, _)
            | Happening::Due(node, life, _)
            | Happening::Mails(node, life, _)
                if !self.nodes[node].lives(life) => {}
            Happening::Works(node, _) => self.work(node),
            Happening::Wakes(node, _, at) => self.wake(node, at),
            Happening::Reads(node, _) => self.read_mail(node),
            Happening::Hears(node, _, event) => self.nodes[node].deliver(*event, &mut self.scene),
            Happening::Due(node, _, which) => self.links(node).due(which),
            Happening::Mails(node, _, parcel) => {
                mailbox::send((&self.nodes, node), parcel, &mut self.scene);
            }
            Happening::Lands(node, mail) => self.land(node, *mail),
            Happening::Arrives { to, from, said } => self.arrive(to, from, &said),
            Happening::Returns(call, outcome) => self.conclude(call, outcome.map(|boxed| *boxed)),
            Happening::Dies(node) => self.crash(node),
            Happening::Begins(node) => self.begin(node),
            Happening::Parts(partition, length) => {
                self.street.part(partition, length, &mut self.scene);
            }
            Happening::Heals => self.heal(),
            Happening::Looks => self.look(),
            Happening::Intrudes => self.intrude(),
            Happening::Orders => {
                if self.nodes[0].is_up()
                    && let Some(order) = self.operator.order(&mut self.scene)
                {
                    self.visit(0, order);
                }
            }
            Happening::Ends => self.has_ended = true,
        }
    }

    fn land(&mut self, node: usize, mail: Mail) {
        let node = &mut self.nodes[node];
        if let Some(mailbox) = &mut node.mailbox {
            mailbox.put(mail);
        }
        if node.is_up() {
            node.plan_look(self.script.plan.look_after, &mut self.scene);
        }
    }

    /// Phase two: nothing goes wrong any more, and everybody is up.
    fn heal(&mut self) {
        self.scene.tell(|| "everything heals".into());
        self.scene.faults = Faults::default();
        self.street.heal();
        for node in 0..self.nodes.len() {
            if self.nodes[node].presence == Presence::Down {
                self.scene.soon(500_000, Happening::Begins(node));
            }
        }
    }

    /// What came of the season, in numbers.
    fn sum_up(self) -> Report {
        let Scene { audit, now, mut tally, .. } = self.scene;
        for entry in audit.books().season.matches.values() {
            tally.matches += u64::from(entry.verdict.is_some());
            let cancelled = entry.verdict.map(|verdict| verdict.outcome);
            tally.cancelled += u64::from(cancelled == Some(Outcome::Cancelled));
            tally.attempts += u64::from(entry.attempt - 1);
        }
        tally.virtual_seconds = now.since(START).as_secs();
        if let Mind::Manager(cast) = &self.nodes[0].mind {
            let rerun = |fact: &&LeagueFact| matches!(fact, LeagueFact::MatchRerun { .. });
            tally.reruns = cast.journal.iter().filter(rerun).count() as u64;
            let mut digest = Digest::default();
            for fact in &cast.journal {
                write!(digest, "{fact:?}").expect("a digest takes every text");
            }
            tally.digest = digest.0;
        }
        tally.broken = audit.broken().cloned();
        tally
    }
}
