//! The documents: standings, rounds, players' histories, and of each match who, when, every message
//! and how it ended.
//!
//! Lists are made while they are written, so a long season is never whole in memory. The manager's
//! clock says when a match was given out and when its result was accepted; what lies between is by
//! the referee's clock, as the transcript has it.
//!
//! Spec: docs/decisions.md

use agon_core::League;
use agon_core::roles::player::ended_for;
use agon_proto::dialect::league_v2::PlayedFields;
use agon_proto::message::{
    Blame, Cause, EntryKind, MatchPhase, Party, ResultStatus, Transcript, TranscriptEntry,
};
use agon_proto::tool::{MatchState, MatchSummary, RoundPhase};
use agon_proto::{MatchId, PerPlayer, PlayerId, RoundId, Sender, Timestamp, precise};
use serde::{Serialize, Serializer};

use crate::output::object;

/// The version of all these documents.
const SCHEMA_VERSION: &str = "1.0.0";

/// A time to the microsecond: a match can take less than a second.
#[derive(Serialize)]
#[serde(transparent)]
pub(super) struct At(#[serde(with = "precise")] pub(super) Timestamp);

/// A list that is made while it is written.
struct Each<F>(F);

impl<F, I> Serialize for Each<F>
where
    F: Fn() -> I,
    I: Iterator,
    I::Item: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// The table.
pub(super) fn standings(league: &League, last: Option<Timestamp>) -> impl Serialize + '_ {
    object()
        .with("schema_version", SCHEMA_VERSION)
        .with("league_id", &league.settings().league_id)
        // Results that it counts.
        .with("version", league.season().completed)
        .with("rounds_completed", league.season().rounds_completed())
        .with("last_updated", last.map(At))
        .with("standings", league.table(usize::MAX))
        // Its scores are what referees judged, which nobody can check.
        .with_any("judged", league.is_judged().then_some(true))
}

/// Every round of the schedule, also those that are still to come.
pub(super) fn rounds(league: &League, last: Option<Timestamp>) -> impl Serialize + '_ {
    let rounds = 1..=league.season().rounds();
    object()
        .with("schema_version", SCHEMA_VERSION)
        .with("league_id", &league.settings().league_id)
        .with("last_updated", last.map(At))
        .with("rounds", Each(move || rounds.clone().map(move |round| one_round(league, round))))
}

fn one_round(league: &League, round_id: RoundId) -> impl Serialize + '_ {
    let season = league.season();
    let times = season.round_times(round_id);
    let status = match times {
        None => RoundPhase::Pending,
        Some((_, Some(_))) => RoundPhase::Completed,
        // Only the last round that was announced can be open.
        Some((_, None)) => season.round_phase(),
    };
    let matches = move || season.matches_in(round_id).filter_map(move |id| pairing(league, id));
    object()
        .with("round_id", round_id)
        .with("status", status)
        .with("start_time", times.map(|(from, _)| At(from)))
        .with("end_time", times.and_then(|(_, to)| to).map(At))
        .with("matches", Each(matches))
}

fn pairing(league: &League, match_id: MatchId) -> Option<impl Serialize> {
    let state = league.match_state(match_id)?;
    let pairing = object()
        .with("match_id", match_id)
        .with_any("game_id", state.game_id)
        .with("player_A_id", state.player_a_id)
        .with("player_B_id", state.player_b_id)
        .with("referee_id", state.referee_id)
        .with("result", state.result.as_ref().map(|result| result.status))
        .with("winner", state.result.and_then(|result| result.winner));
    Some(pairing)
}

/// One player's season. A cancelled match is listed and not counted.
pub(super) fn history(league: &League, player: PlayerId) -> impl Serialize + '_ {
    let season = league.season();
    let row = season.standings.row(player);
    let stats = object()
        .with("total_matches", row.played)
        .with("wins", row.wins)
        .with("losses", row.losses)
        .with("draws", row.draws);
    let matches = move || {
        (1..=season.round())
            .filter_map(move |round| season.match_of(player, round))
            .filter_map(move |id| played(league, player, id))
    };
    object()
        .with("schema_version", SCHEMA_VERSION)
        .with("player_id", player)
        .with("stats", stats)
        .with("matches", Each(matches))
}

fn played(league: &League, player: PlayerId, match_id: MatchId) -> Option<impl Serialize> {
    let record = league.season().result(match_id)?;
    let state = league.match_state(match_id)?;
    let result = state.result?;
    let opponent_id =
        if state.player_a_id == player { state.player_b_id } else { state.player_a_id };
    let played = object()
        .with("match_id", match_id)
        .with_any("game_id", state.game_id)
        .with("opponent_id", opponent_id)
        .with("result", ended_for(player, result.status, result.winner))
        // Choices are spelled by the game's dialect.
        .with("my_choice", result.choices.get(player))
        .with("opponent_choice", result.choices.get(opponent_id))
        .with("drawn_number", result.drawn_number)
        .with("points_earned", result.score.get(player).unwrap_or(0))
        .with("timestamp", At(record.at));
    Some(played)
}

/// The document of a match, with its transcript and its messages if it has any.
pub(super) fn one_match<'a>(league: &'a League, state: &'a MatchState) -> impl Serialize + 'a {
    let text = &state.transcript;
    let lines = (1..).zip(text.0.iter());
    let lines: Vec<_> = lines.map(|(seq, entry)| line(seq, entry, state)).collect();
    let (contradictions, evidence) = (&state.contradictions, &state.evidence);
    object()
        .with("schema_version", SCHEMA_VERSION)
        .with("match_id", state.match_id)
        .with_any("game_id", state.game_id.as_ref())
        .with("league_id", &state.league_id)
        .with("round_id", state.round_id)
        .with("game_type", league.settings().game_type())
        .with("attempt", state.attempt)
        .with("referee_id", state.referee_id)
        .with("player_A_id", state.player_a_id)
        .with("player_B_id", state.player_b_id)
        .with("lifecycle", lifecycle(league, state, text))
        .with("transcript", lines)
        .with("messages", &state.messages)
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
    /// Its scores are what the referee judged.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    judged: bool,
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
        judged: result.judged,
    }
}
