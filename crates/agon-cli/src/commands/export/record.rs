//! One match's document: who, when, every message, and how it ended.
//!
//! The manager's clock says when a match was given out and when its result was accepted; what lies
//! between is by the referee's clock, as the transcript has it.
//!
//! Spec: docs/decisions.md

use agon_core::League;
use agon_proto::dialect::league_v2::PlayedFields;
use agon_proto::message::{
    Blame, Cause, EntryKind, MatchPhase, Party, ResultStatus, Transcript, TranscriptEntry,
};
use agon_proto::tool::{MatchState, MatchSummary};
use agon_proto::{PerPlayer, PlayerId, Sender, Timestamp};
use serde::Serialize;

use super::documents::{At, SCHEMA_VERSION};
use crate::output::object;

#[derive(Serialize)]
struct Ending {
    status: ResultStatus,
    winner_player_id: Option<PlayerId>,
    #[serde(flatten)]
    played: PlayedFields,
    score: PerPlayer<u32>,
    /// What each guess was worth, in games that score it.
    #[serde(skip_serializing_if = "PerPlayer::is_empty")]
    private_score: PerPlayer<f64>,
    reason: Cause,
    blame: Option<Blame>,
    /// Its report did not say what this follows from.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unverified: bool,
}

/// The document of a match, with its transcript if it has one.
pub(super) fn of<'a>(
    league: &'a League,
    state: &'a MatchState,
    text: &'a Transcript,
) -> impl Serialize + 'a {
    let lines = (1..).zip(text.0.iter());
    let lines: Vec<_> = lines.map(|(seq, entry)| line(seq, entry, state)).collect();
    let (contradictions, evidence) = (&state.contradictions, &state.evidence);
    object()
        .with("schema_version", SCHEMA_VERSION)
        .with("match_id", state.match_id)
        .with("league_id", &state.league_id)
        .with("round_id", state.round_id)
        .with("game_type", league.settings().game_type())
        .with("attempt", state.attempt)
        .with("referee_id", state.referee_id)
        .with("player_A_id", state.player_a_id)
        .with("player_B_id", state.player_b_id)
        .with("lifecycle", lifecycle(league, state, text))
        .with("transcript", lines)
        .with("result", state.result.as_ref().map(ending))
        // Reports that contradicted themselves.
        .with_any("contradictions", (!contradictions.is_empty()).then_some(contradictions))
        // What players say that contradicts it.
        .with_any("evidence", (!evidence.is_empty()).then_some(evidence))
}

fn lifecycle(league: &League, state: &MatchState, text: &Transcript) -> impl Serialize {
    let season = league.season();
    let created = season.round_times(state.round_id).map(|(from, _)| from);
    let completed = season.result(state.match_id).map(|record| record.at);
    let started = text.0.first().map(|entry| entry.timestamp);
    object()
        .with("created_at", created.map(At))
        .with("started_at", started.map(At))
        .with("completed_at", completed.map(At))
        // From the first line of the transcript to the last.
        .with("duration_sec", text.length().map(|it| it.as_secs_f64()))
        .with("state_transitions", transitions(league, state, text, (created, completed)))
}

/// The phases that a match went through, each with the moment at which it began.
fn transitions(
    league: &League,
    state: &MatchState,
    text: &Transcript,
    (created, completed): (Option<Timestamp>, Option<Timestamp>),
) -> Vec<impl Serialize> {
    let [question, _] = EntryKind::of_move(&league.settings().game_type());
    let begun = |kind| text.0.iter().position(|entry| entry.message_type == kind);
    let at = |place: usize| text.0.get(place).map(|entry| entry.timestamp);
    let drawn = begun(EntryKind::NumberDrawn);
    let judged = begun(EntryKind::Verdict).and_then(at).or(completed);
    let phases = [
        (MatchPhase::Created, created),
        (MatchPhase::WaitingForPlayers, begun(EntryKind::GameInvitation).and_then(at)),
        (MatchPhase::CollectingChoices, begun(question).and_then(at)),
        // The dice are asked for at the moment of the last answer.
        (MatchPhase::DrawingNumber, drawn.and_then(|place| at(place.checked_sub(1)?))),
        (MatchPhase::Evaluating, drawn.and_then(at)),
        (state.state, judged.filter(|_| state.result.is_some())),
    ];
    let began = phases.into_iter().filter_map(|(state, at)| Some((state, At(at?))));
    began.map(|(state, at)| object().with("state", state).with("timestamp", at)).collect()
}

fn line<'a>(seq: usize, entry: &'a TranscriptEntry, state: &MatchState) -> impl Serialize + 'a {
    let name = |party| match party {
        Party::Referee => state.referee_id.map(Sender::Referee),
        Party::PlayerA => Some(Sender::Player(state.player_a_id)),
        Party::PlayerB => Some(Sender::Player(state.player_b_id)),
    };
    object()
        .with("seq", seq)
        .with("timestamp", At(entry.timestamp))
        .with("message_type", entry.message_type)
        .with("from", name(entry.from))
        .with("to", name(entry.to))
        .with_any("ask", entry.ask)
        .with_any("step", entry.step)
        .with_any("choice", entry.choice.as_ref())
        .with_any("drawn_number", entry.drawn_number)
        // What was wrong with an answer. What was received is not for everybody, and stays out.
        .with_any("problem", entry.problem.as_ref())
}

fn ending(result: &MatchSummary) -> Ending {
    Ending {
        status: result.status,
        winner_player_id: result.winner,
        played: result.into(),
        score: result.score,
        private_score: result.private_score,
        reason: result.reason,
        blame: result.blame,
        unverified: result.unverified,
    }
}
