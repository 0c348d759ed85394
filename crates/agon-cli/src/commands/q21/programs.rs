//! What an agent thinks with: a team's own program, or a built-in one.

use std::path::Path;

use agon_node::config::Config;
use agon_node::{Mind, random_nonce};
use agon_player::{BuiltinPlayer, BuiltinReferee, ChildTerms, PythonProgram, Side, typed};
use anyhow::{Context, bail};

use super::agent::Kind;
use crate::args::Team;

/// The mind of a player or a referee. A program that cannot be loaded is found out here, and not in
/// the first game.
pub(super) async fn mind(
    kind: Kind,
    team: &Team,
    config: &Config,
) -> anyhow::Result<Box<dyn Mind>> {
    let Some(spec) = &team.ai else {
        return Ok(builtin(kind, team));
    };
    let file = spec.rsplit_once(':').map_or(spec.as_str(), |(file, _)| file);
    if file.ends_with(".py") && !Path::new(file).is_file() {
        bail!("there is no {file}; --ai takes FILE.py:CLASS, as seen from this folder");
    }
    let side = match kind {
        Kind::Player => Side::Player,
        Kind::Referee => Side::Referee,
    };
    let of_player = config.player.env.iter().filter(|_| kind == Kind::Player);
    let env = of_player.chain(&team.env).cloned().collect();
    let terms = ChildTerms { env, ..ChildTerms::default() };
    let program = PythonProgram::new(side, spec, &team.python, &terms);
    let program = program.context("could not prepare the program")?;
    if let Err(mishap) = program.check().await {
        bail!("{spec} cannot be used: {}", mishap.text);
    }
    Ok(Box::new(program))
}

fn builtin(kind: Kind, team: &Team) -> Box<dyn Mind> {
    match kind {
        Kind::Player => typed(BuiltinPlayer::new(team.seed.unwrap_or_else(random_nonce))),
        // A referee must choose the same book again after a restart.
        Kind::Referee => Box::new(BuiltinReferee::new(team.seed.unwrap_or(0))),
    }
}
