//! Giving matches to referees: by capacity, in turn, and elsewhere if one is lost.
//!
//! Spec: docs/protocol/assignment.md

use std::collections::BTreeSet;

use agon_proto::message::{Blame, Cause, MatchAssignment, Record};
use agon_proto::tool::LeaguePhase;
use agon_proto::{
    AgentId, ConversationId, Endpoint, Envelope, GameType, MatchId, Payload, PlayerId, RefereeId,
    Sender, Timestamp,
};

use super::reports::{Claim, Ruling};
use super::{Manager, Out};
use crate::assignments::{Place, Wake};
use crate::effect::{Alert, Effect, Lane, Outgoing, Tag};
use crate::fact::LeagueFact;
use crate::format::{Fixtures, numbered};
use crate::league::League;
use crate::season::Attempt;
use crate::verdict::{Cut, Ended, conclude};

/// How often one referee is called about one match before it is given up.
const CALLS_MAX: u32 = 3;

impl Manager {
    /// The referees of the next round's matches: as it stands on paper, or else each time the least
    /// burdened, measured by its capacity.
    pub(super) fn draw_up(&self, fixtures: &Fixtures) -> Vec<Option<RefereeId>> {
        let League { season, registry, .. } = &self.league;
        let mut queue: BTreeSet<(u64, RefereeId)> =
            self.trusted().map(|id| (registry.duty(id).burden, id)).collect();
        let matches = season.size_of(fixtures);
        let mut least = || {
            let (burden, id) = queue.pop_first()?;
            queue.insert((burden + registry.duty(id).share(matches), id));
            Some(id)
        };
        let ids = numbered(season.round() + 1, matches);
        ids.map(|id| season.referee_of(id).or_else(&mut least)).collect()
    }

    /// Whether matches wait and no referee answers.
    pub(super) fn is_alone(&self) -> bool {
        let running =
            self.league.season.phase() == LeaguePhase::Running && self.league.season.open() > 0;
        // Who is given nothing is asked for nothing.
        running
            && self.league.settings.says().assigns
            && self.assignments.doubted() >= self.league.registry.referee_count()
    }

    /// Says once when the last referee is lost, and once when there is one again.
    pub(super) fn look_for_referees(&mut self, out: &mut Out) {
        let alone = self.is_alone();
        if alone == self.alone {
            return;
        }
        self.alone = alone;
        let referees =
            self.league.registry.referee_count().saturating_sub(self.assignments.doubted());
        if alone {
            out.push(Effect::Alert(Alert::NoReferee { open: self.league.season.open() }));
        } else if referees > 0 {
            out.push(Effect::Alert(Alert::RefereeBack { referees }));
        }
    }

    /// A sign of life from a referee; one that was doubted is tried again at once.
    pub(super) fn hear(&mut self, referee: RefereeId, now: Timestamp, out: &mut Out) {
        if !self.league.settings.says().assigns {
            return;
        }
        if self.assignments.is_doubtful(referee)
            && let Some(agent) = self.league.registry.referee(referee)
        {
            out.push(Effect::Heard(agent.endpoint()));
        }
        self.assignments.heard(referee, now + self.league.settings.lease());
    }

    /// A heartbeat: from the first one on the referee has a lease.
    pub(super) fn beat(&mut self, referee: RefereeId, now: Timestamp, out: &mut Out) {
        self.assignments.renew(referee, now + self.league.settings.lease());
        self.hand_out(referee, now, out);
    }

    /// A referee is silent for longer than its lease. With nobody there to take its matches the
    /// league waits, because an attempt that nobody can play is none.
    fn lease_over(&mut self, referee: RefereeId, now: Timestamp, out: &mut Out) {
        if !self.give_up_on(referee, now, out) {
            self.assignments.renew(referee, now + self.league.settings.retry());
        }
    }

    /// Nothing is given to that referee until it is heard again, and its matches go to somebody
    /// who is there. Says whether there is somebody.
    pub(super) fn give_up_on(&mut self, referee: RefereeId, now: Timestamp, out: &mut Out) -> bool {
        self.assignments.silent(referee);
        let next = self.substitute(referee);
        if next == referee || self.assignments.is_doubtful(next) {
            return false;
        }
        let open = [Place::Unheard, Place::Waiting, Place::Out, Place::Resting];
        for match_id in self.assignments.of(referee, &open) {
            let place = self.assignments.place(match_id);
            let begun = !matches!(place, Some(Place::Unheard | Place::Waiting));
            // No match is cancelled that has not begun: it waits for whoever holds it.
            if begun || self.league.season.tries(match_id) < self.league.settings.attempts_max {
                self.next_attempt(match_id, Cause::RefereeLost, Blame::Referee, now, out);
            }
        }
        true
    }

