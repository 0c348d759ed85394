//! What the reports of a season came to: those that counted, those that did not, which referees
//! contradicted themselves; and the operator's hand in it: results taken back, matches played
//! again, players readmitted.
//!
//! The table and the absences stay what the results add up to: what is taken back is as if it had
//! never been. What was played is kept beside the results. Few things are, again and again: each is
//! kept once, so that a result has a small and fixed size.
//!
//! Spec: docs/protocol/season.md

use std::collections::{BTreeMap, BTreeSet};

use agon_proto::message::{Blame, Cause};
use agon_proto::tool::{ContradictedReport, GivenOrder};
use agon_proto::{MatchId, Payload, PlayerId, RefereeId, Timestamp};
use rustc_hash::FxHashMap;

use super::{Attempt, MatchRecord, Season};
use crate::fact::LeagueFact;
use crate::verdict::{Outcome, Verdict};

/// What the operator has ordered so far.
#[derive(Debug, Default)]
pub(super) struct Corrections {
    /// Matches that are played again and have no result yet.
    reopened: BTreeSet<MatchId>,
    voided: BTreeMap<MatchId, GivenOrder>,
    /// With the attempt with which a match began again: attempts are counted from there.
    rerun: BTreeMap<MatchId, (u32, GivenOrder)>,
    /// When a player came back: absences before that are forgiven.
    readmitted: BTreeMap<PlayerId, Timestamp>,
    paused: Option<GivenOrder>,
}

impl Corrections {
    /// A match has its result. Says whether it was played again.
    pub(super) fn settle(&mut self, id: MatchId) -> bool {
        self.reopened.remove(&id) || self.rerun.contains_key(&id)
    }
}

impl Season {
    /// Which players of that match have left the league.
    pub(crate) fn away(&self, id: MatchId) -> [bool; 2] {
        let fixture = self.fixture(id).filter(|_| !self.withdrawn.is_empty());
        fixture.map_or([false; 2], |it| it.players().map(|player| self.is_withdrawn(player)))
    }

    /// Matches of older rounds that are played again.
    pub(crate) fn again(&self) -> impl Iterator<Item = MatchId> + '_ {
        let round = self.round();
        self.corrections.reopened.iter().copied().filter(move |id| id.round < round)
    }

    /// How many attempts there were at this match, the current one included, since it began or
    /// began again.
    pub(crate) fn tries(&self, id: MatchId) -> u32 {
        let first = self.corrections.rerun.get(&id).map_or(1, |(first, _)| *first);
        // Their numbers have gaps where some may have been forgotten.
        self.attempt(id).map_or(0, |current| {
            let before = self.former.range((id, first)..(id, current.number.max(first)));
            1 + u32::try_from(before.count()).unwrap_or(u32::MAX - 1)
        })
    }

    /// Who would have no result of that match, and who had it played again.
    pub(crate) fn orders(&self, id: MatchId) -> [Option<&GivenOrder>; 2] {
        let Corrections { voided, rerun, .. } = &self.corrections;
        [voided.get(&id), rerun.get(&id).map(|(_, order)| order)]
    }

    /// Who paused the league, as long as it is paused.
    pub(crate) fn paused_by(&self) -> Option<&GivenOrder> {
        self.corrections.paused.as_ref()
    }

    /// The reports of that match that contradicted themselves. What they say of it is told when the
    /// match is over, as everything else that was played.
    pub(crate) fn contradictions(&self, id: MatchId) -> Vec<ContradictedReport> {
        let told = self.result(id).is_some();
        let of_match = (id, RefereeId::new(0))..=(id, RefereeId::new(u32::MAX));
        let reports = self.disputed.range(of_match).filter_map(|(_, report)| report.clone());
        let shown = |report: ContradictedReport| ContradictedReport {
            contradiction: report.contradiction.filter(|_| told),
            ..report
        };
        reports.map(shown).collect()
    }
}

/// The transitions. Only `apply` of the manager calls them.
impl Season {
    /// A report was accepted, or was not. Other facts are none of this.
    pub(crate) fn note_report(&mut self, fact: &LeagueFact) {
        if let &LeagueFact::ResultAccepted {
            match_id,
            attempt,
            referee,
            verdict,
            ref details,
            moves,
            unverified,
            charged_ms,
            at,
        } = fact
        {
            self.charge(self.players_of(match_id), charged_ms);
            let details = self.details.keep(details);
            let record = MatchRecord { verdict, referee, attempt, unverified, details, at };
            self.accept(match_id, record);
            if let Some(moves) = moves {
                self.moves.insert(match_id, moves);
            }
        }
        if let &LeagueFact::ResultDisputed {
            match_id,
            attempt,
            referee,
            ref contradiction,
            at,
            ..
        } = fact
        {
            let report = contradiction.is_some().then(|| ContradictedReport {
                referee_id: referee,
                attempt,
                contradiction: contradiction.clone(),
                timestamp: at,
            });
            self.distrusted.extend(report.as_ref().map(|_| referee));
            self.disputed.insert((match_id, referee), report);
        }
    }

