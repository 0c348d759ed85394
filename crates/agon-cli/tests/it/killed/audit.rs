//! The books of a finished season: the journal, read without any of the manager's own folding.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use agon_core::format::{Paper, RoundRobin};
use agon_core::{LeagueFact, Outcome, Seat, Verdict};
use agon_proto::{MatchId, RefereeId};
use agon_store::Journal;
use serde_json::{Value, json};

use super::match_id;

/// One accepted result.
struct Accepted {
    attempt: u32,
    referee: RefereeId,
    verdict: Verdict,
}

pub(super) struct Audit {
    schedule: Paper,
    results: BTreeMap<MatchId, Vec<Accepted>>,
    rounds_completed: Vec<u32>,
    ends: usize,
}

/// Whether the season in that folder is over. A manager that died young has left no journal.
pub(super) fn is_complete(data: &Path) -> bool {
    let Ok(journal) = Journal::<LeagueFact>::read_only(data) else {
        return false;
    };
    let mut complete = false;
    let end = |fact: LeagueFact| complete |= matches!(fact, LeagueFact::LeagueCompleted { .. });
    journal.replay(end).unwrap();
    complete
}

/// What a table says of one player.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Tally {
    played: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    points: u32,
}

impl Audit {
    pub(super) fn of(data: &Path, players: u32) -> Self {
        let schedule = Paper::RoundRobin(RoundRobin::new(players));
        let mut audit =
            Self { schedule, results: BTreeMap::new(), rounds_completed: Vec::new(), ends: 0 };
        let mut facts = Vec::new();
        Journal::read_only(data).unwrap().replay(|fact| facts.push(fact)).unwrap();
        for fact in facts {
            if let LeagueFact::ResultAccepted { match_id, attempt, referee, verdict, .. } = fact {
                let accepted = Accepted { attempt, referee, verdict };
                audit.results.entry(match_id).or_default().push(accepted);
            } else if let LeagueFact::RoundCompleted { round, .. } = fact {
                audit.rounds_completed.push(round);
            } else if let LeagueFact::LeagueCompleted { .. } = fact {
                audit.ends += 1;
            }
        }
        audit
    }

    pub(super) fn matches(&self) -> usize {
        self.results.len()
    }

    /// Every match of the schedule has one result, every round and the season one end.
    #[track_caller]
    pub(super) fn every_match_counts_once(&self) {
        let twice: Vec<_> = self.results.iter().filter(|(_, all)| all.len() != 1).collect();
        assert!(twice.is_empty(), "{:?}", twice.iter().map(|(id, _)| *id).collect::<Vec<_>>());
        let scheduled: BTreeSet<_> = self.schedule.ids().collect();
        assert_eq!(self.results.keys().copied().collect::<BTreeSet<_>>(), scheduled);
        assert_eq!(
            self.rounds_completed,
            (1..=self.schedule.rounds()).collect::<Vec<_>>(),
            "rounds end in order, and once"
        );
        assert_eq!(self.ends, 1);
    }

    /// What any life of the manager has called accepted is what stands in the journal, and no two
    /// lives have accepted the same match.
    #[track_caller]
    pub(super) fn keeps_what_was_accepted(&self, lines: &[Value]) {
        let mut said = BTreeSet::new();
        for line in lines {
            let id = match_id(line);
            assert!(said.insert(id), "accepted twice: {line}");
            let Some([kept]) = self.results.get(&id).map(Vec::as_slice) else {
                panic!("accepted and lost: {line}");
            };
            let kept = json!([
                kept.attempt,
                kept.referee.to_string(),
                kept.verdict.status().as_str(),
                kept.verdict.cause.as_str()
            ]);
            let told = json!([line["attempt"], line["referee"], line["status"], line["cause"]]);
            assert_eq!(told, kept, "{line}");
        }
    }

    /// A table that is added up by hand is the manager's.
    #[track_caller]
    pub(super) fn agrees_with(&self, table: &Value) {
        let mut tallies = BTreeMap::<String, Tally>::new();
        let mut pairs = BTreeSet::new();
        for (id, accepted) in &self.results {
            let fixture = self.schedule.fixture(*id).unwrap();
            assert!(pairs.insert(BTreeSet::from([fixture.a, fixture.b])), "{id} met before");
            let outcome = accepted[0].verdict.outcome;
            for (seat, player) in [(Seat::A, fixture.a), (Seat::B, fixture.b)] {
                tallies.entry(player.to_string()).or_default().count(outcome, seat);
            }
        }
        let rows = table["standings"].as_array().unwrap();
        assert_eq!(rows.len(), tallies.len());
        let mut places = Vec::new();
        for row in rows {
            let number = |field: &str| u32::try_from(row[field].as_u64().unwrap()).unwrap();
            let shown = Tally {
                played: number("played"),
                wins: number("wins"),
                draws: number("draws"),
                losses: number("losses"),
                points: number("points"),
            };
            assert_eq!(shown, tallies[row["player_id"].as_str().unwrap()], "{row}");
            places.push(std::cmp::Reverse((shown.points, shown.wins)));
        }
        assert!(places.is_sorted());
    }
}

impl Tally {
    fn count(&mut self, outcome: Outcome, seat: Seat) {
        let won = match outcome {
            Outcome::Won(winner) => Some(winner == seat),
            Outcome::Forfeited(loser) => Some(loser != seat),
            Outcome::BothForfeited => Some(false),
            Outcome::Drawn => None,
            // A match that was cancelled counts for nobody.
            Outcome::Cancelled | Outcome::Void => return,
        };
        self.played += 1;
        match won {
            Some(true) => (self.wins, self.points) = (self.wins + 1, self.points + 3),
            Some(false) => self.losses += 1,
            None => (self.draws, self.points) = (self.draws + 1, self.points + 1),
        }
    }
}
