//! What becomes of a game: a referee's result in all its shapes, and a player's status report.

use crate::{GroupId, SeasonId};
use serde_json::Value;

use super::Reading;
use super::game::{breakdown, feedback};
use crate::dialect::q21::codec::fields::Fields;
use crate::dialect::q21::codec::unreadable::Unreadable;
use crate::dialect::q21::{
    LastActor, PlayerPhase, PlayerState, ReportStatus, Reporter, ResultReport, ScoreRow,
    StatedScore, StatusReport, StopReason,
};
use crate::message::{Blame, Cause};

/// Two players, and the referee where the book counts it in; more is a mistake.
const ROWS_MAX: usize = 16;
/// Both players failed: what later referees say of a game that nobody played.
const NOBODY_PLAYED: &str = "CANCELLED_ALL_PLAYERS_MALFUNCTION";
const EMAIL: &[&str] = &["email", "player_email"];
const POINTS: &[&str] = &["league_points", "league_score"];

impl<'a> Reading<'a> {
    pub(super) fn result(&self) -> Result<ResultReport, Unreadable> {
        let rows = self.payload.list(&["scores"]).unwrap_or_default();
        let rows = self.bounded(rows, "scores", ROWS_MAX)?;
        let scores = rows.iter().enumerate().map(|(place, value)| {
            let needs = "an object with participant_id, league_points and private_score";
            score_row(value).ok_or_else(|| self.bad(&format!("scores[{place}]"), needs))
        });
        let scores: Vec<ScoreRow> = scores.collect::<Result<_, _>>()?;
        let abort_reason = self.payload.boxed(&["abort_reason"]);
        let word = self.payload.word(&["status"]);
        // A word of its own, where others say cause and blame.
        let nobody = word.as_deref().is_some_and(|word| word.eq_ignore_ascii_case(NOBODY_PLAYED));
        let status = report_status(word.as_deref(), abort_reason.as_deref());
        Ok(ResultReport {
            game: self.game()?,
            status: status
                .ok_or_else(|| self.bad("status", "`completed`, `abandoned` or `timeout`"))?,
            winner: self.payload.word(&["winner_id"]).map(|id| GroupId::new(&id)),
            is_draw: self.payload.flag(&["is_draw"]).unwrap_or_default(),
            scores,
            abort_reason,
            player_states: self.player_states(),
            cause: self.one_of(&["cause"]).or(nobody.then_some(Cause::NoShow)),
            blame: self.one_of(&["blame"]).or(nobody.then_some(Blame::Both)),
        })
    }

    pub(super) fn status_report(&self) -> Result<StatusReport, Unreadable> {
        let status = self.payload.word(&["status"]).unwrap_or_default();
        let completed = status.eq_ignore_ascii_case("completed");
        let unsaid = if completed { PlayerPhase::Completed } else { PlayerPhase::Terminated };
        let by_status = completed.then_some(StopReason::GameCompleted);
        let reason = self.one_of(&["reason", "termination_reason"]).or(by_status);
        let reporter = self.payload.object(&["reporter"]);
        let role = reporter.and_then(|reporter| reporter.boxed(&["role"]));
        let private = self.payload.score(&["private_score"]);
        Ok(StatusReport {
            game: self.game()?,
            round: self.payload.number(&["round_number"]).unwrap_or_default(),
            season: self.season(),
            phase: self.one_of(&["phase_at_termination", "phase"]).unwrap_or(unsaid),
            last_actor: self.one_of(&["last_actor"]).unwrap_or(LastActor::None),
            last_sent: self.payload.boxed(&["last_message_sent"]),
            last_received: self.payload.boxed(&["last_message_received"]),
            at: self.payload.time(&["reported_at", "terminated_at"]),
            reason: reason.ok_or_else(|| {
                self.bad("reason", "NEW_ROUND_STARTED, LEAGUE_COMPLETED or GAME_COMPLETED")
            })?,
            reporter: Reporter {
                address: reporter.and_then(|reporter| reporter.address(EMAIL)),
                role: role.unwrap_or_else(|| "PLAYER".into()),
            },
            points: self.payload.number(POINTS).map(|points| (points, private.unwrap_or_default())),
            breakdown: breakdown(self.payload),
        })
    }

    /// The season: the payload says it, else whatever else does.
    pub(super) fn season(&self) -> Option<SeasonId> {
        let within = self.payload.word(&["season_id"]).map(|id| SeasonId::new(&id));
        within.or_else(|| self.context.season.clone())
    }

    /// A word of a closed set, as it is sent; `None` if it is no such word.
    fn one_of<T: serde::de::DeserializeOwned>(&self, names: &'static [&'static str]) -> Option<T> {
        let word = self.payload.word(names)?.to_ascii_uppercase();
        serde_json::from_value(Value::String(word)).ok()
    }

    fn player_states(&self) -> Vec<PlayerState> {
        let both = self.payload.object(&["player_states"]);
        let states = [&["player1"], &["player2"]].map(|name| both.and_then(|of| of.object(name)));
        states.into_iter().flatten().map(player_state).collect()
    }
}

fn player_state(state: Fields<'_>) -> PlayerState {
    PlayerState {
        address: state.address(EMAIL),
        participant: GroupId::new(&state.word(&["participant_id"]).unwrap_or_default()),
        phase_reached: state.boxed(&["phase_reached"]).unwrap_or_default(),
        scored: state.flag(&["scored"]).unwrap_or_default(),
        last_actor: state.boxed(&["last_actor"]).unwrap_or_default(),
    }
}

/// One row of a result. Without a group, the address stands for it.
fn score_row(value: &Value) -> Option<ScoreRow> {
    let row = Fields(value.as_object()?);
    let group = row.word(&["participant_id", "group_id", "user_id", "player_id"]);
    let address = row.address(EMAIL);
    let group = group.or_else(|| address.as_ref().map(|address| address.as_str().to_owned()))?;
    Some(ScoreRow {
        participant: GroupId::new(&group),
        address,
        league_points: row.number(POINTS),
        private_score: row.real(&["private_score"]).map(StatedScore::from_points),
        feedback: feedback(row),
        reason: row.boxed(&["score_reason"]),
    })
}

/// How a game ended, in the words of every generation. A referee that only knows `aborted` says in
/// its reason whether somebody was silent.
fn report_status(word: Option<&str>, abort_reason: Option<&str>) -> Option<ReportStatus> {
    let silent = abort_reason.is_some_and(|reason| reason.starts_with("player_timeout"));
    if word?.eq_ignore_ascii_case(NOBODY_PLAYED) {
        return Some(ReportStatus::Abandoned);
    }
    match word?.to_ascii_lowercase().as_str() {
        "completed" | "completed_single_player" => Some(ReportStatus::Completed),
        "aborted" if silent => Some(ReportStatus::Timeout),
        "abandoned" | "aborted" | "cancelled" => Some(ReportStatus::Abandoned),
        "timeout" => Some(ReportStatus::Timeout),
        _ => None,
    }
}
