//! The id of a game, as letters spell it.

use crate::MatchId;
use crate::names::name;

name! {
    /// One game: seven digits, season, round and number (`0103007`); others spell it otherwise.
    GameId;
}

/// Digits of a game id: season, round and number within the round.
const DIGITS: usize = 7;

impl GameId {
    /// The game of that match in that season: `0103007`. Seasons and rounds have two digits, games
    /// three; there are no more of them in a season that is played by letters.
    pub fn of(season: u32, match_id: MatchId) -> Self {
        let MatchId { round, number } = match_id;
        Self::new(&format!("{:02}{:02}{:03}", season % 100, round % 100, number % 1000))
    }

    /// The season's number and the match, if the id ends with seven digits; `R1M1` is season 1.
    pub fn parts(&self) -> Option<(u32, MatchId)> {
        if let Ok(match_id) = self.0.parse::<MatchId>() {
            return Some((1, match_id));
        }
        let start = self.0.len().checked_sub(DIGITS)?;
        let digits = self.0.get(start..).filter(|end| end.bytes().all(|b| b.is_ascii_digit()))?;
        let number = |from: usize, to: usize| digits[from..to].parse::<u32>().ok();
        let match_id = MatchId::new(number(2, 4)?, number(4, 7)?);
        (match_id.round > 0 && match_id.number > 0).then_some((number(0, 2)?, match_id))
    }

    /// The match, if the id says which one.
    pub fn match_id(&self) -> Option<MatchId> {
        self.parts().map(|(_, match_id)| match_id)
    }
}

#[cfg(test)]
mod tests;
