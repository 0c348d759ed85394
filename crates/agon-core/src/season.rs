//! The season: rounds, attempts, results and the table. Changes only through facts.
//!
//! Spec: docs/protocol/season.md

mod fixtures;
mod results;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use agon_proto::message::RoundSummary;
use agon_proto::tool::{ContradictedReport, LeaguePhase, RoundPhase};
use agon_proto::{MatchId, MovesHash, Payload, PlayerId, RefereeId, RoundId, Timestamp};

use crate::format::{Fixtures, Lineup, Paper};
use crate::settings::TieBreaker;
use crate::standings::Standings;
use crate::verdict::{Outcome, Seat, Verdict};
use fixtures::Pairings;
pub(crate) use results::DetailsId;
use results::{Corrections, Details};

/// A match that has its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchRecord {
    pub verdict: Verdict,
    pub referee: RefereeId,
    pub attempt: u32,
    /// Its report did not say what the verdict follows from.
    pub unverified: bool,
    /// What was played, by its place in what the season keeps.
    pub(crate) details: DetailsId,
    pub at: Timestamp,
}

/// Who holds a match, and which attempt at it this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Attempt {
    pub(crate) number: u32,
    pub(crate) referee: RefereeId,
}

/// One round that was announced.
#[derive(Debug, Default)]
struct Round {
    pairings: Pairings,
    /// One for each match; none, if nobody referees it.
    attempts: Vec<Option<Attempt>>,
    results: Vec<Option<MatchRecord>>,
    open: u32,
    announced: Timestamp,
    completed: Option<Timestamp>,
}

/// Everything between the start and the champion. A league lends it and never gives it away, so
/// whoever sees it can only read.
#[derive(Debug, Default)]
pub struct Season {
    pub phase: LeaguePhase,
    pub paused: bool,
    /// Every fixture, where they follow from the lineup.
    paper: Option<Paper>,
    /// Who takes part.
    pub lineup: Lineup,
    rounds: Vec<Round>,
    pub standings: Standings,
    details: Details,
    /// The moves of both seats in matches of the newest rounds whose reports told all of them.
    moves: BTreeMap<MatchId, [MovesHash; 2]>,
    /// Matches that have a result.
    pub completed: u64,
    pub champion: Option<PlayerId>,
    /// When the league was complete.
    pub ended: Option<Timestamp>,
    /// Matches in a row from which each player was absent.
    absences: Vec<u32>,
    withdrawn: BTreeSet<PlayerId>,
    /// Reports that did not count, by match and referee; and those that contradicted themselves.
    pub(crate) disputed: BTreeMap<(MatchId, RefereeId), Option<ContradictedReport>>,
    /// Referees that contradicted themselves. Others are preferred.
    pub(crate) distrusted: BTreeSet<RefereeId>,
    corrections: Corrections,
    /// Who held earlier attempts. Nearly no match has any.
    former: BTreeMap<(MatchId, u32), RefereeId>,
    /// What was charged to the clocks of players, in milliseconds. Nearly nobody is charged.
    charged_ms: BTreeMap<PlayerId, u64>,
    /// How many results of a player nobody could check. Nearly nobody has such.
    unverified: BTreeMap<PlayerId, u32>,
}

impl Season {
    /// Whether its lineup is settled: it is under way, or over.
    pub(crate) fn has_begun(&self) -> bool {
        matches!(self.phase, LeaguePhase::Running | LeaguePhase::Completed)
    }

    /// Whether that player plays no more.
    pub fn is_withdrawn(&self, player: PlayerId) -> bool {
        self.withdrawn.contains(&player)
    }

    /// From how many matches in a row that player was absent.
    pub(crate) fn absences(&self, player: PlayerId) -> u32 {
        let place = (player.number() as usize).checked_sub(1);
        place.and_then(|place| self.absences.get(place)).copied().unwrap_or(0)
    }

    /// What was charged to that player's clock.
    pub(crate) fn charged(&self, player: PlayerId) -> Duration {
        Duration::from_millis(self.charged_ms.get(&player).copied().unwrap_or(0))
    }

    /// How many of that player's results nobody could check, if there are such.
    pub(crate) fn unverified(&self, player: PlayerId) -> Option<u32> {
        self.unverified.get(&player).copied().filter(|count| *count > 0)
    }

    /// The round under way, or the last one; 0 before the first.
    pub fn round(&self) -> RoundId {
        RoundId::try_from(self.rounds.len()).expect("a format has fewer rounds than that")
    }

    pub fn round_phase(&self) -> RoundPhase {
        match self.rounds.last() {
            None => RoundPhase::Pending,
            Some(round) if round.completed.is_some() => RoundPhase::Completed,
            Some(round) if round.open as usize == round.results.len() => RoundPhase::Announced,
            Some(_) => RoundPhase::InProgress,
        }
    }

    pub fn rounds_completed(&self) -> u32 {
        let open = self.rounds.last().is_some_and(|round| round.completed.is_none());
        self.round() - u32::from(open)
    }

    /// When that round was announced, and when it was complete.
    pub fn round_times(&self, round: RoundId) -> Option<(Timestamp, Option<Timestamp>)> {
        let round = self.announced(round)?;
        Some((round.announced, round.completed))
    }

    /// Matches that must have a result before the season goes on: those of the round under way,
    /// and those of older rounds that are played again.
    pub(crate) fn open(&self) -> u32 {
        let round = self.rounds.last().map_or(0, |round| round.open);
        let again = u32::try_from(self.again().count()).unwrap_or(u32::MAX);
        round.saturating_add(again)
    }

