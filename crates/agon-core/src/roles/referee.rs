//! The referee: takes matches, asks both players at once, judges, reports, and then tells.
//!
//! The manager hears first: GAME_OVER goes out when the report is accepted, so no player ever hears
//! two results of one match. What was under way when the process died is reported as void.
//!
//! Spec: docs/protocol/match.md

mod letters;
mod outcomes;
mod reading;
mod reasons;
mod reporting;
mod taking;
mod telling;
mod tools;

use std::collections::BTreeSet;
use std::sync::Arc;

use agon_proto::message::{Blame, Cause, MatchAssignment, Message, Transcript};
use agon_proto::tool::Lifecycle;
use agon_proto::{AgentId, AuthToken, Call, Envelope, MatchId, Payload, RefereeId, Timestamp};
use rustc_hash::FxHashMap;

use crate::agent::{self, Agent, Profile};
use crate::effect::{Effect, Effects, Event, RequestId};
use crate::fact::RefereeFact;
use crate::gate::{self, Speaker};
use crate::matches::{self, Match};
use crate::verdict::{Outcome, Verdict};
use crate::{Machine, Moment, Refusal};
use taking::KnownTerms;
use telling::Told;

type Out = Effects<RefereeFact>;

/// A match in this referee's hands.
#[derive(Debug)]
struct Held {
    assignment: Arc<MatchAssignment>,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// Taken, and known only from the journal: the process died under it.
    Abandoned,
    /// Being played, in its place: a box would be one for each match. The time that stands in the
    /// index: its deadline, or earlier.
    Live(Match, Option<Timestamp>),
    /// The report is owed.
    Judged(Judged),
    /// Recorded by the manager; these players are owed the news.
    Telling(Judged, [bool; 2]),
}

/// How an attempt ended.
#[derive(Debug, Clone)]
struct Judged {
    verdict: Verdict,
    /// What was played.
    details: Payload,
    transcript: Transcript,
}

/// A referee.
#[derive(Debug)]
pub struct Referee {
    me: Agent,
    held: FxHashMap<MatchId, Held>,
    /// Matches being played.
    live: u32,
    /// Deadlines of live matches, and times at which a report is tried again.
    timers: BTreeSet<(Timestamp, MatchId)>,
    /// The latest attempt seen of each match of the newest rounds, so that an old letter is known.
    seen: FxHashMap<MatchId, u32>,
    /// When the next heartbeat is due.
    beat_at: Option<Timestamp>,
    told: Told,
    /// The league is complete; until then we wait for those who are owed a result.
    leaving: Option<Timestamp>,
    /// The terms that were asked for last: nearly always those of the next match, too.
    terms: KnownTerms,
    /// Kept to avoid an allocation for each event.
    scratch: Vec<matches::Effect>,
}

impl Referee {
    /// `profile.capacity` says how many matches it runs at once.
    pub fn new(profile: Profile) -> Self {
        Self {
            me: Agent::new(profile),
            held: FxHashMap::default(),
            live: 0,
            timers: BTreeSet::new(),
            seen: FxHashMap::default(),
            beat_at: None,
            told: Told::default(),
            leaving: None,
            terms: KnownTerms::default(),
            scratch: Vec::new(),
        }
    }

    /// Its id, once it has one.
    pub fn id(&self) -> Option<RefereeId> {
        match self.me.credentials().and_then(|given| given.agent) {
            Some(AgentId::Referee(id)) => Some(id),
            Some(AgentId::Player(_)) | None => None,
        }
    }

    /// The operator gave it a token by which it comes back; it shows that one.
    pub fn show(&mut self, token: AuthToken) {
        self.me.show(token);
    }

    /// How many matches it is playing.
    pub fn live(&self) -> u32 {
        self.live
    }

    fn record(&mut self, fact: RefereeFact, out: &mut Out) {
        self.apply(&fact);
        out.facts.push(fact);
    }

