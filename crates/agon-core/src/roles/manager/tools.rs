//! Tools: what people may look at, and what the operator may order.
//!
//! Spec: docs/protocol/query.md

use agon_proto::message::MatchPhase;
use agon_proto::tool::{LeagueState, MatchState, Tool, ToolAnswer, ToolParams};
use agon_proto::{Answer, MatchId, Timestamp};

use super::corrections::Corrections;
use super::rounds::Rounds;
use super::{Manager, Out};
use crate::assignments::Place;
use crate::effect::{Effect, RequestId, Viewer};
use crate::{Refusal, gate};

impl Manager {
    pub(super) fn use_tool(
        &mut self,
        request: RequestId,
        tool: Tool,
        params: &ToolParams,
        now: Timestamp,
        out: &mut Out,
    ) {
        let answer = match tool {
            Tool::Ping => Ok(ToolAnswer::Pong),
            Tool::GetStandings => {
                Ok(ToolAnswer::Standings(self.league().standings_answer().into()))
            }
            Tool::GetLeagueState => Ok(ToolAnswer::League(self.state().into())),
            Tool::GetMatchState => match params.match_id.and_then(|id| self.match_state(id)) {
                None => Err(Refusal::NoSuchMatch),
                // What is played again has a transcript already, of what does not count.
                Some(state) if state.result.is_none() && state.rerun.is_some() => {
                    Ok(ToolAnswer::Match(Box::new(state)))
                }
                // With its transcript, if it is over.
                Some(state) => {
                    // Anybody may look; a token that is not the operator's is as good as none.
                    let is_operator = self.operator(params).is_ok();
                    let viewer = if is_operator { Viewer::Operator } else { Viewer::Everybody };
                    let state = Box::new(state);
                    return out.push(Effect::Fetch { request, state, viewer });
                }
            },
            Tool::GetPlayerState => Err(Refusal::Unsupported("get_player_state: ask the player")),
            Tool::Command(command) => {
                let before = out.facts.len();
                let done = self.operator(params);
                let done =
                    done.and_then(|()| Corrections(self.conduct(now, out)).obey(command, params));
                Rounds(self.conduct(now, out)).turn(now);
                done.map(|fresh| match fresh {
                    Some(token) => ToolAnswer::Fresh(token),
                    None => {
                        let changed = Some(out.facts.len() > before);
                        ToolAnswer::League(LeagueState { changed, ..self.state() }.into())
                    }
                })
            }
        };
        match answer {
            Ok(answer) => out.reply(request, Answer::Tool(answer)),
            Err(refusal) => out.refuse(request, refusal),
        }
    }

    /// What we know of one match: whether it is out, a league cannot tell.
    pub(super) fn match_state(&self, match_id: MatchId) -> Option<MatchState> {
        let mut state = self.league().match_state(match_id)?;
        let place = self.in_play.assignments.place(match_id);
        if state.result.is_none() && place == Some(Place::Out) {
            state.state = MatchPhase::WaitingForPlayers;
        }
        Some(state)
    }

    fn operator(&self, params: &ToolParams) -> Result<(), Refusal> {
        gate::prove(params.auth_token.as_ref(), Some(self.records.options.operator))
    }
}
