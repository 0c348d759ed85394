//! The report of a game: how it ended, what each player gets, who failed and why.
//!
//! A report is a letter like any other: it is in the post in the same commit as the verdict.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::StatedScore;
use agon_proto::act::{PlayerReached, ReportStatus, ResultReport, ScoreRow};
use agon_proto::message::{Blame, Cause};

use super::spelling::Exchange;
use crate::matches::{JOIN, Match};
use crate::verdict::{Outcome, Seat, Verdict};

/// Why a player that failed has the points that it has.
const TECHNICAL_LOSS: &str = "TECHNICAL_LOSS_MALFUNCTION";
/// Why a game was broken off whose referee's own program failed.
const REFEREE_FAILED: &str = "referee_callback_failed";

/// Why a match was broken off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AbortReason {
    NewRound,
    RoundEnded,
    LeagueCompleted,
    NewSeason,
}

impl AbortReason {
    /// As it is sent.
    const fn as_str(self) -> &'static str {
        match self {
            Self::NewRound => "new_round_started",
            Self::RoundEnded => "end_round_received",
            Self::LeagueCompleted => "league_completed",
            Self::NewSeason => "new_season_started",
        }
    }

    /// Whose doing it is. A round that ends before its matches do: its referee did not come to an
    /// end. That the league itself ends is its operator's will.
    pub(super) const fn cause(self) -> (Cause, Blame) {
        match self {
            Self::NewRound | Self::RoundEnded => (Cause::RefereeLost, Blame::Referee),
            Self::LeagueCompleted | Self::NewSeason => {
                (Cause::CancelledByOperator, Blame::Operator)
            }
        }
    }
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

/// A game in which somebody was scored, and which nobody broke off, came to its end.
fn status(live: &Match, verdict: &Verdict) -> ReportStatus {
    let scored = Seat::BOTH.into_iter().any(|seat| live.gain(seat).is_some());
    match verdict.outcome {
        Outcome::Won(_) | Outcome::Drawn => ReportStatus::Completed,
        Outcome::Forfeited(_) | Outcome::BothForfeited if scored => ReportStatus::Completed,
        Outcome::Forfeited(_) | Outcome::BothForfeited if verdict.cause == Cause::TimedOut => {
            ReportStatus::Timeout
        }
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
        reason: verdict.blames(seat).then(|| TECHNICAL_LOSS.into()),
    }
}

/// In one word, with the player that it is about.
fn abort_reason(exchange: &Exchange, live: &Match, verdict: &Verdict) -> Box<str> {
    if let Some(reason) = exchange.aborted {
        return reason.as_str().into();
    }
    let what = match verdict.cause {
        Cause::NoShow | Cause::TimedOut | Cause::Crashed => "player_timeout",
        Cause::Refused | Cause::InvalidMove | Cause::MalformedAnswer | Cause::OversizedAnswer => {
            "format_violation"
        }
        Cause::Played
        | Cause::Withdrawn
        | Cause::RefereeLost
        | Cause::Network
        | Cause::HostOverloaded
        | Cause::CancelledByOperator => return REFEREE_FAILED.into(),
    };
    // Who was there and failed says more than who never came.
    let came = live.has_answered(Seat::A, JOIN);
    let seat = if came { Seat::A } else { Seat::B };
    format!("{what}:{}", exchange.player(seat).address).into()
}

fn player_state(exchange: &Exchange, live: &Match, seat: Seat) -> PlayerReached {
    let player = exchange.player(seat);
    let (phase, by_player) = reached(live, seat);
    PlayerReached {
        address: Some(player.address.clone()),
        participant: player.group.clone(),
        phase_reached: phase.into(),
        scored: live.gain(seat).is_some(),
        last_actor: if by_player { player.group.as_str().into() } else { "referee".into() },
    }
}

/// How far a player had come, and whether it was the player who acted last.
fn reached(live: &Match, seat: Seat) -> (&'static str, bool) {
    if live.gain(seat).is_some() {
        return ("scored", false);
    }
    let Some(last) = live.reached(seat) else {
        // Whoever did not check in was not asked; its opponent may have been.
        let begun = live.reached(seat.other()).is_some();
        return (if begun { "warmup_sent" } else { "not_initialized" }, false);
    };
    let answered = live.has_answered(seat, last);
    let phase = match (last, answered) {
        (0, false) => "warmup_sent",
        (0, true) => "warmup_answered",
        (1, false) => "round_started",
        (1, true) => "questions_submitted",
        (_, false) => "answers_received",
        (_, true) => "guess_submitted",
    };
    (phase, answered)
}
