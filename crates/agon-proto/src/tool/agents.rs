//! Who belongs to a league: its agents and invitations, as a manager lists them.
//!
//! Spec: docs/protocol/query.md

use crate::json::{objects, words};
use crate::{
    AgentId, DisplayName, InvitationCode, LeagueId, PlayerId, RefereeId, ShortText, Timestamp,
};

objects! {
    /// Some of the agents, in the order of their numbers, players first.
    pub struct AgentsAnswer {
        /// The league.
        required league_id: LeagueId,
        /// The agents.
        required agents: Vec<AgentEntry>,
        /// Invitations: only the operator sees them, behind the last agent.
        optional invitations: Vec<InvitationEntry>,
        /// There are more: ask again with the last one's id.
        optional more: bool,
    }

    /// One agent, as the league knows it. Where it is only the operator sees.
    pub struct AgentEntry {
        /// Its id, if it is a player.
        optional player_id: Option<PlayerId>,
        /// Its id, if it is a referee.
        optional referee_id: Option<RefereeId>,
        /// Its name.
        required display_name: DisplayName,
        /// Whether it belongs.
        required state: AgentPlace,
        /// When it was let in last, or asked to be.
        required since: Timestamp,
        /// Where it is reached.
        optional contact: Option<ShortText>,
        /// From where it registered.
        optional called_from: Option<ShortText>,
        /// By which invitation it came.
        optional invitation: Option<u32>,
        /// It came again, and nothing but its address showed that it is the same.
        optional unproved: bool,
        /// Matches that it has played or refereed to an end.
        required matches: u32,
        /// Matches that ended as they did because of it.
        required mistakes: u32,
        /// When it last answered or called.
        optional last_contact: Option<Timestamp>,
        /// It keeps failing, and is left alone for now.
        optional breaker_open: bool,
        /// Whether it answered at its endpoint, before the season. For the operator.
        optional reachable: Option<bool>,
        /// Why not. For the operator.
        optional problem: Option<ShortText>,
    }

    /// One invitation. Its code is shown to whoever made it, when it is made.
    #[derive(Eq)]
    pub struct InvitationEntry {
        /// Which one.
        required number: u32,
        /// As what its holder may come.
        required role: AgentRole,
        /// For whom it is.
        optional label: Option<DisplayName>,
        /// How many may come by it.
        required uses: u32,
        /// How many have.
        required used: u32,
        /// Until when.
        optional until: Option<Timestamp>,
        /// Nobody new comes by it any more.
        optional revoked: bool,
    }

    /// An invitation, with what its holder needs.
    #[derive(Eq)]
    pub struct Invited {
        /// Which one.
        required number: u32,
        /// As what its holder may come.
        required role: AgentRole,
        /// For whom it is.
        optional label: Option<DisplayName>,
        /// How many may come by it.
        required uses: u32,
        /// Until when.
        optional until: Option<Timestamp>,
        /// The code itself.
        required code: InvitationCode,
        /// The manager's address with the code in it.
        required address: Box<str>,
        /// It was made before.
        optional known: bool,
    }
}

words! {
    /// As what somebody is in.
    pub enum AgentRole {
        /// It plays.
        Player = "player",
        /// It referees.
        Referee = "referee",
    }

    /// Whether an agent belongs to a league.
    pub enum AgentPlace {
        /// It does.
        In = "IN",
        /// It waits for the operator's word.
        Waiting = "WAITING",
        /// It was in the season before, and has not come to this one yet.
        Expected = "EXPECTED",
        /// Nobody said yes in time, or the operator said no.
        Declined = "DECLINED",
        /// The operator has taken it out.
        Removed = "REMOVED",
        /// It plays no more.
        Withdrawn = "WITHDRAWN",
    }
}

impl AgentRole {
    /// Whose number that is.
    pub const fn of(agent: AgentId) -> Self {
        match agent {
            AgentId::Player(_) => Self::Player,
            AgentId::Referee(_) => Self::Referee,
        }
    }
}
