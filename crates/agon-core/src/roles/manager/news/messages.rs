//! News for those who are called: the messages that tell it.
//!
//! Spec: docs/protocol/season.md

use agon_proto::act::Act;
use agon_proto::message::{
    Champion, FinalRow, LeagueCompleted, LeagueStandingsUpdate, PlayerWithdrawn, RoundAnnouncement,
    RoundCompleted, StandingsRow,
};
use agon_proto::{ConversationId, Dialogue, RoundId, Sender, Timestamp};

use super::{News, Times};
use crate::effect::{Broadcast, Topic};
use crate::league::League;

impl News {
    /// The messages that tell this, in their order, to nobody yet. What has none goes unsaid.
    pub(in crate::roles::manager) fn in_messages(
        self,
        league: &League,
        now: Timestamp,
    ) -> Vec<Broadcast> {
        let league_id = league.settings.league_id.clone();
        let told = |conversation, act| told(conversation, act, now);
        match self {
            Self::RoundBegins { matches, times } => {
                let (round_id, matches) = (league.season.round(), matches.into());
                let repeated = times == Times::Again;
                let said = RoundAnnouncement { league_id, round_id, matches, repeated };
                vec![told(ConversationId::RoundAnnounce(round_id), said.into())]
            }
            Self::RoundOver { round, times, .. } => {
                let said = round_completed(league, round, times);
                let over = told(ConversationId::RoundComplete(round), said.into());
                let table = league.is_told_whole().then(|| league.table(usize::MAX));
                let table = table.map(|rows| standings(league, round, rows, now));
                table.into_iter().chain([over]).collect()
            }
            Self::Table(rows) => {
                vec![standings(league, league.season.rounds_completed(), rows, now)]
            }
            Self::SeasonOver => {
                let said = league_completed(league).into_iter();
                said.map(|said| told(ConversationId::LeagueComplete, said.into())).collect()
            }
            Self::Withdrawn { player, reason, .. } => {
                let said = PlayerWithdrawn { league_id, player_id: player, reason };
                let conversation = ConversationId::new(&format!("conv-withdrawn-{player}"));
                vec![told(conversation, said.into())]
            }
            // In the words of its round.
            Self::PlayedAgain { announced, attempt } => {
                let match_id = announced.match_id;
                let conversation = format!("conv-again-{match_id}-{attempt:03}");
                let (round_id, matches) = (match_id.round, vec![announced].into());
                let said = RoundAnnouncement { league_id, round_id, matches, repeated: false };
                vec![told(ConversationId::new(&conversation), said.into())]
            }
            Self::Opened
            | Self::Schedule { .. }
            | Self::CheckIn { .. }
            | Self::Halt { .. }
            | Self::Voided { .. } => Vec::new(),
        }
    }
}

/// To nobody yet.
fn told(conversation_id: ConversationId, act: Act, timestamp: Timestamp) -> Broadcast {
    let head = Dialogue { sender: Sender::LeagueManager, timestamp, conversation_id };
    Broadcast { head, topic: Topic::News, act, recipients: Vec::new() }
}

fn round_completed(league: &League, round: RoundId, times: Times) -> RoundCompleted {
    let summary = league.season.summary(round);
    RoundCompleted {
        league_id: league.settings.league_id.clone(),
        round_id: round,
        matches_played: summary.total_matches,
        matches_completed: summary.total_matches,
        next_round_id: league.goes_on_after(round).then_some(round + 1),
        summary,
        repeated: times == Times::Again,
    }
}

/// The table: only the newest counts.
fn standings(
    league: &League,
    round_id: RoundId,
    rows: Vec<StandingsRow>,
    now: Timestamp,
) -> Broadcast {
    let (league_id, standings) = (league.settings.league_id.clone(), rows.into());
    let said = LeagueStandingsUpdate { league_id, round_id, standings };
    let news = told(ConversationId::RoundStandings(round_id), said.into(), now);
    Broadcast { topic: Topic::Standings, ..news }
}

/// How the season ended; `None` as long as it has not.
fn league_completed(league: &League) -> Option<LeagueCompleted> {
    let player_id = league.season.champion()?;
    let StandingsRow { display_name, points, .. } = league.row(1, player_id)?;
    let final_row = |row: &StandingsRow| FinalRow {
        rank: row.rank,
        player_id: row.player_id,
        points: row.points,
    };
    Some(LeagueCompleted {
        league_id: league.settings.league_id.clone(),
        total_rounds: league.season.rounds(),
        total_matches: league.season.completed(),
        champion: Champion { player_id, display_name, points },
        final_standings: league.table(league.told_at_the_end()).iter().map(final_row).collect(),
    })
}
