//! The operator's commands: whom or what they are about, who orders it, and why.

use std::path::PathBuf;

use agon_proto::tool::AgentRole;
use agon_proto::{AgentId, MatchId, PlayerId, Timestamp};
use clap::{Arg, Args, Subcommand};

use super::Read;
use super::values::match_id;

/// What `agon reset --help` says.
const RESET: &str = include_str!("reset.txt").trim_ascii_end();
/// What `agon invite --help` says.
const INVITE: &str = include_str!("invite.txt").trim_ascii_end();

// What a doc comment says here would be said of `agon` itself.
#[derive(Debug, Subcommand)]
pub(crate) enum OperatorCommand {
    /// Begin the season (operator)
    Start(Order),
    /// Give out no new matches for now (operator)
    Pause(Order),
    /// Give out matches again (operator)
    Resume(Order),
    /// Take back a match's result, or have none (operator)
    ///
    /// Nobody gets points from it.
    #[command(mut_arg("reason", needed))]
    Void(OfMatch),
    /// Take a player out: what it has not played is forfeit (operator)
    ///
    /// It may come back by `agon reset`.
    #[command(mut_arg("reason", needed))]
    Withdraw {
        /// The player, e.g. P03
        id: PlayerId,
        #[command(flatten)]
        order: Order,
    },
    /// Have a match played again (operator)
    ///
    /// Its result, or that it was voided or cancelled, counts no more, and leaves the table at
    /// once. Both players and a referee play it from the beginning, as the next attempt; whatever
    /// still comes of the older one is refused. The season waits for it. Possible until the league
    /// is complete; for a match that has no result yet nothing changes.
    #[command(mut_arg("reason", needed))]
    Rerun(OfMatch),
    /// Give an agent a fresh token, or its place again (operator)
    #[command(long_about = RESET, mut_arg("reason", needed))]
    Reset {
        /// The player or the referee, e.g. P03 or REF01
        #[arg(value_name = "AGENT", value_parser = agent)]
        id: AgentId,
        #[command(flatten)]
        order: Order,
    },
    /// Make an invitation for an agent (operator)
    #[command(long_about = INVITE)]
    Invite(Invite),
    /// Let nobody new in by an invitation (operator)
    ///
    /// Who came by it stays.
    Revoke {
        /// The invitation, as `agon agents` numbers it
        number: u32,
        #[command(flatten)]
        order: Order,
    },
    /// Let an agent in that waits for that (operator)
    Approve {
        /// The player or the referee, e.g. P03 or REF01
        #[arg(value_name = "AGENT", value_parser = agent)]
        id: AgentId,
        #[command(flatten)]
        order: Order,
    },
    /// Take an agent out, or turn down one that waits (operator)
    ///
    /// Its token dies and it may not register again; a player's remaining matches are forfeits, a
    /// referee's go to another one. `agon reset` lets it in again.
    #[command(mut_arg("reason", needed))]
    Remove {
        /// The player or the referee, e.g. P03 or REF01
        #[arg(value_name = "AGENT", value_parser = agent)]
        id: AgentId,
        #[command(flatten)]
        order: Order,
    },
    /// Forget a season by letters and begin another (operator)
    ///
    /// Everybody registers anew. Wherever the season stands, also when it is over: enrolments,
    /// rounds and results are forgotten, the table is empty, and everybody is told so
    /// (BROADCAST_CRITICAL_RESET). At once another season opens, S01-2 after S01, with game ids of
    /// its own. By mail all who were expected or enrolled are invited to it; by call agents that
    /// run register again by themselves. --start-when counts anew.
    ///
    /// The journal keeps all that was played, and who ordered this and why. It cannot be undone,
    /// and asks nobody. While nobody has enrolled nothing changes.
    ResetSeason(Order),
}

/// Who is invited, and until when.
#[derive(Debug, Args)]
pub(crate) struct Invite {
    /// As what: player or referee
    #[arg(long, value_name = "ROLE", default_value = "player", value_parser = role)]
    pub role: AgentRole,
    /// How many agents may come by it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = super::between(1, 100_000))]
    pub uses: u32,
    /// Until when: a day such as 2026-12-24, or a time such as 2026-12-24T18:00:00Z
    #[arg(long, value_name = "TIME", value_parser = until)]
    pub until: Option<Timestamp>,
    /// For whom, for you to read; said again, the same invitation is shown again
    #[arg(long = "for", value_name = "NAME")]
    pub label: Option<String>,
    /// One for each line of this list, whose first line names its columns; the list is printed with
    /// three more
    #[arg(long, value_name = "FILE", conflicts_with = "label")]
    pub csv: Option<PathBuf>,
    #[command(flatten)]
    pub order: Order,
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
    /// taken instead [default: agon-data, for a manager on this machine]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
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

fn role(text: &str) -> Result<AgentRole, &'static str> {
    let known = [AgentRole::Player, AgentRole::Referee];
    known.into_iter().find(|role| role.as_str() == text).ok_or("neither player nor referee")
}

/// A day lasts to its end, in UTC.
fn until(text: &str) -> Result<Timestamp, &'static str> {
    let time = text.parse().or_else(|_| format!("{text}T23:59:59Z").parse());
    time.map_err(|_| "neither a day such as 2026-12-24 nor a time such as 2026-12-24T18:00:00Z")
}

fn agent(text: &str) -> Result<AgentId, String> {
    let player = text.parse().map(AgentId::Player);
    let agent = player.or_else(|_| text.parse().map(AgentId::Referee));
    agent.map_err(|_| "not an agent id such as P03 or REF01".to_owned())
}
