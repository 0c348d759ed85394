//! What a referee says to players in calls: invitations, questions, warnings, the news of the end.
//! And reading what they answer, or saying why that is no answer, and by which terms it is played.
//!
//! Spec: docs/protocol/match.md

use std::sync::Arc;

use agon_games::{Rules, Turn};
use agon_proto::act::Act;
use agon_proto::message::{
    GameError, GameInvitation, GameOver, GameResult, MatchAssignment, RetryInfo, Shown,
    answer_type, game_settings, question, stated_move, stated_player,
};
use agon_proto::{
    AgentId, Answer, AuthToken, ConversationId, Dialogue, Endpoint, ErrorCode, GameType, MatchId,
    MessageType, Objection, Payload, PlayerId, Sender, ShortText, Timestamp,
};

use super::Out;
use super::records::{Judged, player};
use super::results::{code, failed_ask, reason_for};
use crate::effect::{Alert, Effect, Lane, Outgoing, Tag, Topic, WrongClaim};
use crate::matches::{Failure, JOIN, Lapsed, Match, MatchEffect, MatchTerms, Move, Unfit, role};
use crate::verdict::{Outcome, Seat, Verdict};

/// The call that asks, or warns, one player; or what the operator hears of it.
pub(super) fn say(
    assignment: &MatchAssignment,
    live: &Match,
    effect: &MatchEffect,
    now: Timestamp,
) -> Option<Effect> {
    let (match_id, attempt) = (assignment.match_id, assignment.attempt);
    match *effect {
        MatchEffect::Ask { seat, step, ask, until, last } => {
            let message = match step {
                JOIN => invitation(assignment, seat),
                _ => question(assignment, role(seat), until, || {
                    live.request(seat, step, assignment.hints)
                }),
            };
            let lane = Lane::Ask { until, last };
            let tag = Tag::Ask { match_id, attempt, seat, step, ask };
            Some(send(assignment, seat, (lane, tag), message, now))
        }
        MatchEffect::Warn { ref lapsed, again_at } => {
            let message = warning(assignment, lapsed, again_at, live);
            let lane = Lane::Notice(Topic::Warning(assignment.match_id));
            Some(send(assignment, lapsed.seat, (lane, Tag::Notice), message, now))
        }
        MatchEffect::Lapsed(ref lapsed) => {
            let player = player(assignment, lapsed.seat).to_string();
            let asked = (&*player, wanted(&assignment.game_type, lapsed.step).name());
            let place = (assignment.match_id, assignment.attempt);
            Some(Effect::Alert(failed_ask(place, asked, lapsed)))
        }
        // What it was worth is told with the end.
        MatchEffect::Through(_)
        | MatchEffect::Roll(..)
        | MatchEffect::Consult { .. }
        | MatchEffect::Report(..) => None,
    }
}

/// Tells both players how their match ended.
pub(super) fn tell(
    assignment: &Arc<MatchAssignment>,
    judged: &Judged,
    terms: &mut KnownTerms,
    out: &mut Out,
) {
    let now = out.now;
    let Judged { verdict, details, transcript, .. } = judged;
    let players = [assignment.player_a_id, assignment.player_b_id];
    let terms = terms.of(assignment);
    let sentence = terms.and_then(|terms| told_by(&terms.rules, details, players));
    let over = GameResult::of(
        &assignment.game_type,
        Shown { view: details, players, gains: verdict.gains },
        verdict.status(),
        verdict.winner().map(|seat| player(assignment, seat)),
        reason(assignment, verdict, sentence),
    );
    let (match_id, attempt) = (assignment.match_id, assignment.attempt);
    let news = |seat: Seat, mut game_result: GameResult| {
        if verdict.blame.is_some() {
            let said = (&*game_result.reason, transcript);
            game_result.reason = reason_for(seat, assignment, verdict, said);
        }
        let game_type = assignment.game_type.clone();
        let message = Act::GameOver(GameOver { match_id, game_type, game_result });
        let (lane, tag) = (Lane::Notice(Topic::News), Tag::Over { match_id, attempt, seat });
        send(assignment, seat, (lane, tag), message, now)
    };
    out.push(news(Seat::A, over.clone()));
    out.push(news(Seat::B, over));
}

