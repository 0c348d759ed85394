//! One process of the rehearsal: a role, its journal, its mailbox, and the batch that it works on.

use std::collections::BTreeMap;

use agon_core::post::{Parcel, PostFact};
use agon_core::roles::q21::{Player, Referee, player, referee};
use agon_core::{Effect, Effects, Event, LeagueFact, Machine, Manager, Moment, RequestId};
use agon_proto::Timestamp;
use agon_proto::q21::{Address, Letter};

use crate::digest::Digesting;

/// What a node is.
pub(super) enum Mind {
    Manager(Box<Manager>, Vec<LeagueFact>),
    Referee(Box<Referee>, Vec<referee::Fact>),
    Player(Box<Player>, Vec<player::Fact>),
}

/// A mail that lies in a box.
#[derive(Debug, Clone)]
pub(super) struct Mail {
    pub(super) from: Address,
    pub(super) letter: Letter,
    pub(super) at: Timestamp,
}

pub(super) struct Node {
    pub(super) address: Address,
    pub(super) mind: Mind,
    pub(super) up: bool,
    /// Counts restarts: what was begun in an earlier life comes to nothing.
    pub(super) life: u32,
    /// Unread mail, by its number in the box.
    pub(super) unread: BTreeMap<u64, Mail>,
    /// Mail that the role was given in this life, by the request that it became.
    pub(super) open: BTreeMap<RequestId, u64>,
    pub(super) next_mail: u64,
    pub(super) next_request: u64,
    pub(super) finished: bool,
}

impl Node {
    pub(super) fn new(address: Address, mind: Mind) -> Self {
        Self {
            address,
            mind,
            up: false,
            life: 0,
            unread: BTreeMap::new(),
            open: BTreeMap::new(),
            next_mail: 0,
            next_request: 0,
            finished: false,
        }
    }

    /// Puts a mail into the box.
    pub(super) fn deliver(&mut self, mail: Mail) {
        self.next_mail += 1;
        self.unread.insert(self.next_mail, mail);
    }

    /// The next mail that the role was not given yet in this life.
    pub(super) fn next_unseen(&mut self) -> Option<(RequestId, Mail)> {
        let seen = |uid: &u64| self.open.values().any(|open| open == uid);
        let (&uid, mail) = self.unread.iter().find(|(uid, _)| !seen(uid))?;
        let mail = mail.clone();
        self.next_request += 1;
        let request = RequestId(self.next_request);
        self.open.insert(request, uid);
        Some((request, mail))
    }

    pub(super) fn handle(&mut self, event: Event, now: Timestamp) -> Batch {
        match &mut self.mind {
            Mind::Manager(role, _) => batch(|out| role.handle(event, now, out), Facts::League),
            Mind::Referee(role, _) => batch(|out| role.handle(event, now, out), Facts::Referee),
            Mind::Player(role, _) => batch(|out| role.handle(event, now, out), Facts::Player),
        }
    }

    pub(super) fn tick(&mut self, now: Timestamp) -> Batch {
        match &mut self.mind {
            Mind::Manager(role, _) => batch(|out| role.tick(Moment::at(now), out), Facts::League),
            Mind::Referee(role, _) => batch(|out| role.tick(Moment::at(now), out), Facts::Referee),
            Mind::Player(role, _) => batch(|out| role.tick(Moment::at(now), out), Facts::Player),
        }
    }

    pub(super) fn resume(&mut self, now: Timestamp) -> Batch {
        match &mut self.mind {
            Mind::Manager(role, _) => batch(|out| role.resume(now, out), Facts::League),
            Mind::Referee(role, _) => batch(|out| role.resume(now, out), Facts::Referee),
            Mind::Player(role, _) => batch(|out| role.resume(now, out), Facts::Player),
        }
    }

    pub(super) fn deadline(&self) -> Option<Timestamp> {
        match &self.mind {
            Mind::Manager(role, _) => role.deadline(),
            Mind::Referee(role, _) => role.deadline(),
            Mind::Player(role, _) => role.deadline(),
        }
    }

    /// Makes facts durable.
    pub(super) fn commit(&mut self, facts: Facts) {
        match (&mut self.mind, facts) {
            (Mind::Manager(_, journal), Facts::League(facts)) => journal.extend(facts),
            (Mind::Referee(_, journal), Facts::Referee(facts)) => journal.extend(facts),
            (Mind::Player(_, journal), Facts::Player(facts)) => journal.extend(facts),
            (
                Mind::Manager(..) | Mind::Referee(..) | Mind::Player(..),
                Facts::League(_) | Facts::Referee(_) | Facts::Player(_),
            ) => unreachable!("a role writes its own facts"),
        }
    }
}

/// Facts of one batch.
pub(super) enum Facts {
    League(Vec<LeagueFact>),
    Referee(Vec<referee::Fact>),
    Player(Vec<player::Fact>),
}

impl Facts {
    /// Digests them as facts of that node.
    pub(super) fn digest(&self, node: usize, digesting: &mut Digesting) {
        match self {
            Self::League(facts) => facts.iter().for_each(|fact| digesting.write(node, fact)),
            Self::Referee(facts) => facts.iter().for_each(|fact| digesting.write(node, fact)),
            Self::Player(facts) => facts.iter().for_each(|fact| digesting.write(node, fact)),
        }
    }

    /// The letters that must be sent.
    pub(super) fn queued(&self) -> Vec<&Parcel> {
        let posts: Vec<Option<&PostFact>> = match self {
            Self::League(facts) => facts.iter().map(LeagueFact::post).collect(),
            Self::Referee(facts) => facts.iter().map(referee::Fact::post).collect(),
            Self::Player(facts) => facts.iter().map(player::Fact::post).collect(),
        };
        posts.into_iter().flatten().filter_map(PostFact::queued).collect()
    }
}

/// What one event led to.
pub(super) struct Batch {
    pub(super) facts: Facts,
    pub(super) effects: Vec<Effect>,
}

fn batch<F>(act: impl FnOnce(&mut Effects<F>), facts: impl FnOnce(Vec<F>) -> Facts) -> Batch {
    let mut out = Effects::default();
    act(&mut out);
    Batch { facts: facts(out.facts), effects: out.effects }
}
