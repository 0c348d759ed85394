//! The order in which one player hears of a season, and what is wrong with what it heard.
//!
//! Only the first time counts: after a restart all that somebody may have missed is told again.

use std::fmt;

use serde_json::Value;

/// What a round is, for a player that plays in it.
const ROUND: [&str; 6] = [
    "ROUND_ANNOUNCEMENT",
    "GAME_INVITATION",
    "CHOOSE_PARITY_CALL",
    "GAME_OVER",
    "LEAGUE_STANDINGS_UPDATE",
    "ROUND_COMPLETED",
];

/// A type of message, and the round that it is about; the end of the league is about none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Heard {
    pub(super) kind: String,
    pub(super) round: u32,
}

impl Heard {
    pub(super) fn new(kind: &str, round: u32) -> Self {
        Self { kind: kind.to_owned(), round }
    }

    pub(super) fn of(message: &Value) -> Self {
        let round = message["round_id"].as_u64().map(|round| u32::try_from(round).unwrap());
        // `R2M1` is a match of round 2.
        let of_match = || message["match_id"].as_str()?[1..].split('M').next()?.parse().ok();
        let kind = message["message_type"].as_str().unwrap();
        Self::new(kind, round.or_else(of_match).unwrap_or(0))
    }

    /// The end of the league.
    pub(super) fn end() -> Self {
        Self::new("LEAGUE_COMPLETED", 0)
    }
}

impl fmt::Display for Heard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.round)
    }
}

/// Everything that was missing, or heard before what should have come first.
pub(super) fn faults(heard: &[Heard], rounds: u32) -> Vec<String> {
    let season = (1..=rounds).flat_map(|round| ROUND.map(|kind| Heard::new(kind, round)));
    let season: Vec<_> = season.chain([Heard::end()]).collect();
    let first = |wanted: &Heard| heard.iter().position(|it| it == wanted);
    let missing = season.iter().filter(|it| first(it).is_none()).map(|it| format!("no {it}"));
    let present: Vec<_> = season.iter().filter(|it| first(it).is_some()).collect();
    let early = present.windows(2).filter(|pair| first(pair[1]) < first(pair[0]));
    let early = early.map(|pair| format!("{} before {}", pair[1], pair[0]));
    missing.chain(early).collect()
}

#[test]
fn what_is_missing_or_early_is_a_fault_and_a_repeat_is_none() {
    let season = |rounds: std::ops::RangeInclusive<u32>| {
        rounds.flat_map(|round| ROUND.map(|kind| Heard::new(kind, round)))
    };
    let good: Vec<_> = season(1..=2).chain([Heard::end()]).collect();
    assert_eq!(faults(&good, 2), Vec::<String>::new());
    let mut again = good.clone();
    again.insert(9, Heard::new("LEAGUE_STANDINGS_UPDATE", 1));
    assert_eq!(faults(&again, 2), Vec::<String>::new());
    let mut swapped = good.clone();
    swapped.swap(6, 7);
    assert_eq!(faults(&swapped, 2), ["GAME_INVITATION 2 before ROUND_ANNOUNCEMENT 2"]);
    let mut without = good;
    without.remove(4);
    assert_eq!(faults(&without, 2), ["no LEAGUE_STANDINGS_UPDATE 1"]);
}
