//! How a match ended, and why: in the report by call, in the report by letter, and in the words
//! that players and operators read.
//!
//! What was received from a player is for that player and the operator, never for its opponent.
//!
//! Spec: docs/protocol/match.md docs/protocol/q21.md

use agon_proto::act::{Aborted, Break, PlayerReached, ReportStatus, ResultReport, ScoreRow};
use agon_proto::message::{
    Blame, Cause, MatchAssignment, MatchResultReport, ReportDetails, ReportedResult, Shown,
    Transcript, TranscriptEntry,
};
use agon_proto::{
    ConversationId, Dialogue, ErrorCode, MatchId, PerPlayer, Sender, ShortText, StatedScore,
    Timestamp,
};

use super::exchange::Exchange;
use super::records::{Judged, is_asked_once, player};
use super::reporting::Told;
use crate::agent::Agent;
use crate::effect::{Alert, Effect, FailedAsk, Lane, Outgoing, Tag};
use crate::matches::{Failure, JOIN, Lapsed, Match, party};
use crate::verdict::{Outcome, Seat, Verdict};

/// The report of an attempt, which says in passing which earlier ones were told.
pub(super) fn report(
    me: &Agent,
    told: &mut Told,
    assignment: &MatchAssignment,
    judged: &Judged,
    now: Timestamp,
) -> Effect {
    let Judged { verdict, details, acts, transcript, charged_ms } = judged;
    // The manager gives its own points; these only fill the field.
    let [a, b] = verdict.points;
    let (player_a, player_b) = (assignment.player_a_id, assignment.player_b_id);
    let (match_id, attempt) = (assignment.match_id, assignment.attempt);
    let report = MatchResultReport {
        league_id: assignment.league_id.clone(),
        round_id: assignment.round_id,
        match_id,
        game_type: assignment.game_type.clone(),
        result: ReportedResult {
            winner: verdict.winner().map(|seat| player(assignment, seat)),
            score: PerPlayer::both((player_a, a), (player_b, b)),
            details: ReportDetails::spelled(
                &assignment.game_type,
                Shown { view: details, players: [player_a, player_b], gains: verdict.gains },
                acts,
            ),
            status: Some(verdict.status()),
            reason: Some(verdict.cause),
            blame: verdict.blame,
            attempt: Some(attempt),
        },
        transcript: transcript.clone(),
        told: told.say(),
        charged_ms: PerPlayer::of(Seat::BOTH.map(|seat| {
            let charged_ms = Some(charged_ms[seat.index()]).filter(|ms| *ms > 0)?;
            Some((player(assignment, seat), charged_ms))
        })),
    };
    let head = Dialogue {
        sender: Sender::Referee(assignment.referee_id),
        timestamp: now,
        conversation_id: ConversationId::Report(match_id),
    };
    let (to, tag) = (me.profile.manager.endpoint(), Tag::Report { match_id, attempt });
    Effect::Send(Outgoing::new(to, (Lane::Report, tag), (head, me.token()), report.into()))
}

/// What the manager is told of a match that is over.
pub(super) fn result(exchange: &Exchange, live: &Match, verdict: &Verdict) -> ResultReport {
    let status = status(live, verdict);
    let broken_off = status != ReportStatus::Completed;
    let group = |seat: Seat| exchange.player(seat).group.clone();
    // Nobody came: there is nothing to score.
    let nobody = verdict.outcome == Outcome::Cancelled && verdict.blames(Seat::A);
    let rows = Seat::BOTH.map(|seat| row(exchange, live, seat, verdict));
    ResultReport {
        game: exchange.game().clone(),
        status,
        winner: verdict.winner().map(group),
        is_draw: verdict.outcome == Outcome::Drawn,
        scores: if nobody { Vec::new() } else { rows.into() },
        abort_reason: broken_off.then(|| abort_reason(exchange, live, verdict)),
        player_states: if broken_off {
            Seat::BOTH.map(|seat| player_state(exchange, live, seat)).into()
        } else {
            Vec::new()
        },
        cause: Some(verdict.cause),
        blame: verdict.blame,
    }
}

/// A game in which somebody was scored, and which nobody broke off, came to its end; unless it
/// ended because somebody who had come was late.
fn status(live: &Match, verdict: &Verdict) -> ReportStatus {
    let scored = Seat::BOTH.into_iter().any(|seat| live.gain(seat).is_some());
    match verdict.outcome {
        Outcome::Won(_) | Outcome::Drawn => ReportStatus::Completed,
        Outcome::Forfeited(_) | Outcome::BothForfeited if verdict.cause == Cause::TimedOut => {
            ReportStatus::Timeout
        }
        Outcome::Forfeited(_) | Outcome::BothForfeited if scored => ReportStatus::Completed,
        Outcome::Forfeited(_) | Outcome::BothForfeited => ReportStatus::Abandoned,
        Outcome::Cancelled | Outcome::Void => ReportStatus::Abandoned,
    }
}

fn row(exchange: &Exchange, live: &Match, seat: Seat, verdict: &Verdict) -> ScoreRow {
    let player = exchange.player(seat);
    ScoreRow {
        participant: player.group.clone(),
        address: Some(player.address.clone()),
        league_points: Some(verdict.points[seat.index()]),
        private_score: Some(StatedScore::Within(verdict.score(seat).unwrap_or_default())),
        view: live.gain(seat).map(|_| live.view(Some(seat))),
        reason: verdict.blames(seat).then(|| ScoreRow::FAILED.into()),
    }
}

