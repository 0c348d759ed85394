//! What a player tells of itself, and to whom.
//!
//! Spec: docs/protocol/query.md

use agon_proto::Answer;
use agon_proto::tool::{PlayerPhase, PlayerState, Tool, ToolAnswer, ToolParams};

use super::{Out, Player};
use crate::effect::RequestId;
use crate::{Refusal, TokenHash};

impl Player {
    pub(super) fn use_tool(
        &self,
        request: RequestId,
        tool: Tool,
        params: &ToolParams,
        out: &mut Out,
    ) {
        match tool {
            Tool::Ping => out.reply(request, Answer::Tool(ToolAnswer::Pong)),
            Tool::GetPlayerState => match self.own(params) {
                Ok(()) => {
                    let state = Box::new(self.state());
                    out.reply(request, Answer::Tool(ToolAnswer::Player(state)));
                }
                Err(refusal) => out.refuse(request, refusal),
            },
            Tool::GetStandings | Tool::GetLeagueState | Tool::GetMatchState | Tool::Command(_) => {
                out.refuse(request, Refusal::Unsupported("ask the league manager"));
            }
        }
    }

    /// A player's state is its own business.
    fn own(&self, params: &ToolParams) -> Result<(), Refusal> {
        let token = params.auth_token.as_ref().ok_or(Refusal::TokenMissing)?;
        let ours = self.me.credentials().and_then(|given| TokenHash::of(&given.token));
        match TokenHash::of(token) {
            Some(hash) if Some(hash) == ours => Ok(()),
            Some(_) | None => Err(Refusal::TokenInvalid(token.clone())),
        }
    }

    pub fn state(&self) -> PlayerState {
        let state = match (self.id(), self.games.is_empty(), self.announced) {
            (None, _, _) => PlayerPhase::Unregistered,
            (Some(_), false, _) => PlayerPhase::InGame,
            (Some(_), true, true) => PlayerPhase::WaitingForRound,
            (Some(_), true, false) => PlayerPhase::Registered,
        };
        PlayerState {
            player_id: self.id(),
            display_name: self.me.profile.name.clone(),
            state,
            lifecycle: self.me.lifecycle(),
            stats: self.history.record(),
            matches: self.history.matches().to_vec(),
        }
    }
}
