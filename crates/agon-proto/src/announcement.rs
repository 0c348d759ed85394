//! What a league manager tells its agents of its own accord, whatever they speak. A dialect spells
//! it; what a dialect has no word for goes unsaid.
//!
//! Spec: docs/protocol/season.md

use serde::{Deserialize, Serialize};

use crate::message::{AnnouncedMatch, Champion, RoundSummary, StandingsRow};
use crate::{
    Address, Contact, DisplayName, GroupId, MatchId, Part, PlayerId, RoundId, Score, SeasonId,
    Timestamp,
};

/// One thing that is told to many.
#[derive(Debug, Clone, PartialEq)]
pub enum Announcement {
    /// A season is open.
    Opened(SeasonOpening),
    /// Who meets whom in the whole season, and who referees.
    Schedule(Schedule),
    /// Are you there for that round?
    CheckIn {
        /// The round that comes.
        round: RoundId,
        /// Until when an answer is of use.
        until: Timestamp,
    },
    /// A round begins.
    RoundBegins(RoundBeginning),
    /// A round is over.
    RoundOver(RoundEnd),
    /// The table was corrected.
    Table(TableAfter),
    /// The season is over.
    SeasonOver(SeasonEnd),
    /// Stop for now, go on, or forget the season.
    Halt {
        /// Which of these.
        task: Task,
        /// The how manieth time.
        number: u32,
        /// Why.
        reason: DisplayName,
    },
    /// A player plays no more.
    Withdrawn {
        /// Who.
        player: PlayerId,
        /// Its name.
        name: DisplayName,
        /// Why, in a sentence.
        reason: Box<str>,
    },
    /// A match does not count.
    Voided {
        /// Which one.
        match_id: MatchId,
        /// Why.
        reason: DisplayName,
    },
    /// A match is played again.
    PlayedAgain {
        /// Which one, with its referee.
        announced: AnnouncedMatch,
        /// The attempt that begins.
        attempt: u32,
    },
}

/// To what an agent answers with its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Task {
    /// Are you there?
    KeepAlive,
    /// Stop for now.
    Pause,
    /// Go on.
    Continue,
    /// Forget the season.
    Reset,
}

/// A season is open.
#[derive(Debug, Clone, PartialEq)]
pub struct SeasonOpening {
    /// Its name for people.
    pub name: DisplayName,
    /// How many rounds; `None` if that depends on who comes.
    pub rounds: Option<u32>,
    /// Until when agents may come; `None` if that is open.
    pub until: Option<Timestamp>,
    /// How many players are in.
    pub players: u32,
    /// How many referees are in.
    pub referees: u32,
}

/// Who meets whom in a season.
#[derive(Debug, Clone, PartialEq)]
pub struct Schedule {
    /// How many matches there are; a reader may get its own only.
    pub matches: u64,
    /// In how many rounds.
    pub rounds: u32,
    /// Who takes part in each of them.
    pub rows: Vec<ScheduleRow>,
}

/// One who takes part in a match.
#[derive(Debug, Clone, PartialEq)]
pub struct ScheduleRow {
    /// The match.
    pub match_id: MatchId,
    /// As what.
    pub part: Part,
    /// Who.
    pub party: Participant,
}

/// Somebody who plays or referees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Participant {
    /// Where it is reached.
    pub contact: Contact,
    /// Its team, where there are teams.
    pub group: Option<GroupId>,
}

/// A round begins.
#[derive(Debug, Clone, PartialEq)]
pub struct RoundBeginning {
    /// The round.
    pub round: RoundId,
    /// How many there are.
    pub rounds: u32,
    /// Its matches; in a large league those of the reader alone.
    pub matches: Vec<AnnouncedMatch>,
    /// Until when its matches must be over, if that is fixed.
    pub ends_at: Option<Timestamp>,
    /// Who is there, if everybody was asked.
    pub present: Option<Vec<Address>>,
    /// Whether it is said again because the manager was restarted.
    pub repeated: bool,
}

/// The table after a round.
#[derive(Debug, Clone, PartialEq)]
pub struct TableAfter {
    /// The last round that is counted.
    pub round: RoundId,
    /// Best first; in a large league its top and the reader.
    pub rows: Vec<TableRow>,
}

/// One row of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct TableRow {
    /// What it says.
    pub row: StandingsRow,
    /// Of whom.
    pub party: Participant,
    /// What its matches were worth on average, where they are worth something by themselves.
    pub average: Option<Score>,
}

/// A round is over.
#[derive(Debug, Clone, PartialEq)]
pub struct RoundEnd {
    /// The round.
    pub round: RoundId,
    /// The table after it; `None` if everybody was told its own part of it.
    pub table: Option<TableAfter>,
    /// How its matches ended.
    pub summary: RoundSummary,
    /// How many of them somebody reported.
    pub reported: u32,
    /// Who won each of them.
    pub winners: Vec<(MatchId, Option<GroupId>)>,
    /// The round that comes, if there is one.
    pub next: Option<RoundId>,
    /// Whether it is said again because the manager was restarted.
    pub repeated: bool,
}

/// The season is over.
#[derive(Debug, Clone, PartialEq)]
pub struct SeasonEnd {
    /// Its name for people.
    pub name: DisplayName,
    /// How many rounds it had.
    pub rounds: u32,
    /// How many matches.
    pub matches: u64,
    /// Who won.
    pub champion: Champion,
    /// The final table; in a large league its top.
    pub rows: Vec<TableRow>,
}

/// Which season of which league something is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeasonName {
    /// The season.
    pub id: SeasonId,
    /// Its number, in the ids of its games.
    pub number: u32,
}
