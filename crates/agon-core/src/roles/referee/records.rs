//! All that a referee has from its facts: the matches in its hands, when something is due in them,
//! and what it was told. Read again, the same facts make the same of it.
//!
//! Nothing is decided here: what an event led to in a match was judged when it was new.
//!
//! Spec: docs/protocol/match.md

use std::collections::hash_map::Entry;
use std::sync::Arc;

use agon_proto::act::RefereeState;
use agon_proto::message::{MatchAssignment, Transcript};
use agon_proto::{MatchId, Payload, PlayerId, Timestamp};
use rustc_hash::FxHashMap;

use super::deadlines::Deadlines;
use super::exchange::Exchange;
use super::fact::{RefereeFact, Schedule};
use super::reporting::Told;
use super::states;
use crate::agent::{Agent, Membership};
use crate::matches::{Match, MatchProgress, MatchTerms};
use crate::verdict::{Seat, Verdict};

/// All that a referee has from its facts.
#[derive(Debug)]
pub(super) struct Records {
    pub(super) me: Agent,
    pub(super) matches: Matches,
    /// By call: the latest attempt seen of each match of the newest rounds, so that an old letter
    /// is known.
    pub(super) seen: FxHashMap<MatchId, u32>,
    /// By call: whose players know how their match ended.
    pub(super) told: Told,
    /// By call: the newest matches that are out of our hands, and how they ended.
    pub(super) ended: states::EndedMatches,
    /// By letter: the season's table, and the round.
    pub(super) schedule: Schedule,
}

impl Records {
    pub(super) fn new(me: Agent) -> Self {
        let (matches, seen) = (Matches::default(), FxHashMap::default());
        let (told, ended, schedule) =
            (Told::default(), states::EndedMatches::new(), Schedule::default());
        Self { me, matches, seen, told, ended, schedule }
    }

    /// The clock of all matches: it stands still while the league is paused.
    pub(super) fn clock(&self, now: Timestamp) -> Timestamp {
        self.me.season.paused_at.map_or(now, |paused| paused.min(now))
    }

    /// Where we are in the season.
    pub(super) fn state(&self) -> RefereeState {
        let season = &self.me.season;
        if season.paused_at.is_some() {
            return RefereeState::Paused;
        }
        if season.completed.is_some() {
            return RefereeState::SeasonCompleted;
        }
        if self.schedule.fixtures.is_some() {
            let playing = self.matches.live > 0;
            return if playing { RefereeState::InGame } else { RefereeState::Running };
        }
        match season.membership {
            Membership::In => RefereeState::AwaitingAssignment,
            Membership::Applying => RefereeState::WaitingForConfirmation,
            Membership::Outside | Membership::Rejected(_) => RefereeState::Outside,
        }
    }

    /// Something became true.
    pub(super) fn apply(&mut self, fact: &RefereeFact) {
        let held = &mut self.matches.held;
        match fact {
            RefereeFact::Agent(fact) => {
                if self.me.forgets(fact) {
                    self.schedule = Schedule::default();
                    self.matches = Matches::default();
                    (self.seen, self.told) = (FxHashMap::default(), Told::default());
                }
                self.me.apply(fact);
            }
            RefereeFact::Assigned(assignment) => {
                self.seen.insert(assignment.match_id, assignment.attempt);
                let pairing = Pairing::Called(assignment.clone());
                held.insert(assignment.match_id, Held { pairing, stage: HeldStage::Abandoned });
            }
            RefereeFact::Scheduled { season, league, fixtures } => {
                self.me.season.name(season.as_ref());
                self.me.season.learn(league.as_ref());
                self.schedule.fixtures = Some(fixtures.clone());
            }
            RefereeFact::RoundBegan(round) => {
                self.schedule.round = Some(round.clone());
                self.schedule.round_ended = false;
            }
            RefereeFact::RoundEnded { .. } => self.schedule.round_ended = true,
            RefereeFact::Started(start) => {
                let pairing = Pairing::Written(Box::new(Exchange::new(start.clone())));
                held.insert(start.fixture.match_id, Held { pairing, stage: HeldStage::Abandoned });
                let terms = Arc::new(MatchTerms::once(&start.played));
                self.matches.play(start.fixture.match_id, Match::new(terms));
            }
            RefereeFact::Answered { match_id, seat, step, letter } => {
                let known = held.get_mut(match_id);
                if let Some(Held { pairing: Pairing::Written(exchange), .. }) = known {
                    exchange.answered(*seat, *step, letter);
                }
            }
            RefereeFact::Stepped { match_id, progress } => {
                self.matches.restore(*match_id, progress)
            }
            RefereeFact::Judged {
                match_id,
                verdict,
                details,
                acts,
                transcript,
                charged_ms,
                ..
            } => {
                let (details, acts) = (details.clone(), acts.clone());
                let (transcript, charged_ms) = (transcript.clone(), *charged_ms);
                let judged = Judged { verdict: *verdict, details, acts, transcript, charged_ms };
                self.matches.judge(*match_id, judged);
            }
            RefereeFact::Recorded { match_id, attempt } => {
                self.matches.owe_news(*match_id, *attempt)
            }
            RefereeFact::Settled { match_id, attempt } => {
                if let Entry::Occupied(held) = held.entry(*match_id)
                    && held.get().pairing.attempt() == *attempt
                {
                    let Held { pairing, stage } = held.remove();
                    if let HeldStage::Telling(judged, _) = stage {
                        self.told.add(*match_id);
                        states::remember(&mut self.ended, pairing, judged.verdict);
                    }
                }
            }
        }
    }
}

