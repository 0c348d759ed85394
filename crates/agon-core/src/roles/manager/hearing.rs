//! The order of what is heard: no match before its players know of it, no table before they know
//! how their own match ended.
//!
//! A referee of ours tells its players after it has reported, and says when they know. Any other
//! told them before. So what one player hears has one order, whoever says it: the end of its match,
//! the table after it, the next round. Nobody is waited for longer than a notice may take, at any
//! turn of a round.
//!
//! Spec: docs/protocol/season.md

use std::time::Duration;

use agon_proto::message::{Blame, Cause};
use agon_proto::tool::LeaguePhase;
use agon_proto::{AgentId, MatchId, PlayerId, REPEAT_MAX, RefereeId, Timestamp};
use rustc_hash::{FxHashMap, FxHashSet};

use super::conduct::Conduct;
use super::news::Times;
use crate::Refusal;
use crate::effect::{Broadcast, Effect, Recipient, Tag};
use crate::gate::Speaker;
use crate::league::League;
use crate::league::registry::RegisteredAgent;
use crate::season::MatchRecord;

impl Conduct<'_> {
    /// Somebody has called. It has its token, which from now on is given to nobody again (after a
    /// while it would not be anyway); and if it is a referee, it is there.
    pub(super) fn hear_from(&mut self, speaker: Speaker) {
        let Some(id) = speaker.agent() else { return };
        let now = self.book.now;
        let fresh = |agent: &&RegisteredAgent| now.since(agent.at) <= REPEAT_MAX;
        if let Some(agent) = self.book.league().registry.agent(id).filter(fresh) {
            self.book.heard.shown.insert((id, agent.number));
        }
        if let AgentId::Referee(referee) = id {
            self.hear(referee);
        }
    }

    /// Somebody has taken news, or could not at the first try.
    pub(super) fn noticed(&mut self, tag: Tag) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "nobody waits for the rest")]
        match tag {
            Tag::Announce { match_id, seat } => {
                if self.in_play.assignments.is_unheard_by(match_id, seat) {
                    self.charge_wait(match_id, seat);
                }
                if let Some(referee) = self.in_play.assignments.player_heard(match_id, seat) {
                    self.hand_out(referee);
                }
            }
            Tag::AnnounceTo { referee, round } => {
                self.in_play.assignments.referee_heard(referee, round);
                self.hand_out(referee);
            }
            _ => {}
        }
    }

    /// That referee's match is about to have its result, and its players have yet to hear of it.
    pub(super) fn expect_told(&mut self, match_id: MatchId, referee: RefereeId) {
        let league = self.book.league();
        let says_told = league.registry.referee(referee).is_some_and(|agent| agent.says_told);
        if let Some(fixture) = league.season.fixture(match_id).filter(|_| says_told) {
            self.book.heard.expect(match_id, fixture.players());
        }
    }

    /// A referee says whose players know how their match ended.
    pub(super) fn players_told(&mut self, referee: RefereeId, told: &[MatchId]) {
        for match_id in told {
            let result = self.book.league().season.result(*match_id);
            if result.is_some_and(|it| it.referee == referee) {
                self.book.heard.told(*match_id);
            }
        }
        self.let_hear();
    }

    /// A referee has forgotten whom it had told, and nobody else will tell them.
    pub(super) fn expect_nothing_of(&mut self, referee: RefereeId) {
        let told: Vec<_> = self.book.heard.untold.keys().copied().collect();
        self.players_told(referee, &told);
    }

    /// What waited for somebody leaves, as far as nobody has to wait any more.
    fn let_hear(&mut self) {
        if self.book.heard.is_holding() {
            for news in self.book.heard.release() {
                self.book.heard.note_told(&news, self.book.now);
                self.book.out.push(Effect::Broadcast(Box::new(news)));
            }
        }
    }

    /// After a restart nobody knows who has heard what: referees are asked by telling them of the
    /// round again.
    pub(super) fn wait_for_news(&mut self) {
        self.book.wait_for_everybody();
        let last = self.book.league().season.round();
        for round in last.saturating_sub(1).max(1)..=last {
            for match_id in self.book.league().season.matches_in(round) {
                self.expect_again(match_id);
            }
        }
    }

    fn expect_again(&mut self, match_id: MatchId) {
        let league = self.book.league();
        let Some(record) = league.season.result(match_id) else { return };
        let MatchRecord { verdict, referee, at, .. } = *record;
        // Who has begun anew since then without a journal knows of none of it.
        let remembers = |it: &RegisteredAgent| it.at <= at || it.provenance.keeps_token;
        let knows = league.registry.referee(referee).is_some_and(remembers);
        // Nobody is told of a match that came to nothing through no player's fault.
        let silent = matches!(
            verdict.blame,
            Some(Blame::Referee | Blame::Network | Blame::Host | Blame::Operator)
        );
        if knows && !silent && verdict.cause != Cause::Withdrawn {
            self.expect_told(match_id, referee);
        }
    }

    /// Whoever has not heard by now is not waited for.
    pub(super) fn wait_no_longer(&mut self) {
        let now = self.book.now;
        if self.book.heard.held_until().is_some_and(|until| until <= now) {
            self.book.heard.give_up(now);
            self.let_hear();
        }
        let until = self.book.heard.until.filter(|_| self.in_play.assignments.is_unheard());
        let Some(until) = until.filter(|until| *until <= now) else { return };
        for match_id in self.in_play.assignments.unheard_with_all() {
            self.charge_whole_wait(match_id, until);
        }
        self.book.heard.until = None;
        self.in_play.assignments.all_heard();
        self.hand_out_all();
    }

    /// The same for one match, which had a wait of its own until then.
    pub(super) fn wait_no_longer_for(&mut self, match_id: MatchId, until: Timestamp) {
        self.charge_whole_wait(match_id, until);
        if let Some(referee) = self.in_play.assignments.heard_by_both(match_id) {
            self.hand_out(referee);
        }
    }

    /// Somebody who comes in the middle of a round hears of it before a match begins.
    pub(super) fn catch_up(&mut self, agent: AgentId) {
        let League { season, settings, registry, .. } = self.book.league();
        if season.phase != LeaguePhase::Running || season.open() == 0 {
            return;
        }
        let until = self.book.now + settings.notice();
        match agent {
            AgentId::Referee(referee) => {
                self.in_play.assignments.announce_alone_to(referee, until);
            }
            AgentId::Player(player) => {
                let own = season.seat_in(season.round(), player);
                let Some(((match_id, seat), known)) = own.zip(registry.agent(agent)) else {
                    return;
                };
                // It is there again, so nobody leaves it alone any more.
                let endpoint = known.contact.endpoint();
                self.in_play.assignments.returned(match_id, seat, until);
                self.book.out.push(Effect::Heard(endpoint));
            }
        }
        self.book.tell_round_to(&[agent], Times::First);
    }
}

