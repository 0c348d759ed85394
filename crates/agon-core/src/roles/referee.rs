//! The referee: has matches, asks both players at once, judges, reports, and tells.
//!
//! Every match is held around one match machine, with one index of deadlines, and what it asks for
//! is carried out in one place. By call matches are given to it, a question is a call and the
//! answer its reply; by letter they stand in the season's table, and both are letters. What was
//! under way when the process died is reported as void by call, and goes on by letter.
//!
//! Spec: docs/protocol/match.md

mod calls;
mod deadlines;
mod exchange;
mod fact;
mod letters;
mod messages;
mod records;
mod rejections;
mod reporting;
mod results;
mod states;
mod thoughts;

use std::time::Duration;

use agon_proto::act::ActKind;
use agon_proto::{AgentId, AuthToken, Endpoint, MatchId, Payload, RefereeId, Timestamp};

use rustc_hash::FxHashSet;

use crate::agent::{self, Agent, Member, Profile};
use crate::effect::{Effect, Effects, Event, Handling};
use crate::matches::{Match, MatchEffect, MatchEvent, PlayedOnce};
use crate::thinking::{Known, Mishap, Question};
use crate::verdict::Verdict;
use crate::{Machine, Moment, first_of};
use deadlines::Deadlines;
use messages::KnownTerms;
use records::{Held, HeldStage, Matches, Pairing, Records};
use thoughts::{Thought, Thoughts, Weighed};

pub use fact::{Entrant, RefereeFact, RoundTold, ScheduledMatch, Start};

/// What comes of an event.
type Out<'a> = Handling<'a, RefereeFact>;

/// How a referee works whose matches stand in the season's table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefereeSettings {
    pub played: PlayedOnce,
    /// How long our program may think, by kind of question.
    pub callbacks: Vec<Duration>,
}

/// A referee.
#[derive(Debug)]
pub struct Referee {
    records: Records,
    thoughts: Thoughts,
    /// Kept to avoid an allocation for each event.
    scratch: Vec<MatchEffect>,
    // By call.
    /// When the next heartbeat is due.
    beat_at: Option<Timestamp>,
    /// The league is complete; until then we wait for those who are owed a result.
    leaving: Option<Timestamp>,
    terms: KnownTerms,
    // By letter.
    /// How the matches of the table are played.
    played: Option<PlayedOnce>,
    /// Whose letters were rejected in which match, because they were late or after the end of it.
    /// Of this process only.
    rejected: FxHashSet<rejections::Told>,
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
            rejected: FxHashSet::default(),
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

    /// Lets that attempt take one event, and does what it asks for.
    fn play(&mut self, place: (MatchId, u32), event: MatchEvent, out: &mut Out) {
        self.advance(place, out, |_, live, at, effects| live.handle(event, at, effects));
    }

    /// Lets that attempt go on, and does what it asks for. Nothing if it is not the one that is
    /// being played. Of a match that goes on after a restart it is written down first where it
    /// stands then.
    fn advance(
        &mut self,
        (match_id, attempt): (MatchId, u32),
        out: &mut Out,
        act: impl FnOnce(&Pairing, &mut Match, Timestamp, &mut Vec<MatchEffect>),
    ) {
        let at = self.records.clock(out.now);
        let Some(held) = self.records.matches.held.get_mut(&match_id) else { return };
        let Held { pairing, stage: HeldStage::Live(live, _) } = held else { return };
        if pairing.attempt() != attempt {
            return;
        }
        if live.resumes() {
            let mut next = live.clone();
            act(pairing, &mut next, at, &mut self.scratch);
            let progress = Box::new(next.progress());
            self.record(RefereeFact::Stepped { match_id, progress }, out);
            return self.carry_out(match_id, out);
        }
        act(pairing, live, at, &mut self.scratch);
        // It is not looked up again: that would be done for every event.
        let (me, timers) = (&mut self.records.me, &mut self.records.matches.timers);
        let mut doing = Doing { me, timers, thoughts: &mut self.thoughts, out };
        if let Some(ended) = doing.carry_out((match_id, held), &mut self.scratch) {
            self.conclude(match_id, ended, out);
        }
    }

    /// Does what a match asks for.
    fn carry_out(&mut self, match_id: MatchId, out: &mut Out) {
        let Self { records: Records { me, matches, .. }, scratch, thoughts, .. } = self;
        let Matches { held, timers, .. } = matches;
        let Some(held) = held.get_mut(&match_id) else { return scratch.clear() };
        let mut doing = Doing { me, timers, thoughts, out };
        if let Some(ended) = doing.carry_out((match_id, held), scratch) {
            self.conclude(match_id, ended, out);
        }
    }

    /// Our own program has answered, or could not.
    fn thought(&mut self, number: u64, answer: Result<Payload, Mishap>, out: &mut Out) {
        let Some(thought) = self.thoughts.open.end(number) else { return };
        let match_id = thought.match_id;
        let Some(Held { pairing, stage: HeldStage::Live(live, _) }) =
            self.records.matches.held.get(&match_id)
        else {
            return;
        };
        if !live.consulting().any(|owed| owed == (thought.about, thought.judgement)) {
            return;
        }
        let (weighed, alert) = thought.weigh(answer, (live, pairing.seed()));
        out.effects.extend(alert.map(Effect::Alert));
        match weighed {
            Weighed::Again(thought) => {
                let question = self.thoughts.begin(thought, live, out.now);
                out.push(question);
            }
            Weighed::Counts(event) => {
                let place = (match_id, pairing.attempt());
                self.play(place, event, out);
            }
        }
    }
}

