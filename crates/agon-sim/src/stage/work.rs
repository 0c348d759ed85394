//! Lives and batches: a node handles what waits, makes its facts durable, lets its effects go.
//!
//! The process may die before the facts are durable, after that and before any effect has left, or
//! after some have. What was not durable never happened.

use std::time::Duration;

use agon_core::{Effect, Ending, Event};
use agon_link::CallFault;
use agon_proto::Timestamp;

use super::links::Wire;
use super::{AFTERWARDS, Happening, Presence, Stage};
use crate::audit::Sight;
use crate::cast::Mind;
use crate::league;
use crate::report::Sabotage;

/// Where in a batch the process dies.
#[derive(Debug, Clone, Copy)]
enum Blow {
    None,
    BeforeDurable,
    /// So many effects leave.
    After(usize),
}

impl Stage<'_> {
    pub(super) fn deliver(&mut self, node: usize, event: Event) {
        let now = self.agenda.now;
        let home = &mut self.nodes[node];
        home.inbox.push((event, now));
        if !home.is_working {
            home.is_working = true;
            let life = home.life;
            self.soon(2_000, Happening::Works(node, life));
        }
    }

    pub(super) fn wake(&mut self, node: usize, at: Timestamp) {
        if self.nodes[node].wakes_at == Some(at) {
            self.nodes[node].wakes_at = None;
            self.work(node);
        }
    }

    /// One batch: all that waits, and then the deadlines that are really due.
    pub(super) fn work(&mut self, node: usize) {
        let now = self.agenda.now;
        let home = &mut self.nodes[node];
        home.is_working = false;
        for (event, at) in home.inbox.drain(..) {
            home.mind.handle(event, at);
        }
        let stopped = node == 0 && self.sabotage == Sabotage::StopClock;
        if !stopped {
            home.mind.tick(now);
        }
        self.commit(node);
    }

    /// Facts first, then effects, unless the process dies in between.
    pub(super) fn commit(&mut self, node: usize) {
        let effects = self.nodes[node].mind.effects();
        let blow = self.draw_blow(effects.len());
        let early = node == 0 && self.sabotage == Sabotage::AcknowledgeBeforeDurable;
        match (blow, early) {
            (Blow::BeforeDurable, false) => return self.crash(node),
            (Blow::BeforeDurable, true) => {
                self.let_go(node, effects);
                return self.crash(node);
            }
            (Blow::None | Blow::After(_), true) => {
                self.let_go(node, effects);
                self.write(node, &[]);
            }
            (Blow::None, false) => {
                self.write(node, &effects);
                self.let_go(node, effects);
            }
            (Blow::After(count), false) => {
                self.write(node, &effects);
                self.let_go(node, effects.into_iter().take(count));
                return self.crash(node);
            }
        }
        if let Mind::Referee(cast) = &self.nodes[node].mind
            && self.nodes[node].presence == Presence::Up
            && let Some(capacity) = self.plan.capacity(node)
        {
            let live = cast.machine.live();
            let playing = Sight::Playing { node, live, capacity };
            self.audit.see(&playing);
        }
        self.wind(node);
    }

    fn draw_blow(&mut self, effects: usize) -> Blow {
        if !self.rng.happens(self.faults.crash) {
            return Blow::None;
        }
        match self.rng.between(0, 2) {
            0 => Blow::BeforeDurable,
            1 => Blow::After(0),
            _ => Blow::After(self.rng.place(effects + 1)),
        }
    }

    fn write(&mut self, node: usize, effects: &[Effect]) {
        for effect in effects {
            if let Effect::Archive { match_id, .. } = effect {
                self.audit.see(&Sight::Archived(*match_id));
            }
        }
        let was_over = self.audit.books().season.over;
        let mind = &mut self.nodes[node].mind;
        let before = mind.journalled();
        let milestone = mind.write(node, self.sabotage, &mut self.audit);
        if let Some(digesting) = &mut self.digesting {
            mind.digest_since(before, node, digesting);
        }
        if milestone {
            self.compare();
        }
        if self.audit.books().season.over && !was_over {
            self.tell(|| "the league is complete".into());
            let trouble = self.plan.heals_at().since(self.agenda.now);
            self.after(trouble + AFTERWARDS, Happening::Ends);
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
        self.tell(|| format!("node {node} ends: {ending:?}"));
        self.die(node);
        match ending {
            Ending::LeagueCompleted => {
                self.nodes[node].presence = Presence::Gone;
                self.audit.see(&Sight::Gone(node));
            }
            // Nobody starts a player again that was told that it plays no more.
            Ending::NotAdmitted(why) if why.contains("withdrawn") => {
                self.nodes[node].presence = Presence::Gone;
            }
            Ending::NotAdmitted(_) => {
                let wait = self.rng.between(5_000, 20_000);
                self.after(Duration::from_millis(wait), Happening::Begins(node));
            }
        }
    }

    /// Winds the node's alarm clock.
    fn wind(&mut self, node: usize) {
        let stopped = node == 0 && self.sabotage == Sabotage::StopClock;
        let home = &mut self.nodes[node];
        let deadline = home.mind.deadline().filter(|_| !stopped);
        if home.presence != Presence::Up || home.wakes_at == deadline {
            return;
        }
        home.wakes_at = deadline;
        if let Some(at) = deadline {
            let life = home.life;
            // A deadline that has passed already is due at once, but not before what happens now.
            let wait = at.since(self.agenda.now).max(Duration::from_micros(1));
            self.after(wait, Happening::Wakes(node, life, at));
        }
    }

    /// The process dies, and somebody starts it again later.
    pub(super) fn crash(&mut self, node: usize) {
        if self.nodes[node].presence != Presence::Up {
            return;
        }
        self.tell(|| format!("node {node} crashes"));
        self.tally.crashes += 1;
        self.die(node);
        let wait = match self.rng.between(0, 9) {
            0 => self.rng.between(20_000, 60_000),
            1..=3 => self.rng.between(2_000, 20_000),
            _ => self.rng.between(50, 2_000),
        };
        self.after(Duration::from_millis(wait), Happening::Begins(node));
    }

    /// All that is not in the journal is gone; whoever waits for an answer sees the line break.
    fn die(&mut self, node: usize) {
        let home = &mut self.nodes[node];
        home.presence = Presence::Down;
        home.life += 1;
        home.inbox.clear();
        home.is_working = false;
        home.wakes_at = None;
        home.links = Wire::to_all(home.links.len(), &self.link);
        home.mind.drop_batch();
        let keeps_journal = home.keeps_journal;
        if !keeps_journal {
            home.mind.forget();
        }
        let open = std::mem::take(&mut home.open);
        for request in open {
            let request = &self.requests[request as usize];
            if let Some(call) = request.call.filter(|_| request.first) {
                let broken = Err(CallFault::Broken);
                self.soon(20_000, Happening::Returns(call, broken));
            }
        }
        let died = Sight::Died { node, keeps_journal };
        self.audit.see(&died);
    }

    pub(super) fn begin(&mut self, node: usize) {
        if self.nodes[node].presence != Presence::Down {
            return;
        }
        self.tell(|| format!("node {node} begins"));
        let nonce = self.rng.next();
        let too_many = u32::from(self.sabotage == Sabotage::Overload);
        let capacity = self.plan.capacity(node).map(|capacity| capacity + too_many);
        let profile = league::profile(&self.plan.game, node, capacity, nonce);
        let times = league::times(&self.plan);
        let league = (&self.settings, &self.options);
        let home = &mut self.nodes[node];
        home.presence = Presence::Up;
        home.mind.begin((profile, times), league, self.sabotage, self.agenda.now);
        self.commit(node);
        if node == 0 && self.nodes[0].presence == Presence::Up {
            self.compare();
        }
    }

    /// Holds the manager up to its journal. Only between batches, when both know the same.
    pub(super) fn compare(&mut self) {
        let Mind::Manager(cast) = &self.nodes[0].mind else {
            return;
        };
        if self.nodes[0].presence != Presence::Up {
            return;
        }
        self.audit.see(&Sight::Rests(&cast.machine));
    }
}
