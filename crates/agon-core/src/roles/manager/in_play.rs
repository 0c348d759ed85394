//! What is under way: which matches are with whom, which referees get one first, and for how long a
//! referee holds its matches: as long as it is heard, and then they go elsewhere.
//!
//! Those that answer and never contradicted themselves come first. Nothing here is durable: after a
//! restart it is laid out anew from the league.
//!
//! Spec: docs/protocol/assignment.md

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use agon_proto::message::{Blame, Cause};
use agon_proto::tool::LeaguePhase;
use agon_proto::{AgentId, Contact, Endpoint, MatchId, RefereeId, Timestamp};

use super::conduct::Conduct;
use super::hearing::Heard;
use super::probes::Probes;
use super::reports::Ruling;
use crate::assignments::{Assignments, Place, Wake};
use crate::effect::{Alert, Effect};
use crate::fact::LeagueFact;
use crate::first_of;
use crate::format::{Fixtures, numbered};
use crate::league::League;
use crate::league::registry::share;
use crate::season::Attempt;
use crate::verdict::{Cut, Ended, Seat, blamed};

#[derive(Debug, Default)]
pub(super) struct InPlay {
    pub(super) assignments: Assignments,
    /// Attempts whose referee contradicted itself, until somebody else can take them.
    pub(super) disbelieved: BTreeSet<(MatchId, u32)>,
    /// Referees that are not in any more and hold matches, until somebody else can take them.
    departed: BTreeSet<RefereeId>,
    /// No referee answers and matches wait; that was said.
    alone: bool,
    /// Nobody who writes is late before that, because we could not hear.
    pub(super) deaf_until: Option<Timestamp>,
    /// Who can be called where it says.
    pub(super) probes: Probes,
    /// Endpoints that may not lead into a private network.
    public_only: BTreeSet<Endpoint>,
}

impl InPlay {
    /// Whether that referee gets a match only if nobody else is there.
    fn is_second_choice(&self, id: RefereeId, league: &League) -> bool {
        self.assignments.is_doubtful(id) || league.season.distrusted.contains(&id)
    }

    /// Another referee if there is one: a trusted one if possible, the least burdened of them.
    pub(super) fn substitute(&self, lost: RefereeId, league: &League) -> RefereeId {
        let others = league.registry.referee_ids().filter(|id| *id != lost);
        let by = |id: &RefereeId| {
            (self.is_second_choice(*id, league), league.registry.burden_of(*id), *id)
        };
        others.min_by_key(by).unwrap_or(lost)
    }

    /// Whether somebody else is there who can take that referee's matches.
    pub(super) fn is_replaced(&self, lost: RefereeId, league: &League) -> bool {
        let next = self.substitute(lost, league);
        next != lost && !self.assignments.is_doubtful(next)
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
        // Who did not fail us lately and never contradicted itself; all, if there is nobody.
        let doubtful = |id: &RefereeId| self.is_second_choice(*id, league);
        let nobody = registry.referee_ids().all(|id| doubtful(&id));
        let referees = registry.referee_ids().filter(|id| nobody || !doubtful(id));
        let mut queue: BinaryHeap<Reverse<(u64, RefereeId)>> =
            referees.map(|id| Reverse((registry.burden_of(id), id))).collect();
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
        let open = season.again().chain(season.matches_in(round));
        let open = open.filter(|id| season.result(*id).is_none());
        let holders = open.filter_map(|id| season.attempt(id)).map(|attempt| attempt.referee);
        self.departed =
            holders.filter(|id| !league.registry.is_in(AgentId::Referee(*id))).collect();
        self.departed.iter().for_each(|referee| self.assignments.dismiss(*referee));
    }

    /// Whether matches wait and no referee answers.
    pub(super) fn is_alone(&self, league: &League) -> bool {
        // Asked after every event, so what is nearly never true comes first.
        let nobody_answers = self.assignments.doubted() >= league.registry.referee_count();
        // Who is given nothing is asked for nothing.
        nobody_answers
            && league.settings.says().assigns
            && league.season.phase == LeaguePhase::Running
            && league.season.open() > 0
    }

