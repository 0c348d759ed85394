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
    Champion, FinalRow, LeagueCompleted, LeagueError, LeagueStandingsUpdate, PlayerWithdrawn,
    RoundAnnouncement, RoundCompleted, StandingsRow,
};
use agon_proto::{ConversationId, Dialogue, ErrorCode, GameId, RoundId, Sender, Timestamp};

use super::{News, Times};
use crate::SeasonSettings;
use crate::effect::{Broadcast, Topic};
use crate::league::League;

/// A broadcast, without its envelope.
pub(crate) struct Bulletin {
    /// The same however often it is written: `bc-newround-S01-R1`.
    pub(crate) id: String,
    /// The round that it is about.
    pub(crate) round: Option<RoundId>,
    pub(crate) act: Act,
    /// After this nobody wants it any more.
    pub(crate) until: Option<Timestamp>,
}

impl News {
    /// The messages that tell this, in their order, to nobody yet. What has none goes unsaid.
    pub(crate) fn in_messages(self, league: &League, now: Timestamp) -> Vec<Broadcast> {
        let league_id = league.settings.league_id.clone();
        let told = |conversation_id, act| {
            let head = Dialogue { sender: Sender::LeagueManager, timestamp: now, conversation_id };
            Broadcast { head, topic: Topic::News, act, recipients: Vec::new() }
        };
        // Of the table only the newest counts.
        let table = |round_id, rows: Vec<StandingsRow>| {
            let (league_id, standings) = (league.settings.league_id.clone(), rows.into());
            let said = LeagueStandingsUpdate { league_id, round_id, standings };
            let news = told(ConversationId::RoundStandings(round_id), said.into());
            Broadcast { topic: Topic::Standings, ..news }
        };
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
                let whole = league.is_told_whole().then(|| league.table(usize::MAX));
                whole.map(|rows| table(round, rows)).into_iter().chain([over]).collect()
            }
            Self::Table(rows) => vec![table(league.season.rounds_completed(), rows)],
            Self::SeasonOver => {
                let said = league_completed(league).into_iter();
                said.map(|said| told(ConversationId::LeagueComplete, said.into())).collect()
            }
            Self::Withdrawn { player, reason, .. } => {
                let said = PlayerWithdrawn { league_id, player_id: player, reason };
                let conversation = ConversationId::new(&format!("conv-withdrawn-{player}"));
                vec![told(conversation, said.into())]
            }
            Self::Dismissed { who, number, problem } => {
                let said = LeagueError::new(ErrorCode::AuthTokenInvalid, problem);
                let conversation = format!("conv-dismissed-{who}-{number:03}");
                vec![told(ConversationId::new(&conversation), Act::LeagueError(said.into()))]
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
    pub(crate) fn in_letters(self, league: &League) -> Vec<Bulletin> {
        let SeasonSettings { season, season_number, .. } = &league.settings.seasons;
        let once = |about: &str, act| {
            let id = format!("bc-{about}-{season}");
            Bulletin { id, round: None, act, until: None }
        };
        let one_of = |about: &str, which: &dyn Display, act| {
            let id = format!("bc-{about}-{season}-{which}");
            Bulletin { id, round: None, act, until: None }
        };
        let of_round = |about: &str, round: RoundId, act| {
            let id = format!("bc-{about}-{season}-R{round}");
            Bulletin { id, round: Some(round), act, until: None }
        };
        let free_text = |text: String| Act::FreeText(FreeText { text: text.into() });
        vec![match self {
            Self::Opened => once("startseason", start_season(league)),
            Self::Schedule { own, vouched } => {
                once("assign", Act::AssignmentTable(league.schedule_for(own, vouched)))
            }
            Self::CheckIn { round, until } => {
                let text = format!("Round {round} is about to begin: are you there?").into();
                let bulletin = of_round("keepalive", round, Act::KeepAlive(KeepAlive { text }));
                Bulletin { until: Some(until), ..bulletin }
            }
            Self::RoundBegins { .. } => {
                of_round("newround", league.season.round(), new_round(league))
            }
            // First that it is over, then what it brought.
            Self::RoundOver { round, reported, .. } => {
                let over = of_round("endround", round, end_round(league, round, reported));
                return vec![over, of_round("results", round, round_results(league, round))];
            }
            Self::SeasonOver if league.season.champion.is_some() => {
                once("completed", completed(league))
            }
            Self::Halt { task, number, reason } => {
                let halt = Halt { reason: reason.as_str().into() };
                match task {
                    Task::KeepAlive => return Vec::new(),
                    Task::Pause => one_of("pause", &number, Act::Pause(halt)),
                    Task::Continue => one_of("continue", &number, Act::Continue(halt)),
                    Task::Reset => once("reset", Act::Reset(halt)),
                }
            }
            Self::Withdrawn { player, name, reason } => {
                let told = free_text(format!("{name} plays no more: {reason}"));
                one_of("withdrawn", &player, told)
            }
            Self::Dismissed { who, number, problem } => {
                one_of("dismissed", &format!("{who}-{number}"), free_text(problem.into()))
            }
            Self::Voided { match_id, reason } => {
                let game = GameId::of(*season_number, match_id);
                one_of("void", &game, free_text(format!("Game {game} does not count: {reason}")))
            }
            // The table of the season is final, and each round's is told with its end.
            Self::Table(_) | Self::PlayedAgain { .. } | Self::SeasonOver => return Vec::new(),
        }]
    }
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

/// How the season ended; `None` as long as it has not.
fn league_completed(league: &League) -> Option<LeagueCompleted> {
    let player_id = league.season.champion?;
    let StandingsRow { display_name, points, .. } = league.row(1, player_id)?;
    let final_row = |row: &StandingsRow| FinalRow {
        rank: row.rank,
        player_id: row.player_id,
        points: row.points,
    };
    Some(LeagueCompleted {
        league_id: league.settings.league_id.clone(),
        total_rounds: league.season.rounds(),
        total_matches: league.season.completed,
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

fn end_round(league: &League, number: RoundId, matches_completed: u32) -> Act {
    let matches_total = league.season.summary(number).total_matches;
    Act::EndRound(EndRound { number, matches_completed, matches_total })
}

fn round_results(league: &League, number: RoundId) -> Act {
    let winner = |match_id| RoundWinner {
        game: GameId::of(league.settings.seasons.season_number, match_id),
        winner: league.winner(match_id),
    };
    Act::RoundResults(RoundResults {
        number,
        standings: standings(league, usize::MAX),
        results: league.season.matches_in(number).map(winner).collect(),
    })
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
            address: Some(agent.contact.address()),
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
