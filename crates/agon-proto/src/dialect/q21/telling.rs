//! How `Q21G.v1` spells what a manager tells.
//!
//! Spec: docs/protocol/q21.md

use crate::announcement::{
    Announcement, Participant, RoundBeginning, RoundEnd, Schedule, ScheduleRow, SeasonEnd,
    SeasonName, SeasonOpening, TableRow,
};
use crate::dialect::Abilities;
use crate::dialect::q21::{
    Act, AssignmentRow, AssignmentTable, EndRound, FreeText, GameId, Halt, KeepAlive, NewRound,
    RoundResults, RoundWinner, SeasonCompleted, StandingRow, StartSeason, Task,
};
use crate::{GroupId, RoundId, Timestamp};

/// A game id has two digits for its season, two for its round and three for its number.
pub(in crate::dialect) const ABILITIES: Abilities = Abilities {
    assigns: false,
    attempts: false,
    teams: true,
    seasons: true,
    rounds_max: 99,
    agents_max: 300,
    seasons_max: 99,
};

/// A broadcast, without its envelope.
#[derive(Debug, Clone, PartialEq)]
pub struct Bulletin {
    /// The same however often it is written: `bc-newround-S01-R1`.
    pub id: String,
    /// The round that it is about.
    pub round: Option<RoundId>,
    /// What it says.
    pub body: Act,
    /// After this nobody wants it any more.
    pub until: Option<Timestamp>,
}

impl Bulletin {
    /// News that there is once in a season.
    fn once(about: &str, season: &SeasonName, body: Act) -> Self {
        Self { id: format!("bc-{about}-{}", season.id), round: None, body, until: None }
    }

    /// News of which there are several in a season.
    fn one_of(about: &str, season: &SeasonName, which: impl std::fmt::Display, body: Act) -> Self {
        Self { id: format!("bc-{about}-{}-{which}", season.id), ..Self::once(about, season, body) }
    }

    fn of_round(about: &str, season: &SeasonName, round: RoundId, body: Act) -> Self {
        let which = format!("R{round}");
        Self { round: Some(round), ..Self::one_of(about, season, which, body) }
    }
}

/// The broadcasts that tell this, in their order.
pub fn spell(news: Announcement, season: &SeasonName) -> Vec<Bulletin> {
    let id = || Some(season.id.clone());
    match news {
        Announcement::Opened(opening) => {
            let body = Act::StartSeason(start_season(opening, season));
            vec![Bulletin::once("startseason", season, body)]
        }
        Announcement::Schedule(schedule) => {
            vec![Bulletin::once("assign", season, Act::AssignmentTable(table(schedule, season)))]
        }
        Announcement::CheckIn { round, until } => {
            let text = format!("Round {round} is about to begin: are you there?").into();
            let body = Act::KeepAlive(KeepAlive { text });
            let news = Bulletin::of_round("keepalive", season, round, body);
            vec![Bulletin { until: Some(until), ..news }]
        }
        Announcement::RoundBegins(RoundBeginning { round, rounds, ends_at, present, .. }) => {
            let text = format!("Round {round} of {rounds} begins").into();
            let total_rounds = Some(rounds);
            let body = NewRound { number: round, total_rounds, ends_at, present, text };
            vec![Bulletin::of_round("newround", season, round, Act::NewRound(body))]
        }
        Announcement::RoundOver(end) => round_over(end, season),
        Announcement::SeasonOver(SeasonEnd { name, rows, .. }) => {
            let standings = rows.into_iter().map(standing_row).collect();
            let text = format!("{name} is over").into();
            let body = SeasonCompleted { season: id(), standings, text };
            vec![Bulletin::once("completed", season, Act::SeasonCompleted(body))]
        }
        Announcement::Halt { task, number, reason } => {
            let halt = Halt { reason: reason.as_str().into() };
            match task {
                Task::KeepAlive => Vec::new(),
                Task::Pause => vec![Bulletin::one_of("pause", season, number, Act::Pause(halt))],
                Task::Continue => {
                    vec![Bulletin::one_of("continue", season, number, Act::Continue(halt))]
                }
                Task::Reset => vec![Bulletin::once("reset", season, Act::Reset(halt))],
            }
        }
        Announcement::Withdrawn { player, name, reason } => {
            let text = format!("{name} plays no more: {reason}").into();
            let body = Act::FreeText(FreeText { text });
            vec![Bulletin::one_of("withdrawn", season, player, body)]
        }
        Announcement::Voided { match_id, reason } => {
            let game = GameId::of(season.number, match_id);
            let text = format!("Game {game} does not count: {reason}").into();
            vec![Bulletin::one_of("void", season, game, Act::FreeText(FreeText { text }))]
        }
        // The table of the season is final, and each round's is told with its end.
        Announcement::Table(_) | Announcement::PlayedAgain { .. } => Vec::new(),
    }
}

fn start_season(opening: SeasonOpening, season: &SeasonName) -> StartSeason {
    let SeasonOpening { name, rounds, until, players, referees } = opening;
    StartSeason {
        season: season.id.clone(),
        total_rounds: rounds.unwrap_or(0),
        registration_deadline: until,
        registered_players: Some(players),
        registered_referees: Some(referees),
        text: format!("{name} opens: register now").into(),
        name,
    }
}

/// The schedule of a season, as its table says it.
pub fn table(schedule: Schedule, season: &SeasonName) -> AssignmentTable {
    let Schedule { matches, rounds, rows } = schedule;
    let rows = rows.into_iter().map(|ScheduleRow { match_id, part, party }| AssignmentRow {
        game: GameId::of(season.number, match_id),
        part,
        address: Some(party.contact.address()),
        group: party.group.unwrap_or_else(|| GroupId::new("")),
        auth_token: None,
    });
    let text = format!("{matches} games in {rounds} rounds").into();
    AssignmentTable { season: Some(season.id.clone()), rows: rows.collect(), text }
}

fn round_over(end: RoundEnd, season: &SeasonName) -> Vec<Bulletin> {
    let RoundEnd { round: number, table, summary, reported, winners, .. } = end;
    let rows = table.map(|table| table.rows).unwrap_or_default();
    let over =
        EndRound { number, matches_completed: reported, matches_total: summary.total_matches };
    let winners = winners.into_iter();
    let results = RoundResults {
        number,
        standings: rows.into_iter().map(standing_row).collect(),
        results: winners
            .map(|(match_id, winner)| RoundWinner {
                game: GameId::of(season.number, match_id),
                winner,
            })
            .collect(),
    };
    vec![
        Bulletin::of_round("endround", season, number, Act::EndRound(over)),
        Bulletin::of_round("results", season, number, Act::RoundResults(results)),
    ]
}

fn standing_row(TableRow { row, party, average }: TableRow) -> StandingRow {
    let Participant { contact, group } = party;
    StandingRow {
        rank: row.rank,
        participant: group.unwrap_or_else(|| GroupId::new("")),
        address: Some(contact.address()),
        name: Some(row.display_name),
        points: row.points,
        played: row.played,
        won: row.wins,
        drawn: row.draws,
        lost: row.losses,
        average,
    }
}
