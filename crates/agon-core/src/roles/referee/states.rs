//! Where the matches of a referee stand, for whoever asks: those in its hands, and for a while
//! those that were. Tells nothing of a sealed answer.
//!
//! Spec: docs/protocol/query.md

use std::collections::VecDeque;
use std::sync::Arc;

use agon_proto::MatchId;
use agon_proto::message::{MatchAssignment, MatchPhase, Transcript};
use agon_proto::tool::MatchState;

use super::Referee;
use super::records::{Held, HeldStage, Judged, Pairing, Records};
use crate::matches;
use crate::verdict::Verdict;

/// So many matches that are out of our hands are remembered.
const ENDED_MAX: usize = 256;

/// Matches that are out of our hands, and how they ended.
pub(super) type EndedMatches = VecDeque<(Arc<MatchAssignment>, Verdict)>;

/// Whoever asks how that match ended is told a while longer.
pub(super) fn remember(ended: &mut EndedMatches, pairing: Pairing, verdict: Verdict) {
    if let Pairing::Called(assignment) = pairing {
        ended.truncate(ENDED_MAX - 1);
        ended.push_front((assignment, verdict));
    }
}

/// Where a match stands. Tells nothing of a sealed answer.
pub(super) fn match_state(referee: &Referee, match_id: MatchId) -> Option<MatchState> {
    let Records { matches, ended, .. } = &referee.records;
    let (assignment, state) = match matches.held.get(&match_id) {
        Some(Held { pairing: Pairing::Called(assignment), stage }) => (assignment, phase(stage)),
        Some(Held { pairing: Pairing::Written(_), .. }) => return None,
        None => {
            let (assignment, verdict) = ended.iter().find(|it| it.0.match_id == match_id)?;
            (assignment, matches::finished_as(verdict))
        }
    };
    Some(MatchState {
        league_id: assignment.league_id.clone(),
        match_id,
        game_id: None,
        round_id: assignment.round_id,
        state,
        attempt: assignment.attempt,
        referee_id: referee.id(),
        player_a_id: assignment.player_a_id,
        player_b_id: assignment.player_b_id,
        result: None,
        voided: None,
        rerun: None,
        contradictions: Vec::new(),
        evidence: Vec::new(),
        transcript: Transcript::default(),
        messages: Vec::new(),
    })
}

fn phase(stage: &HeldStage) -> MatchPhase {
    match stage {
        HeldStage::Abandoned => MatchPhase::Aborted,
        HeldStage::Live(live, _) => live.phase(),
        HeldStage::Judged(Judged { verdict, .. })
        | HeldStage::Telling(Judged { verdict, .. }, _)
        | HeldStage::Over(verdict) => matches::finished_as(verdict),
    }
}
