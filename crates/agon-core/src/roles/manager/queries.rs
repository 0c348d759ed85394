//! Answers to questions. Reads only; nothing here changes anything.
//!
//! Spec: docs/protocol/query.md

use agon_proto::message::{
    LeagueQuery, LeagueQueryResponse, MatchPhase, NextMatch, QueryData, QueryType, ScheduledRound,
    Transcript,
};
use agon_proto::tool::{MatchState, MatchSummary, StandingsAnswer, ToolAnswer};
use agon_proto::{
    Answer, ConversationId, Endpoint, MatchId, PerPlayer, PlayerId, RoundId, Timestamp,
};

use super::{Manager, Out};
use crate::Refusal;
use crate::desk::Place;
use crate::effect::{Effect, RequestId, Viewer};
use crate::gate::Speaker;
use crate::matches::finished_as;
use crate::season::MatchRecord;

/// Longest schedule that one answer lists; larger ones are asked for round by round.
const SCHEDULE_MAX: u64 = 5_000;

impl Manager {
    pub(super) fn answer_query(
        &self,
        speaker: Speaker,
        query: &LeagueQuery,
        conversation: ConversationId,
        request: RequestId,
        now: Timestamp,
        out: &mut Out,
    ) {
        let league = &self.settings.league_id;
        if query.league_id != *league {
            return out.refuse(request, Refusal::WrongLeague(league.clone()));
        }
        let asked_about = query.query_params.player_id.or(match speaker {
            Speaker::Player(id) => Some(id),
            Speaker::Referee(_) | Speaker::Manager | Speaker::Newcomer => None,
        });
        let data = self.look_up(query, asked_about);
        let (data, error) = match data {
            Ok(data) => (Some(data), None),
            Err(why) => (None, Some(why.into())),
        };
        let response = LeagueQueryResponse {
            query_type: query.query_type,
            success: data.is_some(),
            data,
            error,
        };
        out.reply(request, Self::letter(conversation, response.into(), now));
    }

