//! What the operator's commands take: whom or what they are about, who orders it, and why.

use std::path::PathBuf;

use agon_proto::{AgentId, MatchId, PlayerId};
use clap::Args;

use super::DEFAULT_MANAGER;

pub(super) const RESET: &str = "\
Give an agent a fresh token, and a withdrawn player its place again (operator).

For an author who has lost the token, moved to another machine, or let the token get into other \
hands. The old token dies at once, and until the agent has registered with the fresh one nothing \
else lets it in. The fresh token is printed once, on stdout, and stands nowhere else:

    (umask 077; agon reset P03 --reason \"lost its disk\" > P03.token)
    agon player --token-file P03.token

A player that was withdrawn may play again what is still open; `agon rerun` its forfeits if it \
shall have those, too.";

/// Which manager, and what proves the operator.
#[derive(Debug, Args)]
pub(crate) struct Operator {
    /// The league manager
    #[arg(long, value_name = "URL", default_value = DEFAULT_MANAGER)]
    pub manager: String,
    /// The manager's data folder, for the operator's token; AGON_TOKEN in the environment is
    /// taken instead
    #[arg(long, value_name = "DIR", default_value = "agon-data")]
    pub data: PathBuf,
}

/// Who orders something, and why.
#[derive(Debug, Args)]
pub(crate) struct Order {
    /// Why; it stands in the journal, and in what people are shown
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
    /// Who orders it; the user's name if not given
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
    #[command(flatten)]
    pub operator: Operator,
}

/// A command about the whole league, which needs no reason.
#[derive(Debug, Args)]
pub(crate) struct Plain {
    /// Why; it stands in the journal
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    /// Who orders it; the user's name if not given
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
    #[command(flatten)]
    pub operator: Operator,
}

#[derive(Debug, Args)]
pub(crate) struct OfMatch {
    /// The match, e.g. R1M1
    #[arg(value_parser = super::match_id)]
    pub id: MatchId,
    #[command(flatten)]
    pub order: Order,
}

#[derive(Debug, Args)]
pub(crate) struct Withdraw {
    /// The player, e.g. P03
    pub id: PlayerId,
    #[command(flatten)]
    pub order: Order,
}

#[derive(Debug, Args)]
pub(crate) struct Reset {
    /// The player or the referee, e.g. P03 or REF01
    #[arg(value_name = "AGENT", value_parser = agent)]
    pub id: AgentId,
    #[command(flatten)]
    pub order: Order,
}

fn agent(text: &str) -> Result<AgentId, String> {
    let player = text.parse().map(AgentId::Player);
    let agent = player.or_else(|_| text.parse().map(AgentId::Referee));
    agent.map_err(|_| "not an agent id such as P03 or REF01".to_owned())
}
