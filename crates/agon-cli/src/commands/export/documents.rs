//! The league's and the players' documents: standings, rounds, histories.
//!
//! Lists are made while they are written, so a long season is never whole in memory.
//!
//! Spec: docs/decisions.md

use agon_core::League;
use agon_proto::message::{ResultStatus, StandingsRow};
use agon_proto::tool::{MatchSummary, PlayedResult, RoundPhase};
use agon_proto::{LeagueId, MatchId, PlayerId, RefereeId, RoundId, Timestamp, precise};
use serde::{Serialize, Serializer};

/// The version of all these documents.
pub(super) const SCHEMA_VERSION: &str = "1.0.0";

/// A time to the microsecond: a match can take less than a second.
#[derive(Serialize)]
#[serde(transparent)]
pub(super) struct At(#[serde(with = "precise")] pub(super) Timestamp);

/// A list that is made while it is written.
struct Each<F>(F);

impl<F, I> Serialize for Each<F>
where
    F: Fn() -> I,
    I: Iterator,
    I::Item: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

#[derive(Serialize)]
struct Standings<'a> {
    schema_version: &'static str,
    league_id: &'a LeagueId,
    /// Results that it counts.
    version: u64,
    rounds_completed: u32,
    last_updated: Option<At>,
    standings: Vec<StandingsRow>,
}

/// The table.
pub(super) fn standings(league: &League, last: Option<Timestamp>) -> impl Serialize + '_ {
    Standings {
        schema_version: SCHEMA_VERSION,
        league_id: &league.settings().league_id,
        version: league.season().completed(),
        rounds_completed: league.season().rounds_completed(),
        last_updated: last.map(At),
        standings: league.table(usize::MAX),
    }
}

#[derive(Serialize)]
struct Rounds<'a, R> {
    schema_version: &'static str,
    league_id: &'a LeagueId,
    last_updated: Option<At>,
    rounds: R,
}

#[derive(Serialize)]
struct Round<M> {
    round_id: RoundId,
    status: RoundPhase,
    start_time: Option<At>,
    end_time: Option<At>,
    matches: M,
}

#[derive(Serialize)]
struct Pairing {
    match_id: MatchId,
    #[serde(rename = "player_A_id")]
    player_a_id: PlayerId,
    #[serde(rename = "player_B_id")]
    player_b_id: PlayerId,
    referee_id: Option<RefereeId>,
    result: Option<ResultStatus>,
    winner: Option<PlayerId>,
}

/// Every round of the schedule, also those that are still to come.
pub(super) fn rounds(league: &League, last: Option<Timestamp>) -> impl Serialize + '_ {
    Rounds {
        schema_version: SCHEMA_VERSION,
        league_id: &league.settings().league_id,
        last_updated: last.map(At),
        rounds: Each(move || {
            (1..=league.season().rounds()).map(move |round| one_round(league, round))
        }),
    }
}

fn one_round(league: &League, round_id: RoundId) -> Round<impl Serialize + '_> {
    let season = league.season();
    let times = season.round_times(round_id);
    let status = match times {
        None => RoundPhase::Pending,
        Some((_, Some(_))) => RoundPhase::Completed,
        // Only the last round that was announced can be open.
        Some((_, None)) => season.round_phase(),
    };
    Round {
        round_id,
        status,
        start_time: times.map(|(from, _)| At(from)),
        end_time: times.and_then(|(_, to)| to).map(At),
        matches: Each(move || {
            season.matches_in(round_id).filter_map(move |id| pairing(league, id))
        }),
    }
}

fn pairing(league: &League, match_id: MatchId) -> Option<Pairing> {
    let state = league.match_state(match_id)?;
    Some(Pairing {
        match_id,
        player_a_id: state.player_a_id,
        player_b_id: state.player_b_id,
        referee_id: state.referee_id,
        result: state.result.as_ref().map(|result| result.status),
        winner: state.result.and_then(|result| result.winner),
    })
}

#[derive(Serialize)]
struct History<M> {
    schema_version: &'static str,
    player_id: PlayerId,
    stats: Stats,
    matches: M,
}

#[derive(Serialize)]
struct Stats {
    total_matches: u32,
    wins: u32,
    losses: u32,
    draws: u32,
}

/// Choices are spelled by the game's dialect.
#[derive(Serialize)]
struct Played<C> {
    match_id: MatchId,
    opponent_id: PlayerId,
    result: PlayedResult,
    my_choice: Option<C>,
    opponent_choice: Option<C>,
    drawn_number: Option<u32>,
    points_earned: u32,
    timestamp: At,
}

/// One player's season. A cancelled match is listed and not counted.
pub(super) fn history(league: &League, player: PlayerId) -> impl Serialize + '_ {
    let season = league.season();
    let row = season.standings().row(player);
    History {
        schema_version: SCHEMA_VERSION,
        player_id: player,
        stats: Stats {
            total_matches: row.played,
            wins: row.wins,
            losses: row.losses,
            draws: row.draws,
        },
        matches: Each(move || {
            (1..=season.round())
                .filter_map(move |round| season.match_of(player, round))
                .filter_map(move |id| played(league, player, id))
        }),
    }
}

fn played(league: &League, player: PlayerId, match_id: MatchId) -> Option<impl Serialize> {
    let record = league.season().result(match_id)?;
    let state = league.match_state(match_id)?;
    let result = state.result?;
    let opponent_id =
        if state.player_a_id == player { state.player_b_id } else { state.player_a_id };
    Some(Played {
        match_id,
        opponent_id,
        result: ended_for(player, &result),
        my_choice: result.choices.get(player),
        opponent_choice: result.choices.get(opponent_id),
        drawn_number: result.drawn_number,
        points_earned: result.score.get(player).unwrap_or(0),
        timestamp: At(record.at),
    })
}

fn ended_for(player: PlayerId, result: &MatchSummary) -> PlayedResult {
    match result.status {
        ResultStatus::Draw => PlayedResult::Draw,
        ResultStatus::Cancelled | ResultStatus::Aborted => PlayedResult::Cancelled,
        ResultStatus::Win | ResultStatus::TechnicalLoss => {
            if result.winner == Some(player) {
                PlayedResult::Win
            } else {
                PlayedResult::Loss
            }
        }
    }
}
