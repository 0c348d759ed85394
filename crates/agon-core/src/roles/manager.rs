//! The league manager: lets agents in, gives out matches, takes results, keeps the table.
//!
//! Its state is a fold of its facts. A report counts once; a round ends when every match has its
//! result; nothing is announced before it is written down.
//!
//! Spec: docs/protocol/season.md

mod agenda;
mod corrections;
mod handing_out;
mod hearing;
mod news;
mod post;
mod queries;
mod registration;
mod reports;
mod reset;
mod rounds;
mod saying;
mod schedule;
mod tools;
mod trust;

use std::collections::BTreeSet;

use agon_proto::dialect::{Dialect, league_v2};
use agon_proto::joining::Applying;
use agon_proto::message::Message;
use agon_proto::q21::Role;
use agon_proto::tool::{LeaguePhase, LeagueState, RoundPhase};
use agon_proto::{
    AgentId, Answer, Call, ConversationId, Envelope, MatchId, Receipt, ReceiptStatus, Sender,
    Timestamp,
};
use rustc_hash::FxHashSet;

use crate::assignments::Assignments;
use crate::effect::{Caller, Effects, Event, RequestId, Setback, Tag};
use crate::fact::{LeagueFact, Q21Fact};
use crate::gate::{self, Speaker};
use crate::heard::Heard;
use crate::league::League;
use crate::post::Letterbox;
use crate::signing::Signing;
use crate::{CodeHash, Machine, Moment, Refusal, Secrets, Settings, TokenHash};
use registration::Application;

type Out = Effects<LeagueFact>;

/// What a manager is told at every start. Not part of the league's rules.
#[derive(Debug, Clone)]
pub struct ManagerOptions {
    /// The source of tokens.
    pub secrets: Secrets,
    /// What proves the operator.
    pub operator: TokenHash,
    /// Begin by itself once so many players and a referee are in.
    pub start_when: Option<u32>,
    /// What referees from other machines show; without it none of them may come.
    pub referee_code: Option<CodeHash>,
}

/// The league manager.
#[derive(Debug)]
pub struct Manager {
    options: ManagerOptions,
    league: League,
    assignments: Assignments,
    heard: Heard,
    signing: Signing,
    letterbox: Letterbox,
    /// Agents that have shown a fresh token, so they have it: which one, by how often they were let
    /// in. Not durable: it matters for seconds.
    shown: FxHashSet<(AgentId, u32)>,
    /// No referee answers and matches wait; that was said.
    alone: bool,
    /// Attempts whose referee contradicted itself, until somebody else can take them.
    disbelieved: BTreeSet<(MatchId, u32)>,
    /// Nobody who writes is late before that, because we could not hear.
    deaf_until: Option<Timestamp>,
}

impl Manager {
    /// Of a league in which nothing has happened yet.
    pub fn new(settings: Settings, options: ManagerOptions) -> Self {
        Self::reader(League::new(settings), options)
    }

    /// Of a league that stands. It knows of no letters that wait and can sign nothing, so it is
    /// good for questions only.
    pub fn reader(league: League, options: ManagerOptions) -> Self {
        Self {
            options,
            league,
            assignments: Assignments::default(),
            heard: Heard::default(),
            signing: Signing::default(),
            letterbox: Letterbox::default(),
            shown: FxHashSet::default(),
            alone: false,
            disbelieved: BTreeSet::new(),
            deaf_until: None,
        }
    }

    /// All that is durable of it.
    pub fn league(&self) -> &League {
        &self.league
    }

    pub fn state(&self) -> LeagueState {
        let mut state = self.league.state();
        // A round is played from its first match on, and not only from its first result.
        let out = self.assignments.is_any_out() || !self.league.settings.says().assigns;
        if state.round_phase == RoundPhase::Announced && out {
            state.round_phase = RoundPhase::InProgress;
        }
        LeagueState { waiting_for_referee: self.is_alone(), ..state }
    }

    fn record(&mut self, fact: LeagueFact, out: &mut Out) {
        self.apply(&fact);
        out.facts.push(fact);
    }

    /// The whole routing table.
    fn route(
        &mut self,
        (request, caller): (RequestId, Caller),
        letter: Box<Envelope>,
        now: Timestamp,
        out: &mut Out,
    ) {
        let admitted = match gate::at_manager((&self.league.registry, &self.signing), letter) {
            Ok(admitted) => admitted,
            Err(refusal) => return out.refuse(request, refusal),
        };
        let (speaker, letter) = admitted.open();
        self.note_use(speaker, now);
        if let Speaker::Referee(referee) = speaker {
            self.hear(referee, now, out);
        }
        let conversation = letter.conversation_id;
        let (token, said_at) = (letter.auth_token, letter.timestamp);
        let foreign = self.league.settings.dialect() != Dialect::LeagueV2;
        if foreign && !matches!(letter.message, Message::LeagueQuery(_)) {
            return out.refuse(request, Refusal::Unsupported("this league is played by letters"));
        }
        #[expect(clippy::wildcard_enum_match_arm, reason = "five of 23 messages are for us")]
        match letter.message {
            Message::LeagueRegisterRequest(said) => {
                let came = Application::by_call(caller, conversation.clone(), token, said_at);
                self.register((request, conversation), said.player_meta.into(), came, now, out);
            }
            Message::RefereeRegisterRequest(said) => {
                let came = Application::by_call(caller, conversation.clone(), token, said_at);
                self.register((request, conversation), said.referee_meta.into(), came, now, out);
            }
            Message::MatchResultReport(said) => match speaker {
                Speaker::Referee(referee) => self.take_report(referee, said, request, now, out),
                Speaker::Player(_) | Speaker::Manager | Speaker::Newcomer => {
                    out.refuse(request, Refusal::NotPermitted("results come from referees"));
                }
            },
            Message::Heartbeat(said) => {
                if let Speaker::Referee(referee) = speaker {
                    self.players_told(referee, &said.told, out);
                    self.beat(referee, now, out);
                    out.acknowledge(request);
                } else {
                    out.refuse(request, Refusal::NotPermitted("heartbeats come from referees"));
                }
            }
            Message::LeagueQuery(said) => {
                self.answer_query(speaker, &said, conversation, request, now, out);
            }
            other => out.refuse(request, gate::not_for_us(other.message_type())),
        }
    }

