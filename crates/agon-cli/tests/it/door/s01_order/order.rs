//! The order in which one player hears of a season, and what is wrong with what it heard.
//!
//! Of news only the first time counts: after a restart all that somebody may have missed is told
//! again. What is asked must be in order in every attempt.

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
#[derive(Debug, Clone)]
pub(super) struct Heard {
    pub(super) kind: String,
    pub(super) round: u32,
    /// Of what is about a match. Whoever waits for it does not mind.
    attempt: u32,
}

impl PartialEq for Heard {
    fn eq(&self, other: &Self) -> bool {
        (&self.kind, self.round) == (&other.kind, other.round)
    }
}

impl Heard {
    pub(super) fn new(kind: &str, round: u32) -> Self {
        Self { kind: kind.to_owned(), round, attempt: 0 }
    }

    pub(super) fn of(message: &Value) -> Self {
        let round = message["round_id"].as_u64().map(|round| u32::try_from(round).unwrap());
        // `R2M1` is a match of round 2.
        let of_match = || message["match_id"].as_str()?[1..].split('M').next()?.parse().ok();
        let kind = message["message_type"].as_str().unwrap();
        // `conv-r2m1-002` is the second attempt.
        let conversation = message["conversation_id"].as_str().unwrap_or_default();
        let attempt = conversation.rsplit('-').next().and_then(|number| number.parse().ok());
        let attempt = attempt.unwrap_or(0);
        Self { attempt, ..Self::new(kind, round.or_else(of_match).unwrap_or(0)) }
    }

    fn is_question(&self) -> bool {
        ["GAME_INVITATION", "CHOOSE_PARITY_CALL"].contains(&self.kind.as_str())
    }

    /// Whether that must not come any more once this has.
    fn ends(&self, question: &Self) -> bool {
        let same = self.round == question.round;
        same && (self.kind == "ROUND_COMPLETED"
            || self.kind == "GAME_OVER" && self.attempt >= question.attempt
            || self.is_question() && self.attempt > question.attempt)
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
    missing.chain(early).chain(asked_wrongly(heard)).collect()
}

/// What was asked after its attempt or its round had ended, or without an invitation.
fn asked_wrongly(heard: &[Heard]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (place, question) in heard.iter().enumerate().filter(|(_, it)| it.is_question()) {
        let before = &heard[..place];
        let name = format!("{question}, attempt {}", question.attempt);
        let end = before.iter().find(|it| it.ends(question));
        wrong.extend(end.map(|end| format!("{name} after {end}")));
        let invited = |it: &Heard| {
            *it == Heard::new("GAME_INVITATION", question.round) && it.attempt == question.attempt
        };
        if question.kind != "GAME_INVITATION" && !before.iter().any(invited) {
            wrong.push(format!("{name} without an invitation"));
        }
    }
    wrong
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

#[test]
fn every_attempt_is_asked_in_order_before_the_end() {
    let told = |kind: &str, attempt| Heard { attempt, ..Heard::new(kind, 1) };
    let [invited, asked] = ["GAME_INVITATION", "CHOOSE_PARITY_CALL"];
    let good = [told(invited, 1), told(asked, 1), told(invited, 4), told(asked, 4)];
    assert_eq!(asked_wrongly(&good), Vec::<String>::new());
    let bare = [told(invited, 1), told(asked, 2)];
    let without = "CHOOSE_PARITY_CALL 1, attempt 2 without an invitation";
    assert_eq!(asked_wrongly(&bare), [without]);
    for (end, attempt) in [("GAME_OVER", 2), ("ROUND_COMPLETED", 0), (invited, 3)] {
        let late = [told(end, attempt), told(invited, 2)];
        let why = format!("GAME_INVITATION 1, attempt 2 after {end} 1");
        assert_eq!(asked_wrongly(&late), [why]);
    }
    assert_eq!(asked_wrongly(&[told("GAME_OVER", 1), told(invited, 2)]), Vec::<String>::new());
}
