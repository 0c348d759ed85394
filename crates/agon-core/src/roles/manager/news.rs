//! What everybody is told: rounds, the table, the end. Written once, addressed to each.
//!
//! A player that may not know how its match ended hears that first; what is said to it meanwhile
//! waits.
//!
//! Spec: docs/protocol/season.md

use agon_proto::message::{
    AnnouncedMatch, Champion, FinalRow, LeagueCompleted, LeagueStandingsUpdate, Message,
    RoundAnnouncement, RoundCompleted, StandingsRow,
};
use agon_proto::{AgentId, ConversationId, RefereeId, RoundId, Sender, Timestamp};

use super::{Manager, Out};
use crate::effect::{Broadcast, Effect, Recipient, Tag, Topic};
use crate::league::registry::Agent;
use crate::verdict::Seat;

/// What is said, and in which conversation.
pub(super) struct News {
    pub(super) message: Message,
    pub(super) conversation: ConversationId,
    pub(super) topic: Topic,
}

/// Whether something is said for the first time, or again because the manager was restarted: then
/// nobody knows who has heard it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Times {
    First,
    Again,
}

impl Manager {
    pub(super) fn tell_round(&mut self, times: Times, now: Timestamp, out: &mut Out) {
        let everybody = self.league.everybody();
        let readers: Vec<_> = everybody.map(|(who, agent)| self.round_reader(who, agent)).collect();
        if !self.league.is_large() {
            let news = self.round_news(times, self.league.round_matches().collect());
            return self.say(news, readers, now, out);
        }
        for reader in readers {
            let news = self.round_news(times, self.league.own_matches(reader.who));
            self.say(news, vec![reader], now, out);
        }
    }

    pub(super) fn tell_round_to_referee(
        &mut self,
        referee: RefereeId,
        now: Timestamp,
        out: &mut Out,
    ) {
        let who = AgentId::Referee(referee);
        let Some(agent) = self.league.registry.agent(who) else { return };
        let reader = self.round_reader(who, agent);
        let large = self.league.is_large();
        let matches = if large {
            self.league.own_matches(who)
        } else {
            self.league.round_matches().collect()
        };
        self.say(self.round_news(Times::First, matches), vec![reader], now, out);
    }

    fn round_news(&self, times: Times, matches: Vec<AnnouncedMatch>) -> News {
        let round = self.league.season.round();
        let message = Message::RoundAnnouncement(RoundAnnouncement {
            league_id: self.league.settings.league_id.clone(),
            round_id: round,
            matches: matches.into(),
            repeated: times == Times::Again,
        });
        News { message, conversation: ConversationId::RoundAnnounce(round), topic: Topic::News }
    }

    fn round_reader(&self, who: AgentId, agent: &Agent) -> Recipient {
        Recipient { tag: self.round_tag(who), ..self.recipient(who, agent) }
    }

    /// What the announcement of a round is for its reader: its own match, or its work.
    fn round_tag(&self, who: AgentId) -> Tag {
        let round = self.league.season.round();
        let player = match who {
            AgentId::Referee(referee) => return Tag::AnnounceTo { referee, round },
            AgentId::Player(player) => player,
        };
        let id = self.league.season.match_of(player, round);
        let fixture = id.and_then(|id| Some((id, self.league.season.fixture(id)?)));
        fixture.map_or(Tag::Notice, |(match_id, fixture)| {
            let seat = if fixture.a == player { Seat::A } else { Seat::B };
            Tag::Announce { match_id, seat }
        })
    }

    pub(super) fn tell_standings(&mut self, now: Timestamp, out: &mut Out) {
        let round = self.league.season.rounds_completed();
        let conversation = ConversationId::RoundStandings(round);
        let update = |standings: Vec<StandingsRow>| {
            Message::LeagueStandingsUpdate(LeagueStandingsUpdate {
                league_id: self.league.settings.league_id.clone(),
                round_id: round,
                standings: standings.into(),
            })
        };
        let topic = Topic::Standings;
        if !self.league.is_large() {
            let message = update(self.league.table(usize::MAX));
            return self.broadcast(News { message, conversation, topic }, now, out);
        }
        let (top, ranks) = self.league.top_and_ranks();
        let each: Vec<_> = self
            .league
            .registry
            .everybody()
            .map(|(who, agent)| {
                let mut rows = top.clone();
                if let AgentId::Player(player) = who
                    && !top.iter().any(|row| row.player_id == player)
                {
                    let rank = ranks.get(player.number() as usize - 1).copied().unwrap_or(0);
                    rows.extend(self.league.row(rank, player));
                }
                (update(rows), self.recipient(who, agent))
            })
            .collect();
        for (message, to) in each {
            let news = News { message, conversation: conversation.clone(), topic };
            self.say(news, vec![to], now, out);
        }
    }

