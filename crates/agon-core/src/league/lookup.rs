//! What of a league concerns whom, and questions that agents have about it: who plays whom, when,
//! and who is where in the table. Reads only.
//!
//! Spec: docs/protocol/query.md

use std::time::Duration;

use agon_proto::act::{AssignmentRow, AssignmentTable};
use agon_proto::message::{
    AnnouncedMatch, LeagueQuery, LeagueQueryResponse, NextMatch, QueryData, QueryType,
    ScheduledRound, StandingsRow,
};
use agon_proto::tool::LeaguePhase;
use agon_proto::{
    Address, AgentId, Contact, Endpoint, GameId, GroupId, MatchId, Part, PlayerId, RoundId, Score,
};

use super::League;
use crate::format::Fixture;
use crate::verdict::Outcome;
use crate::{Pace, Refusal, SeasonSettings};

/// Longest schedule that one answer lists; larger ones are asked for round by round.
const SCHEDULE_MAX: u64 = 5_000;

/// A schedule of so many rows fits the body of a request, whatever the addresses in it.
const ROWS_MAX: u64 = 600;

impl League {
    /// Whether too many are in it for everybody to be told everything.
    pub(crate) fn is_large(&self) -> bool {
        self.registry.player_count() > self.settings.broadcast_full_max
    }

    /// The matches of that round.
    pub(crate) fn matches_in(&self, round: RoundId) -> Vec<AnnouncedMatch> {
        let ids = self.season.matches_in(round);
        let mut matches = Vec::with_capacity(ids.len());
        matches.extend(ids.filter_map(|id| self.announced(id)));
        matches
    }

    /// Who takes part in that match, and as what.
    pub(crate) fn parties(&self, match_id: MatchId) -> Vec<(Part, AgentId)> {
        let Some(Fixture { a, b }) = self.season.fixture(match_id) else { return Vec::new() };
        let players = [(Part::Player1, a), (Part::Player2, b)];
        let players = players.map(|(part, player)| (part, AgentId::Player(player)));
        let referee = self.season.referee_of(match_id).map(AgentId::Referee);
        players.into_iter().chain(referee.map(|referee| (Part::Referee, referee))).collect()
    }

    /// What the matches that this player played were worth on average, where they are worth
    /// something by themselves.
    pub(crate) fn average(&self, player: PlayerId) -> Option<Score> {
        if !self.settings.scoring().is_earned_alone() {
            return None;
        }
        let mut scores = Vec::new();
        let rounds: std::ops::RangeInclusive<RoundId> = 1..=self.season.round();
        for (seat, record) in rounds.filter_map(|round| self.season.played_in(round, player)) {
            if record.verdict.outcome != Outcome::Cancelled {
                scores.extend(record.verdict.score(seat).map(Score::hundredths));
            }
        }
        let count = u32::try_from(scores.len()).ok().filter(|count| *count > 0)?;
        Some(Score::from_hundredths((scores.iter().sum::<u32>() + count / 2) / count))
    }

    /// The matches of the round that concern that agent.
    pub(crate) fn own_matches(&self, who: AgentId) -> Vec<AnnouncedMatch> {
        match who {
            AgentId::Player(player) => {
                let id = self.season.match_of(player, self.season.round());
                id.and_then(|id| self.announced(id)).into_iter().collect()
            }
            AgentId::Referee(referee) => {
                let all = self.matches_in(self.season.round()).into_iter();
                all.filter(|it| it.referee_id == Some(referee)).collect()
            }
        }
    }

    /// One line of an announcement or a schedule.
    pub(crate) fn announced(&self, match_id: MatchId) -> Option<AnnouncedMatch> {
        let fixture = self.season.fixture(match_id)?;
        let referee = self.season.attempt(match_id).map(|attempt| attempt.referee);
        let referee = referee.or_else(|| self.season.referee_of(match_id));
        let endpoint = referee.and_then(|id| Some(self.registry.referee(id)?.contact.endpoint()));
        Some(AnnouncedMatch {
            match_id,
            game_type: self.settings.game_type(),
            player_a_id: fixture.a,
            player_b_id: fixture.b,
            referee_endpoint: endpoint.unwrap_or_else(|| Endpoint::new("")),
            referee_id: referee,
        })
    }

    /// The top of the table, and the rank of every player.
    pub(crate) fn top_and_ranks(&self) -> (Vec<StandingsRow>, Vec<u32>) {
        let ranked = self.season.standings.top(usize::MAX, &self.season);
        let mut ranks = vec![0; self.registry.numbers()[0] as usize];
        for (rank, player) in &ranked {
            if let Some(place) = ranks.get_mut(player.number() as usize - 1) {
                *place = *rank;
            }
        }
        let top = ranked.iter().take(self.settings.standings_top as usize);
        (top.filter_map(|(rank, player)| self.row(*rank, *player)).collect(), ranks)
    }

    /// Whether everybody hears everything. Where it is settled who referees what, everybody knows
    /// the whole season anyway.
    pub(crate) fn is_told_whole(&self) -> bool {
        !self.is_large() || self.settings.format.settles_referees()
    }

    /// How many rows of the final table everybody is told.
    pub(crate) fn told_at_the_end(&self) -> usize {
        if self.is_told_whole() { usize::MAX } else { self.settings.standings_top as usize }
    }

    /// How long a round takes at most, if there is such a bound.
    pub(crate) fn round_length(&self) -> Option<Duration> {
        let longest = self.settings.round_time_max()?;
        Some(match self.settings.seasons.pace {
            Pace::Completion => longest,
            Pace::Clock { every_ms, .. } => longest.min(Duration::from_millis(every_ms)),
        })
    }

