//! Rounds: announced, played, completed; and the end of the season.
//!
//! Spec: docs/protocol/season.md

use agon_proto::message::{
    AnnouncedMatch, Champion, FinalRow, LeagueCompleted, LeagueStandingsUpdate, Message,
    RoundAnnouncement, RoundCompleted, StandingsRow,
};
use agon_proto::tool::LeaguePhase;
use agon_proto::{
    AgentId, ConversationId, Endpoint, Envelope, MatchId, PlayerId, RoundId, Sender, Timestamp,
};

use super::{Manager, Out};
use crate::effect::{Broadcast, Effect, Lane, Outgoing, Recipient, Tag, Topic};
use crate::fact::{LeagueFact, Order};
use crate::registry::Agent;

impl Manager {
    /// Starts by itself, if that was asked for and enough agents are in.
    pub(super) fn start_if_ready(&mut self, now: Timestamp, out: &mut Out) {
        let open = self.season.phase() == LeaguePhase::AcceptingRegistrations;
        let enough = self.options.start_when.is_some_and(|players| {
            self.registry.player_count() >= players.max(2) && self.registry.referee_count() > 0
        });
        if open && enough {
            self.start(None, now, out);
        }
    }

    pub(super) fn start(&mut self, order: Option<Order>, now: Timestamp, out: &mut Out) {
        let players = self.registry.player_count();
        self.record(LeagueFact::SeasonStarted { players, order, at: now }, out);
        self.announce(1, now, out);
        self.advance(now, out);
    }

    fn announce(&mut self, round: RoundId, now: Timestamp, out: &mut Out) {
        let referees = self.draw_up();
        self.record(LeagueFact::RoundAnnounced { round, referees, at: now }, out);
        self.tell_round(now, out);
        self.lay_out_desk();
        self.forfeit_waiting(now, out);
        self.dispatch_all(now, out);
    }

    /// Goes on when the last result of a round is in. After a restart it goes on from whatever was
    /// written down last.
    pub(super) fn advance(&mut self, now: Timestamp, out: &mut Out) {
        // A round in which nobody can play any more is over at once, and so may be the next.
        while self.season.open() == 0 && self.season.phase() == LeaguePhase::Running {
            let round = self.season.round();
            if round > 0 && !self.season.round_over() {
                self.record(LeagueFact::RoundCompleted { round, at: now }, out);
                self.tell_standings(now, out);
                self.tell_round_completed(now, out);
            }
            if round < self.season.format().rounds() {
                self.announce(round + 1, now, out);
                continue;
            }
            let champion = self.leader();
            self.record(LeagueFact::LeagueCompleted { champion, at: now }, out);
            self.tell_end(now, out);
        }
    }

    /// Who is on top of the table.
    pub(super) fn leader(&self) -> PlayerId {
        let top = self.season.standings().top(1, &self.season);
        top.first().map_or(PlayerId::new(1), |(_, player)| *player)
    }

    /// After a restart: everything that somebody may have missed. Every reader takes it twice.
    pub(super) fn tell_again(&mut self, now: Timestamp, out: &mut Out) {
        match self.season.phase() {
            LeaguePhase::Startup
            | LeaguePhase::AcceptingRegistrations
            | LeaguePhase::Scheduling => {}
            LeaguePhase::Running => {
                if self.season.rounds_completed() > 0 {
                    self.tell_standings(now, out);
                }
                if self.season.open() > 0 {
                    self.tell_round(now, out);
                    for match_id in self.season.again().collect::<Vec<_>>() {
                        self.tell_again_played(match_id, now, out);
                    }
                    self.lay_out_desk();
                    self.dispatch_all(now, out);
                }
                self.advance(now, out);
            }
            LeaguePhase::Completed => {
                self.tell_standings(now, out);
                self.tell_end(now, out);
            }
        }
    }

    fn is_large(&self) -> bool {
        self.registry.player_count() > self.settings.broadcast_full_max
    }

