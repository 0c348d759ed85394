//! The operator's commands: `start`, `pause`, `resume`, `void`, `rerun`, `withdraw`, `reset`,
//! `reset-season`, `revoke`, `approve` and `remove`.

use std::process::ExitCode;

use agon_node::ToolResponse;
use agon_proto::tool::{
    Command, FreshToken, LeaguePhase, LeagueState, Tool, ToolAnswer, ToolParams,
};
use agon_proto::{AgentId, DisplayName, ErrorCode, Fault, SeasonId};
use anyhow::{Context, bail};

use super::{agents, invite};
use crate::args::{Common, EXIT_REFUSED, OfMatch, OperatorCommand, Order};
use crate::caller::ask;
use crate::{data, output};

/// Sends the manager what the operator orders.
pub(crate) async fn run(common: &Common, ordered: &OperatorCommand) -> anyhow::Result<ExitCode> {
    if let OperatorCommand::Invite(args) = ordered {
        return invite::run(common, args).await;
    }
    let params = ToolParams::default();
    let (command, order, params) = match ordered {
        OperatorCommand::Invite(args) => (Command::Invite, &args.order, params),
        OperatorCommand::Revoke { number, order } => {
            (Command::RevokeInvitation, order, ToolParams { invitation: Some(*number), ..params })
        }
        OperatorCommand::Approve { id, order } => {
            (Command::ApproveAgent, order, about(*id, params))
        }
        OperatorCommand::Remove { id, order } => (Command::RemoveAgent, order, about(*id, params)),
        OperatorCommand::Start(order) => (Command::StartLeague, order, params),
        OperatorCommand::Pause(order) => (Command::PauseLeague, order, params),
        OperatorCommand::Resume(order) => (Command::ResumeLeague, order, params),
        OperatorCommand::ResetSeason(order) => (Command::ResetSeason, order, params),
        OperatorCommand::Void(OfMatch { id, order }) => {
            (Command::VoidMatch, order, ToolParams { match_id: Some(*id), ..params })
        }
        OperatorCommand::Rerun(OfMatch { id, order }) => {
            (Command::RerunMatch, order, ToolParams { match_id: Some(*id), ..params })
        }
        OperatorCommand::Withdraw { id, order } => {
            (Command::WithdrawPlayer, order, ToolParams { player_id: Some(*id), ..params })
        }
        OperatorCommand::Reset { id, order } => (Command::ResetAgent, order, about(*id, params)),
    };
    let params = signed(order, params)?;
    let manager = &order.read.manager;
    let response = ask(common, manager, Tool::Command(command), &params).await?;
    if let OperatorCommand::Approve { id, .. } = ordered
        && let ToolResponse::Answered(ToolAnswer::League(state)) = &response
        && state.phase == LeaguePhase::AcceptingRegistrations
    {
        let token = params.auth_token.as_ref();
        agents::say_if_out_of_reach(common, manager, token, *id).await?;
    }
    match response {
        ToolResponse::Answered(ToolAnswer::League(state)) => output::show(common, &state, || {
            if state.changed == Some(false) {
                eprintln!("{}", unchanged(command));
            } else if command == Command::ResetSeason {
                eprintln!("{}", begun_anew(&state));
            }
            describe(&state)
        }),
        ToolResponse::Answered(ToolAnswer::Fresh(fresh)) => {
            output::show(common, &fresh, || hand_over(&fresh))
        }
        ToolResponse::Refused(fault) => Ok(refused(&fault)),
        ToolResponse::Answered(_) => {
            bail!("{} gave the answer to another question", order.read.manager)
        }
    }
}

/// An order that is about that agent.
fn about(id: AgentId, params: ToolParams) -> ToolParams {
    match id {
        AgentId::Player(id) => ToolParams { player_id: Some(id), ..params },
        AgentId::Referee(id) => ToolParams { referee_id: Some(id), ..params },
    }
}

