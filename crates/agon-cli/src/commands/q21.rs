//! The agents of a Q21 league: `agon player --game q21` and `agon referee --game q21`, by call or
//! by mail.

mod agent;
pub(super) mod demo;
mod dry_run;
mod facts;
pub(super) mod mailbox;
mod programs;

use std::process::ExitCode;

use agon_node::config::Config;
use anyhow::bail;

use crate::args::{Common, Player, Referee, Team};
use crate::{code, life, logs};
use agent::{Agent, Kind};

/// Whether that league is played by letters.
pub(super) fn is_played(config: &Config) -> bool {
    config.league.is_by_letters()
}

/// What belongs to Q21 makes no sense in another game: somebody forgot to say which one.
pub(super) fn is_not_meant(team: &Team) -> anyhow::Result<()> {
    if team.mail.mail.is_some() || team.ai.is_some() || team.group.is_some() {
        bail!("--mail, --ai and --group belong to Q21: say --game q21 too");
    }
    Ok(())
}

pub(super) fn player(common: &Common, args: &Player, config: &Config) -> anyhow::Result<ExitCode> {
    if args.team.mail.by_call_too {
        bail!("--by-call-too is for referees: a player comes by mail or by call");
    }
    if args.count != 1 {
        bail!("--count runs players of Even/Odd; start each player of a Q21 league by itself");
    }
    let agent = Agent {
        common,
        config,
        kind: Kind::Player,
        team: &args.team,
        manager: &args.manager,
        listen: args.listen.unwrap_or(config.player.listen),
        advertise: config.player.advertise.as_deref(),
        insecure: args.reach.insecure,
        name: args.name.as_deref().unwrap_or(config.player.name.as_str()),
        data: args.data.as_deref(),
        stay: args.stay,
    };
    run(config, &agent)
}

pub(super) fn referee(
    common: &Common,
    args: &Referee,
    config: &Config,
) -> anyhow::Result<ExitCode> {
    // Letters have no field for the code, so the address carries it.
    let code = code::chosen(args.referee_code.as_deref())?;
    let manager = code.map(|code| code.in_address(&args.manager));
    let manager = code::manager(manager.as_deref().unwrap_or(&args.manager))?;
    let agent = Agent {
        common,
        config,
        kind: Kind::Referee,
        team: &args.team,
        manager: manager.as_str(),
        listen: args.listen.unwrap_or(config.referee.listen),
        advertise: config.referee.advertise.as_deref(),
        insecure: args.reach.insecure,
        name: args.name.as_deref().unwrap_or(config.referee.name.as_str()),
        data: args.data.as_deref(),
        stay: args.stay,
    };
    run(config, &agent)
}

fn run(config: &Config, agent: &Agent<'_>) -> anyhow::Result<ExitCode> {
    logs::start(config)?;
    life::runtime()?.block_on(agent.run())
}