impl Machine for Referee {
    type Fact = RefereeFact;

    fn handle(&mut self, event: Event, now: Timestamp, out: &mut Effects<RefereeFact>) {
        let out = &mut Handling { now, out };
        match event {
            Event::Called { request, call, .. } => agent::called(self, request, call, out),
            Event::Posted { request, proof, at, letter, .. } => {
                let known = out.facts.len();
                agent::posted(self, request, (proof, letter), at, out);
                // A letter that changes nothing is no reason to leave once more.
                if out.facts.len() > known {
                    self.records.finish_if_done(out);
                }
            }
            Event::Garbled { request, proof, at, garbled } => {
                agent::garbled(self, request, (&proof, &garbled), at, out);
            }
            Event::Answered { tag, answer } => self.answered(tag, answer, out),
            Event::Noticed { tag, how } => self.noticed(tag, how, out),
            Event::Undelivered { tag, why, objection } => {
                self.undelivered(tag, (why, objection), out);
            }
            Event::Drawn { match_id, attempt, number } => {
                self.play((match_id, attempt), MatchEvent::Rolled(number), out);
            }
            Event::Thought { number, answer } => self.thought(number, answer, out),
            Event::Taken(parcel) => self.dispatched(parcel, out),
            Event::Probed { .. } => {}
        }
    }

    fn tick(&mut self, Moment { now, heard }: Moment, out: &mut Effects<RefereeFact>) {
        let out = &mut Handling { now, out };
        agent::ask_again(self, out);
        self.beat(out);
        if self.records.told.due.is_some_and(|due| due <= now) {
            self.say_told(out);
        }
        while self.records.me.season.paused_at.is_none()
            && let Some(match_id) = self.records.matches.due(heard)
        {
            self.time_out(match_id, out);
        }
        if agent::drop_expired(self, heard, out) {
            self.records.finish_if_done(out);
        }
        self.leave(out);
    }

    fn deadline(&self) -> Option<Timestamp> {
        let Records { me, matches, told, .. } = &self.records;
        let timer = matches.timers.nearest().filter(|_| me.season.paused_at.is_none());
        first_of([timer, self.beat_at, told.due, me.deadline(), self.leaving])
    }

    /// By call debts are settled once it is in. By letter everything that is owed goes out.
    fn resume(&mut self, now: Timestamp, out: &mut Effects<RefereeFact>) {
        self.go_on(&mut Handling { now, out });
    }

    fn known(&self, question: &Question) -> Known<'_> {
        let Records { me, matches, .. } = &self.records;
        let written = matches.written(question.match_id);
        let context = written.map(|exchange| exchange.told_besides(me)).unwrap_or_default();
        Known { context, ..Known::default() }
    }

    fn record_keeper(&self) -> Option<(Endpoint, AuthToken)> {
        self.records.me.record_keeper()
    }

    fn apply(&mut self, fact: &RefereeFact) {
        self.records.apply(fact);
        // With its season a thought is forgotten: nobody may take it for one about the next.
        if self.records.matches.held.is_empty() {
            self.thoughts.open.clear();
        }
    }
}

/// What is needed to do what a match asks for.
struct Doing<'a, 'o> {
    me: &'a mut Agent,
    timers: &'a mut Deadlines,
    thoughts: &'a mut Thoughts,
    out: &'a mut Out<'o>,
}

impl Doing<'_, '_> {
    /// Does all of that, and says how the match ended, if it did.
    fn carry_out(
        &mut self,
        (match_id, held): (MatchId, &mut Held),
        effects: &mut Vec<MatchEffect>,
    ) -> Option<(Verdict, Payload)> {
        let mut over = None;
        if let Held { pairing, stage: HeldStage::Live(live, _) } = &*held {
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
                    if let Some(effect) = messages::say(assignment, live, effect, self.out.now) {
                        self.out.push(effect);
                    }
                }
                Pairing::Written(exchange) => {
                    if let MatchEffect::Lapsed(lapsed) = effect {
                        let player = exchange.player(lapsed.seat).group.as_str();
                        let wanted = ActKind::Move(lapsed.step).name();
                        let place = (match_id, pairing.attempt());
                        let failed = results::failed_ask(place, (player, wanted), lapsed);
                        self.out.push(Effect::Alert(failed));
                    }
                    for (seat, letter, until) in exchange.say(live, effect, self.me, self.out.now) {
                        let parcel = exchange.parcel(self.me, (seat, &letter, until));
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
                let question = self.thoughts.begin(thought, live, self.out.now);
                self.out.push(question);
            }
            // What is done about that is done when everything else is.
            MatchEffect::Report(..) => {}
        }
    }
}

#[cfg(test)]
mod tests;
