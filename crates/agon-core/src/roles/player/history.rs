//! What a player remembers of its matches.

use agon_proto::message::{GameOver, Record, ResultStatus};
use agon_proto::tool::{PlayedMatch, PlayedResult};
use agon_proto::{MatchId, PlayerId, Timestamp};

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
    let result = match over.status {
        ResultStatus::Cancelled | ResultStatus::Aborted => PlayedResult::Cancelled,
        ResultStatus::Draw => PlayedResult::Draw,
        ResultStatus::Win | ResultStatus::TechnicalLoss if winner == Some(me) => PlayedResult::Win,
        ResultStatus::Win | ResultStatus::TechnicalLoss => PlayedResult::Loss,
    };
    PlayedMatch {
        match_id: said.match_id,
        opponent_id,
        result,
        my_choice: over.choices.get(me),
        opponent_choice: over.choices.get(opponent_id),
        drawn_number: over.drawn_number,
        timestamp,
        attempt,
    }
}
