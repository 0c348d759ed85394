//! How `league.v2` spells what a manager tells.
//!
//! Spec: docs/protocol/season.md

use crate::announcement::{
    Announcement, RoundBeginning, RoundEnd, SeasonEnd, TableAfter, TableRow,
};
use crate::dialect::Abilities;
use crate::message::{
    FinalRow, LeagueCompleted, LeagueStandingsUpdate, Message, PlayerWithdrawn, RoundAnnouncement,
    RoundCompleted,
};
use crate::{ConversationId, LeagueId, RoundId};

pub(in crate::dialect) const ABILITIES: Abilities = Abilities {
    assigns: true,
    attempts: true,
    teams: false,
    seasons: false,
    rounds_max: u32::MAX,
    agents_max: u32::MAX,
    seasons_max: u32::MAX,
};

/// A message and its conversation; and whether only the newest of its kind counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Spelled {
    /// What is said.
    pub message: Message,
    /// In which conversation.
    pub conversation: ConversationId,
    /// Whether an older one of its kind is of no use any more.
    pub replaces: bool,
}

impl Spelled {
    fn new(conversation: ConversationId, message: impl Into<Message>) -> Self {
        Self { message: message.into(), conversation, replaces: false }
    }
}

/// The messages that tell this, in their order.
pub fn spell(news: Announcement, league: &LeagueId) -> Vec<Spelled> {
    let league_id = league.clone();
    match news {
        Announcement::RoundBegins(RoundBeginning { round, matches, repeated, .. }) => {
            let matches = matches.into();
            let said = RoundAnnouncement { league_id, round_id: round, matches, repeated };
            vec![Spelled::new(ConversationId::RoundAnnounce(round), said)]
        }
        Announcement::RoundOver(RoundEnd { round, table, summary, next, repeated, .. }) => {
            let said = RoundCompleted {
                league_id,
                round_id: round,
                matches_played: summary.total_matches,
                matches_completed: summary.total_matches,
                next_round_id: next,
                summary,
                repeated,
            };
            let over = Spelled::new(ConversationId::RoundComplete(round), said);
            table.map(|table| standings(table, league)).into_iter().chain([over]).collect()
        }
        Announcement::Table(table) => vec![standings(table, league)],
        Announcement::SeasonOver(SeasonEnd { rounds, matches, champion, rows, .. }) => {
            let said = LeagueCompleted {
                league_id,
                total_rounds: rounds,
                total_matches: matches,
                champion,
                final_standings: rows.iter().map(final_row).collect(),
            };
            vec![Spelled::new(ConversationId::LeagueComplete, said)]
        }
        Announcement::Withdrawn { player, reason, .. } => {
            let said = PlayerWithdrawn { league_id, player_id: player, reason };
            let conversation = ConversationId::new(&format!("conv-withdrawn-{player}"));
            vec![Spelled::new(conversation, said)]
        }
        // In the words of its round.
        Announcement::PlayedAgain { announced, attempt } => {
            let match_id = announced.match_id;
            let conversation = format!("conv-again-{match_id}-{attempt:03}");
            let said = RoundAnnouncement {
                league_id,
                round_id: match_id.round,
                matches: vec![announced].into(),
                repeated: false,
            };
            vec![Spelled::new(ConversationId::new(&conversation), said)]
        }
        Announcement::Opened(_)
        | Announcement::Schedule(_)
        | Announcement::CheckIn { .. }
        | Announcement::Halt { .. }
        | Announcement::Voided { .. } => Vec::new(),
    }
}

fn standings(TableAfter { round, rows }: TableAfter, league: &LeagueId) -> Spelled {
    let conversation = ConversationId::RoundStandings(round);
    let standings: Vec<_> = rows.into_iter().map(|row| row.row).collect();
    let round_id: RoundId = round;
    let (league_id, standings) = (league.clone(), standings.into());
    let said = LeagueStandingsUpdate { league_id, round_id, standings };
    Spelled { replaces: true, ..Spelled::new(conversation, said) }
}

fn final_row(TableRow { row, .. }: &TableRow) -> FinalRow {
    FinalRow { rank: row.rank, player_id: row.player_id, points: row.points }
}
