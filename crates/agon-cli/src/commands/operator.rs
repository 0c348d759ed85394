//! `agon start`, `agon pause`, `agon resume`: the operator's commands.

use std::process::ExitCode;

use agon_proto::AuthToken;
use agon_proto::tool::{LeagueState, Tool, ToolAnswer, ToolParams};
use anyhow::bail;
use toml::Table;

use crate::args::{Common, EXIT_REFUSED, Operator};
use crate::caller::{Asked, ask};
use crate::{data, life, output};

pub(crate) fn run(common: &Common, args: &Operator, tool: Tool) -> anyhow::Result<ExitCode> {
    let config = common.load(Table::new())?;
    let token = match &args.token {
        Some(token) => AuthToken::from(token.trim()),
        None => data::operator_token(&args.data)?,
    };
    let params = ToolParams { auth_token: Some(token), match_id: None };
    let asked = life::runtime()?.block_on(ask(&config, &args.manager, tool, &params))?;
    match asked {
        Asked::Answered(ToolAnswer::League(state)) => {
            if common.json {
                output::json(&state)?;
            } else {
                output::line(describe(&state));
            }
            Ok(ExitCode::SUCCESS)
        }
        Asked::Refused(fault) => {
            output::talk(format!("agon: the manager refused: {}", fault.message));
            Ok(ExitCode::from(EXIT_REFUSED))
        }
        Asked::Answered(_) => bail!("{} gave the answer to another question", args.manager),
    }
}

fn describe(state: &LeagueState) -> String {
    let LeagueState { league_id, players, referees, round, rounds, .. } = state;
    let paused = if state.paused { ", paused" } else { "" };
    let (done, all) = (state.matches_completed, state.matches);
    format!(
        "{league_id}: {:?}{paused}; {players} players, {referees} referees; round {round} of \
         {rounds}, {done} of {all} matches",
        state.phase
    )
}
