//! The referee: has matches, asks both players at once, judges, reports, and tells.
//!
//! Every match is held around one match machine, with one index of deadlines, and what it asks for
//! is carried out in one place. By call matches are given to it, a question is a call and the
//! answer its reply; by letter they stand in the season's table, and both are letters. What was
//! under way when the process died is reported as void by call, and goes on by letter.
//!
//! Spec: docs/protocol/match.md

mod calls;
mod fact;
mod held;
mod letters;
mod messages;
mod reading;
mod reasons;
mod records;
mod reporting;
mod terms;
mod thoughts;
mod told;
mod tools;

use agon_proto::{AgentId, AuthToken, Call, MatchId, Payload, RefereeId, Timestamp};

use crate::agent::{self, Agent, Joins, Member, Profile, Times};
use crate::effect::{Effect, Effects, Event};
use crate::gate;
use crate::matches::{self, Match, PlayedOnce};
use crate::thinking::{Known, Mishap, Question};
use crate::{Machine, Moment};
use held::{Doing, Held, Matches, Pairing, Stage};
use records::Records;
use terms::KnownTerms;
use thoughts::{Thoughts, Weighed};

pub use fact::RefereeFact;
pub use letters::{Entrant, RoundTold, ScheduledMatch, Start};
pub use terms::RefereeSettings;

type Out = Effects<RefereeFact>;

/// A referee.
#[derive(Debug)]
pub struct Referee {
    records: Records,
    thoughts: Thoughts,
    /// Kept to avoid an allocation for each event.
    scratch: Vec<matches::MatchEffect>,
    // By call.
    /// When the next heartbeat is due.
    beat_at: Option<Timestamp>,
    /// The league is complete; until then we wait for those who are owed a result.
    leaving: Option<Timestamp>,
    terms: KnownTerms,
    // By letter.
    /// How the matches of the table are played.
    played: Option<PlayedOnce>,
}

impl Referee {
    /// Of matches that are given to it by call. `profile.capacity` says how many it runs at once.
    pub fn new(profile: Profile) -> Self {
        Self {
            records: Records::new(Agent::new(profile)),
            thoughts: Thoughts::default(),
            scratch: Vec::new(),
            beat_at: None,
            leaving: None,
            terms: KnownTerms::default(),
            played: None,
        }
    }

    /// Of the matches that the season's table gives to it.
    pub fn by_letter(profile: Profile, settings: RefereeSettings) -> Self {
        let RefereeSettings { played, callbacks: times } = settings;
        let thoughts = Thoughts { times, ..Thoughts::default() };
        Self { thoughts, played: Some(played), ..Self::new(profile) }
    }

    /// Its id, once it has one.
    pub fn id(&self) -> Option<RefereeId> {
        match self.records.me.credentials().and_then(|given| given.agent) {
            Some(AgentId::Referee(id)) => Some(id),
            Some(AgentId::Player(_)) | None => None,
        }
    }

    /// The operator gave it a token by which it comes back; it shows that one.
    pub fn show(&mut self, token: AuthToken) {
        self.records.me.keys.shown = Some(token);
    }

    /// How many matches it is playing.
    pub fn live(&self) -> u32 {
        self.records.matches.live
    }

    fn speaks_by_letter(&self) -> bool {
        self.records.me.profile.joins != Joins::AtOnce
    }

    fn record(&mut self, fact: RefereeFact, out: &mut Out) {
        self.apply(&fact);
        out.facts.push(fact);
    }

    /// Lets that attempt take one event, and does what it asks for.
    fn play(
        &mut self,
        place: (MatchId, u32),
        event: impl FnOnce(&Pairing) -> Option<matches::MatchEvent>,
        now: Timestamp,
        out: &mut Out,
    ) {
        self.advance(place, now, out, |pairing, live, at, effects| {
            if let Some(event) = event(pairing) {
                live.handle(event, at, effects);
            }
        });
    }

    /// Lets that attempt go on, and does what it asks for. Nothing if it is not the one that is
    /// being played. Of a match that goes on after a restart it is written down first where it
    /// stands then.
    fn advance(
        &mut self,
        (match_id, attempt): (MatchId, u32),
        now: Timestamp,
        out: &mut Out,
        act: impl FnOnce(&Pairing, &mut Match, Timestamp, &mut Vec<matches::MatchEffect>),
    ) {
        let at = self.records.clock(now);
        let Some(held) = self.records.matches.held.get_mut(&match_id) else { return };
        let Held { pairing, stage: Stage::Live(live, _) } = held else { return };
        if pairing.attempt() != attempt {
            return;
        }
        if live.resumes() {
            let mut next = live.clone();
            act(pairing, &mut next, at, &mut self.scratch);
            let progress = Box::new(next.progress());
            self.record(RefereeFact::Stepped { match_id, progress }, out);
            return self.carry_out(match_id, now, out);
        }
        act(pairing, live, at, &mut self.scratch);
        // It is not looked up again: that would be done for every event.
        let (me, timers) = (&mut self.records.me, &mut self.records.matches.timers);
        let mut doing = Doing { me, timers, thoughts: &mut self.thoughts, now, out };
        if let Some(ended) = doing.carry_out((match_id, held), &mut self.scratch) {
            self.conclude(match_id, ended, now, out);
        }
    }

