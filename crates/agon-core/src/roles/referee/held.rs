//! The matches in a referee's hands: when something is due in them, and doing what they ask for.
//!
//! Spec: docs/protocol/match.md

use std::collections::VecDeque;
use std::sync::Arc;

use agon_proto::message::{MatchAssignment, Transcript};
use agon_proto::{MatchId, Payload, Timestamp};
use rustc_hash::FxHashMap;

use super::letters::Exchange;
use super::thoughts::{Thought, Thoughts};
use super::{Out, messages};
use crate::agent::Agent;
use crate::effect::Effect;
use crate::matches::{Match, MatchEffect, MatchProgress};
use crate::verdict::Verdict;

/// A match that came from a table has one attempt.
pub(super) const ONLY_ATTEMPT: u32 = 1;

/// A match in this referee's hands.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) pairing: Pairing,
    pub(super) stage: Stage,
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

#[derive(Debug)]
pub(super) enum Stage {
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
    /// What was played.
    pub(super) details: Payload,
    pub(super) transcript: Transcript,
}

impl Held {
    /// Keeps the index of deadlines in step with the match. A deadline that moves away is left
    /// where it stands: when that time comes nothing is due, and it is put in its place. So the
    /// index is touched once in a match that goes well, and not at every step. One that takes
    /// minutes can afford to be exact.
    pub(super) fn index(&mut self, match_id: MatchId, timers: &mut Deadlines) {
        let Stage::Live(live, indexed) = &mut self.stage else {
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
            Stage::Live(live, _) => Some(live),
            Stage::Abandoned | Stage::Judged(_) | Stage::Telling(..) | Stage::Over(_) => None,
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
        if let Some(Held { stage: Stage::Live(_, indexed), .. }) = self.held.get_mut(&match_id) {
            *indexed = None;
        }
        Some(match_id)
    }

    /// From now on that one is being played.
    pub(super) fn play(&mut self, match_id: MatchId, live: Match) {
        if let Some(held) = self.held.get_mut(&match_id) {
            held.stage = Stage::Live(Box::new(live), None);
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
    fn stopped(&mut self, match_id: MatchId, before: &Stage) {
        if let Stage::Live(_, indexed) = before {
            self.live -= 1;
            if let Some(at) = *indexed {
                self.timers.remove(at, match_id);
            }
        }
    }

    /// So much became true in that one. Called from `apply`.
    pub(super) fn restore(&mut self, match_id: MatchId, progress: &MatchProgress) {
        if let Some(held) = self.held.get_mut(&match_id)
            && let Stage::Live(live, _) = &mut held.stage
        {
            live.restore(progress);
            held.index(match_id, &mut self.timers);
        }
    }

    /// That one has ended so. Called from `apply`.
    pub(super) fn judge(&mut self, match_id: MatchId, judged: Judged) {
        let Some(Held { pairing, stage }) = self.held.get_mut(&match_id) else { return };
        let after = match pairing {
            Pairing::Called(_) => Stage::Judged(judged),
            Pairing::Written(exchange) => {
                exchange.forget();
                Stage::Over(judged.verdict)
            }
        };
        let before = std::mem::replace(stage, after);
        self.stopped(match_id, &before);
    }

    /// The manager has the result of that attempt. Called from `apply`.
    pub(super) fn owe_news(&mut self, match_id: MatchId, attempt: u32) {
        if let Some(Held { pairing, stage }) = self.held.get_mut(&match_id)
            && pairing.attempt() == attempt
            && matches!(stage, Stage::Judged(_))
            && let Stage::Judged(judged) = std::mem::replace(stage, Stage::Abandoned)
        {
            *stage = Stage::Telling(judged, [true; 2]);
        }
    }
}

/// What is due when, the nearest first.
///
/// A new deadline is nearly always the latest, and the first one that goes is nearly always the
/// nearest: so they stand in a queue, in order, and both cost next to nothing. What stands anywhere
/// else is found by halving.
#[derive(Debug, Default)]
pub(super) struct Deadlines(VecDeque<(Timestamp, MatchId)>);

impl Deadlines {
    /// That one is due then. Twice is once.
    pub(super) fn insert(&mut self, at: Timestamp, key: MatchId) {
        if self.0.back().is_none_or(|last| *last < (at, key)) {
            self.0.push_back((at, key));
        } else if let Err(place) = self.place(at, key) {
            self.0.insert(place, (at, key));
        }
    }

    /// That one is not due then.
    pub(super) fn remove(&mut self, at: Timestamp, key: MatchId) {
        if self.0.front() == Some(&(at, key)) {
            self.0.pop_front();
        } else if let Ok(place) = self.place(at, key) {
            self.0.remove(place);
        }
    }

    /// Where it stands, or would stand.
    fn place(&self, at: Timestamp, key: MatchId) -> Result<usize, usize> {
        self.0.binary_search_by(|known| known.0.cmp(&at).then_with(|| known.1.cmp(&key)))
    }

    /// When the nearest is due.
    pub(super) fn nearest(&self) -> Option<Timestamp> {
        self.0.front().map(|(at, _)| *at)
    }

    /// Takes the nearest out, if it is due by then.
    pub(super) fn pop_due(&mut self, by: Timestamp) -> Option<(Timestamp, MatchId)> {
        self.0.pop_front_if(|(at, _)| *at <= by)
    }
}

/// What is needed to do what a match asks for.
pub(super) struct Doing<'a> {
    pub(super) me: &'a mut Agent,
    pub(super) timers: &'a mut Deadlines,
    pub(super) thoughts: &'a mut Thoughts,
    pub(super) now: Timestamp,
    pub(super) out: &'a mut Out,
}

impl Doing<'_> {
    /// Does all of that, and says how the match ended, if it did.
    pub(super) fn carry_out(
        &mut self,
        (match_id, held): (MatchId, &mut Held),
        effects: &mut Vec<MatchEffect>,
    ) -> Option<(Verdict, Payload)> {
        let mut over = None;
        if let Held { pairing, stage: Stage::Live(live, _) } = &*held {
            for effect in &mut *effects {
                if let MatchEffect::Report(verdict, details) = effect {
                    over = Some((*verdict, std::mem::take(details)));
                } else {
                    self.do_one((match_id, pairing, live), effect);
                }
            }
        }
        effects.clear();
        if over.is_none() {
            held.index(match_id, self.timers);
        }
        over
    }

    fn do_one(
        &mut self,
        (match_id, pairing, live): (MatchId, &Pairing, &Match),
        effect: &MatchEffect,
    ) {
        match *effect {
            MatchEffect::Ask { .. }
            | MatchEffect::Warn { .. }
            | MatchEffect::Lapsed(_)
            | MatchEffect::Through(_) => match pairing {
                Pairing::Called(assignment) => {
                    if let Some(effect) = messages::say(assignment, live, effect, self.now) {
                        self.out.push(effect);
                    }
                }
                Pairing::Written(exchange) => {
                    if let Some(parcel) = exchange.say(live, effect, self.me, self.now) {
                        self.me.queue(parcel, self.out);
                    }
                }
            },
            MatchEffect::Roll(below) => {
                let attempt = pairing.attempt();
                self.out.push(Effect::Draw { match_id, attempt, min: 0, max: below - 1 });
            }
            MatchEffect::Consult { about, judgement } => {
                let thought = Thought::new(match_id, about, judgement);
                self.out.push(self.thoughts.begin(thought, live, self.now));
            }
            // What is done about that is done when everything else is.
            MatchEffect::Report(..) => {}
        }
    }
}

#[cfg(test)]
mod tests;