    fn tell_round(&mut self, now: Timestamp, out: &mut Out) {
        let round = self.season.round();
        let conversation = ConversationId::RoundAnnounce(round);
        let announce = |matches: Vec<AnnouncedMatch>| {
            Message::RoundAnnouncement(RoundAnnouncement {
                league_id: self.settings.league_id.clone(),
                round_id: round,
                matches: matches.into(),
            })
        };
        if !self.is_large() {
            let numbers = 1..=self.season.format().matches_per_round();
            let matches =
                numbers.filter_map(|number| self.announced(MatchId::new(round, number))).collect();
            self.broadcast(announce(matches), conversation, Topic::News, now, out);
            return;
        }
        for (number, agent) in (1..).zip(self.registry.players()) {
            let id = self.season.format().match_of(PlayerId::new(number), round);
            let own = id.and_then(|id| self.announced(id)).into_iter().collect();
            out.push(notice(agent, announce(own), conversation.clone(), Topic::News, now));
        }
        for referee in self.registry.referee_ids() {
            let Some(agent) = self.registry.referee(referee) else {
                continue;
            };
            let numbers = 1..=self.season.format().matches_per_round();
            let held = numbers.map(|number| MatchId::new(round, number)).filter(|id| {
                self.season.attempt(*id).is_some_and(|attempt| attempt.referee == referee)
            });
            let held = held.filter_map(|id| self.announced(id)).collect();
            out.push(notice(agent, announce(held), conversation.clone(), Topic::News, now));
        }
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
        if !self.is_large() {
            let message = update(self.table(usize::MAX));
            self.broadcast(message, conversation, Topic::Standings, now, out);
            return;
        }
        let (top, ranks) = self.top_and_ranks();
        for (number, agent) in (1..).zip(self.registry.players()) {
            let player = PlayerId::new(number);
            let mut rows = top.clone();
            let rank = ranks.get(number as usize - 1).copied().unwrap_or(0);
            if !top.iter().any(|row| row.player_id == player) {
                rows.extend(self.row(rank, player));
            }
            let message = update(rows);
            out.push(notice(agent, message, conversation.clone(), Topic::Standings, now));
        }
        for referee in self.registry.referee_ids() {
            let Some(agent) = self.registry.referee(referee) else {
                continue;
            };
            let message = update(top.clone());
            out.push(notice(agent, message, conversation.clone(), Topic::Standings, now));
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

    fn tell_round_completed(&mut self, now: Timestamp, out: &mut Out) {
        let round = self.season.round();
        let summary = self.season.summary(round);
        let next = (round < self.season.format().rounds()).then_some(round + 1);
        let message = Message::RoundCompleted(RoundCompleted {
            league_id: self.settings.league_id.clone(),
            round_id: round,
            matches_played: summary.total_matches,
            matches_completed: summary.total_matches,
            next_round_id: next,
            summary,
        });
        self.broadcast(message, ConversationId::RoundComplete(round), Topic::News, now, out);
    }

    fn tell_end(&mut self, now: Timestamp, out: &mut Out) {
        if let Some(message) = self.end() {
            self.broadcast(message, ConversationId::LeagueComplete, Topic::News, now, out);
        }
    }

    /// Somebody who comes back after the end has missed it, and would wait for it for ever.
    pub(super) fn tell_end_to(&self, id: AgentId, now: Timestamp, out: &mut Out) {
        if let (Some(agent), Some(message)) = (self.registry.agent(id), self.end()) {
            out.push(notice(agent, message, ConversationId::LeagueComplete, Topic::News, now));
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

    pub(super) fn broadcast(
        &self,
        message: Message,
        conversation_id: ConversationId,
        topic: Topic,
        now: Timestamp,
        out: &mut Out,
    ) {
        let recipients = self.registry.everybody().map(|agent| Recipient {
            to: agent.endpoint.clone(),
            auth_token: agent.manager_token.clone(),
        });
        out.push(Effect::Broadcast(Box::new(Broadcast {
            sender: Sender::LeagueManager,
            timestamp: now,
            conversation_id,
            topic,
            message,
            recipients: recipients.collect(),
        })));
    }
}

/// News for one agent alone.
pub(super) fn notice(
    agent: &Agent,
    message: Message,
    conversation_id: ConversationId,
    topic: Topic,
    now: Timestamp,
) -> Effect {
    Effect::Send(Outgoing {
        to: agent.endpoint.clone(),
        lane: Lane::Notice(topic),
        tag: Tag::Notice,
        letter: Box::new(Envelope {
            sender: Sender::LeagueManager,
            timestamp: now,
            conversation_id,
            auth_token: Some(agent.manager_token.clone()),
            message,
        }),
    })
}
