//! How letters spell what becomes of a match.
//!
//! Both reports are called MATCH_RESULT_REPORT; the sender's role tells them apart.

use super::codec::{Row, by_player, or_null, spelling};
use super::game::{GAME, POINTS, breakdown, feedback};
use crate::act::*;
use crate::message::Cause;
use crate::{Address, Score};

const EMAIL: [&str; 2] = ["email", "player_email"];

spelling! {
    ResultReport {
        game = needed_game(GAME),
        status = ended(["status"])
            or "`completed`, `abandoned` or `timeout`",
        winner = group(["winner_id"]) => or_null ["winner_id"],
        is_draw = flag(["is_draw"]),
        scores = rows(["scores"]),
        abort_reason = aborted(["abort_reason"]),
        player_states = player_states(["player_states"])
            => by_player ["player_states"],
        cause = cause(["cause"]),
        blame = blame(["blame"]),
    }

    ScoreRow {
        participant = scored(["participant_id", "group_id", "user_id", "player_id"])
            or Self::NEEDS,
        address = address(EMAIL),
        league_points = number(POINTS) => ["league_points", "league_score"],
        private_score = stated(["private_score"]),
        view = judged(["feedback"]) => feedback ["feedback"],
        reason = word(["score_reason"]),
    }

    PlayerReached {
        address = address(EMAIL) => or_null ["email"],
        participant = group(["participant_id"]),
        phase_reached = word(["phase_reached"]),
        scored = flag(["scored"]),
        last_actor = word(["last_actor"]),
    }

    StatusReport {
        + "message_type" = |_, _| Some("MATCH_RESULT_REPORT"),
        + "version" = |_, _| Some("1.0"),
        game = needed_game(GAME) => ["match_id", "game_id"],
        round = number(["round_number"]),
        season = season([]),
        + "status" = |said, _| Some(said.reason.status()),
        phase = progress(["phase_at_termination", "phase"]),
        last_actor = one_of::<LastActor>(["last_actor"]),
        last_sent = word(["last_message_sent"])
            => or_null ["last_message_sent"],
        last_received = word(["last_message_received"])
            => or_null ["last_message_received"],
        at = time(["reported_at", "terminated_at"])
            => ["reported_at", "terminated_at"],
        reason = stop_reason(["reason", "termination_reason"])
            or "NEW_ROUND_STARTED, LEAGUE_COMPLETED or GAME_COMPLETED",
        reporter = reporter(["reporter"]),
        points = points(POINTS)
            => of_league ["league_points", "league_score"],
        + "private_score" = |said, _| said.points.map(|(_, score)| score),
        view = taken_apart(["breakdown"]) => breakdown ["breakdown"],
    }

    Reporter {
        address = address(EMAIL) => or_null ["email"],
        role = reporter_role(["role"]),
    }
}

/// The first half of what a game brought.
fn of_league(points: &Option<(u32, Score)>) -> Option<u32> {
    points.map(|(points, _)| points)
}

/// What stands before the player that was silent, or said what is no answer.
const SILENCE: &str = "player_timeout";
const NO_ANSWER: &str = "format_violation";

impl Aborted {
    /// As it is sent.
    pub fn new(why: Break, whose: &Address) -> Self {
        let what = match why {
            Break::NewRound => "new_round_started",
            Break::RoundEnded => "end_round_received",
            Break::LeagueCompleted => "league_completed",
            Break::NewSeason => "new_season_started",
            Break::RefereeFailed => "referee_callback_failed",
            Break::Silence => return Self(format!("{SILENCE}:{whose}").into()),
            Break::NoAnswer => return Self(format!("{NO_ANSWER}:{whose}").into()),
        };
        Self(what.into())
    }

    /// For whom the referee waited in vain, by team or address.
    pub fn whose(&self) -> Option<&str> {
        self.0.split_once(':').map(|(_, whose)| whose)
    }
}

impl ResultReport {
    /// What happened if a player failed, as far as the report lets one guess.
    pub fn presumed(&self) -> Cause {
        let aborted = self.abort_reason.as_ref().map_or("", |why| &*why.0);
        if self.scores.is_empty() || self.scores.iter().any(ScoreRow::has_failed) {
            Cause::NoShow
        } else if aborted.starts_with(NO_ANSWER) {
            Cause::MalformedAnswer
        } else {
            Cause::TimedOut
        }
    }
}

/// What the row of a player says that lost without playing.
const TECHNICAL_LOSS: &str = "TECHNICAL_LOSS";

impl ScoreRow {
    /// Why a player that failed has the points that it has.
    pub const FAILED: &str = "TECHNICAL_LOSS_MALFUNCTION";

    /// Whether it is said to have lost without playing.
    pub fn has_failed(&self) -> bool {
        self.reason.as_deref().is_some_and(|reason| reason.starts_with(TECHNICAL_LOSS))
    }
}

impl PlayerReached {
    /// The word for how far a player had come: scored, or the last question that was put to it,
    /// counted from 0, and whether it was answered. Who is not asked may play somebody who is.
    pub const fn phase(scored: bool, last: Option<(u16, bool)>, begun: bool) -> &'static str {
        match last {
            _ if scored => "scored",
            None if !begun => "not_initialized",
            None | Some((0, false)) => "warmup_sent",
            Some((0, true)) => "warmup_answered",
            Some((1, false)) => "round_started",
            Some((1, true)) => "questions_submitted",
            Some((_, false)) => "answers_received",
            Some((_, true)) => "guess_submitted",
        }
    }
}

impl ReportStatus {
    /// As it is sent.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Abandoned => "abandoned",
            Self::Timeout => "timeout",
        }
    }
}

impl StopReason {
    /// Whether the game came to its end, in a word.
    fn status(self) -> &'static str {
        if self == Self::GameCompleted { "COMPLETED" } else { "TERMINATED" }
    }
}
