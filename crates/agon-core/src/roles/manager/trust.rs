//! Which referees get a match first: those that answer and never contradicted themselves.
//!
//! Spec: docs/protocol/assignment.md

use agon_proto::message::{Blame, Cause};
use agon_proto::{MatchId, RefereeId, Timestamp};

use super::{Manager, Out};
use crate::season::Attempt;

impl Manager {
    /// Referees that did not fail us lately and never contradicted themselves; all of them if there
    /// are none.
    pub(super) fn trusted(&self) -> impl Iterator<Item = RefereeId> + '_ {
        let any = self.league.registry.referee_ids().any(|id| !self.is_second_choice(id));
        self.league.registry.referee_ids().filter(move |id| !any || !self.is_second_choice(*id))
    }

    /// Whether that referee gets a match only if nobody else is there.
    fn is_second_choice(&self, id: RefereeId) -> bool {
        self.assignments.is_doubtful(id) || self.league.season.is_distrusted(id)
    }

    /// Another referee if there is one: a trusted one if possible, the least burdened of them.
    pub(super) fn substitute(&self, lost: RefereeId) -> RefereeId {
        let others = self.league.registry.referee_ids().filter(|id| *id != lost);
        let by = |id: &RefereeId| {
            (self.is_second_choice(*id), self.league.registry.duty(*id).burden, *id)
        };
        others.min_by_key(by).unwrap_or(lost)
    }

    /// Who plays a match again: another referee than before, if one is there.
    pub(super) fn another(&self, before: RefereeId) -> RefereeId {
        let next = self.substitute(before);
        let worse = self.assignments.is_doubtful(next) && !self.assignments.is_doubtful(before);
        if worse { before } else { next }
    }

    /// Matches whose referee contradicted itself go to somebody who is there and did not. With
    /// nobody like that they stay: the referee may mend its report, or its time runs out.
    pub(super) fn pass_on_disbelieved(&mut self, now: Timestamp, out: &mut Out) {
        if self.disbelieved.is_empty() {
            return;
        }
        let held: Vec<(MatchId, u32)> = self.disbelieved.iter().copied().collect();
        for (match_id, number) in held {
            let attempt =
                self.league.season.attempt(match_id).filter(|_| self.is_current(match_id, number));
            let next = attempt.map(|Attempt { referee, .. }| (referee, self.substitute(referee)));
            let Some((holder, next)) = next else {
                self.disbelieved.remove(&(match_id, number));
                continue;
            };
            if next != holder && !self.is_second_choice(next) {
                self.disbelieved.remove(&(match_id, number));
                self.next_attempt(match_id, Cause::RefereeLost, Blame::Referee, now, out);
            }
        }
    }
}