/// Why it was broken off, with the player that it is about.
fn abort_reason(exchange: &Exchange, live: &Match, verdict: &Verdict) -> Aborted {
    let why = exchange.aborted.unwrap_or(match verdict.cause {
        Cause::NoShow | Cause::TimedOut | Cause::Crashed => Break::Silence,
        Cause::Refused | Cause::InvalidMove | Cause::MalformedAnswer | Cause::OversizedAnswer => {
            Break::NoAnswer
        }
        Cause::Played
        | Cause::Withdrawn
        | Cause::RefereeLost
        | Cause::Network
        | Cause::HostOverloaded
        | Cause::CancelledByOperator => Break::RefereeFailed,
    });
    // Where both failed, who was there says more than who never came.
    let is_a = match Seat::BOTH.map(|seat| verdict.blames(seat)) {
        [true, false] => true,
        [false, true] => false,
        [true, true] | [false, false] => live.has_answered(Seat::A, JOIN),
    };
    let seat = if is_a { Seat::A } else { Seat::B };
    Aborted::new(why, &exchange.player(seat).address)
}

fn player_state(exchange: &Exchange, live: &Match, seat: Seat) -> PlayerReached {
    let player = exchange.player(seat);
    let scored = live.gain(seat).is_some();
    let last = live.reached(seat).map(|last| (last, live.has_answered(seat, last)));
    let begun = live.reached(seat.other()).is_some();
    let by_player = !scored && last.is_some_and(|(_, answered)| answered);
    PlayerReached {
        address: Some(player.address.clone()),
        participant: player.group.clone(),
        phase_reached: PlayerReached::phase(scored, last, begun).into(),
        scored,
        last_actor: if by_player { player.group.as_str().into() } else { "referee".into() },
    }
}

/// Whose doing it is that a match is broken off. A round that ends before its matches do: its
/// referee did not come to an end. That the league itself ends is its operator's will.
pub(super) const fn cause(why: Break) -> (Cause, Blame) {
    match why {
        Break::LeagueCompleted | Break::NewSeason => (Cause::CancelledByOperator, Blame::Operator),
        Break::NewRound
        | Break::RoundEnded
        | Break::RefereeFailed
        | Break::Silence
        | Break::NoAnswer => (Cause::RefereeLost, Blame::Referee),
    }
}

/// What the operator is told of an ask that came to nothing.
pub(super) fn failed_ask(
    (match_id, attempt): (MatchId, u32),
    (player, wanted): (&str, &'static str),
    lapsed: &Lapsed,
) -> Alert {
    Alert::AskFailed(Box::new(FailedAsk {
        match_id,
        attempt,
        player: player.into(),
        wanted,
        ask: lapsed.ask,
        problem: problem(lapsed),
        received: lapsed.objection.as_ref().and_then(|objection| objection.received.clone()),
    }))
}

/// What is wrong, for whoever was asked.
pub(super) fn problem(lapsed: &Lapsed) -> ShortText {
    let known = lapsed.objection.as_deref().map(|objection| objection.problem.clone());
    known.unwrap_or_else(|| ShortText::new(otherwise(lapsed.failure).1))
}

/// What is said of a failure about which nothing more is known.
const fn otherwise(failure: Failure) -> (ErrorCode, &'static str) {
    match failure {
        Failure::Silent => (ErrorCode::Timeout, "no answer in time"),
        Failure::Unreachable => (ErrorCode::ConnectionError, "it could not be reached"),
        Failure::Declined => (ErrorCode::InvalidMessage, "it declined"),
        Failure::Invalid => (ErrorCode::InvalidMessage, "the answer cannot be chosen"),
        Failure::Malformed => (ErrorCode::InvalidMessage, "the answer could not be read"),
        Failure::Oversized => (ErrorCode::InvalidMessage, "the answer is too large"),
    }
}

/// The code of a GAME_ERROR.
pub(super) fn code(lapsed: &Lapsed) -> ErrorCode {
    lapsed.objection.as_ref().map_or(otherwise(lapsed.failure).0, |objection| objection.code)
}

/// The reason of a GAME_OVER as one player reads it: why it ended so, and what was wrong with the
/// last answer of whoever is to blame. Only its author reads what was received.
pub(super) fn reason_for(
    reader: Seat,
    assignment: &MatchAssignment,
    verdict: &Verdict,
    (reason, transcript): (&str, &Transcript),
) -> Box<str> {
    let mut told = reason.to_owned();
    for seat in Seat::BOTH.into_iter().filter(|seat| verdict.blames(*seat)) {
        let Some(TranscriptEntry { problem: Some(problem), received, .. }) =
            lapse(seat, transcript)
        else {
            continue;
        };
        told.push_str(&format!("; {}: {problem}", player(assignment, seat)));
        if let (true, Some(received)) = (seat == reader, received) {
            told.push_str(&format!("; received: {received}"));
        }
        // Nobody is asked again after a move that cannot be made.
        if is_asked_once(assignment, seat) && verdict.cause != Cause::InvalidMove {
            told.push_str("; asked once, because its clock is empty");
        }
    }
    told.into()
}

/// The last ask of this player that came to nothing.
fn lapse(seat: Seat, transcript: &Transcript) -> Option<&TranscriptEntry> {
    let mut lapses = transcript.0.iter().filter(|entry| entry.from == party(seat));
    lapses.rfind(|entry| entry.is_lapse())
}