/// Who knows what, as far as it matters to others. Nothing of it is durable: after a restart
/// everybody is told again.
#[derive(Debug, Default)]
pub(super) struct Heard {
    /// Matches with a result that somebody may not have been told, and who.
    untold: FxHashMap<MatchId, [Option<PlayerId>; 2]>,
    waits: Waits,
    /// News that waits for somebody, oldest first, and until when.
    held: Vec<(Timestamp, Broadcast)>,
    /// When the matches of the round wait no longer for those who were told of it with everybody.
    pub(super) until: Option<Timestamp>,
    /// When each player was told of its match last; nothing, as long as that is held back.
    told_at: Vec<Timestamp>,
    /// How long the matches of this round waited for a player, as far as nobody was charged yet.
    pub(super) held_up: FxHashMap<PlayerId, Duration>,
    /// Agents that have shown a fresh token, so they have it: which one, by how often they were let
    /// in. It matters for seconds.
    pub(super) shown: FxHashSet<(AgentId, u32)>,
    /// Who came again or wanted a word lately: until when it has used up its time for that.
    comings: FxHashMap<AgentId, Timestamp>,
}

/// So often in a row an agent may register again, or have a letter answered, and then once in each
/// `COMING`; also one that is killed and started again all the time.
const COMINGS_MAX: u32 = 60;
const COMING: Duration = Duration::from_secs(10);

/// For each player, of how many matches it may not know how they ended. Asked for every recipient
/// of every broadcast.
#[derive(Debug, Default)]
struct Waits(Vec<u32>);

impl Heard {
    /// A match is over, and its referee has yet to tell its players.
    pub(super) fn expect(&mut self, match_id: MatchId, players: [PlayerId; 2]) {
        // It may be played again before everybody knew of the first end.
        let before = self.untold.insert(match_id, players.map(Some));
        self.waits.remove(before);
        players.into_iter().for_each(|player| *self.waits.of(player) += 1);
    }

