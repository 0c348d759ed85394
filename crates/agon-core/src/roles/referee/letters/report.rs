//! The report of a game: how it ended, what each player gets, who failed and why.
//!
//! A report is a letter like any other: it is in the post in the same commit as the verdict.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::StatedScore;
use agon_proto::act::{Aborted, Break, PlayerReached, ReportStatus, ResultReport, ScoreRow};
use agon_proto::message::{Blame, Cause};

use super::spelling::Exchange;
use crate::matches::{JOIN, Match};
use crate::verdict::{Outcome, Seat, Verdict};

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
    // Who was there and failed says more than who never came.
    let came = live.has_answered(Seat::A, JOIN);
    let seat = if came { Seat::A } else { Seat::B };
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
