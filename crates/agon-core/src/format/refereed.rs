//! Round robin with dedicated referees: everybody meets everybody, and each match has its referee
//! by rotation.
//!
//! A referee gets as many matches as any other, give or take one, and never the same player's for
//! ever. With fewer referees than matches in a round some have several of them. More rounds than a
//! round robin has begin it again with the seats swapped.
//!
//! Spec: docs/decisions.md

use agon_proto::{MatchId, RefereeId};

use super::round_robin::RoundRobin;

/// The schedule of `players` players and `referees` referees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refereed {
    pairs: RoundRobin,
    referees: u32,
}

impl Refereed {
    /// `rounds` of 0 are as many as everybody needs to meet everybody.
    pub const fn new(players: u32, referees: u32, rounds: u32) -> Self {
        let pairs = RoundRobin::new(players);
        let pairs = if rounds == 0 { pairs } else { pairs.with_rounds(rounds) };
        Self { pairs, referees }
    }

    /// Who meets whom.
    pub(super) const fn pairs(self) -> RoundRobin {
        self.pairs
    }

    /// Who referees that match.
    pub(super) fn referee_of(self, id: MatchId) -> Option<RefereeId> {
        self.pairs.fixture(id).filter(|_| self.referees > 0)?;
        let matches = u64::from(self.pairs.matches_per_round());
        let referees = u64::from(self.referees);
        // Counting through all matches is fair; but where a round divides evenly everybody would
        // keep the same number, and match 1 is always the same player's: then each moves on by one.
        let step = if matches.is_multiple_of(referees) { matches + 1 } else { matches };
        let turn = u64::from(id.round - 1) * step + u64::from(id.number - 1);
        u32::try_from(turn % referees).ok().map(|turn| RefereeId::new(turn + 1))
    }
}
