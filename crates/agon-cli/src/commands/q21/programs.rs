//! What an agent thinks with: a team's own program, or a built-in one.

use std::path::Path;

use agon_node::config::Config;
use agon_node::random_nonce;
use agon_player::q21::{BUILTIN, Consultant, Limits, PythonTerms, Side, advisor};
use anyhow::{Context, bail};

use super::agent::Kind;
use crate::args::Team;

/// The mind of a player or a referee.
pub(super) fn mind(kind: Kind, team: &Team, config: &Config) -> anyhow::Result<Consultant> {
    let spec = team.ai.as_deref().unwrap_or(BUILTIN);
    let file = spec.rsplit_once(':').map_or(spec, |(file, _)| file);
    if file.ends_with(".py") && !Path::new(file).is_file() {
        bail!("there is no {file}; --ai takes FILE.py:CLASS, as seen from this folder");
    }
    let side = match kind {
        Kind::Player => Side::Player,
        Kind::Referee => Side::Referee,
    };
    let seed = team.seed.unwrap_or_else(|| match kind {
        Kind::Player => random_nonce(),
        // A referee must choose the same book again after a restart.
        Kind::Referee => 0,
    });
    let q21 = config.q21();
    let [warmup_answer, questions, guess, score_received] = q21.player_callbacks;
    let [warmup_question, round_start_info, answers, score_feedback] = q21.referee_callbacks;
    let terms = PythonTerms {
        python: team.python.clone(),
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
    };
    let advisor = advisor(spec, side, seed, terms).context("could not prepare the program")?;
    Ok(Consultant::new(advisor))
}
