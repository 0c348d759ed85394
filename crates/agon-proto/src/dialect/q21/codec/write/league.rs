//! Seasons, registration, the table, and everything else that is said around the games.
//!
//! Ids of broadcast, league, season and round are in the payload already.

use super::object::{Object, iso};
use crate::dialect::q21::{
    AssignmentAck, AssignmentRow, AssignmentTable, Connectivity, Extension, ExtensionDecision,
    ForceMajeure, ForceMajeureDecision, FreeText, LeagueRegistration, LeagueRegistrationAnswer,
    Origin, Part, Problem, RegistrationAnswer, RegistrationRequest, Rejection, Role, StartSeason,
    StateAnswer, Task, Verdict,
};
use crate::{AuthToken, MessageId};

/// What is played, where a message says so.
const GAME: &str = "Q21";

/// Some readers compare without case; one takes only capitals for a yes. All take this for a yes,
/// and the other for a no.
fn admitted(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted => "ACCEPTED",
        Verdict::Rejected => "rejected",
    }
}

pub(super) fn start_season(said: &StartSeason, payload: &mut Object<'_>) {
    payload.put("season_name", &said.name);
    payload.put("game_type", GAME);
    payload.put("total_rounds", said.total_rounds);
    payload.put("registration_deadline", said.registration_deadline.map_or(String::new(), iso));
    payload.put_some("registered_players", said.registered_players);
    payload.put_some("registered_referees", said.registered_referees);
    payload.put("message_text", &said.text);
}

pub(super) fn registration(said: &RegistrationRequest, payload: &mut Object<'_>) {
    payload.put_some("user_id", said.group.as_ref());
    payload.put_some("participant_id", said.participant.as_ref());
    payload.put_some("display_name", said.name.as_ref());
    payload.put_some("participant_role", said.role.map(Role::name));
    payload.put_some("also_reached_at", said.also.as_ref());
}

pub(super) fn registration_answer(said: &RegistrationAnswer, payload: &mut Object<'_>) {
    payload.put("status", admitted(said.status));
    payload.put_some("reason", said.reason.as_ref());
    payload.put_some("message", said.text.as_ref());
    payload.put_some("registration_id", said.registration.as_ref());
    payload.put_some("auth_token", said.auth_token.as_ref().map(AuthToken::reveal));
}

pub(super) fn table(said: &AssignmentTable, payload: &mut Object<'_>) {
    payload.list("assignments", &said.rows, row);
    payload.put("total_count", said.rows.len());
    payload.put("message_text", &said.text);
}

fn row(object: &mut Object<'_>, row: &AssignmentRow) {
    let part = match row.part {
        Part::Player1 => "player1",
        Part::Player2 => "player2",
        Part::Referee => "referee",
    };
    object.put("role", part);
    object.put_some("email", row.address.as_ref());
    object.put("game_id", &row.game);
    object.put("group_id", &row.group);
    object.put_some("auth_token", row.auth_token.as_ref().map(AuthToken::reveal));
}

pub(super) fn referee_ack(said: &AssignmentAck, from: &Origin, payload: &mut Object<'_>) {
    payload.put("status", "acknowledged");
    payload.put_some("referee_id", from.logical_id.as_ref());
    payload.put_some("group_id", said.group.as_ref());
    payload.put("assignments_received", said.received);
}

pub(super) fn player_ack(said: &AssignmentAck, from: &Origin, payload: &mut Object<'_>) {
    payload.put("status", "ACKNOWLEDGED");
    payload.put_some("player_email", from.address.as_ref());
    payload.put_some("group_id", said.group.as_ref());
    payload.put("assignments_received", said.received);
}

/// Each of the four answers has its own names for what became of the thing.
pub(super) fn state(task: Task, said: &StateAnswer, payload: &mut Object<'_>) {
    let (status, state, game) = match task {
        Task::KeepAlive => ("status", "machine_state", "match_id"),
        Task::Pause => ("pause_status", "previous_state", "match_id_paused"),
        Task::Continue => ("continue_status", "restored_state", "restored_match_id"),
        Task::Reset => ("reset_status", "machine_state", "match_id"),
    };
    payload.put(status, &said.status);
    payload.put(state, &said.state);
    payload.put_some(game, said.game.as_ref());
    payload.put("message_text", &said.text);
}

pub(super) fn heartbeat(said: &FreeText, from: &Origin, payload: &mut Object<'_>) {
    payload.put_some("player_email", from.address.as_ref());
    payload.put("status", "active");
    payload.put("message_text", &said.text);
}

pub(super) fn league_registration(said: &LeagueRegistration, payload: &mut Object<'_>) {
    payload.put("participant_role", said.role.name());
    payload.put_some("user_id", said.group.as_ref());
    payload.put_some("display_name", said.name.as_ref());
    payload.put("game_types", [GAME]);
    payload.put_some("contact_email", said.contact.as_ref());
}

pub(super) fn league_registration_answer(
    said: &LeagueRegistrationAnswer,
    payload: &mut Object<'_>,
) {
    payload.put("status", admitted(said.status));
    for name in ["agent_id", "player_id"] {
        payload.put_some(name, said.agent.as_ref());
    }
    payload.put_some("reason", said.reason.as_ref());
}

pub(super) fn connectivity(said: &Connectivity, payload: &mut Object<'_>) {
    payload.put("ping_id", &said.ping);
    payload.put_some("echo_from", said.echo_from.as_ref());
    payload.time_as(&["timestamp", "original_timestamp"], said.at);
}

pub(super) fn extension(said: &Extension, answers: Option<&MessageId>, payload: &mut Object<'_>) {
    payload.put_some("correlation_id", answers);
    payload.put("reason", &said.reason);
    payload.put("requested_extension", said.seconds.to_string());
}

pub(super) fn extension_decision(said: &ExtensionDecision, payload: &mut Object<'_>) {
    let decision = match said.status {
        Verdict::Accepted => "APPROVED",
        Verdict::Rejected => "DENIED",
    };
    payload.put_as(&["decision", "status"], decision);
    payload.time_as(&["new_deadline", "new_deadline_display"], said.new_deadline);
    payload.put_some("message", said.text.as_ref());
}

pub(super) fn rejection(said: &Rejection, payload: &mut Object<'_>) {
    payload.put_some("original_message_type", said.original.as_ref());
    payload.time_as(&["deadline"], said.deadline);
    payload.time_as(&["received_at"], said.received_at);
    payload.put("reason", &said.reason);
}

pub(super) fn force_majeure(said: &ForceMajeure, payload: &mut Object<'_>) {
    payload.put_some("game_id", said.game.as_ref());
    payload.put("reason", &said.reason);
}

pub(super) fn majeure_decision(said: &ForceMajeureDecision, payload: &mut Object<'_>) {
    let decision = match said.status {
        Verdict::Accepted => "APPROVED",
        Verdict::Rejected => "REJECTED",
    };
    payload.put("decision", decision);
    payload.put("admin_notes", &said.notes);
}

pub(super) fn problem(said: &Problem, payload: &mut Object<'_>) {
    payload.put("error_code", &said.code);
    payload.put("error_message", &said.text);
    payload.put_some("original_message_type", said.original.as_ref());
    payload.put("recoverable", said.recoverable);
}