    /// Until when somebody is waited for.
    pub(super) fn waits_until(&self, heard: &Heard) -> Option<Timestamp> {
        first_of([heard.held_until(), heard.until.filter(|_| self.assignments.is_unheard())])
    }
}

impl Conduct<'_> {
    /// Says once when the last referee is lost, and once when there is one again.
    pub(super) fn look_for_referees(&mut self) {
        self.pass_on_departed();
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

    /// Says whether that agent's endpoint may lead into a private network, where that is news.
    pub(super) fn bound_calls_to(&mut self, agent: AgentId) {
        let Some(known) = self.book.league().registry.agent(agent) else { return };
        let Contact::Call(endpoint) = known.contact.clone() else { return };
        let public_only = known.public_only;
        let bounds = &mut self.in_play.public_only;
        let is_news =
            if public_only { bounds.insert(endpoint.clone()) } else { bounds.remove(&endpoint) };
        if is_news {
            self.book.out.push(Effect::BoundCalls { endpoint, public_only });
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
            let endpoint = agent.contact.endpoint();
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

    /// Nothing is given to that referee until it is heard again, and its matches go to somebody
    /// who is there. Says whether there is somebody.
    pub(super) fn give_up_on(&mut self, referee: RefereeId) -> bool {
        let is_in = self.book.league().registry.is_in(AgentId::Referee(referee));
        if is_in {
            self.in_play.assignments.silent(referee);
        } else {
            self.in_play.assignments.dismiss(referee);
        }
        if !self.in_play.is_replaced(referee, self.book.league()) {
            self.in_play.departed.extend((!is_in).then_some(referee));
            return false;
        }
        let open = [Place::Unheard, Place::Waiting, Place::Out, Place::Resting];
        for match_id in self.in_play.assignments.of(referee, &open) {
            let league = self.book.league();
            let place = self.in_play.assignments.place(match_id);
            let begun = !matches!(place, Some(Place::Unheard | Place::Waiting));
            // No match is cancelled that has not begun: it waits for whoever holds it, or goes to
            // somebody else if that one will never play it.
            if begun || league.season.tries(match_id) < league.settings.attempts_max {
                self.next_attempt(match_id, Cause::RefereeLost, Blame::Referee);
            } else if !is_in {
                self.reassign(1, match_id, (Cause::RefereeLost, Blame::Referee));
            }
        }
        true
    }

    /// Does what has fallen due.
    pub(super) fn wake(&mut self) {
        while let Some((wake, at)) = self.in_play.assignments.due(self.book.now) {
            // Who runs so late could not hear anybody: every silence counts from now.
            let late = self.book.now.since(at) > self.book.league().settings.lateness_max();
            if let Wake::Match(match_id) = wake
                && self.in_play.assignments.place(match_id) == Some(Place::Unheard)
            {
                self.wait_no_longer_for(match_id, at);
                continue;
            }
            self.woken(wake, late);
        }
    }

    fn woken(&mut self, wake: Wake, late: bool) {
        let (now, league) = (self.book.now, self.book.league());
        let (lease, retry) = (now + league.settings.lease(), now + league.settings.retry());
        match wake {
            Wake::Referee(referee) | Wake::Alone(referee) => self.hand_out(referee),
            Wake::Lease(referee) if late => self.in_play.assignments.renew(referee, lease),
            // It is silent for longer than its lease. With nobody there to take its matches the
            // league waits, because an attempt that nobody can play is none.
            Wake::Lease(referee) => {
                if !self.give_up_on(referee) {
                    self.in_play.assignments.renew(referee, retry);
                }
            }
            Wake::Match(match_id) => match self.in_play.assignments.place(match_id) {
                Some(Place::Resting) if league.season.paused => {
                    self.in_play.assignments.wait(match_id, retry);
                }
                Some(Place::Resting) => {
                    self.in_play.assignments.wake(match_id);
                    self.assign(match_id);
                }
                Some(Place::Out) if late => self.in_play.assignments.wait(match_id, lease),
                Some(Place::Out) => {
                    let Some(held) = league.season.attempt(match_id) else { return };
                    // Neither is one spent on a referee that is known to be gone. It gets nothing,
                    // so nothing waits for this one's end.
                    let is_gone = self.in_play.assignments.line(held.referee).held;
                    if is_gone && !self.in_play.is_replaced(held.referee, league) {
                        return self.in_play.assignments.wait(match_id, retry);
                    }
                    self.in_play.assignments.doubt(held.referee);
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
        self.attempt_after(1, match_id, (cause, blame));
    }

    /// Somebody knows of the end of an attempt that we have under way, so our journal is an older
    /// one. The next attempt has a number that none can have had which we have forgotten.
    pub(super) fn pass_over(&mut self, match_id: MatchId, cause: Cause, blame: Blame) {
        let step = self.book.league().settings.attempts_max;
        self.attempt_after(step, match_id, (cause, blame));
    }

    fn attempt_after(&mut self, step: u32, match_id: MatchId, (cause, blame): (Cause, Blame)) {
        let league = self.book.league();
        let Some(Attempt { number, referee }) = league.season.attempt(match_id) else {
            return;
        };
        if league.season.tries(match_id) >= league.settings.attempts_max {
            // Who had all attempts voided has not come to any.
            let refused = Seat::BOTH.into_iter().find(|seat| blame == blamed(*seat));
            let cut = || Ended::cut(Cut { cause, blame, last: true });
            let ended = refused.map_or_else(cut, |seat| Ended::refused(seat, cause));
            let ruling = Ruling::ours(&ended, league);
            return self.accept(match_id, Attempt { number, referee }, ruling);
        }
        self.reassign(step, match_id, (cause, blame));
    }

    fn reassign(&mut self, step: u32, match_id: MatchId, (cause, blame): (Cause, Blame)) {
        let (at, league) = (self.book.now, self.book.league());
        let Some(Attempt { number, referee }) = league.season.attempt(match_id) else { return };
        let (attempt, next) =
            (number.saturating_add(step), self.in_play.substitute(referee, league));
        let fact =
            LeagueFact::MatchReassigned { match_id, attempt, referee: next, cause, blame, at };
        self.book.record(fact);
        self.in_play.assignments.move_to(match_id, next);
        self.hand_out(referee);
        self.hand_out(next);
    }

    /// Matches of a referee that is not in any more go to somebody who is, once there is somebody.
    pub(super) fn pass_on_departed(&mut self) {
        for referee in self.in_play.departed.clone() {
            let league = self.book.league();
            let is_in = league.registry.is_in(AgentId::Referee(referee));
            if is_in || self.in_play.is_replaced(referee, league) {
                self.in_play.departed.remove(&referee);
                let _ = is_in || self.give_up_on(referee);
            }
        }
    }

    /// Matches whose referee contradicted itself go to somebody who is there and did not. With
    /// nobody like that they stay: the referee may mend its report, or its time runs out.
    pub(super) fn pass_on_disbelieved(&mut self) {
        if self.in_play.disbelieved.is_empty() {
            return;
        }
        for held @ (match_id, number) in self.in_play.disbelieved.clone() {
            let league = self.book.league();
            let is_open = league.season.result(match_id).is_none();
            let attempt = league.season.attempt(match_id);
            let holder = attempt.filter(|attempt| attempt.number == number && is_open);
            let is_better = |Attempt { referee, .. }| {
                let next = self.in_play.substitute(referee, league);
                next != referee && !self.in_play.is_second_choice(next, league)
            };
            let passes_on = holder.is_some_and(is_better);
            if passes_on || holder.is_none() {
                self.in_play.disbelieved.remove(&held);
            }
            if passes_on {
                self.next_attempt(match_id, Cause::RefereeLost, Blame::Referee);
            }
        }
    }
}
