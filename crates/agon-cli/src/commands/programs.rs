//! What an agent thinks with: a strategy, a program of its author's, or a built-in one.

use std::path::Path;

use agon_node::config::Config;
use agon_node::{Mind, Role, random_nonce};
use agon_player::{
    BuiltinPlayer, BuiltinReferee, Chance, ChildTerms, Mishap, PythonProgram, strategy, typed,
};
use anyhow::{Context, anyhow, bail};

use crate::args::{Player, Team};

/// Whether a player's strategy can be asked at all: if not, it would lose the whole season.
pub(super) async fn try_out(args: &Player, config: &Config) -> anyhow::Result<()> {
    if config.league.is_by_letters() {
        return Ok(()); // Whoever loads the team's program finds that out.
    }
    let spec = spec(args, config);
    let tried = agon_player::try_out(spec, &terms(args, config)).await;
    tried.map_err(|mishap| unusable(spec, &mishap))
}

/// The mind of a player.
pub(super) async fn of_player(args: &Player, config: &Config) -> anyhow::Result<Box<dyn Mind>> {
    let (team, terms) = (&args.agent.team, terms(args, config));
    if !config.league.is_by_letters() {
        let game = config.league.game_type();
        return Ok(strategy(game.as_str(), spec(args, config), Chance::Fair, &terms)?);
    }
    match &team.ai {
        Some(spec) => program(Role::Player, spec, team, &terms).await,
        None => Ok(typed(BuiltinPlayer { seed: team.seed.unwrap_or_else(random_nonce) })),
    }
}

/// The mind of a referee that speaks by letters.
pub(super) async fn of_referee(team: &Team) -> anyhow::Result<Box<dyn Mind>> {
    let terms = ChildTerms { env: team.env.clone(), ..ChildTerms::default() };
    match &team.ai {
        Some(spec) => program(Role::Referee, spec, team, &terms).await,
        // It must choose the same book again after a restart.
        None => Ok(Box::new(BuiltinReferee { seed: team.seed.unwrap_or(0) })),
    }
}

/// How a player chooses that is called.
fn spec<'a>(args: &'a Player, config: &'a Config) -> &'a str {
    args.strategy.as_deref().unwrap_or(&config.player.strategy)
}

/// What holds for a program that thinks for a player.
fn terms(args: &Player, config: &Config) -> ChildTerms {
    let env = config.player.env.iter().chain(&args.agent.team.env).cloned().collect();
    ChildTerms { env, ..ChildTerms::default() }
}

/// A team's own program. One that cannot be loaded is found out here, and not in the first game.
async fn program(
    role: Role,
    spec: &str,
    team: &Team,
    terms: &ChildTerms,
) -> anyhow::Result<Box<dyn Mind>> {
    let file = spec.rsplit_once(':').map_or(spec, |(file, _)| file);
    if file.ends_with(".py") && !Path::new(file).is_file() {
        bail!("there is no {file}; --ai takes FILE.py:CLASS, as seen from this folder");
    }
    let program = PythonProgram::new(role, spec, &team.python, terms);
    let program = program.context("could not prepare the program")?;
    program.check().await.map_err(|mishap| unusable(spec, &mishap))?;
    Ok(Box::new(program))
}

fn unusable(spec: &str, mishap: &Mishap) -> anyhow::Error {
    anyhow!("{spec} cannot be used: {}", mishap.text)
}
