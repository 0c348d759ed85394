//! Rounds and tables, under every name that somebody reads.

use super::object::Object;
use crate::Address;
use crate::dialect::q21::{EndRound, LeagueCompleted, NewRound, RoundResults, Score, StandingRow};

pub(super) fn new_round(said: &NewRound, payload: &mut Object<'_>) {
    payload.put_as(&["round_number", "round_starting"], said.number);
    payload.put_some("total_rounds", said.total_rounds);
    if let Some(total) = said.total_rounds {
        payload.put("is_final_round", said.number >= total);
    }
    payload.time_as(&["round_ends_at"], said.ends_at);
    payload.put_some("participant_lookup_table", said.present.as_ref());
    payload.put("message_text", &said.text);
}

pub(super) fn end_round(said: &EndRound, payload: &mut Object<'_>) {
    payload.put("round_number", said.number);
    payload.put("matches_completed", said.matches_completed);
    payload.put("matches_total", said.matches_total);
}

pub(super) fn round_results(said: &RoundResults, payload: &mut Object<'_>) {
    payload.put("round_number", said.number);
    payload.list("standings", &said.standings, standing);
    payload.list("results", &said.results, |object, winner| {
        object.put("match_id", &winner.game);
        object.put("winner_id", &winner.winner);
    });
}

pub(super) fn completed(said: &LeagueCompleted, payload: &mut Object<'_>) {
    payload.list("final_standings", &said.standings, standing);
    payload.put("message_text", &said.text);
}

/// The later players look for themselves under `participant_id` by their address, the earlier ones
/// under `group_id` by their group.
fn standing(object: &mut Object<'_>, row: &StandingRow) {
    let group = row.participant.as_str();
    object.put("rank", row.rank);
    object.put("participant_id", row.address.as_ref().map_or(group, Address::as_str));
    object.put_as(&["group_id", "player_id"], group);
    object.put_some("email", row.address.as_ref());
    object.put_some("display_name", row.name.as_ref());
    object.put_as(&["total_points", "points", "total_score"], row.points);
    object.put("games_played", row.played);
    object.put_as(&["games_won", "wins"], row.won);
    object.put_as(&["games_drawn", "draws"], row.drawn);
    object.put_as(&["games_lost", "losses"], row.lost);
    object.put_some("avg_score", row.average.map(Score::points));
}
