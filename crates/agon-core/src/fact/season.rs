//! What becomes true only where seasons have names and agents write letters: who was told, has
//! checked in, and said what of a match.

use agon_proto::act::StatusReport;
use agon_proto::{Address, MatchId, PlayerId, RoundId, SeasonId, Timestamp, micros};
use serde::{Deserialize, Serialize};

use super::Order;

/// What the manager of such a league writes down besides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum SeasonFact {
    /// Everybody who is expected was told of the season.
    SeasonAnnounced {
        season: SeasonId,
        /// The season begins by itself from then on.
        until: Option<Timestamp>,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// Somebody wanted to be in the season, may not, and was told so.
    TurnedAway {
        address: Address,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// Somebody wanted to be told of the season, and was.
    Introduced {
        address: Address,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// Somebody has the season's table.
    Acknowledged {
        address: Address,
        /// In how many games it found itself.
        received: u32,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// Everybody was asked whether they are there for that round.
    CheckInOpened {
        round: RoundId,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// Somebody is.
    CheckedIn {
        round: RoundId,
        address: Address,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// A player says how a game ended for it. It changes no result.
    Evidence {
        match_id: MatchId,
        player: PlayerId,
        report: Box<StatusReport>,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// The operator has the season forgotten, and another one opens. What was dealt with stays so.
    SeasonReset {
        /// The new one.
        season: SeasonId,
        /// The first two digits of its game ids.
        number: u32,
        order: Order,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// What that player says and what the referee says cannot both be true.
    Contradicted {
        match_id: MatchId,
        player: PlayerId,
        #[serde(with = "micros")]
        at: Timestamp,
    },
}

impl SeasonFact {
    /// When it became true.
    pub const fn at(&self) -> Timestamp {
        match self {
            Self::SeasonAnnounced { at, .. }
            | Self::TurnedAway { at, .. }
            | Self::Introduced { at, .. }
            | Self::Acknowledged { at, .. }
            | Self::CheckInOpened { at, .. }
            | Self::CheckedIn { at, .. }
            | Self::Evidence { at, .. }
            | Self::SeasonReset { at, .. }
            | Self::Contradicted { at, .. } => *at,
        }
    }
}
