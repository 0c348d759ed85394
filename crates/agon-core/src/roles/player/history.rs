//! What a player remembers of its matches, and how it stands: by call its history, by letter
//! PlayerStandings, for our program to use.
//!
//! By letter our own scores count at once. The league's table counts for every round up to its own;
//! what we played since is added to it.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::act::{RoundWinner, StandingRow, Worth};
use agon_proto::known::{GameStatus, PlayerStandings, RoundResult};
use agon_proto::message::{GameOver, Record, ResultStatus};
use agon_proto::tool::{PlayedMatch, PlayedResult};
use agon_proto::{GameId, MatchId, PlayerId, Score, SeasonId, Timestamp};

use crate::agent::Agent;

/// Matches in the order in which the news of their end came. Each counts once; one that was
/// played again counts as it ended last.
#[derive(Debug, Default)]
pub struct History {
    matches: Vec<PlayedMatch>,
    /// In order, with the attempt. The newest match is nearly always the last, so nothing has to
    /// move.
    known: Vec<(MatchId, u32)>,
    record: Record,
    cancelled: u32,
}

impl History {
    pub fn matches(&self) -> &[PlayedMatch] {
        &self.matches
    }

    pub fn record(&self) -> Record {
        self.record
    }

    /// The attempt whose end is known, if any is.
    pub(super) fn attempt(&self, match_id: MatchId) -> Option<u32> {
        let place = self.place(match_id).ok()?;
        self.known.get(place).map(|(_, attempt)| *attempt)
    }

    fn place(&self, match_id: MatchId) -> Result<usize, usize> {
        match self.known.last() {
            Some((last, _)) if *last >= match_id => {
                self.known.binary_search_by_key(&match_id, |(id, _)| *id)
            }
            Some(_) | None => Err(self.known.len()),
        }
    }

    pub(super) fn add(&mut self, played: PlayedMatch) {
        let known = (played.match_id, played.attempt);
        match self.place(played.match_id) {
            Err(place) => self.known.insert(place, known),
            Ok(place) if self.known[place].1 < played.attempt => {
                self.known[place] = known;
                self.take_back(played.match_id);
            }
            Ok(_) => return,
        }
        *self.counter(played.result) += 1;
        self.matches.push(played);
    }

    /// An older attempt counts no more.
    fn take_back(&mut self, match_id: MatchId) {
        let place = self.matches.iter().position(|played| played.match_id == match_id);
        if let Some(place) = place {
            let before = self.matches.remove(place);
            *self.counter(before.result) -= 1;
        }
    }

    fn counter(&mut self, result: PlayedResult) -> &mut u32 {
        match result {
            PlayedResult::Win => &mut self.record.wins,
            PlayedResult::Loss => &mut self.record.losses,
            PlayedResult::Draw => &mut self.record.draws,
            PlayedResult::Cancelled => &mut self.cancelled,
        }
    }
}

/// The news of a match's end, from one player's side.
pub(super) fn played(
    me: PlayerId,
    opponent: Option<PlayerId>,
    (said, attempt): (&GameOver, u32),
    timestamp: Timestamp,
) -> PlayedMatch {
    let over = &said.game_result;
    let other = over.choices.iter().map(|(player, _)| player).find(|player| *player != me);
    let winner = over.winner_player_id;
    let opponent_id = opponent
        .filter(|id| id.number() > 0)
        .or(other)
        .or(winner.filter(|winner| *winner != me))
        .unwrap_or(PlayerId::new(0));
    PlayedMatch {
        match_id: said.match_id,
        opponent_id,
        result: ended_for(me, over.status, winner),
        my_choice: over.choices.get(me),
        opponent_choice: over.choices.get(opponent_id),
        drawn_number: over.drawn_number,
        timestamp,
        attempt,
    }
}

/// How a match ended for one of its players.
pub fn ended_for(me: PlayerId, status: ResultStatus, winner: Option<PlayerId>) -> PlayedResult {
    match status {
        ResultStatus::Cancelled | ResultStatus::Aborted => PlayedResult::Cancelled,
        ResultStatus::Draw => PlayedResult::Draw,
        ResultStatus::Win | ResultStatus::TechnicalLoss if winner == Some(me) => PlayedResult::Win,
        ResultStatus::Win | ResultStatus::TechnicalLoss => PlayedResult::Loss,
    }
}

