//! The league's and the players' documents: standings, rounds, histories.
//!
//! Lists are made while they are written, so a long season is never whole in memory.
//!
//! Spec: docs/decisions.md

use agon_core::League;
use agon_proto::message::ResultStatus;
use agon_proto::tool::{MatchSummary, PlayedResult, RoundPhase};
use agon_proto::{MatchId, PlayerId, RoundId, Timestamp, precise};
use serde::{Serialize, Serializer};

use crate::output::object;

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

/// The table.
pub(super) fn standings(league: &League, last: Option<Timestamp>) -> impl Serialize + '_ {
    object()
        .with("schema_version", SCHEMA_VERSION)
        .with("league_id", &league.settings().league_id)
        // Results that it counts.
        .with("version", league.season().completed())
        .with("rounds_completed", league.season().rounds_completed())
        .with("last_updated", last.map(At))
        .with("standings", league.table(usize::MAX))
}

/// Every round of the schedule, also those that are still to come.
pub(super) fn rounds(league: &League, last: Option<Timestamp>) -> impl Serialize + '_ {
    let rounds = 1..=league.season().rounds();
    object()
        .with("schema_version", SCHEMA_VERSION)
        .with("league_id", &league.settings().league_id)
        .with("last_updated", last.map(At))
        .with("rounds", Each(move || rounds.clone().map(move |round| one_round(league, round))))
}

fn one_round(league: &League, round_id: RoundId) -> impl Serialize + '_ {
    let season = league.season();
    let times = season.round_times(round_id);
    let status = match times {
        None => RoundPhase::Pending,
        Some((_, Some(_))) => RoundPhase::Completed,
        // Only the last round that was announced can be open.
        Some((_, None)) => season.round_phase(),
    };
    let matches = move || season.matches_in(round_id).filter_map(move |id| pairing(league, id));
    object()
        .with("round_id", round_id)
        .with("status", status)
        .with("start_time", times.map(|(from, _)| At(from)))
        .with("end_time", times.and_then(|(_, to)| to).map(At))
        .with("matches", Each(matches))
}

fn pairing(league: &League, match_id: MatchId) -> Option<impl Serialize> {
    let state = league.match_state(match_id)?;
    let pairing = object()
        .with("match_id", match_id)
        .with("player_A_id", state.player_a_id)
        .with("player_B_id", state.player_b_id)
        .with("referee_id", state.referee_id)
        .with("result", state.result.as_ref().map(|result| result.status))
        .with("winner", state.result.and_then(|result| result.winner));
    Some(pairing)
}

/// One player's season. A cancelled match is listed and not counted.
pub(super) fn history(league: &League, player: PlayerId) -> impl Serialize + '_ {
    let season = league.season();
    let row = season.standings().row(player);
    let stats = object()
        .with("total_matches", row.played)
        .with("wins", row.wins)
        .with("losses", row.losses)
        .with("draws", row.draws);
    let matches = move || {
        (1..=season.round())
            .filter_map(move |round| season.match_of(player, round))
            .filter_map(move |id| played(league, player, id))
    };
    object()
        .with("schema_version", SCHEMA_VERSION)
        .with("player_id", player)
        .with("stats", stats)
        .with("matches", Each(matches))
}

fn played(league: &League, player: PlayerId, match_id: MatchId) -> Option<impl Serialize> {
    let record = league.season().result(match_id)?;
    let state = league.match_state(match_id)?;
    let result = state.result?;
    let opponent_id =
        if state.player_a_id == player { state.player_b_id } else { state.player_a_id };
    let played = object()
        .with("match_id", match_id)
        .with("opponent_id", opponent_id)
        .with("result", ended_for(player, &result))
        // Choices are spelled by the game's dialect.
        .with("my_choice", result.choices.get(player))
        .with("opponent_choice", result.choices.get(opponent_id))
        .with("drawn_number", result.drawn_number)
        .with("points_earned", result.score.get(player).unwrap_or(0))
        .with("timestamp", At(record.at));
    Some(played)
}

fn ended_for(player: PlayerId, result: &MatchSummary) -> PlayedResult {
    match result.status {
        ResultStatus::Draw => PlayedResult::Draw,
        ResultStatus::Cancelled | ResultStatus::Aborted => PlayedResult::Cancelled,
        ResultStatus::Win | ResultStatus::TechnicalLoss if result.winner == Some(player) => {
            PlayedResult::Win
        }
        ResultStatus::Win | ResultStatus::TechnicalLoss => PlayedResult::Loss,
    }
}
