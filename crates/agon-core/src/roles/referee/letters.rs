//! What a referee writes to players: invitations, questions, warnings, the news of the end.
//!
//! Spec: docs/protocol/match.md

use agon_proto::message::{
    ChooseParityCall, GameError, GameInvitation, GameOver, GameResult, MatchAssignment, MatchPhase,
    Message, Parity, ParityContext, RetryInfo, RoleInMatch, Transcript,
};
use agon_proto::{
    AuthToken, ConversationId, Endpoint, Envelope, GameType, Objection, PerPlayer, PlayerId,
    Sender, Timestamp,
};

use super::reasons::{code, reason_for};
use super::{Held, Stage};
use crate::effect::{Effect, Lane, Outgoing, Tag, Topic};
use crate::games::even_odd::{JOIN, wanted};
use crate::matches::{self, Lapsed};
use crate::verdict::{Outcome, Seat, Verdict};

impl Held {
    /// The letter that asks, or warns, one player; or what the operator hears of it.
    pub(super) fn call_player(&self, step: matches::Effect, now: Timestamp) -> Option<Effect> {
        let Self { assignment, stage } = self;
        let (match_id, attempt) = (assignment.match_id, assignment.attempt);
        match step {
            matches::Effect::Ask { seat, step, ask, until, last } => {
                let message = match step {
                    JOIN => invitation(assignment, seat),
                    _ => question(assignment, seat, until),
                };
                let lane = Lane::Ask { until, last };
                let tag = Tag::Ask { match_id, attempt, seat, step, ask };
                Some(send(assignment, seat, (lane, tag), message, now))
            }
            matches::Effect::Warn { lapsed, again_at } => {
                let Stage::Live(live, _) = stage else {
                    return None;
                };
                let message = warning(assignment, &lapsed, again_at, live.phase());
                let lane = Lane::Notice(Topic::News);
                Some(send(assignment, lapsed.seat, (lane, Tag::Notice), message, now))
            }
            matches::Effect::Lapsed(lapsed) => Some(Effect::Alert(self.failed_ask(&lapsed))),
            matches::Effect::Roll(..)
            | matches::Effect::Consult { .. }
            | matches::Effect::Report(_) => None,
        }
    }
}

/// Tells both players how their match ended.
pub(super) fn tell(
    assignment: &MatchAssignment,
    verdict: &Verdict,
    transcript: &Transcript,
    now: Timestamp,
) -> [Effect; 2] {
    let over = result(assignment, verdict);
    let (match_id, attempt) = (assignment.match_id, assignment.attempt);
    let news = |seat: Seat, mut game_result: GameResult| {
        if verdict.blame.is_some() {
            let said = (&*game_result.reason, transcript);
            game_result.reason = reason_for(seat, assignment, verdict, said);
        }
        let game_type = GameType::EvenOdd;
        let message = Message::GameOver(GameOver { match_id, game_type, game_result });
        let (lane, tag) = (Lane::Notice(Topic::News), Tag::Over { match_id, attempt, seat });
        send(assignment, seat, (lane, tag), message, now)
    };
    [news(Seat::A, over.clone()), news(Seat::B, over)]
}

fn send(
    assignment: &MatchAssignment,
    seat: Seat,
    (lane, tag): (Lane, Tag),
    message: Message,
    now: Timestamp,
) -> Effect {
    let (to, token): (&Endpoint, &AuthToken) = match seat {
        Seat::A => (&assignment.player_a_endpoint, &assignment.player_a_token),
        Seat::B => (&assignment.player_b_endpoint, &assignment.player_b_token),
    };
    let match_id = assignment.match_id;
    Effect::Send(Outgoing {
        to: to.clone(),
        lane,
        tag,
        letter: Box::new(Envelope {
            sender: Sender::Referee(assignment.referee_id),
            timestamp: now,
            conversation_id: ConversationId::Match { match_id, attempt: assignment.attempt },
            auth_token: Some(token.clone()),
            message,
        }),
    })
}