    /// The team that won a match.
    pub(crate) fn winner(&self, match_id: MatchId) -> Option<GroupId> {
        let seat = self.season.result(match_id)?.verdict.winner()?;
        let fixture = self.season.fixture(match_id)?;
        let winner = fixture.players()[seat.index()];
        self.registry.player(winner)?.group.clone()
    }

    /// Who that address is in the season; nobody, if it takes no part.
    pub(crate) fn agent_at(&self, address: &Address) -> Option<AgentId> {
        let agent = self.registry.at(&Contact::of(address)).filter(|_| self.season.has_begun());
        agent.filter(|agent| self.season.lineup.holds(*agent))
    }

    /// In how many games of the season that address has a part.
    pub fn games_of(&self, address: &Address) -> usize {
        let has_part =
            |id| self.parties(id).iter().any(|(_, who)| Some(*who) == self.agent_at(address));
        self.season.ids().filter(|id| has_part(*id)).count()
    }

    /// The schedule, or what of it concerns that reader, with the addresses that are of use to who
    /// is vouched for, or to who is called.
    pub(crate) fn schedule_for(&self, reader: Option<AgentId>, vouched: bool) -> AssignmentTable {
        let SeasonSettings { season, season_number, .. } = &self.settings.seasons;
        let mut rows = Vec::new();
        for match_id in self.season.ids() {
            let parties = self.parties(match_id);
            if reader.is_some_and(|reader| !parties.iter().any(|(_, who)| *who == reader)) {
                continue;
            }
            rows.extend(parties.into_iter().filter_map(|(part, who)| {
                let agent = self.registry.agent(who)?;
                Some(AssignmentRow {
                    game: GameId::of(*season_number, match_id),
                    part,
                    address: Some(agent.contact_for(vouched).address()),
                    group: agent.group(),
                    auth_token: None,
                })
            }));
        }
        let (matches, rounds) = (self.season.matches(), self.season.rounds());
        let text = format!("{matches} games in {rounds} rounds").into();
        AssignmentTable { season: Some(season.clone()), rows, text }
    }

    /// Whether each who is called gets its own matches only.
    pub(crate) fn has_own_copies(&self) -> bool {
        self.is_large() || self.season.matches() * 3 > ROWS_MAX
    }

    /// Answers a query of that player, if it is one. An answer may say why there is none.
    pub(crate) fn answer(
        &self,
        query: &LeagueQuery,
        asker: Option<PlayerId>,
    ) -> Result<LeagueQueryResponse, Refusal> {
        let (ours, query_type) = (&self.settings.league_id, query.query_type);
        if query.league_id != *ours {
            return Err(Refusal::WrongLeague(ours.clone()));
        }
        let (data, error) = match self.look_up(query, query.query_params.player_id.or(asker)) {
            Ok(data) => (Some(data), None),
            Err(why) => (None, Some(why.into())),
        };
        let standings = data.as_ref().and_then(|data| data.standings.clone());
        let (success, reachable) = (data.is_some(), None);
        let is_over = self.season.phase == LeaguePhase::Completed;
        let completed = (is_over && query_type == QueryType::GetRegistration).then_some(true);
        Ok(LeagueQueryResponse {
            query_type,
            success,
            data,
            standings,
            error,
            reachable,
            completed,
        })
    }

    fn look_up(
        &self,
        query: &LeagueQuery,
        player: Option<PlayerId>,
    ) -> Result<QueryData, &'static str> {
        let mut found = QueryData::default();
        let known = || {
            let player = player.ok_or("player_id is missing")?;
            self.registry.player(player).map(|_| player).ok_or("there is no such player")
        };
        match query.query_type {
            QueryType::GetStandings => {
                let limit = self.settings.standings_top.max(self.settings.broadcast_full_max);
                found.standings = Some(self.table(limit as usize));
            }
            QueryType::GetSchedule => {
                found.schedule = Some(self.schedule(query.query_params.round_id)?);
            }
            QueryType::GetNextMatch => found.next_match = self.next_match(known()?),
            // What there is to say of it only the manager knows.
            QueryType::GetRegistration => {}
            QueryType::GetPlayerStats => {
                let player = known()?;
                let rank = self.season.standings.rank(player, &self.season);
                found.player_stats = self.row(rank, player);
            }
        }
        Ok(found)
    }

    fn schedule(&self, round: Option<RoundId>) -> Result<Vec<ScheduledRound>, &'static str> {
        let season = &self.season;
        let rounds = match round {
            Some(round) if (1..=season.rounds()).contains(&round) => round..=round,
            Some(_) => return Err("there is no such round"),
            None if season.matches() > SCHEDULE_MAX => {
                return Err("the schedule is long; ask for one round_id at a time");
            }
            None => 1..=season.rounds(),
        };
        let round = |round_id| ScheduledRound { round_id, matches: self.matches_in(round_id) };
        Ok(rounds.map(round).collect())
    }

    fn next_match(&self, player: PlayerId) -> Option<NextMatch> {
        let rounds = self.season.round().max(1)..=self.season.rounds();
        let mut ids = rounds.filter_map(|round| self.season.match_of(player, round));
        let match_id = ids.find(|id| self.season.result(*id).is_none())?;
        let next = self.announced(match_id)?;
        let [a, b] = [next.player_a_id, next.player_b_id];
        let begun = match_id.round <= self.season.round();
        Some(NextMatch {
            match_id,
            round_id: match_id.round,
            opponent_id: if a == player { b } else { a },
            referee_endpoint: if begun { next.referee_endpoint } else { Endpoint::new("") },
        })
    }
}
