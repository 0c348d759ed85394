//! Mail: it is slow, doubled and out of order, and lies in its box until somebody looks.
//!
//! A mail is given to its reader once in each life, and marked as read when it is dealt with. No
//! server loses one; a server that is unwell is tried again.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use agon_core::letterbox::Parcel;
use agon_core::{Event, Garbled, Proof, RequestId};
use agon_proto::{Address, Timestamp};

use super::Stage;
use super::node::Node;
use super::scene::Scene;
use super::street::{Said, read};
use crate::league;
use crate::plan::Temper;

/// Longest way of a mail. Shorter than every time limit: nobody is late by the mail's fault.
const WAY_MAX_MS: u64 = 15_000;
/// A server that is unwell is tried again after this, and then after twice as long.
const RETRY_FIRST: Duration = Duration::from_secs(1);
/// Twice as long so often.
const RETRY_DOUBLES_MAX: u32 = 6;

/// A mailbox on its server, and what its reader knows of it.
pub(super) struct Mailbox {
    pub(super) address: Address,
    /// Up to when its reader knows what has happened.
    pub(super) heard: Timestamp,
    /// Whether a look into it is planned.
    pub(super) is_looked_for: bool,
    pub(super) unread: BTreeMap<u64, Mail>,
    /// How much the reader was given in this life.
    given: u64,
    /// How much ever arrived.
    arrived: u64,
}

/// A mail on its way, or in its box.
#[derive(Clone)]
pub(super) struct Mail {
    from: Address,
    parcel: Rc<Parcel>,
    at: Timestamp,
    /// Nobody can make sense of it.
    is_garbled: bool,
}

impl Mailbox {
    pub(super) fn new(node: usize) -> Self {
        Self {
            address: league::address(node),
            heard: Timestamp::default(),
            is_looked_for: false,
            unread: BTreeMap::new(),
            given: 0,
            arrived: 0,
        }
    }

    pub(super) fn put(&mut self, mail: Mail) {
        self.arrived += 1;
        self.unread.insert(self.arrived, mail);
    }

    /// What lies there and was not given to its reader yet.
    pub(super) fn look(&mut self, now: Timestamp) -> Vec<(u64, Mail)> {
        self.is_looked_for = false;
        self.heard = now;
        let fresh = self.unread.range(self.given + 1..);
        self.given = self.arrived;
        fresh.map(|(number, mail)| (*number, mail.clone())).collect()
    }

    /// Its reader is gone, and with it whatever it knew.
    pub(super) fn close(&mut self) {
        self.heard = Timestamp::default();
        self.is_looked_for = false;
        self.given = 0;
    }
}

impl Mail {
    /// What happens to its reader.
    pub(super) fn event(self, request: RequestId) -> Event {
        let Self { from, parcel, at, is_garbled } = self;
        let proof = Proof::Vouched(from);
        if !is_garbled {
            return Event::Posted { request, proof, caller: None, at, letter: read(&parcel) };
        }
        let (kind, game) = (parcel.letter.kind, parcel.letter.head.context.game.clone());
        let problem = "it was spoiled on purpose".into();
        let garbled = Garbled { kind, game, problem, received: None };
        Event::Garbled { request, proof, at, garbled }
    }
}

/// Gives a parcel to the mail server of that node, which takes it, and says so if the node lives
/// to hear it; each address gets it, maybe twice.
pub(super) fn send(
    nodes: &[Node],
    from: usize,
    (parcel, tries): (Rc<Parcel>, u32),
    scene: &mut Scene<'_>,
) {
    let node = &nodes[from];
    let Some(mailbox) = &node.mailbox else {
        return scene.audit.object("addresses", format!("node {from} has no mailbox"));
    };
    if scene.rng.happens(scene.faults.unwell) {
        let wait = RETRY_FIRST * 2_u32.pow(tries.min(RETRY_DOUBLES_MAX));
        let again = (parcel, tries + 1);
        let sends = |stage: &mut Stage<'_>, from| {
            send(&stage.nodes, from, again, &mut stage.scene);
        };
        return scene.after(wait, node.alive(sends));
    }
    for address in &parcel.to {
        let is_theirs =
            |node: &Node| node.mailbox.as_ref().is_some_and(|it| it.address == *address);
        let Some(to) = nodes.iter().position(is_theirs) else {
            return scene.audit.object("addresses", format!("a letter to nobody: {address}"));
        };
        let said = Said::Letter(Rc::clone(&parcel));
        scene.tell(|| format!("{from} ✉ {to}  {}", said.describe()));
        scene.say(from, to, |bytes| said.write(bytes));
        let copies = 1 + u64::from(scene.rng.happens(scene.faults.doubled));
        scene.tally.duplicated += copies - 1;
        for _ in 0..copies {
            let of_match =
                node.planned.temper == Temper::Garbled && parcel.letter.kind.is_of_match();
            let is_garbled = of_match && scene.rng.happens(500);
            let way = Duration::from_millis(scene.rng.between(1, WAY_MAX_MS));
            let (from, parcel) = (mailbox.address.clone(), Rc::clone(&parcel));
            let mail = Mail { from, parcel, at: scene.now + way, is_garbled };
            scene.after(way, move |stage| stage.land(to, mail));
        }
    }
    scene.soon(500_000, node.hears(Event::Taken(parcel.id)));
}