fn send(
    assignment: &MatchAssignment,
    seat: Seat,
    (lane, tag): (Lane, Tag),
    act: Act,
    now: Timestamp,
) -> Effect {
    let (to, token) = reached(assignment, seat);
    let (match_id, attempt) = (assignment.match_id, assignment.attempt);
    let head = Dialogue {
        sender: Sender::Referee(assignment.referee_id),
        timestamp: now,
        conversation_id: ConversationId::Match { match_id, attempt },
    };
    Effect::Send(Outgoing::new(to.clone(), (lane, tag), (head, Some(token.clone())), act))
}

/// Where that player is called, and with what.
fn reached(assignment: &MatchAssignment, seat: Seat) -> (&Endpoint, &AuthToken) {
    match seat {
        Seat::A => (&assignment.player_a_endpoint, &assignment.player_a_token),
        Seat::B => (&assignment.player_b_endpoint, &assignment.player_b_token),
    }
}

fn invitation(assignment: &MatchAssignment, seat: Seat) -> Act {
    Act::GameInvitation(GameInvitation {
        league_id: assignment.league_id.clone(),
        round_id: assignment.round_id,
        match_id: assignment.match_id,
        game_type: assignment.game_type.clone(),
        role_in_match: role(seat),
        opponent_id: player(assignment, seat.other()),
        game_settings: assignment.game_settings.clone().map(Box::new),
    })
}

fn warning(
    assignment: &MatchAssignment,
    lapsed: &Lapsed,
    again_at: Timestamp,
    live: &Match,
) -> Act {
    let max_retries = live.retries_max(lapsed.seat);
    let (retry_count, next_retry_at) = (lapsed.ask.into(), Some(again_at));
    let code = code(lapsed);
    let (problem, received) = match lapsed.objection.as_deref() {
        Some(Objection { problem, received, .. }) => (Some(problem.clone()), received.clone()),
        None => (None, None),
    };
    GameError {
        match_id: assignment.match_id,
        error_code: code,
        error_name: code.name().into(),
        error_description: code.name().into(),
        affected_player: player(assignment, lapsed.seat),
        action_required: wanted(&assignment.game_type, lapsed.step).name().into(),
        retry_count,
        max_retries,
        retry_info: Some(RetryInfo { retry_count, max_retries, next_retry_at }),
        retryable: true,
        game_state: Some(live.phase()),
        consequence: "Technical loss if max retries exceeded".into(),
        problem,
        received,
    }
    .into()
}

/// How it was played to its end, in the game's own sentence.
fn told_by(rules: &Rules, details: &Payload, players: [PlayerId; 2]) -> Option<String> {
    let shown = rules.retrace(details.as_bytes()).ok()??.shown;
    let [a, b] = &players;
    (shown.turn() == Turn::Over).then(|| shown.tell([a, b]))
}

/// The end in a sentence, for the people who read logs.
fn reason(assignment: &MatchAssignment, verdict: &Verdict, played: Option<String>) -> Box<str> {
    let name = |seat: Seat| player(assignment, seat);
    let cause = verdict.cause.as_str();
    match verdict.outcome {
        Outcome::Won(seat) => played.unwrap_or_else(|| format!("{} won", name(seat))),
        Outcome::Drawn => played.unwrap_or_else(|| "drawn".to_owned()),
        Outcome::Forfeited(seat) => format!("technical loss of {}: {cause}", name(seat)),
        Outcome::BothForfeited => format!("technical loss of both: {cause}"),
        Outcome::Cancelled => format!("cancelled: {cause}"),
        Outcome::Void => format!("void: {cause}"),
    }
    .into()
}

/// What is answered to the question of that step.
pub(super) fn wanted(game: &GameType, step: u16) -> MessageType {
    match step {
        JOIN => MessageType::GameJoinAck,
        _ => answer_type(game),
    }
}