    /// What was charged stays, also where a result is taken back: others have waited.
    fn charge(&mut self, players: [PlayerId; 2], charged_ms: [u32; 2]) {
        for (player, ms) in players.into_iter().zip(charged_ms).filter(|(_, ms)| *ms > 0) {
            *self.charged_ms.entry(player).or_default() += u64::from(ms);
        }
    }

    /// The operator will have no result of that match. Whether there is one already or not, from
    /// now on it is this.
    pub(crate) fn void(&mut self, id: MatchId, order: GivenOrder) {
        let held = self.attempt(id).expect("what is voided was announced");
        let Attempt { number: attempt, referee } = held;
        let cause = Cause::CancelledByOperator;
        let verdict = Verdict::unplayed(Outcome::Cancelled, cause, Blame::Operator);
        let (unverified, details, at) = (false, DetailsId::default(), order.timestamp);
        let record = MatchRecord { verdict, referee, attempt, unverified, details, at };
        self.corrections.voided.insert(id, order);
        self.take_back(id);
        self.accept(id, record);
        self.count_absences(self.players_of(id));
    }

    /// The match is played again, in that attempt. The result that it had counts no more.
    pub(crate) fn rerun(&mut self, id: MatchId, attempt: Attempt, order: GivenOrder) {
        self.take_back(id);
        self.count_absences(self.players_of(id));
        self.reassign(id, attempt);
        self.corrections.reopened.insert(id);
        self.corrections.voided.remove(&id);
        self.corrections.rerun.insert(id, (attempt.number, order));
    }

    /// The player may play again what is still open, as if it had never been away.
    pub(crate) fn readmit(&mut self, player: PlayerId, at: Timestamp) {
        if self.withdrawn.remove(&player) {
            self.corrections.readmitted.insert(player, at);
            *self.absences_mut(player) = 0;
        }
    }

    pub(crate) fn pause(&mut self, order: Option<GivenOrder>) {
        self.paused = true;
        self.corrections.paused = order;
    }

    pub(crate) fn resume(&mut self) {
        self.paused = false;
        self.corrections.paused = None;
    }

    /// The match has no result any more, if it had one.
    fn take_back(&mut self, id: MatchId) {
        let players = self.players_of(id);
        let round = &mut self.rounds[id.round as usize - 1];
        if let Some(before) = round.results[id.number as usize - 1].take() {
            round.open += 1;
            self.completed -= 1;
            self.moves.remove(&id);
            self.standings.discount(players, &before.verdict);
            let counts = players.into_iter().filter(|_| before.unverified);
            counts.for_each(|one| *self.unverified.entry(one).or_default() -= 1);
        }
    }

    /// Counts from how many matches in a row, back from the newest, these players were absent.
    pub(super) fn count_absences(&mut self, players: [PlayerId; 2]) {
        for player in players {
            let absences = self.absences_in_a_row(player);
            *self.absences_mut(player) = absences;
        }
    }

    fn absences_in_a_row(&self, player: PlayerId) -> u32 {
        let readmitted = self.corrections.readmitted.get(&player).copied();
        let mut absences = 0;
        for round in (1..=self.round()).rev() {
            let Some((seat, record)) = self.played_in(round, player) else { continue };
            match record.verdict.presence(seat) {
                Some(true) => break,
                Some(false) if readmitted.is_none_or(|since| record.at > since) => absences += 1,
                Some(false) | None => {}
            }
        }
        absences
    }
}

/// The place of something that was played. The first is nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct DetailsId(u32);

/// Everything that was played.
#[derive(Debug)]
pub(super) struct Details {
    kept: Vec<Payload>,
    known: FxHashMap<Payload, DetailsId>,
}

impl Default for Details {
    fn default() -> Self {
        let nothing = Payload::default();
        let known = [(nothing.clone(), DetailsId::default())].into_iter().collect();
        Self { kept: vec![nothing], known }
    }
}

impl Details {
    pub(super) fn keep(&mut self, details: &Payload) -> DetailsId {
        if let Some(id) = self.known.get(details) {
            return *id;
        }
        let place = u32::try_from(self.kept.len()).expect("a season has fewer matches than that");
        self.kept.push(details.clone());
        self.known.insert(details.clone(), DetailsId(place));
        DetailsId(place)
    }

    pub(super) fn get(&self, id: DetailsId) -> &Payload {
        &self.kept[id.0 as usize]
    }
}

#[cfg(test)]
mod tests;
