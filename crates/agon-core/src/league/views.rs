//! A league, looked at: its table and its matches, as people are shown them. Reads only.
//!
//! Spec: docs/protocol/query.md

use std::time::Duration;

use agon_proto::act::Progress;
use agon_proto::message::{MatchPhase, ReportDetails, StandingsRow, Transcript};
use agon_proto::tool::{Evidence, MatchState, MatchSummary, StandingsAnswer};
use agon_proto::{GameId, MatchId, PerPlayer, Played, PlayerId, Score};

use super::League;
use crate::format::Fixture;
use crate::matches::finished_as;
use crate::season::MatchRecord;
use crate::verdict::Seat;

impl League {
    /// One row of the table.
    pub(crate) fn row(&self, rank: u32, player: PlayerId) -> Option<StandingsRow> {
        let agent = self.registry.player(player)?;
        let row = self.season.standings.row(player);
        Some(StandingsRow {
            rank,
            player_id: player,
            display_name: agent.name.clone(),
            played: row.played,
            wins: row.wins,
            draws: row.draws,
            losses: row.losses,
            points: row.points,
            clock_ms: self.clock_shown(player),
            unverified: self.season.unverified(player),
            unproved: agent.unproved,
        })
    }

    /// How long that player may still hold others up in this season; `None` where no clock runs.
    pub fn clock(&self, player: PlayerId) -> Option<Duration> {
        Some(self.settings.slow_budget()?.saturating_sub(self.season.charged(player)))
    }

    /// The same, once something was charged.
    fn clock_shown(&self, player: PlayerId) -> Option<u64> {
        let left = self.clock(player).filter(|_| !self.season.charged(player).is_zero())?;
        Some(u64::try_from(left.as_millis()).unwrap_or(u64::MAX))
    }

    /// The best `limit` rows of the table.
    pub fn table(&self, limit: usize) -> Vec<StandingsRow> {
        let ranked = self.season.standings.top(limit, &self.season);
        let mut rows = Vec::with_capacity(ranked.len());
        rows.extend(ranked.into_iter().filter_map(|(rank, player)| self.row(rank, player)));
        rows
    }

    pub(crate) fn standings_answer(&self) -> StandingsAnswer {
        StandingsAnswer {
            league_id: self.settings.league_id.clone(),
            rounds_completed: self.season.rounds_completed(),
            standings: self.table(usize::MAX),
            judged: self.is_judged(),
        }
    }

    /// Whether scores are what referees judged, which no rule can check.
    pub fn is_judged(&self) -> bool {
        self.settings.game.info().is_judged()
    }

    /// What letters call that match, if this league is played by letters.
    pub fn game_id(&self, match_id: MatchId) -> Option<GameId> {
        let season_number = self.settings.seasons.season_number;
        (!self.settings.says().assigns).then(|| GameId::of(season_number, match_id))
    }

    /// All that the season knows of one match.
    pub fn match_state(&self, match_id: MatchId) -> Option<MatchState> {
        let fixture = self.season.fixture(match_id)?;
        let attempt = self.season.attempt(match_id);
        let record = self.season.result(match_id);
        let state = match record {
            Some(record) => finished_as(&record.verdict),
            // What goes on inside a match its referee knows.
            None if !self.settings.says().assigns && attempt.is_some() => {
                MatchPhase::WaitingForPlayers
            }
            None => MatchPhase::Created,
        };
        let [voided, rerun] = self.season.orders(match_id).map(Option::<&_>::cloned);
        Some(MatchState {
            league_id: self.settings.league_id.clone(),
            match_id,
            game_id: self.game_id(match_id),
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
            messages: self.attempts_at(match_id),
        })
    }

    fn summarise(&self, record: &MatchRecord, [a, b]: [PlayerId; 2]) -> MatchSummary {
        let verdict = &record.verdict;
        let [points_a, points_b] = verdict.points;
        let shown = ReportDetails::of(self.season.details(record), [a, b]);
        let scores = Seat::BOTH.map(|seat| verdict.score(seat).map(Score::points));
        MatchSummary {
            status: verdict.status(),
            winner: verdict.winner().map(|seat| [a, b][seat.index()]),
            score: PerPlayer::both((a, points_a), (b, points_b)),
            reason: verdict.cause,
            blame: verdict.blame,
            unverified: record.unverified,
            judged: self.is_judged() && verdict.gains.is_some(),
            drawn_number: shown.drawn_number,
            choices: shown.choices,
            view: ReportDetails::told_apart(self.season.details(record)),
            private_score: match scores {
                [Some(score_a), Some(score_b)] if self.settings.scoring().is_earned_alone() => {
                    PerPlayer::both((a, score_a), (b, score_b))
                }
                _ => PerPlayer::empty(),
            },
        }
    }

    /// What the players of that match say against its result.
    fn evidence_against(&self, match_id: MatchId) -> Vec<Evidence> {
        let players = self.season.fixture(match_id).into_iter().flat_map(Fixture::players);
        let against = &self.correspondence.contradicted;
        let said = players.filter_map(|it| Some((it, against.get(&(match_id, it))?)));
        let record = self.season.result(match_id);
        let shown = |(player_id, played): (PlayerId, &Option<Played>)| {
            if let Some(played) = played {
                // Of an attempt that counts no more nothing is said.
                let counts = record.is_some_and(|it| it.attempt == played.attempt);
                return counts.then(|| Evidence {
                    player_id,
                    phase: Progress::Completed.name().into(),
                    reason: "OTHER_MOVES".into(),
                    league_points: None,
                    private_score: None,
                    moves: Some(played.moves),
                });
            }
            let report = self.correspondence.report(match_id, player_id)?;
            Some(Evidence {
                player_id,
                phase: report.phase.name().into(),
                reason: report.reason.as_str().into(),
                league_points: report.points.map(|(points, _)| points),
                private_score: report.points.map(|(_, score)| score.points()),
                moves: None,
            })
        };
        said.filter_map(shown).collect()
    }
}
