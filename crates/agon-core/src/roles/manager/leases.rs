//! For how long a referee holds its matches: as long as it is heard, and then they go elsewhere.
//!
//! Spec: docs/protocol/assignment.md

use agon_proto::message::{Blame, Cause};
use agon_proto::{MatchId, RefereeId};

use super::conduct::Conduct;
use super::reports::Ruling;
use crate::assignments::{Place, Wake};
use crate::effect::{Alert, Effect};
use crate::fact::LeagueFact;
use crate::season::Attempt;
use crate::verdict::{Cut, Ended, conclude};

impl Conduct<'_> {
    /// Says once when the last referee is lost, and once when there is one again.
    pub(super) fn look_for_referees(&mut self) {
        let league = self.book.league();
        let alone = self.in_play.is_alone(league);
        if alone == self.in_play.alone {
            return;
        }
        self.in_play.alone = alone;
        let doubted = self.in_play.assignments.doubted();
        let referees = league.registry.referee_count().saturating_sub(doubted);
        let open = league.season.open();
        if alone {
            self.book.out.push(Effect::Alert(Alert::NoReferee { open }));
        } else if referees > 0 {
            self.book.out.push(Effect::Alert(Alert::RefereeBack { referees }));
        }
    }

    /// A sign of life from a referee; one that was doubted is tried again at once.
    pub(super) fn hear(&mut self, referee: RefereeId) {
        let league = self.book.league();
        if !league.settings.says().assigns {
            return;
        }
        let until = self.book.now + league.settings.lease();
        if self.in_play.assignments.is_doubtful(referee)
            && let Some(agent) = league.registry.referee(referee)
        {
            let endpoint = agent.endpoint();
            self.book.out.push(Effect::Heard(endpoint));
        }
        self.in_play.assignments.heard(referee, until);
    }

    /// A heartbeat: from the first one on the referee has a lease.
    pub(super) fn beat(&mut self, referee: RefereeId) {
        let until = self.book.now + self.book.league().settings.lease();
        self.in_play.assignments.renew(referee, until);
        self.hand_out(referee);
    }

    /// A referee is silent for longer than its lease. With nobody there to take its matches the
    /// league waits, because an attempt that nobody can play is none.
    fn lease_over(&mut self, referee: RefereeId) {
        if !self.give_up_on(referee) {
            let until = self.book.now + self.book.league().settings.retry();
            self.in_play.assignments.renew(referee, until);
        }
    }

    /// Nothing is given to that referee until it is heard again, and its matches go to somebody
    /// who is there. Says whether there is somebody.
    pub(super) fn give_up_on(&mut self, referee: RefereeId) -> bool {
        self.in_play.assignments.silent(referee);
        let next = self.in_play.substitute(referee, self.book.league());
        if next == referee || self.in_play.assignments.is_doubtful(next) {
            return false;
        }
        let open = [Place::Unheard, Place::Waiting, Place::Out, Place::Resting];
        for match_id in self.in_play.assignments.of(referee, &open) {
            let league = self.book.league();
            let place = self.in_play.assignments.place(match_id);
            let begun = !matches!(place, Some(Place::Unheard | Place::Waiting));
            // No match is cancelled that has not begun: it waits for whoever holds it.
            if begun || league.season.tries(match_id) < league.settings.attempts_max {
                self.next_attempt(match_id, Cause::RefereeLost, Blame::Referee);
            }
        }
        true
    }

    /// Does what has fallen due.
    pub(super) fn wake(&mut self) {
        while let Some((wake, at)) = self.in_play.assignments.due(self.book.now) {
            // Who runs so late could not hear anybody: every silence counts from now.
            let late = self.book.now.since(at) > self.book.league().settings.lateness_max();
            self.woken(wake, late);
        }
    }

    fn woken(&mut self, wake: Wake, late: bool) {
        let (now, league) = (self.book.now, self.book.league());
        let (lease, retry) = (now + league.settings.lease(), now + league.settings.retry());
        match wake {
            Wake::Referee(referee) => self.hand_out(referee),
            Wake::Lease(referee) if late => self.in_play.assignments.renew(referee, lease),
            Wake::Lease(referee) => self.lease_over(referee),
            Wake::Match(match_id) => match self.in_play.assignments.place(match_id) {
                Some(Place::Resting) if league.season.paused() => {
                    self.in_play.assignments.wait(match_id, retry);
                }
                Some(Place::Resting) => {
                    self.in_play.assignments.wake(match_id);
                    self.assign(match_id);
                }
                Some(Place::Out) if late => self.in_play.assignments.wait(match_id, lease),
                Some(Place::Out) => {
                    if let Some(attempt) = league.season.attempt(match_id) {
                        self.in_play.assignments.doubt(attempt.referee);
                    }
                    self.next_attempt(match_id, Cause::RefereeLost, Blame::Referee);
                }
                Some(Place::Unheard | Place::Waiting | Place::Done) | None => {}
            },
        }
    }

    /// A referee came back with nothing in its hands: what it held begins again.
    pub(super) fn referee_restarted(&mut self, referee: RefereeId) {
        // All of them first: a void match makes room for another, and that one is not lost.
        for match_id in self.in_play.assignments.of(referee, &[Place::Out, Place::Resting]) {
            self.next_attempt(match_id, Cause::RefereeLost, Blame::Referee);
        }
        self.hand_out(referee);
    }

    /// The attempt under way came to nothing: the next one, elsewhere if possible, or none.
    pub(super) fn next_attempt(&mut self, match_id: MatchId, cause: Cause, blame: Blame) {
        let (at, league) = (self.book.now, self.book.league());
        let Some(Attempt { number, referee }) = league.season.attempt(match_id) else {
            return;
        };
        if league.season.tries(match_id) >= league.settings.attempts_max {
            let ended = Ended::cut(Cut { cause, blame, last: true });
            let ruling = Ruling::ours(conclude(&ended, &league.settings.scoring()));
            return self.accept(match_id, Attempt { number, referee }, ruling);
        }
        let (attempt, next) = (number + 1, self.in_play.substitute(referee, league));
        let fact =
            LeagueFact::MatchReassigned { match_id, attempt, referee: next, cause, blame, at };
        self.book.record(fact);
        self.in_play.assignments.move_to(match_id, next);
        self.hand_out(referee);
        self.hand_out(next);
    }

    /// Matches whose referee contradicted itself go to somebody who is there and did not. With
    /// nobody like that they stay: the referee may mend its report, or its time runs out.
    pub(super) fn pass_on_disbelieved(&mut self) {
        if self.in_play.disbelieved.is_empty() {
            return;
        }
        let held: Vec<(MatchId, u32)> = self.in_play.disbelieved.iter().copied().collect();
        for (match_id, number) in held {
            let league = self.book.league();
            let attempt =
                league.season.attempt(match_id).filter(|_| self.is_current(match_id, number));
            let Some(Attempt { referee: holder, .. }) = attempt else {
                self.in_play.disbelieved.remove(&(match_id, number));
                continue;
            };
            let next = self.in_play.substitute(holder, league);
            if next != holder && !self.in_play.is_second_choice(next, league) {
                self.in_play.disbelieved.remove(&(match_id, number));
                self.next_attempt(match_id, Cause::RefereeLost, Blame::Referee);
            }
        }
    }
}
