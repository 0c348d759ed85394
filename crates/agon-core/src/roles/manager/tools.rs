//! Tools: what people may look at, and what the operator may order.
//!
//! Spec: docs/protocol/query.md

use agon_proto::q21::Task;
use agon_proto::tool::{
    Command, FreshToken, LeaguePhase, LeagueState, Tool, ToolAnswer, ToolParams,
};
use agon_proto::{Answer, DisplayName, Timestamp};

use super::{Manager, Out};
use crate::effect::{RequestId, Viewer};
use crate::fact::{LeagueFact, Order};
use crate::{Moment, Refusal, TokenHash};

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
                let answer = ToolAnswer::Standings(self.league.standings_answer().into());
                out.reply(request, Answer::Tool(answer));
            }
            Tool::GetLeagueState => {
                out.reply(request, Answer::Tool(ToolAnswer::League(self.state().into())));
            }
            Tool::GetMatchState => {
                // Anybody may look; a token that is not the operator's is as good as none.
                let operator = self.operator(params).is_ok();
                let viewer = if operator { Viewer::Operator } else { Viewer::Everybody };
                self.show_match(params.match_id, viewer, request, out);
            }
            Tool::GetPlayerState => {
                out.refuse(request, Refusal::Unsupported("get_player_state: ask the player"));
            }
            Tool::Command(command) => {
                let before = out.facts.len();
                let done = self.operator(params);
                let done = done.and_then(|()| self.command(command, params, now, out));
                self.turn(Moment::at(now), out);
                match done {
                    Ok(Done::Fresh(token)) => {
                        out.reply(request, Answer::Tool(ToolAnswer::Fresh(token)));
                    }
                    Ok(Done::Changed) => {
                        let changed = Some(out.facts.len() > before);
                        let state = LeagueState { changed, ..self.state() };
                        out.reply(request, Answer::Tool(ToolAnswer::League(state.into())));
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

    /// The operator's commands. Saying the same thing twice is no error, and changes nothing.
    fn command(
        &mut self,
        command: Command,
        params: &ToolParams,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<Done, Refusal> {
        match command {
            Command::VoidMatch => self.void_match(params, now, out)?,
            Command::WithdrawPlayer => self.withdraw_player(params, now, out)?,
            Command::RerunMatch => self.rerun_match(params, now, out)?,
            Command::ResetAgent => return self.reset_agent(params, now, out).map(Done::Fresh),
            Command::ResetSeason => self.reset_season(signed(params), now, out)?,
            Command::StartLeague => match self.league.season.phase() {
                LeaguePhase::Running | LeaguePhase::Completed => {}
                LeaguePhase::Startup
                | LeaguePhase::AcceptingRegistrations
                | LeaguePhase::Scheduling => {
                    self.begin_season(Some(signed(params)), now, out)?;
                }
            },
            Command::PauseLeague if !self.league.season.paused() => {
                let order = signed(params);
                self.record(LeagueFact::Paused { order: Some(order.clone()), at: now }, out);
                self.tell_halt(Task::Pause, &order, now, out);
            }
            Command::ResumeLeague if self.league.season.paused() => {
                let order = signed(params);
                self.record(LeagueFact::Resumed { order: Some(order.clone()), at: now }, out);
                self.tell_halt(Task::Continue, &order, now, out);
                self.hand_out_all(now, out);
            }
            Command::PauseLeague | Command::ResumeLeague => {}
        }
        Ok(Done::Changed)
    }
}

/// What came of a command.
enum Done {
    /// The league is as it was ordered to be; the facts say whether that is new.
    Changed,
    /// An agent has a fresh token.
    Fresh(Box<FreshToken>),
}

/// Who orders it and why, for what needs no reason.
fn signed(params: &ToolParams) -> Order {
    let said = |text: &Option<DisplayName>, otherwise: &str| {
        let text = text.clone().filter(|text| !text.as_str().trim().is_empty());
        text.unwrap_or_else(|| DisplayName::new(otherwise))
    };
    let by = said(&params.by, "operator");
    Order { by, reason: said(&params.reason, "no reason given") }
}
