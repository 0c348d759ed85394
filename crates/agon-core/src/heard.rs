//! Who has yet to hear what: players who may not know how their match ended, and the news that
//! waits for them.
//!
//! What one player hears has one order, whoever says it: the end of its match, the table after it,
//! the next round. Nobody is waited for longer than until `until`, and nothing here is durable:
//! after a restart everybody is told again.
//!
//! Spec: docs/protocol/season.md

use agon_proto::{AgentId, MatchId, PlayerId, Timestamp};
use rustc_hash::FxHashMap;

use crate::effect::{Broadcast, Recipient};

#[derive(Debug, Default)]
pub(crate) struct Heard {
    /// Matches with a result that somebody may not have been told, and who.
    untold: FxHashMap<MatchId, [Option<PlayerId>; 2]>,
    waits: Waits,
    /// News that waits for somebody, oldest first.
    held: Vec<Broadcast>,
    /// When nobody is waited for any longer.
    until: Option<Timestamp>,
}

/// For each player, of how many matches it may not know how they ended. Asked for every recipient
/// of every broadcast.
#[derive(Debug, Default)]
struct Waits(Vec<u32>);

impl Heard {
    /// A match is over, and its referee has yet to tell its players.
    pub(crate) fn expect(&mut self, match_id: MatchId, players: [PlayerId; 2]) {
        // It may be played again before everybody knew of the first end.
        let before = self.untold.insert(match_id, players.map(Some));
        before.into_iter().flatten().flatten().for_each(|player| self.waits.remove(player));
        players.into_iter().for_each(|player| self.waits.add(player));
    }

    /// Its players know how that match ended, or cannot be told.
    pub(crate) fn told(&mut self, match_id: MatchId) {
        let known = self.untold.remove(&match_id);
        known.into_iter().flatten().flatten().for_each(|player| self.waits.remove(player));
    }

    /// Matches whose players may not know how they ended.
    pub(crate) fn untold(&self) -> Vec<MatchId> {
        self.untold.keys().copied().collect()
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
        // At the end of a round nearly everybody waits: the others are taken out.
        let ready = |one: &mut Recipient| !self.waits.has(one.who);
        let ready = news.recipients.extract_if(.., ready).collect();
        let later = std::mem::replace(&mut news.recipients, ready);
        if !later.is_empty() {
            self.held.push(news.to(later));
            self.until.get_or_insert(until);
        }
    }

    /// News for those who wait no longer, in order.
    pub(crate) fn release(&mut self) -> Vec<Broadcast> {
        let (waits, mut ready) = (&self.waits, Vec::new());
        for mut news in std::mem::take(&mut self.held) {
            let stays = |one: &mut Recipient| waits.has(one.who);
            let later: Vec<Recipient> = news.recipients.extract_if(.., stays).collect();
            if !later.is_empty() {
                self.held.push(news.to(later));
            }
            if !news.recipients.is_empty() {
                ready.push(news);
            }
        }
        ready
    }

    /// Nobody for whom news lies here is waited for any longer.
    pub(crate) fn give_up(&mut self) {
        self.until = None;
        for one in self.held.iter().flat_map(|news| &news.recipients) {
            let AgentId::Player(player) = one.who else { continue };
            self.waits.forget(player);
            for untold in self.untold.values_mut().flatten() {
                untold.take_if(|untold| *untold == player);
            }
        }
        self.untold.retain(|_, players| *players != [None; 2]);
    }

    /// Whether news lies here.
    pub(crate) fn is_holding(&self) -> bool {
        !self.held.is_empty()
    }

    pub(crate) fn until(&self) -> Option<Timestamp> {
        self.until
    }
}

impl Waits {
    fn add(&mut self, player: PlayerId) {
        let place = player.number() as usize;
        if self.0.len() <= place {
            self.0.resize(place + 1, 0);
        }
        self.0[place] += 1;
    }

    fn remove(&mut self, player: PlayerId) {
        if let Some(count) = self.0.get_mut(player.number() as usize) {
            *count = count.saturating_sub(1);
        }
    }

    fn forget(&mut self, player: PlayerId) {
        if let Some(count) = self.0.get_mut(player.number() as usize) {
            *count = 0;
        }
    }

    fn has(&self, who: AgentId) -> bool {
        let AgentId::Player(player) = who else { return false };
        self.0.get(player.number() as usize).is_some_and(|count| *count > 0)
    }
}

#[cfg(test)]
mod tests;
