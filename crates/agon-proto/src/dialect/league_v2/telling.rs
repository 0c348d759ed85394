//! How `league.v2` spells what a manager tells.
//!
//! Spec: docs/protocol/season.md

use crate::announcement::{
    Announcement, RoundBeginning, RoundEnd, SeasonEnd, TableAfter, TableRow,
};
use crate::dialect::Abilities;
use crate::joining::{AdmissionDecision, Applying};
use crate::message::{
    FinalRow, LeagueCompleted, LeagueRegisterResponse, LeagueStandingsUpdate, Message, PlayerMeta,
    PlayerWithdrawn, RefereeMeta, RefereeRegisterResponse, RegistrationStatus, RoundAnnouncement,
    RoundCompleted,
};
use crate::{AgentId, ConversationId, LeagueId, Role, RoundId};

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

impl From<PlayerMeta> for Applying {
    fn from(meta: PlayerMeta) -> Self {
        Self {
            role: Some(Role::Player),
            name: Some(meta.display_name),
            version: Some(meta.version),
            games: Some(meta.game_types),
            contact: meta.contact_endpoint.into(),
            also: None,
            protocol: meta.protocol_version,
            group: None,
            season: None,
            capacity: None,
            says_told: false,
            keeps_token: meta.keeps_token,
            code: None,
        }
    }
}

/// What a referee says besides what everybody says.
impl From<RefereeMeta> for Applying {
    fn from(meta: RefereeMeta) -> Self {
        let anybody = PlayerMeta {
            display_name: meta.display_name,
            version: meta.version,
            game_types: meta.game_types,
            contact_endpoint: meta.contact_endpoint,
            protocol_version: meta.protocol_version,
            keeps_token: meta.keeps_token,
        };
        Self {
            role: Some(Role::Referee),
            capacity: Some(meta.max_concurrent_matches),
            says_told: meta.says_told,
            code: meta.invitation_code,
            ..Self::from(anybody)
        }
    }
}

/// The answer to somebody who wants to be let in, as a referee or else as a player.
pub fn decide(decision: AdmissionDecision, is_referee: bool, league: &LeagueId) -> Message {
    let (agent, auth_token, heartbeat_ms, reason) = match decision {
        AdmissionDecision::Admitted { agent, token, heartbeat_ms, .. } => {
            (Some(agent), token, heartbeat_ms, None)
        }
        AdmissionDecision::Denied { code, text, .. } => {
            (None, None, None, Some(format!("{code}: {text}").into()))
        }
    };
    let (status, signed_calls) = match agent {
        Some(_) => (RegistrationStatus::Accepted, true),
        None => (RegistrationStatus::Rejected, false),
    };
    let league_id = agent.map(|_| league.clone());
    let (player_id, referee_id) = match agent {
        Some(AgentId::Player(player)) => (Some(player), None),
        Some(AgentId::Referee(referee)) => (None, Some(referee)),
        None => (None, None),
    };
    if is_referee {
        Message::from(RefereeRegisterResponse {
            status,
            referee_id,
            auth_token,
            league_id,
            signed_calls,
            heartbeat_ms,
            reason,
        })
    } else {
        Message::from(LeagueRegisterResponse {
            status,
            player_id,
            auth_token,
            league_id,
            signed_calls,
            reason,
        })
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