fn invitation(assignment: &MatchAssignment, seat: Seat) -> Message {
    Message::GameInvitation(GameInvitation {
        league_id: assignment.league_id.clone(),
        round_id: assignment.round_id,
        match_id: assignment.match_id,
        game_type: GameType::EvenOdd,
        role_in_match: match seat {
            Seat::A => RoleInMatch::PlayerA,
            Seat::B => RoleInMatch::PlayerB,
        },
        opponent_id: player(assignment, seat.other()),
    })
}

fn question(assignment: &MatchAssignment, seat: Seat, deadline: Timestamp) -> Message {
    Message::ChooseParityCall(ChooseParityCall {
        match_id: assignment.match_id,
        player_id: player(assignment, seat),
        game_type: GameType::EvenOdd,
        context: ParityContext {
            opponent_id: player(assignment, seat.other()),
            round_id: assignment.round_id,
            your_standings: match seat {
                Seat::A => assignment.player_a_standings,
                Seat::B => assignment.player_b_standings,
            },
        },
        deadline,
    })
}

fn warning(
    assignment: &MatchAssignment,
    lapsed: &Lapsed,
    again_at: Timestamp,
    game_state: MatchPhase,
) -> Message {
    let max_retries = u32::try_from(assignment.limits.backoff_ms.len()).unwrap_or(u32::MAX);
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
        action_required: wanted(lapsed.step).name().into(),
        retry_count,
        max_retries,
        retry_info: Some(RetryInfo { retry_count, max_retries, next_retry_at }),
        retryable: true,
        game_state: Some(game_state),
        consequence: "Technical loss if max retries exceeded".into(),
        problem,
        received,
    }
    .into()
}

fn result(assignment: &MatchAssignment, verdict: &Verdict) -> GameResult {
    GameResult {
        status: verdict.status(),
        winner_player_id: verdict.winner().map(|seat| player(assignment, seat)),
        drawn_number: verdict.drawn,
        number_parity: verdict.drawn.map(Parity::of),
        choices: choices(assignment, verdict),
        reason: reason(assignment, verdict),
    }
}

pub(super) fn choices(assignment: &MatchAssignment, verdict: &Verdict) -> PerPlayer<Parity> {
    let of =
        |seat: Seat| verdict.choices[seat.index()].map(|choice| (player(assignment, seat), choice));
    PerPlayer::of(Seat::BOTH.map(of))
}

/// The end in a sentence, for the people who read logs.
fn reason(assignment: &MatchAssignment, verdict: &Verdict) -> Box<str> {
    let name = |seat: Seat| player(assignment, seat);
    let cause = verdict.cause.as_str();
    match (verdict.outcome, verdict.drawn) {
        (Outcome::Won(seat), Some(number)) => {
            let parity = Parity::of(number).as_str();
            format!("{} chose {parity}, number was {number} ({parity})", name(seat))
        }
        (Outcome::Drawn, Some(number)) => {
            let parity = Parity::of(number).as_str();
            format!("both chose the same, number was {number} ({parity})")
        }
        (Outcome::Won(seat), None) => format!("{} won", name(seat)),
        (Outcome::Drawn, None) => "drawn".to_owned(),
        (Outcome::Forfeited(seat), _) => format!("technical loss of {}: {cause}", name(seat)),
        (Outcome::BothForfeited, _) => format!("technical loss of both: {cause}"),
        (Outcome::Cancelled, _) => format!("cancelled: {cause}"),
        (Outcome::Void, _) => format!("void: {cause}"),
    }
    .into()
}

/// The two seats of an assignment.
pub(super) fn player(assignment: &MatchAssignment, seat: Seat) -> PlayerId {
    match seat {
        Seat::A => assignment.player_a_id,
        Seat::B => assignment.player_b_id,
    }
}