    pub fn result(&self, id: MatchId) -> Option<&MatchRecord> {
        let round = self.announced(id.round)?;
        round.results.get(id.number.checked_sub(1)? as usize)?.as_ref()
    }

    /// Who holds that match, once its round is announced.
    pub(crate) fn attempt(&self, id: MatchId) -> Option<Attempt> {
        let round = self.announced(id.round)?;
        round.attempts.get(id.number.checked_sub(1)? as usize).copied().flatten()
    }

    /// Who holds or held that attempt.
    pub(crate) fn holder(&self, id: MatchId, attempt: u32) -> Option<RefereeId> {
        let current = self.attempt(id).filter(|current| current.number == attempt);
        let former = || self.former.get(&(id, attempt)).copied();
        current.map(|current| current.referee).or_else(former)
    }

    /// Whether that referee holds that match, or has held it.
    pub(crate) fn has_held(&self, id: MatchId, referee: RefereeId) -> bool {
        let mut former = self.former.range((id, 0)..=(id, u32::MAX));
        self.attempt(id).is_some_and(|current| current.referee == referee)
            || former.any(|(_, before)| *before == referee)
    }

    /// What was played, as its game shows it.
    pub fn details(&self, record: &MatchRecord) -> &Payload {
        self.details.get(record.details)
    }

    /// The moves of both seats in that match, if its report told all of them lately.
    pub(crate) fn moves(&self, id: MatchId) -> Option<[MovesHash; 2]> {
        self.moves.get(&id).copied()
    }

    pub(crate) fn summary(&self, round: RoundId) -> RoundSummary {
        let mut summary = RoundSummary::default();
        let round = self.announced(round);
        for record in round.iter().flat_map(|round| &round.results).flatten() {
            summary.total_matches += 1;
            match record.verdict.outcome {
                Outcome::Won(_) => summary.wins += 1,
                Outcome::Drawn => summary.draws += 1,
                Outcome::Forfeited(_)
                | Outcome::BothForfeited
                | Outcome::Cancelled
                | Outcome::Void => summary.technical_losses += 1,
            }
        }
        summary
    }
}

/// The transitions. Only `apply` of the manager calls them.
impl Season {
    pub(crate) fn open_registration(&mut self) {
        self.phase = LeaguePhase::AcceptingRegistrations;
    }

    pub(crate) fn start(
        &mut self,
        paper: Option<Paper>,
        lineup: Lineup,
        tie_breakers: &[TieBreaker],
    ) {
        let places = paper.map_or(lineup.players(), Paper::players);
        assert_eq!(places, lineup.players(), "a place for each player");
        self.paper = paper;
        self.standings = Standings::new(&lineup, tie_breakers);
        self.lineup = lineup;
        self.phase = LeaguePhase::Running;
    }

    pub(crate) fn announce(
        &mut self,
        fixtures: &Fixtures,
        referees: &[Option<RefereeId>],
        announced: Timestamp,
    ) {
        let open = self.size_of(fixtures);
        assert_eq!(open as usize, referees.len(), "each match has its referee or none");
        let attempt = |referee: RefereeId| Attempt { number: 1, referee };
        let attempts = referees.iter().map(|referee| referee.map(attempt)).collect();
        let (pairings, results) = (self.pair(fixtures), vec![None; referees.len()]);
        if let Some(before) = self.rounds.last_mut().filter(|_| self.paper.is_some()) {
            before.pairings = Pairings::default();
        }
        // Who played says so when its round is over: later nobody compares anything.
        self.moves.retain(|id, _| id.round + 1 >= self.rounds.len() as u32);
        self.rounds.push(Round { pairings, attempts, results, open, announced, completed: None });
    }

    pub(crate) fn reassign(&mut self, id: MatchId, attempt: Attempt) {
        self.players_of(id);
        let held = &mut self.rounds[id.round as usize - 1].attempts[id.number as usize - 1];
        if let Some(before) = held.replace(attempt) {
            self.former.insert((id, before.number), before.referee);
        }
    }

    pub(crate) fn accept(&mut self, id: MatchId, record: MatchRecord) {
        let players = self.players_of(id);
        let round = &mut self.rounds[id.round as usize - 1];
        if let Some(before) = round.results[id.number as usize - 1].replace(record) {
            return assert_eq!(before, record, "{id} has another result already");
        }
        round.open -= 1;
        self.completed += 1;
        self.standings.count(players, &record.verdict);
        if record.unverified {
            players.into_iter().for_each(|one| *self.unverified.entry(one).or_default() += 1);
        }
        if self.corrections.settle(id) {
            return self.count_absences(players);
        }
        for (seat, player) in Seat::BOTH.into_iter().zip(players) {
            let absences = self.absences_mut(player);
            match record.verdict.presence(seat) {
                Some(true) => *absences = 0,
                Some(false) => *absences += 1,
                None => {}
            }
        }
    }

    fn absences_mut(&mut self, player: PlayerId) -> &mut u32 {
        let place = player.number() as usize - 1;
        if self.absences.len() <= place {
            self.absences.resize(place + 1, 0);
        }
        &mut self.absences[place]
    }

    pub(crate) fn withdraw(&mut self, player: PlayerId) {
        self.withdrawn.insert(player);
    }

    pub(crate) fn complete_round(&mut self, at: Timestamp) {
        if let Some(round) = self.rounds.last_mut() {
            round.completed = Some(at);
        }
    }

    pub(crate) fn complete(&mut self, champion: PlayerId, at: Timestamp) {
        self.champion = Some(champion);
        self.ended = Some(at);
        self.phase = LeaguePhase::Completed;
    }
}