/// Reads an answer to the question of that step.
pub(super) fn read(
    step: u16,
    (match_id, game): (MatchId, &GameType),
    answer: &Answer,
) -> Result<Move, Unfit> {
    let wanted = wanted(game, step);
    let letter = match answer {
        Answer::Message(letter) => letter,
        Answer::Fault(fault) if fault.league_code == Some(ErrorCode::Timeout) => {
            // It says itself that it is too late: nothing is wrong with its words.
            let problem = "it says that its strategy took too long";
            let objection = Objection::new(ErrorCode::Timeout, problem);
            return Err(unfit(Failure::Silent, objection));
        }
        Answer::Receipt(_) | Answer::Tool(_) | Answer::Fault(_) => {
            return Err(malformed(&format!("a {} is expected", wanted.name())));
        }
    };
    if let (Act::GameJoinAck(ack), JOIN) = (&letter.act, step) {
        same_match(wanted, ack.match_id, match_id)?;
        return Ok(if ack.accept { Move::Join } else { Move::Decline });
    }
    match stated_move(&letter.act) {
        Some((stated, said)) if MessageType::of(&letter.act) == Some(wanted) => {
            same_match(wanted, stated, match_id)?;
            said.map(Move::Chosen).map_err(|why| unfit(Failure::Invalid, why))
        }
        Some(_) | None => {
            let (sent, wanted) = (MessageType::name_of(&letter.act), wanted.name());
            Err(malformed(&format!("the answer is a {sent}; a {wanted} is expected")))
        }
    }
}

/// What an answer says wrongly of whose it is. It counts all the same: whose it is, the call says.
pub(super) fn wrong_claim(
    assignment: &MatchAssignment,
    seat: Seat,
    answer: &Answer,
) -> Option<Alert> {
    let Answer::Message(letter) = answer else { return None };
    let asked = player(assignment, seat);
    let (_, token) = reached(assignment, seat);
    let stated = stated_player(&letter.act).filter(|stated| *stated != asked);
    // Agents of the course show their own, which only the manager can judge.
    let is_own = |shown: &AuthToken| shown.owner() == Some(AgentId::Player(asked));
    let is_token_wrong =
        letter.auth_token.as_ref().is_some_and(|shown| shown != token && !is_own(shown));
    let sender = match &letter.head.sender {
        Sender::Player(stated) if *stated == asked => None,
        // A name that is no id claims nothing.
        Sender::NewPlayer(_) | Sender::NewReferee(_) => None,
        other @ (Sender::Player(_) | Sender::Referee(_) | Sender::LeagueManager) => Some(other),
    };
    if stated.is_none() && !is_token_wrong && sender.is_none() {
        return None;
    }
    let said = [
        sender.map(|sender| format!("sender is {sender}")),
        stated.map(|stated| format!("player_id is {stated}")),
        is_token_wrong.then(|| "auth_token is not that of the question".to_owned()),
    ];
    let said: Vec<_> = said.into_iter().flatten().collect();
    Some(Alert::WrongClaim(Box::new(WrongClaim {
        match_id: assignment.match_id,
        attempt: assignment.attempt,
        player: asked,
        said: ShortText::new(&said.join("; ")),
    })))
}

fn same_match(wanted: MessageType, stated: MatchId, match_id: MatchId) -> Result<(), Unfit> {
    if stated == match_id {
        return Ok(());
    }
    let name = wanted.name();
    let problem = format!("{name}: field match_id must be {match_id}, as in the question");
    let objection = Objection::new(ErrorCode::InvalidMessage, &problem);
    let received = format!("match_id {stated}");
    Err(unfit(Failure::Malformed, objection.to(received.as_bytes())))
}

fn malformed(problem: &str) -> Unfit {
    unfit(Failure::Malformed, Objection::new(ErrorCode::InvalidMessage, problem))
}

fn unfit(failure: Failure, objection: Objection) -> Unfit {
    Unfit { failure, objection: Some(Box::new(objection)) }
}

/// The terms that were asked for last, and of which match: nearly always those of the next, too.
#[derive(Debug, Default)]
pub(super) struct KnownTerms(Option<(Arc<MatchAssignment>, Arc<MatchTerms>)>);

impl KnownTerms {
    /// The terms of that match, which is played as its assignment says; `None` if it is not played
    /// by calls.
    pub(super) fn of(&mut self, assignment: &Arc<MatchAssignment>) -> Option<Arc<MatchTerms>> {
        let MatchAssignment { game_type, limits, game_settings: settings, .. } = &**assignment;
        if let Some((known, terms)) = &self.0
            && known.game_type == *game_type
            && known.limits == *limits
            && known.game_settings == *settings
        {
            return Some(terms.clone());
        }
        let rules = Rules::new(game_type.as_str(), &game_settings(assignment)).ok()?;
        let rules = Some(rules).filter(|rules| !rules.info().is_judged())?;
        let terms = Arc::new(MatchTerms::attempted(rules, limits));
        self.0 = Some((assignment.clone(), terms.clone()));
        Some(terms)
    }
}

#[cfg(test)]
mod tests;
