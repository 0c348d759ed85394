//! What becomes of a game: the referee's result, and a player's status report.

use super::game::{breakdown, feedback};
use super::object::Object;
use crate::dialect::q21::{
    PlayerState, ResultReport, ScoreRow, StatedScore, StatusReport, StopReason,
};
use crate::message::{Blame, Cause};

/// What a status report calls its own form.
const VERSION: &str = "1.0";

pub(super) fn result(said: &ResultReport, payload: &mut Object<'_>) {
    payload.put("match_id", &said.game);
    payload.put("status", said.status.as_str());
    payload.put("winner_id", &said.winner);
    payload.put("is_draw", said.is_draw);
    payload.list("scores", &said.scores, score_row);
    payload.put_some("abort_reason", said.abort_reason.as_ref());
    if !said.player_states.is_empty() {
        payload.object("player_states", |object| {
            for (name, state) in ["player1", "player2"].iter().zip(&said.player_states) {
                object.object(name, |object| player_state(object, state));
            }
        });
    }
    payload.put_some("cause", said.cause.map(Cause::as_str));
    payload.put_some("blame", said.blame.map(Blame::as_str));
}

fn score_row(object: &mut Object<'_>, row: &ScoreRow) {
    object.put("participant_id", &row.participant);
    object.put_some("email", row.address.as_ref());
    if let Some(points) = row.league_points {
        object.put_as(&["league_points", "league_score"], points);
    }
    match &row.private_score {
        Some(StatedScore::Within(score)) => object.put("private_score", score.points()),
        Some(StatedScore::Beyond(digits)) => object.put("private_score", digits),
        None => {}
    }
    feedback(row.feedback.as_ref(), object);
    object.put_some("score_reason", row.reason.as_ref());
}

fn player_state(object: &mut Object<'_>, state: &PlayerState) {
    object.put("email", &state.address);
    object.put("participant_id", &state.participant);
    object.put("phase_reached", &state.phase_reached);
    object.put("scored", state.scored);
    object.put("last_actor", &state.last_actor);
}

pub(super) fn status(said: &StatusReport, payload: &mut Object<'_>) {
    let completed = said.reason == StopReason::GameCompleted;
    payload.put("message_type", "MATCH_RESULT_REPORT");
    payload.put("version", VERSION);
    payload.put_as(&["match_id", "game_id"], &said.game);
    payload.put("round_number", said.round);
    payload.put("status", if completed { "COMPLETED" } else { "TERMINATED" });
    payload.put("phase_at_termination", said.phase.as_str());
    payload.put("last_actor", said.last_actor.as_str());
    payload.put("last_message_sent", &said.last_sent);
    payload.put("last_message_received", &said.last_received);
    payload.time_as(&["reported_at", "terminated_at"], said.at);
    payload.put("reason", said.reason.as_str());
    payload.object("reporter", |object| {
        object.put("email", &said.reporter.address);
        object.put("role", &said.reporter.role);
    });
    if let Some((points, score)) = said.points {
        payload.put_as(&["league_points", "league_score"], points);
        payload.put("private_score", score.points());
    }
    if let Some(parts) = &said.breakdown {
        breakdown(parts, payload);
    }
}