    /// Somebody calls who wants to be let in, and is told at once what becomes of it.
    fn register(
        &mut self,
        (request, conversation): (RequestId, ConversationId),
        said: Applying,
        application: Application,
        now: Timestamp,
        out: &mut Out,
    ) {
        let is_referee = said.role == Some(Role::Referee);
        let admitted = self.admit(said, &application, now, out);
        let league = &self.league.settings.league_id;
        let answer = league_v2::decide(self.decision(&admitted), is_referee, league);
        out.reply(request, Self::letter(conversation, answer, now));
        if let Ok(admitted) = admitted {
            self.welcome(&admitted, now, out);
        }
    }

    fn letter(conversation_id: ConversationId, message: Message, now: Timestamp) -> Answer {
        Answer::Letter(Box::new(Envelope {
            sender: Sender::LeagueManager,
            timestamp: now,
            conversation_id,
            auth_token: None,
            message,
        }))
    }
}

impl Machine for Manager {
    type Fact = LeagueFact;

    fn handle(&mut self, event: Event, now: Timestamp, out: &mut Out) {
        match event {
            Event::Called { request, caller, call: Call::Letter(letter) } => {
                self.route((request, caller), letter, now, out);
            }
            Event::Called { request, call: Call::Tool(tool, params), .. } => {
                self.use_tool(request, tool, &params, now, out);
            }
            Event::Answered { tag: Tag::Assign { match_id, attempt }, answer } => {
                match answer {
                    Answer::Receipt(Receipt { status, .. }) => {
                        let refused = status == ReceiptStatus::Refused;
                        self.assignment_answered(match_id, attempt, refused, now, out);
                    }
                    // An error is no answer: the match is not in anybody's hands.
                    Answer::Letter(_) | Answer::Tool(_) | Answer::Fault(_) => {
                        self.assignment_failed(match_id, attempt, now, out);
                    }
                }
            }
            Event::Undelivered {
                tag: Tag::Assign { match_id, attempt },
                why: Setback::NotSent,
                ..
            } => {
                self.assignment_not_sent(match_id, attempt, now);
            }
            Event::Undelivered { tag: Tag::Assign { match_id, attempt }, .. } => {
                self.assignment_failed(match_id, attempt, now, out);
            }
            Event::Noticed { tag, .. } => self.noticed(tag, now, out),
            // The rest is not ours.
            Event::Answered { .. } | Event::Undelivered { .. } => {}
            Event::Posted { request, proof, caller, letter, .. }
                if self.league.settings.dialect() == Dialect::Q21 =>
            {
                self.posted(request, (&proof, caller.as_ref()), *letter, now, out);
            }
            Event::Posted { request, .. }
            | Event::Garbled { request, .. }
            | Event::Called { request, call: Call::Post(_), .. } => {
                out.refuse(request, gate::NO_LETTERS);
            }
            Event::Dispatched(parcel) => self.dispatched(parcel, out),
            Event::Drawn(_) | Event::Thought { .. } => {}
        }
        // What is read late moves nothing on: that is for the clock, once everything is read.
        if !self.league.registry.is_any_vouched() {
            self.turn(Moment::at(now), out);
        }
        self.pass_on_disbelieved(now, out);
        self.look_for_referees(out);
    }

    fn tick(&mut self, moment: Moment, out: &mut Out) {
        let now = moment.now;
        while let Some((wake, at)) = self.assignments.due(now) {
            // Who runs so late could not hear anybody: every silence counts from now.
            let late = now.since(at) > self.league.settings.lateness_max();
            self.woken(wake, late, now, out);
        }
        self.wait_no_longer(now, out);
        self.turn(moment, out);
        self.look_for_referees(out);
    }

    fn deadline(&self) -> Option<Timestamp> {
        let due = [self.assignments.deadline(), self.waits_until(), self.next_turn()];
        due.into_iter().flatten().min()
    }

    fn resume(&mut self, now: Timestamp, out: &mut Out) {
        if self.league.season.phase() == LeaguePhase::Startup {
            let settings = Box::new(self.league.settings.clone());
            self.record(LeagueFact::Opened { settings, at: now }, out);
        }
        self.look_for_estranged(out);
        match self.league.settings.dialect() {
            Dialect::LeagueV2 => self.tell_again(now, out),
            Dialect::Q21 => self.resume_post(now, out),
        }
        self.open_season(now, out);
        self.turn(Moment::at(now), out);
    }

    fn apply(&mut self, fact: &LeagueFact) {
        self.league.apply(fact);
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is the league's")]
        match fact {
            LeagueFact::Post(fact) => self.letterbox.apply(fact),
            LeagueFact::Registered(registration) => self.sign_for(registration.agent),
            LeagueFact::PlayerReset { player, .. } => self.sign_for(AgentId::Player(*player)),
            LeagueFact::RefereeReset { referee, .. } => self.sign_for(AgentId::Referee(*referee)),
            LeagueFact::Q21(Q21Fact::SeasonReset { .. }) => {
                self.assignments = Assignments::default();
                self.signing = Signing::default();
                self.alone = false;
                self.deaf_until = None;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