    /// Does what a match asks for.
    fn carry_out(&mut self, match_id: MatchId, now: Timestamp, out: &mut Out) {
        let Self { records: Records { me, matches, .. }, scratch, thoughts, .. } = self;
        let Matches { held, timers, .. } = matches;
        let Some(held) = held.get_mut(&match_id) else { return scratch.clear() };
        let mut doing = Doing { me, timers, thoughts, now, out };
        if let Some(ended) = doing.carry_out((match_id, held), scratch) {
            self.conclude(match_id, ended, now, out);
        }
    }

    /// Our own program has answered, or could not.
    fn thought(
        &mut self,
        number: u64,
        answer: Result<Payload, Mishap>,
        now: Timestamp,
        out: &mut Out,
    ) {
        let Some(thought) = self.thoughts.open.end(number) else { return };
        let match_id = thought.match_id;
        let Some(Held { pairing, stage: Stage::Live(live, _) }) =
            self.records.matches.held.get(&match_id)
        else {
            return;
        };
        if !thought.is_owed_in(live) {
            return;
        }
        let (weighed, alert) = thought.weigh(answer, (live, pairing.seed()));
        out.effects.extend(alert.map(Effect::Alert));
        match weighed {
            Weighed::Again(thought) => out.push(self.thoughts.begin(thought, live, now)),
            Weighed::Counts(event) => {
                let place = (match_id, pairing.attempt());
                self.play(place, |_| Some(event), now, out);
            }
        }
    }
}

impl Member for Referee {
    fn agent(&self) -> &Agent {
        &self.records.me
    }

    fn agent_mut(&mut self) -> &mut Agent {
        &mut self.records.me
    }
}

impl Machine for Referee {
    type Fact = RefereeFact;

    fn handle(&mut self, event: Event, now: Timestamp, out: &mut Out) {
        match event {
            Event::Posted { request, proof, at, letter, .. } if self.speaks_by_letter() => {
                let known = out.facts.len();
                agent::open(self, request, (proof, letter), Times { arrived: at, now }, out);
                // A letter that changes nothing is no reason to leave once more.
                if out.facts.len() > known {
                    self.records.finish_if_done(out);
                }
            }
            Event::Garbled { request, proof, at, garbled } if self.speaks_by_letter() => {
                self.garbled(request, &proof, &garbled, Times { arrived: at, now }, out);
            }
            Event::Called { request, .. } if self.speaks_by_letter() => {
                out.refuse(request, letters::NO_CALLS);
            }
            Event::Called { request, call: Call::Message(letter), .. } => {
                self.route(request, letter, now, out);
            }
            Event::Called { request, call: Call::Tool(tool, params), .. } => {
                tools::use_tool(self, request, tool, &params, out);
            }
            Event::Posted { request, .. }
            | Event::Garbled { request, .. }
            | Event::Called { request, call: Call::Letter(_), .. } => {
                out.refuse(request, gate::NO_LETTERS);
            }
            Event::Answered { tag, answer } => self.answered(tag, answer, now, out),
            Event::Noticed { tag, how } => self.noticed(tag, how, now, out),
            Event::Undelivered { tag, why, objection } => {
                self.undelivered(tag, (why, objection), now, out);
            }
            Event::Drawn(drew) => {
                let rolled = matches::MatchEvent::Rolled(drew.number);
                self.play((drew.match_id, drew.attempt), |_| Some(rolled), now, out);
            }
            Event::Thought { number, answer } => self.thought(number, answer, now, out),
            Event::Taken(parcel) => self.dispatched(parcel, now, out),
        }
    }

    fn tick(&mut self, Moment { now, heard }: Moment, out: &mut Out) {
        if self.records.me.is_due(now) {
            agent::ask(self, now, out);
        }
        self.beat(now, out);
        if self.records.told.is_due(now) {
            self.say_told(now, out);
        }
        while self.records.me.season.paused_at.is_none()
            && let Some(match_id) = self.records.matches.due(heard)
        {
            self.time_out(match_id, now, out);
        }
        if self.speaks_by_letter() {
            self.drop_expired(heard, out);
        }
        self.leave(now, out);
    }

    fn deadline(&self) -> Option<Timestamp> {
        let timer = self.records.matches.timers.nearest();
        let timer = timer.filter(|_| self.records.me.season.paused_at.is_none());
        let due =
            [timer, self.beat_at, self.records.told.due, self.records.me.deadline(), self.leaving];
        let due = due.into_iter().flatten().min();
        if !self.speaks_by_letter() {
            return due;
        }
        [due, self.records.me.letterbox.deadline()].into_iter().flatten().min()
    }

    /// Registers by call, with the old token if there is one: debts are settled once it is in. By
    /// letter everything that is owed goes out.
    fn resume(&mut self, now: Timestamp, out: &mut Out) {
        if self.speaks_by_letter() {
            self.go_on(now, out);
        } else {
            agent::ask(self, now, out);
        }
    }

    fn known(&self, question: &Question) -> Known<'_> {
        let Records { me, matches, .. } = &self.records;
        let written = matches.written(question.match_id);
        let context = written.map(|exchange| exchange.told_besides(me)).unwrap_or_default();
        Known { context, ..Known::default() }
    }

    fn apply(&mut self, fact: &RefereeFact) {
        self.records.apply(fact);
        // With its season a thought is forgotten: nobody may take it for one about the next.
        if self.records.matches.held.is_empty() {
            self.thoughts.open.clear();
        }
    }
}

#[cfg(test)]
mod tests;