    /// The whole routing table.
    fn route(&mut self, request: RequestId, letter: Box<Envelope>, now: Timestamp, out: &mut Out) {
        let (speaker, letter) = match gate::at_agent(&mut self.me, letter) {
            Ok(admitted) => admitted.open(),
            Err(early) => {
                let held = self.me.early.hold(self.me.lifecycle(), request, early);
                return held.unwrap_or_else(|refusal| out.refuse(request, refusal));
            }
        };
        if speaker != Speaker::Manager {
            return out.refuse(request, Refusal::NotPermitted("only the manager calls a referee"));
        }
        #[expect(clippy::wildcard_enum_match_arm, reason = "six of 23 messages are for us")]
        match letter.message {
            Message::MatchAssignment(said) => self.take(request, *said, now, out),
            Message::RoundAnnouncement(said) => {
                self.me.activate();
                out.acknowledge(request);
                if said.repeated {
                    self.say_all_again(now, out);
                }
            }
            Message::RoundCompleted(said) => {
                self.seen.retain(|id, _| id.round >= said.round_id);
                self.told.forget_before(said.round_id);
                out.acknowledge(request);
                if said.repeated {
                    self.say_all_again(now, out);
                }
            }
            Message::LeagueStandingsUpdate(_) => out.acknowledge(request),
            Message::PlayerWithdrawn(_) => out.acknowledge(request),
            // Whoever registers is told again; what it owes from before must be settled first.
            Message::LeagueCompleted(_) if self.me.lifecycle() == Lifecycle::Registering => {
                out.acknowledge(request);
            }
            Message::LeagueCompleted(_) => {
                self.me.shut_down(now);
                self.beat_at = None;
                out.acknowledge(request);
                self.leaving = Some(now + self.me.profile.timeout);
                self.leave(now, out);
            }
            other => out.refuse(request, gate::not_for_us(other.message_type())),
        }
    }

    fn holds(&self, match_id: MatchId, attempt: u32) -> bool {
        self.held.get(&match_id).is_some_and(|held| held.assignment.attempt == attempt)
    }

    /// Lets that attempt take one event, and does what it asks for. Nothing if it is not the one
    /// that is being played.
    fn play(
        &mut self,
        (match_id, attempt): (MatchId, u32),
        event: impl FnOnce(&MatchAssignment) -> matches::Event,
        now: Timestamp,
        out: &mut Out,
    ) {
        match self.held.get_mut(&match_id) {
            Some(Held { assignment, stage: Stage::Live(live, _) })
                if assignment.attempt == attempt =>
            {
                live.handle(event(assignment), now, &mut self.scratch);
                self.carry_out(match_id, now, out);
            }
            Some(_) | None => {}
        }
    }

    fn carry_out(&mut self, match_id: MatchId, now: Timestamp, out: &mut Out) {
        let Self { held, scratch, timers, .. } = self;
        let Some(held) = held.get_mut(&match_id) else {
            return scratch.clear();
        };
        let mut over = None;
        for step in scratch.drain(..) {
            match step {
                matches::Effect::Ask { .. }
                | matches::Effect::Warn { .. }
                | matches::Effect::Lapsed(_) => {
                    out.effects.extend(held.call_player(step, now));
                }
                matches::Effect::Roll(below) => {
                    let attempt = held.assignment.attempt;
                    out.push(Effect::Draw { match_id, attempt, min: 0, max: below - 1 });
                }
                // Only games by letter ask for judgement, and they have a referee of their own.
                matches::Effect::Consult { .. } | matches::Effect::Through(_) => {}
                matches::Effect::Report(verdict, details) => over = Some((verdict, details)),
            }
        }
        match over {
            Some(ended) => self.judge(match_id, ended, now, out),
            None => held.index(timers),
        }
    }
}

impl Held {
    /// Keeps the index of deadlines in step with the match. A deadline that moves away is left
    /// where it stands: when that time comes nothing is due, and it is put in its place. So the
    /// index is touched once in a match that goes well, and not at every step.
    fn index(&mut self, timers: &mut BTreeSet<(Timestamp, MatchId)>) {
        let Stage::Live(live, indexed) = &mut self.stage else {
            return;
        };
        let Some(deadline) = live.deadline() else {
            return;
        };
        match *indexed {
            Some(earlier) if earlier <= deadline => return,
            Some(later) => timers.remove(&(later, self.assignment.match_id)),
            None => false,
        };
        timers.insert((deadline, self.assignment.match_id));
        *indexed = Some(deadline);
    }
}

impl Machine for Referee {
    type Fact = RefereeFact;