    pub(super) fn tell_round_completed(
        &mut self,
        (round, times): (RoundId, Times),
        now: Timestamp,
        out: &mut Out,
    ) {
        let summary = self.league.season.summary(round);
        let next = (round < self.league.season.format().rounds()).then_some(round + 1);
        let message = Message::RoundCompleted(RoundCompleted {
            league_id: self.league.settings.league_id.clone(),
            round_id: round,
            matches_played: summary.total_matches,
            matches_completed: summary.total_matches,
            next_round_id: next,
            summary,
            repeated: times == Times::Again,
        });
        let conversation = ConversationId::RoundComplete(round);
        self.broadcast(News { message, conversation, topic: Topic::News }, now, out);
    }

    pub(super) fn tell_end(&mut self, now: Timestamp, out: &mut Out) {
        if let Some(message) = self.end() {
            let conversation = ConversationId::LeagueComplete;
            self.broadcast(News { message, conversation, topic: Topic::News }, now, out);
        }
    }

    /// Somebody who comes back after the end has missed it, and would wait for it for ever.
    pub(super) fn tell_end_to(&mut self, id: AgentId, now: Timestamp, out: &mut Out) {
        if let (Some(agent), Some(message)) = (self.league.registry.agent(id), self.end()) {
            let (conversation, to) = (ConversationId::LeagueComplete, self.recipient(id, agent));
            self.say(News { message, conversation, topic: Topic::News }, vec![to], now, out);
        }
    }

    /// How the season ended; `None` as long as it has not.
    fn end(&self) -> Option<Message> {
        let champion = self.league.season.champion()?;
        let row = self.league.row(1, champion)?;
        let limit = if self.league.is_large() {
            self.league.settings.standings_top as usize
        } else {
            usize::MAX
        };
        let ranked = self.league.season.standings().top(limit, &self.league.season);
        let rows = ranked.into_iter().map(|(rank, player_id)| FinalRow {
            rank,
            player_id,
            points: self.league.season.standings().row(player_id).points,
        });
        Some(Message::LeagueCompleted(LeagueCompleted {
            league_id: self.league.settings.league_id.clone(),
            total_rounds: self.league.season.format().rounds(),
            total_matches: self.league.season.completed(),
            champion: Champion {
                player_id: champion,
                display_name: row.display_name,
                points: row.points,
            },
            final_standings: rows.collect(),
        }))
    }

    /// Tells everybody the same.
    pub(super) fn broadcast(&mut self, news: News, now: Timestamp, out: &mut Out) {
        let everybody = self.league.everybody();
        let recipients = everybody.map(|(who, agent)| self.recipient(who, agent)).collect();
        self.say(news, recipients, now, out);
    }

    /// Tells it to those who may hear it now, and to the others when they may.
    pub(super) fn say(
        &mut self,
        News { message, conversation: conversation_id, topic }: News,
        recipients: Vec<Recipient>,
        now: Timestamp,
        out: &mut Out,
    ) {
        let (sender, timestamp) = (Sender::LeagueManager, now);
        let mut news = Broadcast { sender, timestamp, conversation_id, topic, message, recipients };
        self.heard.hold(&mut news, now + self.league.settings.notice());
        if !news.recipients.is_empty() {
            out.push(Effect::Broadcast(Box::new(news)));
        }
    }

    /// The address of an agent, for news whose outcome nobody waits for.
    pub(super) fn recipient(&self, who: AgentId, agent: &Agent) -> Recipient {
        let auth_token = self.signing.manager_token(who).cloned();
        let auth_token = auth_token.expect("whoever is let in is signed for");
        Recipient { who, tag: Tag::Notice, to: agent.endpoint(), auth_token }
    }
}
