//! The words of news: in messages for those who are called, in broadcasts for those who are written
//! to.
//!
//! Spec: docs/protocol/season.md, docs/protocol/q21.md

use std::fmt::Display;

use agon_proto::act::{
    Act, EndRound, FreeText, Halt, KeepAlive, NewRound, RoundResults, RoundWinner, SeasonCompleted,
    StandingRow, StartSeason, Task,
};
use agon_proto::message::{
    Champion, FinalRow, LeagueCompleted, LeagueStandingsUpdate, PlayerWithdrawn, RoundAnnouncement,
    RoundCompleted, StandingsRow,
};
use agon_proto::{ConversationId, Dialogue, GameId, RoundId, Sender, Timestamp};

use super::{News, Times};
use crate::SeasonSettings;
use crate::effect::{Broadcast, Topic};
use crate::league::League;

/// A broadcast, without its envelope.
pub(in crate::roles::manager) struct Bulletin {
    /// The same however often it is written: `bc-newround-S01-R1`.
    pub(in crate::roles::manager) id: String,
    /// The round that it is about.
    pub(in crate::roles::manager) round: Option<RoundId>,
    pub(in crate::roles::manager) act: Act,
    /// After this nobody wants it any more.
    pub(in crate::roles::manager) until: Option<Timestamp>,
}

impl Bulletin {
    /// News that there is once in a season.
    fn once(about: &str, league: &League, act: Act) -> Self {
        let id = format!("bc-{about}-{}", league.settings.seasons.season);
        Self { id, round: None, act, until: None }
    }

    /// News of which there are several in a season.
    fn one_of(about: &str, league: &League, which: impl Display, act: Act) -> Self {
        let once = Self::once(about, league, act);
        Self { id: format!("{}-{which}", once.id), ..once }
    }

    fn of_round(about: &str, league: &League, round: RoundId, act: Act) -> Self {
        let which = format!("R{round}");
        Self { round: Some(round), ..Self::one_of(about, league, which, act) }
    }
}

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
                let table = table.map(|rows| standings_update(league, round, rows, now));
                table.into_iter().chain([over]).collect()
            }
            Self::Table(rows) => {
                vec![standings_update(league, league.season.rounds_completed(), rows, now)]
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

    /// The broadcasts that tell this, in their order. What has none goes unsaid.
    pub(in crate::roles::manager) fn in_letters(self, league: &League) -> Vec<Bulletin> {
        let only = |bulletin: Bulletin| vec![bulletin];
        match self {
            Self::Opened => only(Bulletin::once("startseason", league, start_season(league))),
            Self::Schedule { own, vouched } => {
                let table = Act::AssignmentTable(league.schedule_for(own, vouched));
                only(Bulletin::once("assign", league, table))
            }
            Self::CheckIn { round, until } => {
                let text = format!("Round {round} is about to begin: are you there?").into();
                let asked = Act::KeepAlive(KeepAlive { text });
                let bulletin = Bulletin::of_round("keepalive", league, round, asked);
                only(Bulletin { until: Some(until), ..bulletin })
            }
            Self::RoundBegins { .. } => {
                let round = league.season.round();
                only(Bulletin::of_round("newround", league, round, new_round(league)))
            }
            Self::RoundOver { round, reported, .. } => round_over(league, round, reported),
            Self::SeasonOver if league.season.champion().is_some() => {
                only(Bulletin::once("completed", league, completed(league)))
            }
            Self::Halt { task, number, reason } => {
                let halt = Halt { reason: reason.as_str().into() };
                match task {
                    Task::KeepAlive => Vec::new(),
                    Task::Pause => {
                        only(Bulletin::one_of("pause", league, number, Act::Pause(halt)))
                    }
                    Task::Continue => {
                        only(Bulletin::one_of("continue", league, number, Act::Continue(halt)))
                    }
                    Task::Reset => only(Bulletin::once("reset", league, Act::Reset(halt))),
                }
            }
            Self::Withdrawn { player, name, reason } => {
                let text = format!("{name} plays no more: {reason}").into();
                let told = Act::FreeText(FreeText { text });
                only(Bulletin::one_of("withdrawn", league, player, told))
            }
            Self::Voided { match_id, reason } => {
                let game = GameId::of(league.settings.seasons.season_number, match_id);
                let text = format!("Game {game} does not count: {reason}").into();
                only(Bulletin::one_of("void", league, game, Act::FreeText(FreeText { text })))
            }
            // The table of the season is final, and each round's is told with its end.
            Self::Table(_) | Self::PlayedAgain { .. } | Self::SeasonOver => Vec::new(),
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
fn standings_update(
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

fn start_season(league: &League) -> Act {
    let SeasonSettings { season, name, rounds, .. } = &league.settings.seasons;
    Act::StartSeason(StartSeason {
        season: season.clone(),
        name: name.clone(),
        total_rounds: rounds.unwrap_or(0),
        registration_deadline: league.calendar.until,
        registered_players: Some(league.registry.player_count()),
        registered_referees: Some(league.registry.referee_count()),
        text: format!("{name} opens: register now").into(),
    })
}

fn new_round(league: &League) -> Act {
    let (number, rounds) = (league.season.round(), league.season.rounds());
    let (began, _) = league.season.round_times(number).unwrap_or_default();
    let present = league.calendar.check_in_for(number);
    Act::NewRound(NewRound {
        number,
        total_rounds: Some(rounds),
        ends_at: league.round_length().map(|length| began + length),
        present: present.map(|check_in| check_in.present.iter().cloned().collect()),
        text: format!("Round {number} of {rounds} begins").into(),
    })
}

/// First that it is over, then what it brought.
fn round_over(league: &League, number: RoundId, reported: u32) -> Vec<Bulletin> {
    let matches_total = league.season.summary(number).total_matches;
    let over = EndRound { number, matches_completed: reported, matches_total };
    let season_number = league.settings.seasons.season_number;
    let winner = |match_id| RoundWinner {
        game: GameId::of(season_number, match_id),
        winner: league.winner(match_id),
    };
    let results = RoundResults {
        number,
        standings: standings(league, usize::MAX),
        results: league.season.matches_in(number).map(winner).collect(),
    };
    vec![
        Bulletin::of_round("endround", league, number, Act::EndRound(over)),
        Bulletin::of_round("results", league, number, Act::RoundResults(results)),
    ]
}

fn completed(league: &League) -> Act {
    let SeasonSettings { season, name, .. } = &league.settings.seasons;
    Act::SeasonCompleted(SeasonCompleted {
        season: Some(season.clone()),
        standings: standings(league, league.told_at_the_end()),
        text: format!("{name} is over").into(),
    })
}

fn standings(league: &League, limit: usize) -> Vec<StandingRow> {
    let row = |row: StandingsRow| {
        let agent = league.registry.player(row.player_id)?;
        Some(StandingRow {
            rank: row.rank,
            participant: agent.group(),
            address: Some(agent.address()),
            name: Some(row.display_name),
            points: row.points,
            played: row.played,
            won: row.wins,
            drawn: row.draws,
            lost: row.losses,
            average: league.average(row.player_id),
        })
    };
    league.table(limit).into_iter().filter_map(row).collect()
}
