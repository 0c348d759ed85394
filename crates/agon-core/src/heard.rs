//! Who has yet to hear what: players who may not know how their match ended, and the news that
//! waits for them.
//!
//! What one player hears has one order, whoever says it: the end of its match, the table after it,
//! the next round. Nobody is waited for longer than until `until`, and nothing here is durable:
//! after a restart everybody is told again.
//!
//! Spec: docs/protocol/season.md

use std::collections::BTreeSet;

use agon_proto::{AgentId, MatchId, PlayerId, Timestamp};

use crate::effect::{Broadcast, Recipient};

#[derive(Debug, Default)]
pub(crate) struct Heard {
    /// Results that a player may not have been told, by player.
    untold: BTreeSet<(PlayerId, MatchId)>,
    /// News that waits for somebody, oldest first.
    held: Vec<Broadcast>,
    /// When nobody is waited for any longer.
    until: Option<Timestamp>,
}

impl Heard {
    /// A match is over, and its referee has yet to tell its players.
    pub(crate) fn expect(&mut self, match_id: MatchId, players: [PlayerId; 2]) {
        self.untold.extend(players.map(|player| (player, match_id)));
    }

    /// Its players know how that match ended, or cannot be told.
    pub(crate) fn told(&mut self, match_id: MatchId, players: [PlayerId; 2]) {
        for player in players {
            self.untold.remove(&(player, match_id));
        }
    }

    /// Matches whose players may not know how they ended.
    pub(crate) fn untold(&self) -> BTreeSet<MatchId> {
        self.untold.iter().map(|(_, match_id)| *match_id).collect()
    }

    /// From now on everybody is waited for until then.
    pub(crate) fn wait_until(&mut self, until: Timestamp) {
        self.until = Some(until);
    }

    /// Somebody is waited for until then, unless everybody is already.
    pub(crate) fn wait_if_nobody_does(&mut self, until: Timestamp) {
        self.until.get_or_insert(until);
    }

    /// Keeps the news back from those who wait; the others are left in it.
    pub(crate) fn hold(&mut self, news: &mut Broadcast, until: Timestamp) {
        if self.untold.is_empty() {
            return;
        }
        let waits = |one: &mut Recipient| waits(&self.untold, one.who);
        let later: Vec<Recipient> = news.recipients.extract_if(.., waits).collect();
        if !later.is_empty() {
            self.held.push(news.to(later));
            self.until.get_or_insert(until);
        }
    }

    /// News for those who wait no longer, in order.
    pub(crate) fn release(&mut self) -> Vec<Broadcast> {
        let (untold, mut ready) = (&self.untold, Vec::new());
        self.held.retain_mut(|news| {
            let goes = |one: &mut Recipient| !waits(untold, one.who);
            let now: Vec<Recipient> = news.recipients.extract_if(.., goes).collect();
            if !now.is_empty() {
                ready.push(news.to(now));
            }
            !news.recipients.is_empty()
        });
        ready
    }

    /// Nobody for whom news lies here is waited for any longer.
    pub(crate) fn give_up(&mut self) {
        self.until = None;
        for one in self.held.iter().flat_map(|news| &news.recipients) {
            if let AgentId::Player(player) = one.who {
                self.untold.retain(|(untold, _)| *untold != player);
            }
        }
    }

    /// Whether news lies here.
    pub(crate) fn is_holding(&self) -> bool {
        !self.held.is_empty()
    }

    pub(crate) fn until(&self) -> Option<Timestamp> {
        self.until
    }
}

fn waits(untold: &BTreeSet<(PlayerId, MatchId)>, who: AgentId) -> bool {
    let AgentId::Player(player) = who else { return false };
    let (first, last) = (MatchId::new(0, 0), MatchId::new(u32::MAX, u32::MAX));
    untold.range((player, first)..=(player, last)).next().is_some()
}

#[cfg(test)]
mod tests;
