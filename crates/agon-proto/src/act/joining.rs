//! Joining a league: what an agent says of itself, and what becomes of it.
//!
//! Spec: docs/protocol/registration.md

use crate::{
    AgentId, AuthToken, Contact, DisplayName, ErrorCode, GameType, GroupId, InvitationCode,
    LeagueId, Role, SeasonId,
};

/// Somebody wants to be let in. What a dialect has no word for is left out.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Applying {
    /// As what, if it says so.
    pub role: Option<Role>,
    /// Its name for people.
    pub name: Option<DisplayName>,
    /// What it calls itself: a referee's id.
    pub participant: Option<DisplayName>,
    /// The agent's own version.
    pub version: Option<DisplayName>,
    /// What it can play or referee; `None` if its dialect leaves no choice.
    pub games: Option<Vec<GameType>>,
    /// Where it is reached, if not where it writes from.
    pub contact: Option<Contact>,
    /// Where it is reached as well, by another way: a referee by call that has a mailbox too.
    pub also: Option<Contact>,
    /// The version of the protocol that it speaks.
    pub protocol: Option<DisplayName>,
    /// Its team. Some players never say it.
    pub group: Option<GroupId>,
    /// The season; `None` or empty is the one that is open.
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
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Decided {
    /// As what it comes, if that is said.
    pub role: Option<Role>,
    /// Why it is not let in; `None`: it is.
    pub denial: Option<Denial>,
    /// The code of that.
    pub code: Option<ErrorCode>,
    /// For people.
    pub text: Option<Box<str>>,
    /// Who it is from now on, where the league numbers its agents.
    pub agent: Option<AgentId>,
    /// The league.
    pub league: Option<LeagueId>,
    /// The season, where seasons have names.
    pub season: Option<SeasonId>,
    /// What proves it from now on. Never by mail.
    pub token: Option<AuthToken>,
    /// Whether the manager's own calls carry a derived token.
    pub signed_calls: bool,
    /// How often a referee is to say that it is there.
    pub heartbeat_ms: Option<u32>,
    /// After so long the manager tries whether it can be called where it says.
    pub probe_ms: Option<u32>,
    /// The operator has to say yes first: until then it gets no match.
    pub pending: bool,
    /// Its name here, if that is another than it wanted.
    pub name: Option<DisplayName>,
    /// The registration's id, where there is one.
    pub registration: Option<Box<str>>,
}

/// Why somebody may not come.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// Something else, in the manager's word for it, if it has one.
    Other(Box<str>),
}
