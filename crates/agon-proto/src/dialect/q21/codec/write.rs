//! From a letter to JSON that every known generation can read.
//!
//! The envelope is the full one. Ids of broadcast, league, season and round stand in it and,
//! outside of games, in the payload as well; what goes by several names is written under all.

mod game;
mod league;
mod object;
mod report;
mod standings;

use self::object::{Object, iso};
use super::subject::name;
use super::whole_context;
use crate::dialect::q21::{Body, Context, GAME_PROTOCOL, Letter, Role};
use crate::{AuthToken, PROTOCOL};

/// The letter as JSON: the attachment and the text of a mail, or the `params` of a call.
pub fn write(letter: &Letter) -> Vec<u8> {
    let context = whole_context(letter);
    let of_game = letter.body.kind().is_of_game();
    let mut out = Vec::with_capacity(1024);
    Object::write(&mut out, |envelope| {
        envelope.put("protocol", if of_game { GAME_PROTOCOL } else { PROTOCOL });
        envelope.put("message_type", name(&letter.body));
        envelope.put("message_id", letter.id.as_str());
        envelope.put("timestamp", iso(letter.sent_at));
        envelope.object("sender", |sender| {
            sender.put("email", &letter.from.address);
            sender.put("role", letter.from.role.map(Role::name));
            sender.put("logical_id", &letter.from.logical_id);
        });
        envelope.put("recipient_id", &letter.recipient);
        envelope.put_some("correlation_id", letter.answers.as_ref());
        put_context(&context, envelope);
        envelope.put_some("game_id", context.game.as_ref());
        envelope.put_some("auth_token", letter.auth_token.as_ref().map(AuthToken::reveal));
        envelope.object("payload", |payload| {
            if !of_game {
                put_context(&context, payload);
            }
            put_body(letter, payload);
        });
    });
    out
}

fn put_context(context: &Context, object: &mut Object<'_>) {
    object.put_some("broadcast_id", context.broadcast.as_ref());
    object.put_some("league_id", context.league.as_ref());
    object.put_some("season_id", context.season.as_ref());
    object.put_some("round_id", context.round.as_ref());
}

fn put_body(letter: &Letter, payload: &mut Object<'_>) {
    match &letter.body {
        Body::StartSeason(said) => league::start_season(said, payload),
        Body::RegistrationRequest(said) => league::registration(said, payload),
        Body::RegistrationAnswer(said) => league::registration_answer(said, payload),
        Body::AssignmentTable(said) | Body::TableAnswer(said) => league::table(said, payload),
        Body::RefereeAck(said) => league::referee_ack(said, &letter.from, payload),
        Body::PlayerAck(said) => league::player_ack(said, &letter.from, payload),
        Body::TableRequest(said) => payload.put_some("group_id", said.group.as_ref()),
        Body::NewRound(said) => standings::new_round(said, payload),
        Body::EndRound(said) => standings::end_round(said, payload),
        Body::RoundResults(said) => standings::round_results(said, payload),
        Body::LeagueCompleted(said) => standings::completed(said, payload),
        Body::ResultReport(said) => report::result(said, payload),
        Body::StatusReport(said) => report::status(said, payload),
        Body::KeepAlive(said) => payload.put("message_text", &said.text),
        Body::Pause(said) | Body::Continue(said) => payload.put("reason", &said.reason),
        Body::Reset(said) => payload.put_as(&["reason", "reset_scope"], &said.reason),
        Body::FreeText(said) | Body::FreeTextAnswer(said) => {
            payload.put("message_text", &said.text);
        }
        Body::LeagueRegistration(said) => league::league_registration(said, payload),
        Body::LeagueRegistrationAnswer(said) => league::league_registration_answer(said, payload),
        Body::Heartbeat(said) => league::heartbeat(said, &letter.from, payload),
        Body::ConnectivityCall(said) => league::connectivity(said, payload),
        Body::ConnectivityEcho(said) => league::connectivity(said, payload),
        Body::Extension(said) => league::extension(said, letter.answers.as_ref(), payload),
        Body::ExtensionDecision(said) => league::extension_decision(said, payload),
        Body::Rejection(said) | Body::AlreadyRejected(said) => league::rejection(said, payload),
        Body::ForceMajeure(said) => league::force_majeure(said, payload),
        Body::ForceMajeureDecision(said) => league::majeure_decision(said, payload),
        Body::Problem(said) => league::problem(said, payload),
        Body::WarmupCall(said) => game::warmup_call(said, payload),
        Body::WarmupResponse(said) => game::warmup_response(said, payload),
        Body::RoundStart(said) => game::round_start(said, payload),
        Body::QuestionsBatch(said) => game::questions(said, payload),
        Body::AnswersBatch(said) => game::answers(said, payload),
        Body::GuessSubmission(said) => game::guess(said, payload),
        Body::ScoreFeedback(said) => game::score(said, payload),
        Body::State(task, said) => league::state(*task, said, payload),
        Body::Other(_) => {}
    }
}
