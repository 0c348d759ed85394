//! What a player remembers of its matches.

use agon_proto::message::{GameOver, Record, ResultStatus};
use agon_proto::tool::{PlayedMatch, PlayedResult};
use agon_proto::{MatchId, PlayerId, Timestamp};

/// Matches in the order in which the news of their end came. Each counts once.
#[derive(Debug, Default)]
pub struct History {
    matches: Vec<PlayedMatch>,
    /// In order. The newest match is nearly always the last, so nothing has to move.
    known: Vec<MatchId>,
    record: Record,
}

impl History {
    pub fn matches(&self) -> &[PlayedMatch] {
        &self.matches
    }

    pub fn record(&self) -> Record {
        self.record
    }

    pub(super) fn contains(&self, match_id: MatchId) -> bool {
        self.place(match_id).is_ok()
    }

    fn place(&self, match_id: MatchId) -> Result<usize, usize> {
        match self.known.last() {
            Some(last) if *last >= match_id => self.known.binary_search(&match_id),
            Some(_) | None => Err(self.known.len()),
        }
    }

    pub(super) fn add(&mut self, played: PlayedMatch) {
        let Err(place) = self.place(played.match_id) else {
            return;
        };
        self.known.insert(place, played.match_id);
        match played.result {
            PlayedResult::Win => self.record.wins += 1,
            PlayedResult::Loss => self.record.losses += 1,
            PlayedResult::Draw => self.record.draws += 1,
            PlayedResult::Cancelled => {}
        }
        self.matches.push(played);
    }
}

/// The news of a match's end, from one player's side.
pub(super) fn played(
    me: PlayerId,
    opponent: Option<PlayerId>,
    said: &GameOver,
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
    }
}