    /// Lays out the assignments from the season: at the start of a round, and after a restart.
    pub(super) fn lay_out_assignments(&mut self) {
        if !self.league.settings.says().assigns {
            return;
        }
        let round = self.league.season.round();
        let season = &self.league.season;
        let holders = season.matches_in(round).map(|id| {
            let done = season.result(id).is_some();
            let place = if done { Place::Done } else { Place::Unheard };
            season.attempt(id).map(|attempt| (attempt.referee, place))
        });
        self.assignments.lay_out(round, holders);
        for referee in self.league.registry.referee_ids() {
            self.assignments.announce_to(referee);
        }
        for match_id in self.league.season.again().collect::<Vec<_>>() {
            if let Some(attempt) = self.league.season.attempt(match_id) {
                self.assignments.play_again(match_id, attempt.referee);
            }
        }
    }

    pub(super) fn hand_out_all(&mut self, now: Timestamp, out: &mut Out) {
        for referee in self.league.registry.referee_ids() {
            self.hand_out(referee, now, out);
        }
    }

    /// Gives that referee as many matches as it has room for.
    pub(super) fn hand_out(&mut self, referee: RefereeId, now: Timestamp, out: &mut Out) {
        if self.league.season.paused() {
            return;
        }
        let capacity = self.league.registry.duty(referee).capacity;
        while let Some(match_id) = self.assignments.take(referee, capacity) {
            self.assign(match_id, now, out);
        }
    }

    fn assign(&mut self, match_id: MatchId, now: Timestamp, out: &mut Out) {
        let Some(attempt) = self.league.season.attempt(match_id) else {
            return;
        };
        let Some((to, letter)) = self.assignment(match_id, attempt, now) else {
            return;
        };
        self.assignments.lease(match_id, now + self.league.settings.match_time_max());
        out.push(Effect::Send(Outgoing {
            to,
            lane: Lane::Once { timeout: self.league.settings.call() },
            tag: Tag::Assign { match_id, attempt: attempt.number },
            letter: Box::new(letter),
        }));
    }

    fn assignment(
        &self,
        match_id: MatchId,
        attempt: Attempt,
        now: Timestamp,
    ) -> Option<(Endpoint, Envelope)> {
        let fixture = self.league.season.fixture(match_id)?;
        let referee = self.league.registry.referee(attempt.referee)?;
        let (a, b) =
            (self.league.registry.player(fixture.a)?, self.league.registry.player(fixture.b)?);
        let league = &self.league.settings.league_id;
        let (number, by) = (attempt.number, attempt.referee);
        let token = |player: PlayerId| {
            let key = self.signing.key(AgentId::Player(player));
            key.map(|key| key.match_token(league, match_id, number, by))
        };
        let assignment = MatchAssignment {
            league_id: league.clone(),
            round_id: match_id.round,
            match_id,
            attempt: attempt.number,
            game_type: GameType::EvenOdd,
            referee_id: attempt.referee,
            player_a_id: fixture.a,
            player_a_endpoint: a.endpoint(),
            player_a_display_name: a.name.clone(),
            player_a_token: token(fixture.a)?,
            player_a_standings: self.record_of(fixture.a),
            player_b_id: fixture.b,
            player_b_endpoint: b.endpoint(),
            player_b_display_name: b.name.clone(),
            player_b_token: token(fixture.b)?,
            player_b_standings: self.record_of(fixture.b),
            limits: self.league.settings.limits,
        };
        let letter = Envelope {
            sender: Sender::LeagueManager,
            timestamp: now,
            conversation_id: ConversationId::Match { match_id, attempt: attempt.number },
            auth_token: self.signing.manager_token(AgentId::Referee(by)).cloned(),
            message: assignment.into(),
        };
        Some((referee.endpoint(), letter))
    }

    fn record_of(&self, player: PlayerId) -> Record {
        let row = self.league.season.standings().row(player);
        Record { wins: row.wins, losses: row.losses, draws: row.draws }
    }

    /// Whether that attempt is the one under way.
    pub(super) fn is_current(&self, match_id: MatchId, attempt: u32) -> bool {
        self.league.season.result(match_id).is_none()
            && self.league.season.attempt(match_id).is_some_and(|current| current.number == attempt)
    }

