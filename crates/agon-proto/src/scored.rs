//! A referee's report of a match in which each player earns a score of its own, whatever dialect it
//! came in. Who is meant by a name, the league knows.
//!
//! Spec: docs/protocol/match.md

use crate::dialect::q21::StatedScore;
use crate::message::{Blame, Cause};
use crate::{Address, GroupId};

/// How a match ended, in scores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoredReport {
    /// Whether it came to its end.
    pub completed: bool,
    /// Who won; `None` if nobody did, or nobody says.
    pub winner: Option<GroupId>,
    /// Whether it is said to be a draw.
    pub is_draw: bool,
    /// What each player got.
    pub rows: Vec<ScoredRow>,
    /// Whether each player had its score when the match was broken off, if that is said.
    pub reached: Vec<(Named, bool)>,
    /// For whom the referee waited in vain, by team or address.
    pub awaited: Option<Box<str>>,
    /// What happened if a player failed, as far as the report lets one guess.
    pub presumed: Cause,
    /// What happened, if the report says it in our words.
    pub cause: Option<Cause>,
    /// Who caused it, if it does.
    pub blame: Option<Blame>,
}

/// What one player got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoredRow {
    /// Who.
    pub player: Named,
    /// League points as the referee counts them.
    pub points: Option<u32>,
    /// What its play was worth, if that is said.
    pub score: Option<StatedScore>,
    /// Whether it is said to have lost without playing.
    pub failed: bool,
}

/// Somebody, as a report names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// By its team, or by whatever the referee calls it.
    pub group: GroupId,
    /// By its address, if that is said.
    pub address: Option<Address>,
}
