//! Tools: what people may look at, and what the operator may order.
//!
//! Spec: docs/protocol/query.md

use agon_proto::tool::{LeaguePhase, Tool, ToolAnswer, ToolParams};
use agon_proto::{Answer, Timestamp};

use super::{Manager, Out};
use crate::effect::RequestId;
use crate::fact::LeagueFact;
use crate::{Refusal, TokenHash};

impl Manager {
    pub(super) fn use_tool(
        &mut self,
        request: RequestId,
        tool: Tool,
        params: &ToolParams,
        now: Timestamp,
        out: &mut Out,
    ) {
        match tool {
            Tool::Ping => out.reply(request, Answer::Tool(ToolAnswer::Pong)),
            Tool::GetStandings => {
                let answer = ToolAnswer::Standings(self.standings_answer().into());
                out.reply(request, Answer::Tool(answer));
            }
            Tool::GetLeagueState => {
                out.reply(request, Answer::Tool(ToolAnswer::League(self.state().into())));
            }
            Tool::GetMatchState => self.show_match(params.match_id, request, out),
            Tool::GetPlayerState => {
                out.refuse(request, Refusal::Unsupported("get_player_state: ask the player"));
            }
            Tool::StartLeague
            | Tool::PauseLeague
            | Tool::ResumeLeague
            | Tool::VoidMatch
            | Tool::WithdrawPlayer => {
                let allowed = self.operator(params);
                let allowed = allowed.and_then(|()| self.command(tool, params, now, out));
                match allowed {
                    Ok(()) => {
                        out.reply(request, Answer::Tool(ToolAnswer::League(self.state().into())))
                    }
                    Err(refusal) => out.refuse(request, refusal),
                }
            }
        }
    }

    fn operator(&self, params: &ToolParams) -> Result<(), Refusal> {
        let token = params.auth_token.as_ref().ok_or(Refusal::TokenMissing)?;
        match TokenHash::of(token) {
            Some(hash) if hash == self.options.operator => Ok(()),
            Some(_) | None => Err(Refusal::TokenInvalid(token.clone())),
        }
    }

    /// The operator's commands. Saying the same thing twice is no error.
    fn command(
        &mut self,
        tool: Tool,
        params: &ToolParams,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        match tool {
            Tool::VoidMatch => self.void_match(params, now, out)?,
            Tool::WithdrawPlayer => self.withdraw_player(params, now, out)?,
            Tool::StartLeague => match self.season.phase() {
                LeaguePhase::Running | LeaguePhase::Completed => {}
                LeaguePhase::Startup
                | LeaguePhase::AcceptingRegistrations
                | LeaguePhase::Scheduling => {
                    if self.registry.player_count() < 2 {
                        return Err(Refusal::OutOfTurn("a season needs two players"));
                    }
                    if self.registry.referee_count() == 0 {
                        return Err(Refusal::OutOfTurn("a season needs a referee"));
                    }
                    self.start(now, out);
                }
            },
            Tool::PauseLeague if !self.season.paused() => {
                self.record(LeagueFact::Paused { at: now }, out);
            }
            Tool::ResumeLeague if self.season.paused() => {
                self.record(LeagueFact::Resumed { at: now }, out);
                self.dispatch_all(now, out);
            }
            Tool::PauseLeague
            | Tool::ResumeLeague
            | Tool::Ping
            | Tool::GetStandings
            | Tool::GetLeagueState
            | Tool::GetMatchState
            | Tool::GetPlayerState => {}
        }
        Ok(())
    }
}
