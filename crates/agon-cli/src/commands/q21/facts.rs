//! What an agent of a Q21 league learns, in its own log: one line for each fact that its owner
//! cares about.

use agon_core::{AgentFact, Player, PlayerFact, Referee, RefereeFact};
use tracing::{info, warn};

/// What every agent learns.
#[expect(clippy::wildcard_enum_match_arm, reason = "the others are told as letters")]
fn agent(fact: &AgentFact) {
    match fact {
        AgentFact::SeasonOpened { season, .. } => info!(%season, "a season is open"),
        AgentFact::Admitted { .. } => info!("registered"),
        AgentFact::Rejected { reason } => warn!(reason, "not admitted to the season"),
        AgentFact::Reset => info!("the season is forgotten; another one opens"),
        AgentFact::Completed { .. } => info!("the league is complete"),
        _ => {}
    }
}

/// What a player learns.
#[expect(clippy::wildcard_enum_match_arm, reason = "the others are told as letters")]
pub(super) fn player(player: &Player, fact: &PlayerFact) {
    match fact {
        PlayerFact::Agent(fact) => agent(fact),
        PlayerFact::Assigned { games, .. } => info!(games = games.len(), "the table is here"),
        PlayerFact::RoundStarted { round, .. } => info!(round, "round started"),
        PlayerFact::Chosen { match_id, instead_of: Some(reason), .. } => {
            let row = player.rounds().assignments().find(|row| row.match_id == *match_id);
            let game = row.map(|row| row.game.as_str()).unwrap_or_default();
            warn!(game, reason, "the program failed twice; something harmless was sent instead");
        }
        _ => {}
    }
}

/// What a referee learns.
#[expect(clippy::wildcard_enum_match_arm, reason = "the others are told as letters")]
pub(super) fn referee(_: &Referee, fact: &RefereeFact) {
    match fact {
        RefereeFact::Agent(fact) => agent(fact),
        RefereeFact::Started(start) => info!(game = %start.fixture.game, "game started"),
        RefereeFact::Judged { match_id, verdict, .. } => {
            let (status, cause) = (verdict.status().as_str(), verdict.cause.as_str());
            info!(%match_id, status, cause, "judged");
        }
        _ => {}
    }
}
