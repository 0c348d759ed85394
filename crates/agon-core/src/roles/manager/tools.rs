//! Tools: what people may look at, and what the operator may order.
//!
//! Spec: docs/protocol/query.md

use agon_proto::tool::{
    Command, FreshToken, LeaguePhase, LeagueState, Tool, ToolAnswer, ToolParams,
};
use agon_proto::{Answer, DisplayName, Timestamp};

use super::corrections::Corrections;
use super::{Manager, Out};
use crate::effect::{RequestId, Viewer};
use crate::fact::Order;
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
                let answer = ToolAnswer::Standings(self.league().standings_answer().into());
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
                self.rounds(now, out).turn(now);
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

    fn corrections<'a>(&'a mut self, now: Timestamp, out: &'a mut Out) -> Corrections<'a> {
        Corrections(self.conduct(now, out))
    }

    fn operator(&self, params: &ToolParams) -> Result<(), Refusal> {
        let token = params.auth_token.as_ref().ok_or(Refusal::TokenMissing)?;
        match TokenHash::of(token) {
            Some(hash) if hash == self.records.options.operator => Ok(()),
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
        let season = &self.league().season;
        let (phase, paused) = (season.phase(), season.paused());
        match command {
            Command::VoidMatch => self.corrections(now, out).void_match(params)?,
            Command::WithdrawPlayer => self.corrections(now, out).withdraw_player(params)?,
            Command::RerunMatch => self.corrections(now, out).rerun_match(params)?,
            Command::ResetAgent => {
                return self.corrections(now, out).reset_agent(params).map(Done::Fresh);
            }
            Command::ResetSeason => self.rounds(now, out).reset_season(signed(params))?,
            Command::StartLeague => match phase {
                LeaguePhase::Running | LeaguePhase::Completed => {}
                LeaguePhase::Startup
                | LeaguePhase::AcceptingRegistrations
                | LeaguePhase::Scheduling => {
                    self.rounds(now, out).begin_season(Some(signed(params)))?;
                }
            },
            Command::PauseLeague if !paused => {
                self.corrections(now, out).pause(&signed(params));
            }
            Command::ResumeLeague if paused => {
                self.corrections(now, out).go_on(&signed(params));
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
