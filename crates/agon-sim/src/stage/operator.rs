//! The operator: voids matches and has them played again, at any moment and for no reason.

use std::time::Duration;

use agon_proto::tool::{Command, Tool, ToolParams};
use agon_proto::{Call, DisplayName, MatchId};

use super::scene::Scene;
use crate::league;
use crate::plan::Plan;

/// Most orders come early: that is when most seasons are played.
pub(super) fn plan(plan: &Plan, scene: &mut Scene<'_>) {
    let trouble = plan.trouble.as_millis() as u64;
    for _ in 0..plan.orders {
        let latest = if scene.whim.happens(700) { trouble.min(8_000) } else { trouble };
        let wait = scene.whim.between(300, latest.max(301));
        scene.after(Duration::from_millis(wait), |stage| stage.order());
    }
}

/// One order about some match that was announced, whatever became of it.
pub(super) fn order(scene: &mut Scene<'_>) -> Option<Call> {
    let rounds = scene.audit.books().season.announced;
    if rounds == 0 {
        return None;
    }
    let round = scene.whim.between(1, rounds.into()) as u32;
    let matches = scene.audit.league().season().matches_in(round).len();
    let number = scene.whim.between(1, matches as u64) as u32;
    let match_id = MatchId::new(round, number);
    let rerun = scene.whim.happens(700);
    let command = if rerun { Command::RerunMatch } else { Command::VoidMatch };
    let tool = Tool::Command(command);
    scene.tell(|| format!("the operator says {} {match_id}", tool.method()));
    let params = ToolParams {
        auth_token: Some(league::operator()),
        match_id: Some(match_id),
        reason: Some(DisplayName::new("a whim")),
        ..ToolParams::default()
    };
    Some(Call::Tool(tool, params.into()))
}
