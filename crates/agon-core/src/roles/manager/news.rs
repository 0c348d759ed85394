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
use agon_proto::{
    AgentId, ConversationId, Endpoint, MatchId, PlayerId, RefereeId, RoundId, Sender, Timestamp,
};

use super::{Manager, Out};
use crate::effect::{Broadcast, Effect, Recipient, Tag, Topic};
use crate::registry::Agent;
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
    fn is_large(&self) -> bool {
        self.registry.player_count() > self.settings.broadcast_full_max
    }

    pub(super) fn tell_round(&mut self, times: Times, now: Timestamp, out: &mut Out) {
        let everybody = self.registry.everybody();
        let readers: Vec<_> = everybody.map(|(who, agent)| self.round_reader(who, agent)).collect();
        if !self.is_large() {
            let news = self.round_news(times, self.round_matches().collect());
            return self.say(news, readers, now, out);
        }
        for reader in readers {
            let news = self.round_news(times, self.own_matches(reader.who));
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
        let Some(agent) = self.registry.agent(who) else { return };
        let reader = self.round_reader(who, agent);
        let large = self.is_large();
        let matches = if large { self.own_matches(who) } else { self.round_matches().collect() };
        self.say(self.round_news(Times::First, matches), vec![reader], now, out);
    }

    fn round_news(&self, times: Times, matches: Vec<AnnouncedMatch>) -> News {
        let round = self.season.round();
        let message = Message::RoundAnnouncement(RoundAnnouncement {
            league_id: self.settings.league_id.clone(),
            round_id: round,
            matches: matches.into(),
            repeated: times == Times::Again,
        });
        News { message, conversation: ConversationId::RoundAnnounce(round), topic: Topic::News }
    }

    fn round_matches(&self) -> impl Iterator<Item = AnnouncedMatch> {
        let round = self.season.round();
        let numbers = 1..=self.season.format().matches_per_round();
        numbers.filter_map(move |number| self.announced(MatchId::new(round, number)))
    }

    /// The matches of the round that concern that agent.
    fn own_matches(&self, who: AgentId) -> Vec<AnnouncedMatch> {
        match who {
            AgentId::Player(player) => {
                let id = self.season.format().match_of(player, self.season.round());
                id.and_then(|id| self.announced(id)).into_iter().collect()
            }
            AgentId::Referee(referee) => {
                self.round_matches().filter(|it| it.referee_id == Some(referee)).collect()
            }
        }
    }

    fn round_reader(&self, who: AgentId, agent: &Agent) -> Recipient {
        Recipient { tag: self.round_tag(who), ..recipient(who, agent) }
    }

    /// What the announcement of a round is for its reader: its own match, or its work.
    fn round_tag(&self, who: AgentId) -> Tag {
        let round = self.season.round();
        let player = match who {
            AgentId::Referee(referee) => return Tag::AnnounceTo { referee, round },
            AgentId::Player(player) => player,
        };
        let id = self.season.format().match_of(player, round);
        let fixture = id.and_then(|id| Some((id, self.season.fixture(id)?)));
        fixture.map_or(Tag::Notice, |(match_id, fixture)| {
            let seat = if fixture.a == player { Seat::A } else { Seat::B };
            Tag::Announce { match_id, seat }
        })
    }

    /// One line of an announcement or a schedule.
    pub(super) fn announced(&self, match_id: MatchId) -> Option<AnnouncedMatch> {
        let fixture = self.season.fixture(match_id)?;
        let referee = self.season.attempt(match_id).map(|attempt| attempt.referee);
        let referee = referee.or_else(|| self.season.format().referee_of(match_id));
        let endpoint = referee.and_then(|id| self.registry.referee(id));
        Some(AnnouncedMatch {
            match_id,
            game_type: self.settings.game.game_type(),
            player_a_id: fixture.a,
            player_b_id: fixture.b,
            referee_endpoint: endpoint
                .map_or_else(|| Endpoint::new(""), |agent| agent.endpoint.clone()),
            referee_id: referee,
        })
    }

    /// One row of the table.
    pub(super) fn row(&self, rank: u32, player: PlayerId) -> Option<StandingsRow> {
        let agent = self.registry.player(player)?;
        let row = self.season.standings().row(player);
        Some(StandingsRow {
            rank,
            player_id: player,
            display_name: agent.name.clone(),
            played: row.played,
            wins: row.wins,
            draws: row.draws,
            losses: row.losses,
            points: row.points,
        })
    }

    /// The best `limit` rows of the table.
    pub fn table(&self, limit: usize) -> Vec<StandingsRow> {
        let ranked = self.season.standings().top(limit, &self.season);
        ranked.into_iter().filter_map(|(rank, player)| self.row(rank, player)).collect()
    }

    pub(super) fn tell_standings(&mut self, now: Timestamp, out: &mut Out) {
        let round = self.season.rounds_completed();
        let conversation = ConversationId::RoundStandings(round);
        let update = |standings: Vec<StandingsRow>| {
            Message::LeagueStandingsUpdate(LeagueStandingsUpdate {
                league_id: self.settings.league_id.clone(),
                round_id: round,
                standings: standings.into(),
            })
        };
        let topic = Topic::Standings;
        if !self.is_large() {
            let message = update(self.table(usize::MAX));
            return self.broadcast(News { message, conversation, topic }, now, out);
        }
        let (top, ranks) = self.top_and_ranks();
        let each: Vec<_> = self
            .registry
            .everybody()
            .map(|(who, agent)| {
                let mut rows = top.clone();
                if let AgentId::Player(player) = who
                    && !top.iter().any(|row| row.player_id == player)
                {
                    let rank = ranks.get(player.number() as usize - 1).copied().unwrap_or(0);
                    rows.extend(self.row(rank, player));
                }
                (update(rows), recipient(who, agent))
            })
            .collect();
        for (message, to) in each {
            let news = News { message, conversation: conversation.clone(), topic };
            self.say(news, vec![to], now, out);
        }
    }

    /// The top of the table, and the rank of every player.
    fn top_and_ranks(&self) -> (Vec<StandingsRow>, Vec<u32>) {
        let ranked = self.season.standings().top(usize::MAX, &self.season);
        let mut ranks = vec![0; ranked.len()];
        for (rank, player) in &ranked {
            if let Some(place) = ranks.get_mut(player.number() as usize - 1) {
                *place = *rank;
            }
        }
        let top = ranked.iter().take(self.settings.standings_top as usize);
        (top.filter_map(|(rank, player)| self.row(*rank, *player)).collect(), ranks)
    }

    pub(super) fn tell_round_completed(
        &mut self,
        (round, times): (RoundId, Times),
        now: Timestamp,
        out: &mut Out,
    ) {
        let summary = self.season.summary(round);
        let next = (round < self.season.format().rounds()).then_some(round + 1);
        let message = Message::RoundCompleted(RoundCompleted {
            league_id: self.settings.league_id.clone(),
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
        if let (Some(agent), Some(message)) = (self.registry.agent(id), self.end()) {
            let (conversation, to) = (ConversationId::LeagueComplete, recipient(id, agent));
            self.say(News { message, conversation, topic: Topic::News }, vec![to], now, out);
        }
    }

    /// How the season ended; `None` as long as it has not.
    fn end(&self) -> Option<Message> {
        let champion = self.season.champion()?;
        let row = self.row(1, champion)?;
        let limit = if self.is_large() { self.settings.standings_top as usize } else { usize::MAX };
        let ranked = self.season.standings().top(limit, &self.season);
        let rows = ranked.into_iter().map(|(rank, player_id)| FinalRow {
            rank,
            player_id,
            points: self.season.standings().row(player_id).points,
        });
        Some(Message::LeagueCompleted(LeagueCompleted {
            league_id: self.settings.league_id.clone(),
            total_rounds: self.season.format().rounds(),
            total_matches: self.season.completed(),
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
        let everybody = self.registry.everybody();
        let recipients = everybody.map(|(who, agent)| recipient(who, agent)).collect();
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
        self.heard.hold(&mut news, now + self.settings.notice());
        if !news.recipients.is_empty() {
            out.push(Effect::Broadcast(Box::new(news)));
        }
    }
}

/// The address of an agent, for news whose outcome nobody waits for.
pub(super) fn recipient(who: AgentId, agent: &Agent) -> Recipient {
    let (to, auth_token) = (agent.endpoint.clone(), agent.manager_token.clone());
    Recipient { who, tag: Tag::Notice, to, auth_token }
}
