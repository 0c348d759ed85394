//! One match's document: who, when, every message, and how it ended.
//!
//! The manager's clock says when a match was given out and when its result was accepted; what lies
//! between is by the referee's clock, as the transcript has it.
//!
//! Spec: docs/decisions.md

use agon_core::League;
use agon_proto::dialect::league_v2::PlayedFields;
use agon_proto::message::{
    Blame, Cause, EntryKind, MatchPhase, NotedMove, Party, ResultStatus, Transcript,
    TranscriptEntry,
};
use agon_proto::tool::{ContradictedReport, Evidence, MatchState, MatchSummary};
use agon_proto::{
    GameType, LeagueId, MatchId, PerPlayer, PlayerId, RefereeId, RoundId, Sender, ShortText,
    Timestamp,
};
use serde::Serialize;

use super::documents::{At, SCHEMA_VERSION};

#[derive(Serialize)]
struct Record<'a> {
    schema_version: &'static str,
    match_id: MatchId,
    league_id: &'a LeagueId,
    round_id: RoundId,
    game_type: GameType,
    attempt: u32,
    referee_id: Option<RefereeId>,
    #[serde(rename = "player_A_id")]
    player_a_id: PlayerId,
    #[serde(rename = "player_B_id")]
    player_b_id: PlayerId,
    lifecycle: Lifecycle,
    transcript: Vec<Line>,
    result: Option<Ending>,
    /// Reports that contradicted themselves.
    #[serde(skip_serializing_if = "<[ContradictedReport]>::is_empty")]
    contradictions: &'a [ContradictedReport],
    /// What players say that contradicts it.
    #[serde(skip_serializing_if = "<[Evidence]>::is_empty")]
    evidence: &'a [Evidence],
}

#[derive(Serialize)]
struct Lifecycle {
    created_at: Option<At>,
    started_at: Option<At>,
    completed_at: Option<At>,
    /// From the first line of the transcript to the last.
    duration_sec: Option<f64>,
    state_transitions: Vec<Transition>,
}

#[derive(Serialize)]
struct Transition {
    state: MatchPhase,
    timestamp: At,
}

#[derive(Serialize)]
struct Line {
    seq: usize,
    timestamp: At,
    message_type: EntryKind,
    from: Option<Sender>,
    to: Option<Sender>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ask: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<NotedMove>,
    #[serde(skip_serializing_if = "Option::is_none")]
    drawn_number: Option<u32>,
    /// What was wrong with an answer. What was received is not for everybody, and stays out.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<ShortText>,
}

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
    text: &Transcript,
) -> impl Serialize {
    let lines = (1..).zip(text.0.iter());
    Record {
        schema_version: SCHEMA_VERSION,
        match_id: state.match_id,
        league_id: &state.league_id,
        round_id: state.round_id,
        game_type: league.settings().game_type(),
        attempt: state.attempt,
        referee_id: state.referee_id,
        player_a_id: state.player_a_id,
        player_b_id: state.player_b_id,
        lifecycle: lifecycle(league, state, text),
        transcript: lines.map(|(seq, entry)| line(seq, entry, state)).collect(),
        result: state.result.as_ref().map(ending),
        contradictions: &state.contradictions,
        evidence: &state.evidence,
    }
}

fn lifecycle(league: &League, state: &MatchState, text: &Transcript) -> Lifecycle {
    let season = league.season();
    let created = season.round_times(state.round_id).map(|(from, _)| from);
    let completed = season.result(state.match_id).map(|record| record.at);
    let first = text.0.first().map(|entry| entry.timestamp);
    let last = text.0.last().map(|entry| entry.timestamp);
    let duration = first.zip(last).map(|(first, last)| last.since(first));
    Lifecycle {
        created_at: created.map(At),
        started_at: first.map(At),
        completed_at: completed.map(At),
        duration_sec: duration.map(|it| it.as_secs_f64()),
        state_transitions: transitions(league, state, text, (created, completed)),
    }
}

/// The phases that a match went through, each with the moment at which it began.
fn transitions(
    league: &League,
    state: &MatchState,
    text: &Transcript,
    (created, completed): (Option<Timestamp>, Option<Timestamp>),
) -> Vec<Transition> {
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
    let began = phases.into_iter();
    began.filter_map(|(state, at)| Some(Transition { state, timestamp: At(at?) })).collect()
}

fn line(seq: usize, entry: &TranscriptEntry, state: &MatchState) -> Line {
    let name = |party| match party {
        Party::Referee => state.referee_id.map(Sender::Referee),
        Party::PlayerA => Some(Sender::Player(state.player_a_id)),
        Party::PlayerB => Some(Sender::Player(state.player_b_id)),
    };
    Line {
        seq,
        timestamp: At(entry.timestamp),
        message_type: entry.message_type,
        from: name(entry.from),
        to: name(entry.to),
        ask: entry.ask,
        step: entry.step,
        choice: entry.choice.clone(),
        drawn_number: entry.drawn_number,
        problem: entry.problem.clone(),
    }
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