    fn look_up(
        &self,
        query: &LeagueQuery,
        player: Option<PlayerId>,
    ) -> Result<QueryData, &'static str> {
        let nothing = QueryData::default();
        let known = || {
            let player = player.ok_or("player_id is missing")?;
            self.registry.player(player).map(|_| player).ok_or("there is no such player")
        };
        match query.query_type {
            QueryType::GetStandings => {
                let limit = self.settings.standings_top.max(self.settings.broadcast_full_max);
                let standings = Some(self.table(limit as usize));
                Ok(QueryData { standings, ..nothing })
            }
            QueryType::GetSchedule => {
                let schedule = Some(self.schedule(query.query_params.round_id)?);
                Ok(QueryData { schedule, ..nothing })
            }
            QueryType::GetNextMatch => {
                let next_match = self.next_match(known()?);
                Ok(QueryData { next_match, ..nothing })
            }
            QueryType::GetPlayerStats => {
                let player = known()?;
                let rank = self.season.standings().rank(player, &self.season);
                Ok(QueryData { player_stats: self.row(rank, player), ..nothing })
            }
        }
    }

    fn schedule(&self, round: Option<RoundId>) -> Result<Vec<ScheduledRound>, &'static str> {
        let format = self.season.format();
        let rounds = match round {
            Some(round) if (1..=format.rounds()).contains(&round) => round..=round,
            Some(_) => return Err("there is no such round"),
            None if format.matches() > SCHEDULE_MAX => {
                return Err("the schedule is long; ask for one round_id at a time");
            }
            None => 1..=format.rounds(),
        };
        let round = |round_id| ScheduledRound {
            round_id,
            matches: (1..=format.matches_per_round())
                .filter_map(|number| self.announced(MatchId::new(round_id, number)))
                .collect(),
        };
        Ok(rounds.map(round).collect())
    }

    fn next_match(&self, player: PlayerId) -> Option<NextMatch> {
        let format = self.season.format();
        let rounds = self.season.round().max(1)..=format.rounds();
        let mut ids = rounds.filter_map(|round| format.match_of(player, round));
        let match_id = ids.find(|id| self.season.result(*id).is_none())?;
        let announced = self.announced(match_id)?;
        let opponent_id = if announced.player_a_id == player {
            announced.player_b_id
        } else {
            announced.player_a_id
        };
        let referee_endpoint = if match_id.round <= self.season.round() {
            announced.referee_endpoint
        } else {
            Endpoint::new("")
        };
        Some(NextMatch { match_id, round_id: match_id.round, opponent_id, referee_endpoint })
    }

    pub(super) fn standings_answer(&self) -> StandingsAnswer {
        StandingsAnswer {
            league_id: self.settings.league_id.clone(),
            rounds_completed: self.season.rounds_completed(),
            standings: self.table(usize::MAX),
        }
    }

    /// A match, with its transcript if it is over.
    pub(super) fn show_match(
        &self,
        id: Option<MatchId>,
        viewer: Viewer,
        request: RequestId,
        out: &mut Out,
    ) {
        let state = id.and_then(|id| self.match_state(id));
        match state {
            None => out.refuse(request, Refusal::NoSuchMatch),
            // What is played again has a transcript already, of what does not count.
            Some(state) if state.result.is_none() && state.rerun.is_some() => {
                out.reply(request, Answer::Tool(ToolAnswer::Match(Box::new(state))));
            }
            Some(state) => out.push(Effect::Fetch { request, state: Box::new(state), viewer }),
        }
    }

    /// All that the season knows of one match.
    pub fn match_state(&self, match_id: MatchId) -> Option<MatchState> {
        let fixture = self.season.fixture(match_id)?;
        let attempt = self.season.attempt(match_id);
        let record = self.season.result(match_id);
        let state = match record {
            Some(record) => finished_as(&record.verdict),
            // What goes on inside a match its referee knows; here it is out, or not yet.
            None if self.desk.place(match_id) == Some(Place::Out) => MatchPhase::WaitingForPlayers,
            None if self.is_q21() && attempt.is_some() => MatchPhase::WaitingForPlayers,
            None => MatchPhase::Created,
        };
        let [voided, rerun] = self.season.orders(match_id).map(Option::<&_>::cloned);
        Some(MatchState {
            league_id: self.settings.league_id.clone(),
            match_id,
            round_id: match_id.round,
            state,
            attempt: attempt.map_or(1, |attempt| attempt.number),
            referee_id: attempt.map(|attempt| attempt.referee),
            player_a_id: fixture.a,
            player_b_id: fixture.b,
            result: record.map(|record| self.summarise(record, [fixture.a, fixture.b])),
            voided,
            rerun,
            contradictions: self.season.contradictions(match_id),
            evidence: self.evidence_against(match_id),
            transcript: Transcript::default(),
        })
    }

    fn summarise(&self, record: &MatchRecord, [a, b]: [PlayerId; 2]) -> MatchSummary {
        let verdict = &record.verdict;
        let [points_a, points_b] = self.season.score(verdict);
        let [choice_a, choice_b] = verdict.choices;
        MatchSummary {
            status: verdict.status(),
            winner: verdict.winner().map(|seat| [a, b][seat.index()]),
            score: PerPlayer::both((a, points_a), (b, points_b)),
            reason: verdict.cause,
            blame: verdict.blame,
            unverified: record.unverified,
            drawn_number: verdict.drawn,
            choices: PerPlayer::of([
                choice_a.map(|choice| (a, choice)),
                choice_b.map(|choice| (b, choice)),
            ]),
            private_score: verdict.marks.map_or_else(PerPlayer::empty, |marks| {
                let [score_a, score_b] = marks.map(|mark| mark.score.points());
                PerPlayer::both((a, score_a), (b, score_b))
            }),
        }
    }
}
