//! One process of the rehearsal: a role with its journal, and a mailbox.

use std::collections::BTreeMap;

use agon_core::post::Parcel;
use agon_core::{Player, Referee, RequestId};
use agon_proto::Letter;
use agon_proto::{Address, Timestamp};

use crate::cast;

/// What a node is.
pub(super) type Mind = cast::Mind<Referee, Player>;

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

    /// The letters that must be sent, of the batch that is not durable yet.
    pub(super) fn queued(&self) -> Vec<&Parcel> {
        cast::with!(&self.mind, cast => {
            cast.out.facts.iter().filter_map(|fact| fact.post()?.queued()).collect()
        })
    }

    /// Makes the facts of the batch durable.
    pub(super) fn commit(&mut self) {
        cast::with!(&mut self.mind, cast => cast.journal.append(&mut cast.out.facts));
    }
}