    pub(super) fn assignment_answered(
        &mut self,
        match_id: MatchId,
        attempt: u32,
        refused: bool,
        now: Timestamp,
        out: &mut Out,
    ) {
        // What an older attempt's referee answers late says nothing of the one that holds it now.
        let held = self.league.season.attempt(match_id).filter(|held| held.number == attempt);
        let Some(holder) = held else {
            return;
        };
        self.assignments.heard(holder.referee, now + self.league.settings.lease());
        let current = self.is_current(match_id, attempt);
        if current && refused && self.assignments.place(match_id) == Some(Place::Out) {
            self.assignments.put_back(match_id, now + self.league.settings.retry());
        }
        self.hand_out(holder.referee, now, out);
    }

    pub(super) fn assignment_failed(
        &mut self,
        match_id: MatchId,
        attempt: u32,
        now: Timestamp,
        out: &mut Out,
    ) {
        let out_there = self.assignments.place(match_id) == Some(Place::Out);
        if !self.is_current(match_id, attempt) || !out_there {
            return;
        }
        let tries = self.assignments.rest(match_id, now + self.league.settings.retry());
        let holder = self.league.season.attempt(match_id).map(|attempt| attempt.referee);
        let next = holder.map(|holder| (holder, self.substitute(holder)));
        let better = next.is_some_and(|(from, to)| from != to && !self.assignments.is_doubtful(to));
        // With nobody to turn to the league waits: no attempt is spent on calls that do not arrive.
        if tries >= CALLS_MAX && better {
            self.next_attempt(match_id, Cause::RefereeLost, Blame::Referee, now, out);
        }
    }

    /// The call never left, for want of something that our own host lacks: the referee knows
    /// nothing of it, and it does not count against it.
    pub(super) fn assignment_not_sent(&mut self, match_id: MatchId, attempt: u32, now: Timestamp) {
        let out_there = self.assignments.place(match_id) == Some(Place::Out);
        if self.is_current(match_id, attempt) && out_there {
            self.assignments.put_back(match_id, now + self.league.settings.retry());
        }
    }

    pub(super) fn woken(&mut self, wake: Wake, late: bool, now: Timestamp, out: &mut Out) {
        match wake {
            Wake::Referee(referee) => self.hand_out(referee, now, out),
            Wake::Lease(referee) if late => {
                self.assignments.renew(referee, now + self.league.settings.lease());
            }
            Wake::Lease(referee) => self.lease_over(referee, now, out),
            Wake::Match(match_id) => match self.assignments.place(match_id) {
                Some(Place::Resting) if self.league.season.paused() => {
                    self.assignments.rest_again(match_id, now + self.league.settings.retry());
                }
                Some(Place::Resting) => {
                    self.assignments.wake(match_id);
                    self.assign(match_id, now, out);
                }
                Some(Place::Out) if late => {
                    self.assignments.lease(match_id, now + self.league.settings.lease());
                }
                Some(Place::Out) => {
                    if let Some(attempt) = self.league.season.attempt(match_id) {
                        self.assignments.doubt(attempt.referee);
                    }
                    self.next_attempt(match_id, Cause::RefereeLost, Blame::Referee, now, out);
                }
                Some(Place::Unheard | Place::Waiting | Place::Done) | None => {}
            },
        }
    }

    /// A referee came back with nothing in its hands: what it held begins again.
    pub(super) fn referee_restarted(&mut self, referee: RefereeId, now: Timestamp, out: &mut Out) {
        // All of them first: a void match makes room for another, and that one is not lost.
        for match_id in self.assignments.of(referee, &[Place::Out, Place::Resting]) {
            self.next_attempt(match_id, Cause::RefereeLost, Blame::Referee, now, out);
        }
        self.hand_out(referee, now, out);
    }

    /// The attempt under way came to nothing: the next one, elsewhere if possible, or none.
    pub(super) fn next_attempt(
        &mut self,
        match_id: MatchId,
        cause: Cause,
        blame: Blame,
        now: Timestamp,
        out: &mut Out,
    ) {
        let Some(Attempt { number, referee }) = self.league.season.attempt(match_id) else {
            return;
        };
        if self.league.season.tries(match_id) >= self.league.settings.attempts_max {
            let ended = Ended::cut(Cut { cause, blame, last: true });
            let ruling = Ruling {
                verdict: conclude(&ended, &self.league.settings.scoring()),
                details: Payload::default(),
                claim: Claim::Verified,
            };
            self.accept(match_id, Attempt { number, referee }, ruling, now, out);
            return;
        }
        let (attempt, next) = (number + 1, self.substitute(referee));
        let fact =
            LeagueFact::MatchReassigned { match_id, attempt, referee: next, cause, blame, at: now };
        self.record(fact, out);
        self.assignments.move_to(match_id, next);
        self.hand_out(referee, now, out);
        self.hand_out(next, now, out);
    }
}