/// A match that came from a table has one attempt.
pub(super) const ONLY_ATTEMPT: u32 = 1;

/// A match in this referee's hands.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) pairing: Pairing,
    pub(super) stage: HeldStage,
}

/// Who plays, and how they are spoken to.
#[derive(Debug)]
pub(super) enum Pairing {
    /// It was given to us by a call. A question is a call, and the answer its reply. What is under
    /// way when the process dies is void: it takes an instant, and is tried again.
    Called(Arc<MatchAssignment>),
    /// It stood in the season's table. Questions and answers are letters. It takes minutes, and
    /// goes on after a restart where it was.
    Written(Box<Exchange>),
}

impl Pairing {
    pub(super) fn attempt(&self) -> u32 {
        match self {
            Self::Called(assignment) => assignment.attempt,
            Self::Written(_) => ONLY_ATTEMPT,
        }
    }

    /// A number that follows from which match it is: the same one makes the same of it.
    pub(super) fn seed(&self) -> u64 {
        let name = match self {
            Self::Called(assignment) => assignment.match_id.to_string(),
            Self::Written(exchange) => exchange.game().to_string(),
        };
        let hash = blake3::hash(name.as_bytes());
        u64::from_le_bytes(hash.as_bytes().first_chunk().copied().unwrap_or_default())
    }
}

/// The two seats of an assignment.
pub(super) fn player(assignment: &MatchAssignment, seat: Seat) -> PlayerId {
    match seat {
        Seat::A => assignment.player_a_id,
        Seat::B => assignment.player_b_id,
    }
}

/// Whether each question is put to that player once, because its clock is empty.
pub(super) fn is_asked_once(assignment: &MatchAssignment, seat: Seat) -> bool {
    assignment.asked_once.contains(&player(assignment, seat))
}

#[derive(Debug)]
pub(super) enum HeldStage {
    /// Taken, and known only from the journal: the process died under it.
    Abandoned,
    /// Being played; in a box, because what is held is moved more than once. The time that stands
    /// in the index: its deadline, or earlier.
    Live(Box<Match>, Option<Timestamp>),
    /// The report is owed.
    Judged(Judged),
    /// Recorded by the manager; these players are owed the news.
    Telling(Judged, [bool; 2]),
    /// The report was posted, and its players know what they have; of its words nothing is kept.
    Over(Verdict),
}

/// How an attempt ended.
#[derive(Debug, Clone)]
pub(super) struct Judged {
    pub(super) verdict: Verdict,
    /// What was played, as its game shows it at the end.
    pub(super) details: Payload,
    /// All that was played, in order, where its report tells that.
    pub(super) acts: Payload,
    pub(super) transcript: Transcript,
    /// How long each player was asked again.
    pub(super) charged_ms: [u32; 2],
}

