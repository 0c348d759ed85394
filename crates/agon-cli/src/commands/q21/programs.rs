//! What an agent thinks with: a team's own program, or a built-in one.

use std::path::Path;

use agon_node::config::Config;
use agon_node::random_nonce;
use agon_player::q21::{
    Advisor, BuiltinPlayer, BuiltinReferee, Consultant, Limits, PythonAdvisor, PythonTerms, Side,
};
use anyhow::{Context, bail};

use super::agent::Kind;
use crate::args::Team;

/// The mind of a player or a referee. A program that cannot be loaded is found out here, and not in
/// the first game.
pub(super) async fn mind(kind: Kind, team: &Team, config: &Config) -> anyhow::Result<Consultant> {
    let Some(spec) = &team.ai else {
        return Ok(Consultant::new(builtin(kind, team)));
    };
    let file = spec.rsplit_once(':').map_or(spec.as_str(), |(file, _)| file);
    if file.ends_with(".py") && !Path::new(file).is_file() {
        bail!("there is no {file}; --ai takes FILE.py:CLASS, as seen from this folder");
    }
    let side = match kind {
        Kind::Player => Side::Player,
        Kind::Referee => Side::Referee,
    };
    let program = PythonAdvisor::new(side, spec, terms(team, config));
    let program = program.context("could not prepare the program")?;
    if let Err(mishap) = program.check().await {
        bail!("{spec} cannot be used: {}", mishap.text);
    }
    Ok(Consultant::new(Box::new(program)))
}

fn builtin(kind: Kind, team: &Team) -> Box<dyn Advisor> {
    match kind {
        Kind::Player => Box::new(BuiltinPlayer::new(team.seed.unwrap_or_else(random_nonce))),
        // A referee must choose the same book again after a restart.
        Kind::Referee => Box::new(BuiltinReferee::new(team.seed.unwrap_or(0))),
    }
}

fn terms(team: &Team, config: &Config) -> PythonTerms {
    let q21 = config.q21();
    let [warmup_answer, questions, guess, score_received] = q21.player_callbacks;
    let [warmup_question, round_start_info, answers, score_feedback] = q21.referee_callbacks;
    PythonTerms {
        python: team.python.clone(),
        env: team.ai_env.clone(),
        limits: Limits {
            warmup_answer,
            questions,
            guess,
            score_received,
            warmup_question,
            round_start_info,
            answers,
            score_feedback,
            ..Limits::default()
        },
        ..PythonTerms::default()
    }
}
