//! What is under way: which matches are with whom, which referees get one first, and whether any
//! is there.
//!
//! Those that answer and never contradicted themselves come first. Nothing here is durable: after a
//! restart it is laid out anew from the league.
//!
//! Spec: docs/protocol/assignment.md

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use agon_proto::tool::LeaguePhase;
use agon_proto::{MatchId, RefereeId, Timestamp};

use super::hearing::Heard;
use crate::assignments::{Assignments, Place};
use crate::format::{Fixtures, numbered};
use crate::league::League;
use crate::league::registry::share;

#[derive(Debug, Default)]
pub(super) struct InPlay {
    pub(super) assignments: Assignments,
    /// Attempts whose referee contradicted itself, until somebody else can take them.
    pub(super) disbelieved: BTreeSet<(MatchId, u32)>,
    /// No referee answers and matches wait; that was said.
    pub(super) alone: bool,
}

impl InPlay {
    /// Referees that did not fail us lately and never contradicted themselves; all of them if there
    /// are none.
    fn trusted(&self, league: &League) -> impl Iterator<Item = RefereeId> {
        let referees = || league.registry.referee_ids();
        let any = referees().any(|id| !self.is_second_choice(id, league));
        referees().filter(move |id| !any || !self.is_second_choice(*id, league))
    }

    /// Whether that referee gets a match only if nobody else is there.
    pub(super) fn is_second_choice(&self, id: RefereeId, league: &League) -> bool {
        self.assignments.is_doubtful(id) || league.season.is_distrusted(id)
    }

    /// Another referee if there is one: a trusted one if possible, the least burdened of them.
    pub(super) fn substitute(&self, lost: RefereeId, league: &League) -> RefereeId {
        let others = league.registry.referee_ids().filter(|id| *id != lost);
        let by = |id: &RefereeId| {
            (self.is_second_choice(*id, league), league.registry.burden_of(*id), *id)
        };
        others.min_by_key(by).unwrap_or(lost)
    }

    /// Who plays a match again: another referee than before, if one is there.
    pub(super) fn another(&self, before: RefereeId, league: &League) -> RefereeId {
        let next = self.substitute(before, league);
        let worse = self.assignments.is_doubtful(next) && !self.assignments.is_doubtful(before);
        if worse { before } else { next }
    }

    /// The referees of the next round's matches: as it stands on paper, or else each time the least
    /// burdened, measured by its capacity.
    pub(super) fn draw_up(&self, fixtures: &Fixtures, league: &League) -> Vec<Option<RefereeId>> {
        let League { season, registry, .. } = league;
        let mut queue: BinaryHeap<Reverse<(u64, RefereeId)>> =
            self.trusted(league).map(|id| Reverse((registry.burden_of(id), id))).collect();
        let matches = season.size_of(fixtures);
        let mut least = || {
            let mut first = queue.peek_mut()?;
            let Reverse((burden, id)) = &mut *first;
            *burden += share(registry.capacity(*id), matches);
            Some(*id)
        };
        let ids = numbered(season.round() + 1, matches);
        ids.map(|id| season.referee_of(id).or_else(&mut least)).collect()
    }

    /// Lays out the assignments from the season: at the start of a round, and after a restart.
    pub(super) fn lay_out(&mut self, league: &League) {
        if !league.settings.says().assigns {
            return;
        }
        let (season, round) = (&league.season, league.season.round());
        let holders = season.matches_in(round).map(|id| {
            let done = season.result(id).is_some();
            let place = if done { Place::Done } else { Place::Unheard };
            season.attempt(id).map(|attempt| (attempt.referee, place))
        });
        self.assignments.lay_out(round, holders);
        for referee in league.registry.referee_ids() {
            self.assignments.announce_to(referee);
        }
        for match_id in season.again() {
            if let Some(attempt) = season.attempt(match_id) {
                self.assignments.play_again(match_id, attempt.referee);
            }
        }
    }

    /// Whether matches wait and no referee answers.
    pub(super) fn is_alone(&self, league: &League) -> bool {
        // Asked after every event, so what is nearly never true comes first.
        let nobody_answers = self.assignments.doubted() >= league.registry.referee_count();
        // Who is given nothing is asked for nothing.
        nobody_answers
            && league.settings.says().assigns
            && league.season.phase() == LeaguePhase::Running
            && league.season.open() > 0
    }

    /// Until when somebody is waited for.
    pub(super) fn waits_until(&self, heard: &Heard) -> Option<Timestamp> {
        let waits = heard.is_holding() || self.assignments.is_unheard();
        heard.until().filter(|_| waits)
    }
}