/// What we know of our place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Standings {
    /// Every game that is over, and whether it counts: what was broken off does not.
    history: Vec<(RoundResult, bool)>,
    /// Our row of the newest table, and the round after which it was made.
    told: Option<(u32, StandingRow)>,
}

impl Standings {
    /// A game came to its end. It counts once.
    pub(super) fn add(&mut self, game: &GameId, round_number: u32, score: &Worth) {
        let (played, counts) = self.over((game, round_number));
        if !std::mem::replace(counts, true) {
            played.league_points = score.league_points;
            played.private_score = score.private_score;
        }
    }

    /// We have failed in a game; it counts once its score is told. The first reason is the one.
    pub(super) fn fail(&mut self, place: (&GameId, u32), status: GameStatus, error: &str) {
        let (played, _) = self.over(place);
        if played.error.is_none() {
            (played.status, played.error) = (status, Some(error.into()));
        }
    }

    /// That game, which is over for us.
    fn over(&mut self, (game, round_number): (&GameId, u32)) -> (&mut RoundResult, &mut bool) {
        let known = self.history.iter().position(|(played, _)| played.game == *game);
        let place = known.unwrap_or_else(|| {
            let (league_points, private_score, won) = (0, Score::ZERO, None);
            let (game, status, error) = (game.clone(), GameStatus::Completed, None);
            self.history.push((
                RoundResult {
                    game,
                    round_number,
                    league_points,
                    private_score,
                    won,
                    status,
                    error,
                },
                false,
            ));
            self.history.len() - 1
        });
        let (played, counts) = &mut self.history[place];
        (played, counts)
    }

    /// The league's table after that round; without a round it is the last one. An older table than
    /// the one that we know changes nothing.
    pub(super) fn rank(&mut self, round: Option<u32>, row: Option<&StandingRow>) {
        let round = round.unwrap_or(u32::MAX);
        let is_newer = self.told.as_ref().is_none_or(|(known, _)| *known <= round);
        if let Some(row) = row.filter(|_| is_newer) {
            self.told = Some((round, row.clone()));
        }
    }

    /// Who won which game.
    pub(super) fn win(&mut self, me: &Agent, winners: &[RoundWinner]) {
        for RoundWinner { game, winner } in winners {
            let ours = self.history.iter_mut().find(|(played, _)| played.game == *game);
            if let Some((played, _)) = ours {
                let is_me = |name: &str| is_me(me, name);
                played.won = Some(winner.as_ref().is_some_and(|group| is_me(group.as_str())));
            }
        }
    }

    /// As our program sees it.
    pub(super) fn shown(&self, season: Option<&SeasonId>, round_number: u32) -> PlayerStandings {
        let (until, row) = match &self.told {
            Some((round, row)) => (*round, Some(row)),
            None => (0, None),
        };
        let counting = || self.history.iter().filter(|(_, counts)| *counts).map(|(it, _)| it);
        let since = || counting().filter(|played| played.round_number > until);
        let played_since = u32::try_from(since().count()).unwrap_or(u32::MAX);
        let points_since: u32 = since().map(|played| played.league_points).sum();
        let won = |played: &&RoundResult| played.won == Some(true);
        let count = |many: usize| u32::try_from(many).unwrap_or(u32::MAX);
        let known = count(counting().count());
        let known_wins = count(counting().filter(won).count());
        let total = counting().map(|played| u64::from(played.private_score.hundredths()));
        PlayerStandings {
            season: season.cloned(),
            round_number,
            total_hundredths: total.sum(),
            league_points: row.map_or(0, |row| row.points) + points_since,
            // Some tables leave these out: what we know ourselves is the least that is true.
            games_played: known.max(row.map_or(0, |row| row.played) + played_since),
            games_won: known_wins.max(row.map_or(0, |row| row.won)),
            rank: row.map_or(0, |row| row.rank),
            history: self.history.iter().map(|(played, _)| played.clone()).collect(),
        }
    }
}

/// Our row of a table: by address, or by a name that is our address or our group.
pub(super) fn row_of<'a>(me: &Agent, rows: &'a [StandingRow]) -> Option<&'a StandingRow> {
    let by_address = rows.iter().find(|row| row.address.as_ref() == Some(&me.address));
    by_address.or_else(|| rows.iter().find(|row| is_me(me, row.participant.as_str())))
}

/// Some tables name a participant by its group, some by its address, in whatever case.
fn is_me(me: &Agent, name: &str) -> bool {
    [me.address.as_str(), me.profile.group.as_str()]
        .iter()
        .any(|ours| ours.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests;