/// With the operator's token. Who orders it and why stands in the journal for ever.
pub(super) fn signed(order: &Order, params: ToolParams) -> anyhow::Result<ToolParams> {
    let said = order.data.as_deref().or_else(|| data::usual_data(&order.read.manager));
    let auth_token = data::viewer_token(said)?.with_context(|| {
        format!("{} is not on this machine; say --data DIR or set AGON_TOKEN", order.read.manager)
    })?;
    let auth_token = Some(auth_token);
    let by = order.by.clone().or_else(|| std::env::var("USER").ok());
    let by = by.map(|by| DisplayName::new(&by));
    let reason = order.reason.as_deref().map(DisplayName::new);
    Ok(ToolParams { auth_token, by, reason, ..params })
}

/// The manager has said no.
pub(super) fn refused(fault: &Fault) -> ExitCode {
    eprintln!("agon: the manager refused: {}{}", fault.message, hint(fault));
    ExitCode::from(EXIT_REFUSED)
}

/// What the operator can do about a refusal.
fn hint(fault: &Fault) -> &'static str {
    let hints = [
        (ErrorCode::MatchNotFound, "; a match is named by its round and number, such as R1M1"),
        (ErrorCode::PlayerNotRegistered, " (see `agon standings` for the players)"),
        (
            ErrorCode::AuthTokenInvalid,
            "; is --data the folder of this manager, or AGON_TOKEN its token?",
        ),
    ];
    let known = hints.iter().find(|(code, _)| Some(*code) == fault.league_code);
    known.map_or("", |(_, hint)| hint)
}

/// Why a command changed nothing.
const fn unchanged(command: Command) -> &'static str {
    match command {
        Command::StartLeague => "nothing changed: the season has begun already",
        Command::PauseLeague => "nothing changed: the league is paused already",
        Command::ResumeLeague => "nothing changed: the league is not paused",
        Command::VoidMatch => "nothing changed: the match is void already",
        Command::WithdrawPlayer => "nothing changed: the player is withdrawn already",
        Command::RerunMatch => "nothing changed: the match has no result yet, it is being played",
        Command::ResetAgent | Command::Invite => "nothing changed",
        Command::RevokeInvitation => "nothing changed: the invitation is revoked already",
        Command::ApproveAgent => "nothing changed: the agent is in already",
        Command::RemoveAgent => "nothing changed: the agent is out already",
        Command::ResetSeason => "nothing changed: nobody has enrolled in this season yet",
    }
}

/// What becomes of a league whose season was reset.
fn begun_anew(state: &LeagueState) -> String {
    let season = state.season_id.as_ref().map_or("another season", SeasonId::as_str);
    format!(
        "the season is forgotten: everybody is told (BROADCAST_CRITICAL_RESET), {season} is open, \
         and everybody registers anew; the journal keeps what was played"
    )
}

/// The token alone on stdout, so that it can go into a file; the rest is for the person.
fn hand_over(fresh: &FreshToken) -> String {
    let (player, referee) = (fresh.player_id, fresh.referee_id);
    let agent = player.map(AgentId::Player).or(referee.map(AgentId::Referee));
    let agent = agent.map_or("the agent".to_owned(), |id| id.to_string());
    if fresh.readmitted {
        eprintln!("{agent} was withdrawn, and may play again what is still open");
    }
    eprintln!(
        "{agent} has a fresh token, shown this once; the old one is dead. Its author registers \
         with it: auth_token in the registration, or --token-file FILE"
    );
    fresh.auth_token.reveal().to_owned()
}

fn describe(state: &LeagueState) -> String {
    let LeagueState { league_id, players, referees, round, rounds, .. } = state;
    let paused = match &state.paused_by {
        _ if !state.paused => String::new(),
        None => ", paused".to_owned(),
        Some(order) => format!(", paused by {} ({})", order.by, order.reason),
    };
    let waiting = if state.waiting_for_referee { "; no referee answers" } else { "" };
    let (done, all) = (state.matches_completed, state.matches);
    let players = output::counted(*players, "player");
    let referees = output::counted(*referees, "referee");
    format!(
        "{league_id}: {}{paused}\n\
         {players}, {referees}; round {round} of {rounds}, {done} of {all} matches{waiting}",
        output::spoken(state.phase.as_str())
    )
}
