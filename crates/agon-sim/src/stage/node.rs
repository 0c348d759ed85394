//! One process: a mind, and what dies with it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use agon_core::{Event, Moment, RequestId};
use agon_proto::Timestamp;

use super::Stage;
use super::cast::Mind;
use super::links::Wire;
use super::mailbox::Mailbox;
use super::scene::Scene;
use super::street::Requester;
use crate::league::Script;
use crate::plan::PlannedNode;
use crate::sabotage::Sabotage;

pub(super) struct Node {
    pub(super) number: usize,
    pub(super) planned: PlannedNode,
    pub(super) mind: Box<dyn Mind>,
    /// Counts up at every death, so that nothing of an earlier life is taken for this one's.
    pub(super) life: u32,
    pub(super) presence: Presence,
    pub(super) inbox: Vec<(Event, Timestamp)>,
    pub(super) is_working: bool,
    pub(super) wakes_at: Option<Timestamp>,
    /// One to each peer.
    pub(super) links: Vec<Wire>,
    /// Requests it has taken and not answered.
    pub(super) open: BTreeMap<RequestId, Requester>,
    pub(super) mailbox: Option<Mailbox>,
    /// Questions at which its program has failed in any life: twice would be its author's loss.
    pub(super) failed: BTreeSet<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    Up,
    Down,
    /// The league is over for it.
    Gone,
}

impl Node {
    pub(super) fn new(script: &Script, number: usize) -> Self {
        let planned = script.plan.nodes[number];
        Self {
            number,
            planned,
            mind: <dyn Mind>::new(script, number),
            life: 0,
            presence: Presence::Down,
            inbox: Vec::new(),
            is_working: false,
            wakes_at: None,
            links: Wire::to_all(script),
            open: BTreeMap::new(),
            mailbox: planned.way.has_mailbox().then(|| Mailbox::new(number)),
            failed: BTreeSet::new(),
        }
    }

    pub(super) fn is_up(&self) -> bool {
        self.presence == Presence::Up
    }

    pub(super) fn lives(&self, life: u32) -> bool {
        self.life == life && self.is_up()
    }

    /// What it does later, unless it dies before: what a dead process had planned died with it.
    pub(super) fn alive<F>(&self, does: F) -> impl FnOnce(&mut Stage<'_>) + use<F>
    where
        F: FnOnce(&mut Stage<'_>, usize) + 'static,
    {
        let (node, life) = (self.number, self.life);
        move |stage| {
            if stage.nodes[node].lives(life) {
                does(stage, node);
            }
        }
    }

    /// It hears of something: dice, a thought, a mail that was taken.
    pub(super) fn hears(&self, event: Event) -> impl FnOnce(&mut Stage<'_>) + use<> {
        self.alive(|stage, node| stage.nodes[node].deliver(event, &mut stage.scene))
    }

    pub(super) fn deliver(&mut self, event: Event, scene: &mut Scene<'_>) {
        self.inbox.push((event, scene.now));
        if !self.is_working {
            self.is_working = true;
            scene.soon(2_000, self.alive(|stage, node| stage.work(node)));
        }
    }

    /// Handles all that waits, and then the deadlines that are really due.
    pub(super) fn handle(&mut self, scene: &Scene<'_>) {
        self.is_working = false;
        let now = scene.now;
        let heard = self.mailbox.as_ref().map_or(now, |mailbox| mailbox.heard);
        let tick = (!self.is_stopped(scene)).then_some(Moment { now, heard });
        self.mind.handle(std::mem::take(&mut self.inbox), tick);
    }

    /// Winds the node's alarm clock.
    pub(super) fn wind(&mut self, scene: &mut Scene<'_>) {
        let deadline = self.mind.deadline().filter(|_| !self.is_stopped(scene));
        if !self.is_up() || self.wakes_at == deadline {
            return;
        }
        self.wakes_at = deadline;
        if let Some(at) = deadline {
            // A deadline that has passed already is due at once, but not before what happens now.
            let wait = at.since(scene.now).max(Duration::from_micros(1));
            scene.after(wait, self.alive(move |stage, node| stage.wake(node, at)));
        }
    }

    /// Plans to look into the mailbox within that time, unless that is planned.
    pub(super) fn plan_look(&mut self, within: Duration, scene: &mut Scene<'_>) {
        if let Some(mailbox) = &mut self.mailbox
            && !std::mem::replace(&mut mailbox.is_looked_for, true)
        {
            let within = u64::try_from(within.as_millis()).unwrap_or(u64::MAX);
            scene.between(0, within, self.alive(|stage, node| stage.read_mail(node)));
        }
    }

    /// A mail is dealt with.
    pub(super) fn mark_read(&mut self, number: u64) {
        if let Some(mailbox) = &mut self.mailbox {
            mailbox.unread.remove(&number);
        }
    }

    /// All that is not in the journal is gone. What it has not answered it never will.
    pub(super) fn die(&mut self, script: &Script) -> BTreeMap<RequestId, Requester> {
        self.presence = Presence::Down;
        self.life += 1;
        self.inbox.clear();
        self.is_working = false;
        self.wakes_at = None;
        self.links = Wire::to_all(script);
        self.mind.die(self.planned.keeps_journal);
        if let Some(mailbox) = &mut self.mailbox {
            mailbox.close();
        }
        std::mem::take(&mut self.open)
    }

    fn is_stopped(&self, scene: &Scene<'_>) -> bool {
        self.number == 0 && scene.sabotage == Sabotage::StopClock
    }
}