    /// Its players know how that match ended, or cannot be told.
    pub(super) fn told(&mut self, match_id: MatchId) {
        let known = self.untold.remove(&match_id);
        self.waits.remove(known);
    }

    /// An agent registers again, or wants a letter answered. Each time is written down, so there is
    /// a bound to that.
    pub(super) fn comes_again(&mut self, agent: AgentId, now: Timestamp) -> Result<(), Refusal> {
        let until = self.comings.entry(agent).or_insert(now);
        let next = now.max(*until) + COMING;
        if next.since(now) > COMING * COMINGS_MAX {
            return Err(Refusal::TooOften);
        }
        *until = next;
        Ok(())
    }

    /// Keeps the news back from those who wait; the others are left in it.
    pub(super) fn hold(&mut self, news: &mut Broadcast, until: Timestamp) {
        if self.untold.is_empty() {
            return;
        }
        // At the end of a round nearly everybody waits: the others are taken out.
        let ready = self.waits.take_ready(&mut news.recipients);
        let later = std::mem::replace(&mut news.recipients, ready);
        if !later.is_empty() {
            let later = news.to(later);
            self.note_told(&later, Timestamp::default());
            self.held.push((until, later));
        }
    }

    /// Who is told by that of its match is told now.
    pub(super) fn note_told(&mut self, news: &Broadcast, now: Timestamp) {
        for one in &news.recipients {
            if let (AgentId::Player(player), Tag::Announce { .. }) = (one.who, one.tag) {
                *place_of(&mut self.told_at, player) = now;
            }
        }
    }

    /// How long ago that player was told of its match, if it was.
    pub(super) fn told_since(&self, player: PlayerId, now: Timestamp) -> Option<Duration> {
        let told_at = self.told_at.get(player.number() as usize).copied()?;
        (told_at > Timestamp::default()).then(|| now.since(told_at))
    }

    /// Until when the oldest news waits.
    pub(super) fn held_until(&self) -> Option<Timestamp> {
        self.held.first().map(|(until, _)| *until)
    }

    /// News for those who wait no longer, in order.
    pub(super) fn release(&mut self) -> Vec<Broadcast> {
        let mut ready = Vec::new();
        for (_, news) in &mut self.held {
            let readers = self.waits.take_ready(&mut news.recipients);
            if !readers.is_empty() {
                ready.push(news.to(readers));
            }
        }
        self.held.retain(|(_, news)| !news.recipients.is_empty());
        ready
    }

    /// Nobody for whom news lies here for so long is waited for any longer.
    pub(super) fn give_up(&mut self, now: Timestamp) {
        let due = self.held.iter().filter(|(until, _)| *until <= now);
        for one in due.flat_map(|(_, news)| &news.recipients) {
            let AgentId::Player(player) = one.who else { continue };
            *self.waits.of(player) = 0;
            for untold in self.untold.values_mut().flatten() {
                untold.take_if(|untold| *untold == player);
            }
        }
        self.untold.retain(|_, players| *players != [None; 2]);
    }

    /// Whether news lies here.
    pub(super) fn is_holding(&self) -> bool {
        !self.held.is_empty()
    }
}

/// What is kept there of that player.
fn place_of<T: Clone + Default>(kept: &mut Vec<T>, player: PlayerId) -> &mut T {
    let place = player.number() as usize;
    if kept.len() <= place {
        kept.resize(place + 1, T::default());
    }
    &mut kept[place]
}

impl Waits {
    fn of(&mut self, player: PlayerId) -> &mut u32 {
        place_of(&mut self.0, player)
    }

    fn remove(&mut self, players: Option<[Option<PlayerId>; 2]>) {
        for player in players.into_iter().flatten().flatten() {
            let count = self.of(player);
            *count = count.saturating_sub(1);
        }
    }

    /// Those who wait for nothing, out of a list.
    fn take_ready(&self, readers: &mut Vec<Recipient>) -> Vec<Recipient> {
        let waits = |who| match who {
            AgentId::Player(player) => self.0.get(player.number() as usize),
            AgentId::Referee(_) => None,
        };
        let ready = |one: &Recipient| waits(one.who).is_none_or(|count| *count == 0);
        // Nearly always everybody waits, or nobody does: then no list is taken apart.
        if readers.iter().all(ready) {
            return std::mem::take(readers);
        }
        readers.extract_if(.., |one| ready(one)).collect()
    }
}

#[cfg(test)]
mod tests;
