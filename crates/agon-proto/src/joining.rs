//! Joining a league: what an agent says of itself, and what becomes of it, whatever it speaks.
//!
//! Spec: docs/protocol/registration.md

use crate::{
    AgentId, AuthToken, Contact, DisplayName, ErrorCode, GameType, GroupId, InvitationCode, Role,
    SeasonId,
};

/// What somebody says who wants to be let in.
#[derive(Debug, Clone, PartialEq)]
pub struct Applying {
    /// As what, if it says so.
    pub role: Option<Role>,
    /// Its name for people.
    pub name: Option<DisplayName>,
    /// The agent's own version.
    pub version: Option<DisplayName>,
    /// What it can play or referee; `None` if its dialect leaves no choice.
    pub games: Option<Vec<GameType>>,
    /// Where it is reached.
    pub contact: Contact,
    /// Where it is reached as well, by another way.
    pub also: Option<Contact>,
    /// The version of the protocol that it speaks.
    pub protocol: Option<DisplayName>,
    /// Its team.
    pub group: Option<GroupId>,
    /// The season; `None` is the one that is open.
    pub season: Option<SeasonId>,
    /// How many matches a referee runs at once, if it says so.
    pub capacity: Option<u32>,
    /// Whether a referee says whom it has told how a match ended.
    pub says_told: bool,
    /// Whether it has its token after a restart.
    pub keeps_token: bool,
    /// The code that the operator gave it.
    pub code: Option<InvitationCode>,
}

/// What becomes of it.
#[derive(Debug, Clone, PartialEq)]
pub enum AdmissionDecision {
    /// It is in.
    Admitted {
        /// As whom.
        agent: AgentId,
        /// How many are in now.
        count: u32,
        /// What proves it from now on; `None` if it is not shown here.
        token: Option<AuthToken>,
        /// How often a referee is to say that it is there.
        heartbeat_ms: Option<u32>,
    },
    /// It is not.
    Denied {
        /// Why, for programs.
        denial: Denial,
        /// The code of that.
        code: ErrorCode,
        /// Why, for people.
        text: Box<str>,
    },
}

/// Why somebody may not come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Denial {
    /// It is in already.
    AlreadyIn,
    /// The season has begun or is over.
    Closed,
    /// Another season is open.
    UnknownSeason,
    /// Only those on the roster may come.
    NotOnRoster,
    /// Its team has somebody else.
    TeamTaken,
    /// The other half of its team did not come.
    TeamIncomplete,
    /// There is no place left.
    Full,
    /// It needs the operator's leave.
    LeaveNeeded,
    /// Something else.
    Other,
}