    fn handle(&mut self, event: Event, now: Timestamp, out: &mut Out) {
        match event {
            Event::Called { request, call: Call::Letter(letter), .. } => {
                self.route(request, letter, now, out);
            }
            Event::Called { request, call: Call::Tool(tool, params), .. } => {
                self.use_tool(request, tool, &params, out);
            }
            Event::Answered { tag, answer } => self.answered(tag, answer, now, out),
            Event::Noticed { tag, how } => self.noticed(tag, how, now, out),
            Event::Undelivered { tag, why, objection } => {
                self.undelivered(tag, (why, objection), now, out);
            }
            Event::Drawn(drew) => {
                let rolled = matches::Event::Rolled(drew.number);
                self.play((drew.match_id, drew.attempt), |_| rolled, now, out);
            }
            Event::Posted { request, .. }
            | Event::Garbled { request, .. }
            | Event::Called { request, call: Call::Post(_), .. } => {
                out.refuse(request, gate::NO_LETTERS);
            }
            Event::Thought { .. } | Event::Dispatched(_) => {}
        }
    }

    fn tick(&mut self, Moment { now, .. }: Moment, out: &mut Out) {
        if self.me.is_due(now) {
            agent::ask(self, now, out);
        }
        self.beat(now, out);
        if self.told.is_due(now) {
            self.say_told(now, out);
        }
        while let Some(&(at, match_id)) = self.timers.first() {
            if at > now {
                break;
            }
            self.timers.pop_first();
            let Some(held) = self.held.get_mut(&match_id) else {
                continue;
            };
            match &mut held.stage {
                Stage::Live(live, indexed) => {
                    *indexed = None;
                    let due = live.deadline();
                    // We come much too late, so an answer may have come in time and lie unread.
                    if due.is_some_and(|due| now.since(due) > self.me.profile.lateness_max) {
                        let cause = Cause::HostOverloaded;
                        let void = Verdict::unplayed(Outcome::Void, cause, Blame::Host);
                        self.judge(match_id, (void, Payload::default()), now, out);
                        continue;
                    }
                    live.handle(matches::Event::TimedOut, now, &mut self.scratch);
                    self.carry_out(match_id, now, out);
                }
                Stage::Judged(..) => self.report(match_id, now, out),
                Stage::Abandoned | Stage::Telling(..) => {}
            }
        }
        self.leave(now, out);
    }

    fn deadline(&self) -> Option<Timestamp> {
        let timer = self.timers.first().map(|(at, _)| *at);
        let due = [timer, self.beat_at, self.told.due(), self.me.deadline(), self.leaving];
        due.into_iter().flatten().min()
    }

    /// Registers, with the old token if there is one. Debts are settled once it is in.
    fn resume(&mut self, now: Timestamp, out: &mut Out) {
        agent::ask(self, now, out);
    }

    fn apply(&mut self, fact: &RefereeFact) {
        match fact {
            RefereeFact::Agent(fact) => self.me.apply(fact),
            RefereeFact::Assigned(assignment) => {
                self.seen.insert(assignment.match_id, assignment.attempt);
                let held = Held { assignment: assignment.clone(), stage: Stage::Abandoned };
                self.held.insert(held.assignment.match_id, held);
            }
            RefereeFact::Judged { match_id, verdict, details, transcript, .. } => {
                if let Some(held) = self.held.get_mut(match_id) {
                    let (details, transcript) = (details.clone(), transcript.clone());
                    held.stage = Stage::Judged(Judged { verdict: *verdict, details, transcript });
                }
            }
            RefereeFact::Recorded { match_id, attempt } => {
                if let Some(held) = self.held.get_mut(match_id)
                    && held.assignment.attempt == *attempt
                {
                    held.stage = match std::mem::replace(&mut held.stage, Stage::Abandoned) {
                        Stage::Judged(judged) => Stage::Telling(judged, [true; 2]),
                        other @ (Stage::Abandoned | Stage::Live(..) | Stage::Telling(..)) => other,
                    };
                }
            }
            RefereeFact::Settled { match_id, attempt } => {
                if self.holds(*match_id, *attempt)
                    && let Some(Held { stage: Stage::Telling(..), .. }) = self.held.remove(match_id)
                {
                    self.told.add(*match_id);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
