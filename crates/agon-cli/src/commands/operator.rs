//! `agon start`, `pause`, `resume`, `void` and `withdraw`: the operator's commands.

use std::process::ExitCode;

use agon_proto::DisplayName;
use agon_proto::tool::{LeagueState, Tool, ToolAnswer, ToolParams};
use anyhow::bail;
use toml::Table;

use crate::args::{Common, EXIT_REFUSED, Operator, Order, Void, Withdraw};
use crate::caller::{Asked, ask};
use crate::{data, life, output};

/// A command that says nothing but itself.
pub(crate) fn run(common: &Common, args: &Operator, tool: Tool) -> anyhow::Result<ExitCode> {
    send(common, args, tool, ToolParams::default())
}

/// Takes a match's result back.
pub(crate) fn void(common: &Common, args: &Void) -> anyhow::Result<ExitCode> {
    let params = ToolParams { match_id: Some(args.id), ..order(&args.order) };
    send(common, &args.operator, Tool::VoidMatch, params)
}

/// Takes a player out of the league.
pub(crate) fn withdraw(common: &Common, args: &Withdraw) -> anyhow::Result<ExitCode> {
    let params = ToolParams { player_id: Some(args.id), ..order(&args.order) };
    send(common, &args.operator, Tool::WithdrawPlayer, params)
}

/// Who orders it and why: it stands in the journal for ever.
fn order(order: &Order) -> ToolParams {
    let by = order.by.clone().or_else(|| std::env::var("USER").ok());
    ToolParams {
        by: by.map(|by| DisplayName::new(&by)),
        reason: Some(DisplayName::new(&order.reason)),
        ..ToolParams::default()
    }
}

fn send(
    common: &Common,
    args: &Operator,
    tool: Tool,
    params: ToolParams,
) -> anyhow::Result<ExitCode> {
    let config = common.load(Table::new())?;
    let token = data::operator_token(&args.data)?;
    let params = ToolParams { auth_token: Some(token), ..params };
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
