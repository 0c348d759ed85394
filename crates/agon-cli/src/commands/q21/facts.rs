//! What an agent of a Q21 league learns, in its own log: one line for each fact that its owner
//! cares about.

use agon_core::AgentFact;
use agon_core::roles::q21::{Player, Referee, player, referee};
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
pub(super) fn player(_: &Player, fact: &player::Fact) {
    match fact {
        player::Fact::Agent(fact) => agent(fact),
        player::Fact::Assigned { games, .. } => info!(games = games.len(), "the table is here"),
        player::Fact::RoundStarted { round, .. } => info!(round, "round started"),
        player::Fact::Said { game, instead_of: Some(reason), .. } => {
            warn!(%game, reason, "the program failed twice; something harmless was sent instead");
        }
        _ => {}
    }
}

/// What a referee learns.
#[expect(clippy::wildcard_enum_match_arm, reason = "the others are told as letters")]
pub(super) fn referee(_: &Referee, fact: &referee::Fact) {
    match fact {
        referee::Fact::Agent(fact) => agent(fact),
        referee::Fact::Started(start) => info!(game = %start.fixture.game, "game started"),
        referee::Fact::Judged { game, verdict } => {
            let (status, cause) = (verdict.status().as_str(), verdict.cause.as_str());
            info!(%game, status, cause, "judged");
        }
        _ => {}
    }
}
