//! One process: a mind, and what dies with it.

use std::sync::Arc;
use std::time::Duration;

use agon_core::{Event, Moment};
use agon_link::LinkSettings;
use agon_proto::Timestamp;

use super::Happening;
use super::links::Wire;
use super::mailbox::Mailbox;
use super::scene::Scene;
use crate::cast::Mind;
use crate::league::Script;
use crate::plan::Temper;
use crate::report::Sabotage;

pub(super) struct Node {
    pub(super) number: usize,
    pub(super) mind: Mind,
    pub(super) temper: Temper,
    pub(super) keeps_journal: bool,
    /// Counts up at every death, so that nothing of an earlier life is taken for this one's.
    pub(super) life: u32,
    pub(super) presence: Presence,
    pub(super) inbox: Vec<(Event, Timestamp)>,
    pub(super) is_working: bool,
    pub(super) wakes_at: Option<Timestamp>,
    /// One to each peer.
    pub(super) links: Vec<Wire>,
    /// Requests it has taken and not answered.
    pub(super) open: Vec<u64>,
    pub(super) mailbox: Option<Mailbox>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    Up,
    Down,
    /// The league is over for it.
    Gone,
}

impl Node {
    pub(super) fn new(script: &Script, number: usize, link: &Arc<LinkSettings>) -> Self {
        let plan = &script.plan;
        let agent = number.checked_sub(1);
        let crew = agent.and_then(|place| plan.referees.get(place));
        let guest = agent.and_then(|place| place.checked_sub(plan.referees.len()));
        let guest = guest.and_then(|place| plan.players.get(place));
        let (temper, keeps_journal) = match (crew, guest) {
            (Some(crew), _) => (Temper::Sound, crew.keeps_journal),
            (None, Some(guest)) => (guest.temper, guest.keeps_journal),
            (None, None) => (Temper::Sound, true),
        };
        Self {
            number,
            mind: Mind::new(script, number),
            temper,
            keeps_journal,
            life: 0,
            presence: Presence::Down,
            inbox: Vec::new(),
            is_working: false,
            wakes_at: None,
            links: Wire::to_all(plan.nodes(), link),
            open: Vec::new(),
            mailbox: plan.way(number).has_mailbox().then(|| Mailbox::new(number)),
        }
    }

    pub(super) fn is_up(&self) -> bool {
        self.presence == Presence::Up
    }

    pub(super) fn lives(&self, life: u32) -> bool {
        self.life == life && self.is_up()
    }

    pub(super) fn deliver(&mut self, event: Event, scene: &mut Scene<'_>) {
        self.inbox.push((event, scene.now));
        if !self.is_working {
            self.is_working = true;
            scene.soon(2_000, Happening::Works(self.number, self.life));
        }
    }

    /// Handles all that waits, and then the deadlines that are really due.
    pub(super) fn handle(&mut self, scene: &Scene<'_>) {
        self.is_working = false;
        for (event, at) in self.inbox.drain(..) {
            self.mind.handle(event, at);
        }
        if !self.is_stopped(scene) {
            let now = scene.now;
            let heard = self.mailbox.as_ref().map_or(now, |mailbox| mailbox.heard);
            self.mind.tick(Moment { now, heard });
        }
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
            scene.after(wait, Happening::Wakes(self.number, self.life, at));
        }
    }

    /// Plans to look into the mailbox within that time, unless that is planned.
    pub(super) fn plan_look(&mut self, within: Duration, scene: &mut Scene<'_>) {
        if let Some(mailbox) = &mut self.mailbox
            && !std::mem::replace(&mut mailbox.is_looked_for, true)
        {
            let within = u64::try_from(within.as_millis()).unwrap_or(u64::MAX);
            scene.between(0, within, Happening::Reads(self.number, self.life));
        }
    }

    /// All that is not in the journal is gone. What it has not answered it never will.
    pub(super) fn die(&mut self, link: &Arc<LinkSettings>) -> Vec<u64> {
        self.presence = Presence::Down;
        self.life += 1;
        self.inbox.clear();
        self.is_working = false;
        self.wakes_at = None;
        self.links = Wire::to_all(self.links.len(), link);
        self.mind.die(self.keeps_journal);
        if let Some(mailbox) = &mut self.mailbox {
            mailbox.close();
        }
        std::mem::take(&mut self.open)
    }

    fn is_stopped(&self, scene: &Scene<'_>) -> bool {
        self.number == 0 && scene.sabotage == Sabotage::StopClock
    }
}
