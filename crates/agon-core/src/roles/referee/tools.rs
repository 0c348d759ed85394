//! What a referee tells of its matches. Never a sealed answer.
//!
//! Spec: docs/protocol/query.md

use agon_proto::message::{MatchPhase, Transcript};
use agon_proto::tool::{MatchState, Tool, ToolAnswer, ToolParams};
use agon_proto::{Answer, MatchId};

use super::held::{Held, Judged, Pairing, Stage};
use super::{Out, Referee};
use crate::effect::RequestId;
use crate::{Refusal, matches};

pub(super) fn use_tool(
    referee: &Referee,
    request: RequestId,
    tool: Tool,
    params: &ToolParams,
    out: &mut Out,
) {
    match tool {
        Tool::Ping => out.reply(request, Answer::Tool(ToolAnswer::Pong)),
        Tool::GetMatchState => match params.match_id.and_then(|id| match_state(referee, id)) {
            Some(state) => out.reply(request, Answer::Tool(ToolAnswer::Match(Box::new(state)))),
            None => out.refuse(request, Refusal::NoSuchMatch),
        },
        Tool::GetStandings | Tool::GetLeagueState | Tool::GetPlayerState | Tool::Command(_) => {
            out.refuse(request, Refusal::Unsupported("ask the league manager"));
        }
    }
}

/// Where a match stands. Tells nothing of a sealed answer.
fn match_state(referee: &Referee, match_id: MatchId) -> Option<MatchState> {
    let Held { pairing: Pairing::Called(assignment), stage } =
        referee.records.matches.held.get(&match_id)?
    else {
        return None;
    };
    let state = match stage {
        Stage::Abandoned => MatchPhase::Aborted,
        Stage::Live(live, _) => live.phase(),
        Stage::Judged(Judged { verdict, .. })
        | Stage::Telling(Judged { verdict, .. }, _)
        | Stage::Over(verdict) => matches::finished_as(verdict),
    };
    Some(MatchState {
        league_id: assignment.league_id.clone(),
        match_id,
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
    })
}
