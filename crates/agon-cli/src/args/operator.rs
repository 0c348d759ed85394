//! The operator's commands: whom or what they are about, who orders it, and why.

use std::path::PathBuf;

use agon_proto::{AgentId, MatchId, PlayerId};
use clap::{Arg, Args, Subcommand};

use super::{Read, match_id};

/// What `agon reset --help` says.
const RESET: &str = include_str!("reset.txt").trim_ascii_end();

// What a doc comment says here would be said of `agon` itself.
#[derive(Debug, Subcommand)]
pub(crate) enum OperatorCommand {
    /// Begin the season (operator)
    Start(Order),
    /// Give out no new matches for now (operator)
    Pause(Order),
    /// Give out matches again (operator)
    Resume(Order),
    /// Take back a match's result, or have none: nobody gets points from it (operator)
    #[command(mut_arg("reason", needed))]
    Void(OfMatch),
    /// Take a player out of the league: its remaining matches are forfeits (operator)
    #[command(mut_arg("reason", needed))]
    Withdraw {
        /// The player, e.g. P03
        id: PlayerId,
        #[command(flatten)]
        order: Order,
    },
    /// Have a match played again: its result counts no more (operator)
    ///
    /// Its result, or that it was voided or cancelled, counts no more, and leaves the table at
    /// once. Both players and a referee play it from the beginning, as the next attempt; whatever
    /// still comes of the older one is refused. The season waits for it. Possible until the league
    /// is complete; for a match that has no result yet nothing changes.
    #[command(mut_arg("reason", needed))]
    Rerun(OfMatch),
    /// Give an agent a fresh token, and a withdrawn player its place again (operator)
    #[command(long_about = RESET, mut_arg("reason", needed))]
    Reset {
        /// The player or the referee, e.g. P03 or REF01
        #[arg(value_name = "AGENT", value_parser = agent)]
        id: AgentId,
        #[command(flatten)]
        order: Order,
    },
    /// Forget the season of a league by letters and begin another: everybody registers anew
    /// (operator)
    ///
    /// Wherever the season stands, also when it is over: enrolments, rounds and results are
    /// forgotten, the table is empty, and everybody is told so (BROADCAST_CRITICAL_RESET). At once
    /// another season opens, S01-2 after S01, with game ids of its own. By mail all who were
    /// expected or enrolled are invited to it; by call agents that run register again by
    /// themselves. --start-when counts anew.
    ///
    /// The journal keeps all that was played, and who ordered this and why. It cannot be undone,
    /// and asks nobody. While nobody has enrolled nothing changes.
    ResetSeason(Order),
}

/// Who orders something, of which manager, and why.
#[derive(Debug, Args)]
pub(crate) struct Order {
    /// Why; it stands in the journal
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    /// Who orders it; the user's name if not given
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
    #[command(flatten)]
    pub read: Read,
    /// The manager's data folder, for the operator's token; AGON_TOKEN in the environment is
    /// taken instead
    #[arg(long, value_name = "DIR", default_value = "agon-data")]
    pub data: PathBuf,
}

/// What is about a match or an agent needs a reason.
fn needed(reason: Arg) -> Arg {
    reason.required(true).help("Why; it stands in the journal, and in what people are shown")
}

#[derive(Debug, Args)]
pub(crate) struct OfMatch {
    /// The match, e.g. R1M1
    #[arg(value_parser = match_id)]
    pub id: MatchId,
    #[command(flatten)]
    pub order: Order,
}

fn agent(text: &str) -> Result<AgentId, String> {
    let player = text.parse().map(AgentId::Player);
    let agent = player.or_else(|_| text.parse().map(AgentId::Referee));
    agent.map_err(|_| "not an agent id such as P03 or REF01".to_owned())
}