impl Held {
    /// Keeps the index of deadlines in step with the match. A deadline that moves away is left
    /// where it stands: when that time comes nothing is due, and it is put in its place. So the
    /// index is touched once in a match that goes well, and not at every step. One that takes
    /// minutes can afford to be exact.
    pub(super) fn index(&mut self, match_id: MatchId, timers: &mut Deadlines) {
        let HeldStage::Live(live, indexed) = &mut self.stage else {
            return;
        };
        let due = live.deadline();
        let may_stay = |at: Timestamp| !live.resumes() && due.is_none_or(|due| at <= due);
        if *indexed == due || indexed.is_some_and(may_stay) {
            return;
        }
        if let Some(at) = *indexed {
            timers.remove(at, match_id);
        }
        if let Some(due) = due {
            timers.insert(due, match_id);
        }
        *indexed = due;
    }
}

/// The matches in a referee's hands.
#[derive(Debug, Default)]
pub(super) struct Matches {
    pub(super) held: FxHashMap<MatchId, Held>,
    /// How many are being played.
    pub(super) live: u32,
    /// Deadlines of live matches, and times at which a report is tried again.
    pub(super) timers: Deadlines,
}

impl Matches {
    pub(super) fn holds(&self, match_id: MatchId, attempt: u32) -> bool {
        self.held.get(&match_id).is_some_and(|held| held.pairing.attempt() == attempt)
    }

    /// That match, if it is being played.
    pub(super) fn playing(&self, match_id: MatchId) -> Option<&Match> {
        match &self.held.get(&match_id)?.stage {
            HeldStage::Live(live, _) => Some(live),
            HeldStage::Abandoned
            | HeldStage::Judged(_)
            | HeldStage::Telling(..)
            | HeldStage::Over(_) => None,
        }
    }

    /// All of them, in their order.
    pub(super) fn ids(&self) -> Vec<MatchId> {
        let mut ids: Vec<MatchId> = self.held.keys().copied().collect();
        ids.sort_unstable();
        ids
    }

    /// The next match whose time has come by then.
    pub(super) fn due(&mut self, by: Timestamp) -> Option<MatchId> {
        let (_, match_id) = self.timers.pop_due(by)?;
        if let Some(Held { stage: HeldStage::Live(_, indexed), .. }) = self.held.get_mut(&match_id)
        {
            *indexed = None;
        }
        Some(match_id)
    }

    /// From now on that one is being played.
    pub(super) fn play(&mut self, match_id: MatchId, live: Match) {
        if let Some(held) = self.held.get_mut(&match_id) {
            held.stage = HeldStage::Live(Box::new(live), None);
            self.live += 1;
        }
    }

    /// That one is out of our hands.
    pub(super) fn remove(&mut self, match_id: MatchId) -> Option<Held> {
        let held = self.held.remove(&match_id)?;
        self.stopped(match_id, &held.stage);
        Some(held)
    }

    /// What was so is not being played any more.
    fn stopped(&mut self, match_id: MatchId, before: &HeldStage) {
        if let HeldStage::Live(_, indexed) = before {
            self.live -= 1;
            if let Some(at) = *indexed {
                self.timers.remove(at, match_id);
            }
        }
    }

    /// So much became true in that one. Called from `apply`.
    pub(super) fn restore(&mut self, match_id: MatchId, progress: &MatchProgress) {
        if let Some(held) = self.held.get_mut(&match_id)
            && let HeldStage::Live(live, _) = &mut held.stage
        {
            live.restore(progress);
            held.index(match_id, &mut self.timers);
        }
    }

    /// That one has ended so. Called from `apply`.
    pub(super) fn judge(&mut self, match_id: MatchId, judged: Judged) {
        let Some(Held { pairing, stage }) = self.held.get_mut(&match_id) else { return };
        let after = match pairing {
            Pairing::Called(_) => HeldStage::Judged(judged),
            Pairing::Written(exchange) => {
                exchange.forget();
                HeldStage::Over(judged.verdict)
            }
        };
        let before = std::mem::replace(stage, after);
        self.stopped(match_id, &before);
    }

    /// The manager has the result of that attempt. Called from `apply`.
    pub(super) fn owe_news(&mut self, match_id: MatchId, attempt: u32) {
        if let Some(Held { pairing, stage }) = self.held.get_mut(&match_id)
            && pairing.attempt() == attempt
            && matches!(stage, HeldStage::Judged(_))
            && let HeldStage::Judged(judged) = std::mem::replace(stage, HeldStage::Abandoned)
        {
            *stage = HeldStage::Telling(judged, [true; 2]);
        }
    }
}
