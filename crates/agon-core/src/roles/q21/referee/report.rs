//! The report of a game: how it ended, what each player gets, who failed and why.
//!
//! A report is a letter like any other: it is in the post in the same commit as the verdict.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::act::{Act, PlayerReached, ReportStatus, ResultReport, ScoreRow};
use agon_proto::message::Cause;
use agon_proto::{GameId, Letter};
use agon_proto::{MessageId, StatedScore, Timestamp};

use super::fact::Fact;
use super::held::{Held, Live};
use super::{Out, Referee};
use crate::agent;
use crate::matches::JOIN;
use crate::post::ParcelId;
use crate::verdict::{Outcome, Seat, Verdict};

/// Why a player that failed has the points that it has.
const TECHNICAL_LOSS: &str = "TECHNICAL_LOSS_MALFUNCTION";
/// Why a game was broken off whose referee's own program failed.
const REFEREE_FAILED: &str = "referee_callback_failed";

impl Referee {
    /// A game is over: the manager hears of it, and questions that nobody needs to answer any more
    /// are taken back.
    pub(super) fn report(
        &mut self,
        game: &GameId,
        verdict: Verdict,
        now: Timestamp,
        out: &mut Out,
    ) {
        let Some((held, live)) = self.game(game) else {
            return;
        };
        let report = result(held, live, &verdict);
        let context = self.about(held);
        let stale: Vec<ParcelId> = self
            .me
            .post
            .waiting()
            .filter(|parcel| {
                let asked = held.asked_by(parcel);
                asked.is_some_and(|(seat, _)| live.play.gain(seat).is_none())
            })
            .map(|parcel| parcel.id)
            .collect();
        let id = MessageId::new(&format!("result-{game}"));
        let letter = agent::to_manager(self, id, Act::ResultReport(report), None, now);
        self.queue(self.me.manager.clone(), Letter { context, ..letter }, None, out);
        agent::settle(self, stale, out);
        self.record(Fact::Judged { game: game.clone(), verdict }, out);
    }
}

fn result(held: &Held, live: &Live, verdict: &Verdict) -> ResultReport {
    let status = status(live, verdict);
    let broken_off = status != ReportStatus::Completed;
    let group = |seat: Seat| held.fixture.players[seat.index()].group.clone();
    // Nobody came: there is nothing to score.
    let nobody = verdict.outcome == Outcome::Cancelled && verdict.blames(Seat::A);
    let rows = Seat::BOTH.map(|seat| row(held, live, seat, verdict));
    ResultReport {
        game: held.fixture.game.clone(),
        status,
        winner: verdict.winner().map(group),
        is_draw: verdict.outcome == Outcome::Drawn,
        scores: if nobody { Vec::new() } else { rows.into() },
        abort_reason: broken_off.then(|| abort_reason(held, live, verdict)),
        player_states: if broken_off {
            Seat::BOTH.map(|seat| player_state(held, live, seat)).into()
        } else {
            Vec::new()
        },
        cause: Some(verdict.cause),
        blame: verdict.blame,
    }
}

/// A game in which somebody was scored, and which nobody broke off, came to its end.
fn status(live: &Live, verdict: &Verdict) -> ReportStatus {
    let scored = Seat::BOTH.into_iter().any(|seat| live.play.gain(seat).is_some());
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

fn row(held: &Held, live: &Live, seat: Seat, verdict: &Verdict) -> ScoreRow {
    let player = &held.fixture.players[seat.index()];
    ScoreRow {
        participant: player.group.clone(),
        address: Some(player.address.clone()),
        league_points: Some(verdict.points[seat.index()]),
        private_score: Some(StatedScore::Within(verdict.score(seat).unwrap_or_default())),
        view: live.play.gain(seat).map(|_| live.play.view(Some(seat))),
        reason: verdict.blames(seat).then(|| TECHNICAL_LOSS.into()),
    }
}

/// In one word, with the player that it is about.
fn abort_reason(held: &Held, live: &Live, verdict: &Verdict) -> Box<str> {
    if let Some(reason) = live.aborted {
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
    let came = live.play.has_answered(Seat::A, JOIN);
    let seat = if came { Seat::A } else { Seat::B };
    format!("{what}:{}", held.fixture.players[seat.index()].address).into()
}

fn player_state(held: &Held, live: &Live, seat: Seat) -> PlayerReached {
    let player = &held.fixture.players[seat.index()];
    let (phase, by_player) = reached(live, seat);
    PlayerReached {
        address: Some(player.address.clone()),
        participant: player.group.clone(),
        phase_reached: phase.into(),
        scored: live.play.gain(seat).is_some(),
        last_actor: if by_player { player.group.as_str().into() } else { "referee".into() },
    }
}

/// How far a player had come, and whether it was the player who acted last.
fn reached(live: &Live, seat: Seat) -> (&'static str, bool) {
    let play = &live.play;
    if play.gain(seat).is_some() {
        return ("scored", false);
    }
    let Some(last) = play.reached(seat) else {
        // Whoever did not check in was not asked; its opponent may have been.
        let begun = play.reached(seat.other()).is_some();
        return (if begun { "warmup_sent" } else { "not_initialized" }, false);
    };
    let answered = play.has_answered(seat, last);
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
