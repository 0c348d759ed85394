//! The player: joins, chooses once, and remembers.
//!
//! Asked again in the same attempt it says the same; a higher attempt begins anew; an older one is
//! refused. A question that arrives while the answer is being thought out joins the same thought.
//!
//! Spec: docs/protocol/match.md

mod games;
mod history;
mod tools;

use std::collections::BTreeMap;
use std::time::Duration;

use agon_proto::message::{GameOver, Message, ResultStatus, StandingsRow, asks_for_move};
use agon_proto::{
    AgentId, AuthToken, Call, Envelope, Listed, MatchId, PlayerId, RoundId, ShortText, Timestamp,
};
use rustc_hash::FxHashMap;

use crate::agent::{self, Agent, Member, Profile};
use crate::effect::{Alert, Effect, Effects, Ending, Event, RequestId, Tag};
use crate::fact::PlayerFact;
use crate::gate;
use crate::thinking::{Known, Question, ThinkingTime};
use crate::{Machine, Moment, Refusal};
use games::{Asked, Game};

pub use history::History;

type Out = Effects<PlayerFact>;

/// How long a player waits, and how long it thinks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayerTimes {
    /// Whoever hears nothing more of a match leaves it.
    pub match_max: Duration,
    pub thinking: ThinkingTime,
}

/// A player.
#[derive(Debug)]
pub struct Player {
    me: Agent,
    times: PlayerTimes,
    /// Questions that were asked in this life.
    questions: u64,
    games: FxHashMap<MatchId, Game>,
    history: History,
    standings: Listed<StandingsRow>,
    announced: bool,
    /// The league is complete; until then we wait for the end of a match that is still open.
    leaving: Option<Timestamp>,
    /// The newest round that is complete, as far as we were told.
    rounds_over: RoundId,
    /// The attempts that we heard nothing more of, by match. Nothing more is said in them.
    left: BTreeMap<MatchId, u32>,
}

impl Player {
    pub fn new(profile: Profile, times: PlayerTimes) -> Self {
        Self {
            me: Agent::new(profile),
            times,
            questions: 0,
            games: FxHashMap::default(),
            history: History::default(),
            standings: Listed::default(),
            announced: false,
            leaving: None,
            rounds_over: 0,
            left: BTreeMap::new(),
        }
    }

    /// Its id, once it has one.
    pub fn id(&self) -> Option<PlayerId> {
        match self.me.credentials().and_then(|given| given.agent) {
            Some(AgentId::Player(id)) => Some(id),
            Some(AgentId::Referee(_)) | None => None,
        }
    }

    /// The operator gave it a token by which it comes back; it shows that one.
    pub fn show(&mut self, token: AuthToken) {
        self.me.show(token);
    }

    pub fn history(&self) -> &History {
        &self.history
    }

    /// The table, as it was last told.
    pub fn standings(&self) -> &Listed<StandingsRow> {
        &self.standings
    }

    fn record(&mut self, fact: PlayerFact, out: &mut Out) {
        self.apply(&fact);
        out.facts.push(fact);
    }

    /// The whole routing table.
    fn route(&mut self, request: RequestId, letter: Box<Envelope>, now: Timestamp, out: &mut Out) {
        let admitted = match gate::at_agent(&mut self.me, letter) {
            Ok(admitted) => admitted,
            Err(early) => {
                let held = self.me.early.hold(self.me.lifecycle(), request, early);
                return held.unwrap_or_else(|refusal| out.refuse(request, refusal));
            }
        };
        let from_referee = admitted.attempt();
        let (_, letter) = admitted.open();
        match (&letter.message, from_referee) {
            (Message::GameInvitation(_), Some(attempt)) => {
                self.join(Asked { request, letter }, attempt, now, out);
            }
            (message, Some(attempt)) if asks_for_move(message) => {
                self.choose(Asked { request, letter }, attempt, now, out);
            }
            (Message::GameOver(said), Some(attempt)) => {
                self.say_if_forfeited(said, out);
                self.over(said, attempt, now, out);
                out.acknowledge(request);
                self.leave(now, out);
            }
            (Message::GameError(said), Some(_)) => {
                out.push(Effect::Alert(Alert::Complained(said.clone())));
                out.acknowledge(request);
            }
            (Message::RoundAnnouncement(_), _) => {
                self.me.activate();
                self.announced = true;
                out.acknowledge(request);
            }
            (Message::RoundCompleted(said), _) => {
                self.round_completed(said.round_id, out);
                out.acknowledge(request);
            }
            (Message::PlayerWithdrawn(_), _) => out.acknowledge(request),
            (Message::LeagueStandingsUpdate(said), _) => {
                self.standings = said.standings.clone();
                out.acknowledge(request);
            }
            (Message::LeagueCompleted(_), _) => {
                self.me.shut_down(now);
                out.acknowledge(request);
                self.leaving = Some(now + self.me.profile.timeout);
                self.leave(now, out);
            }
            (other, _) => out.refuse(request, gate::not_for_us(other.message_type())),
        }
    }

    /// Tells whoever runs us why a match of ours was lost without being played.
    fn say_if_forfeited(&self, said: &GameOver, out: &mut Out) {
        let result = &said.game_result;
        if result.status == ResultStatus::TechnicalLoss && result.winner_player_id != self.id() {
            let reason = ShortText::new(&result.reason);
            out.push(Effect::Alert(Alert::Forfeited { match_id: said.match_id, reason }));
        }
    }

    /// Leaves a league that is complete, unless the end of a match is still to be heard.
    fn leave(&mut self, now: Timestamp, out: &mut Out) {
        let Some(until) = self.leaving else { return };
        if self.games.is_empty() || until <= now {
            self.leaving = None;
            out.push(Effect::Finish(Ending::LeagueCompleted));
        }
    }
}

impl Member for Player {
    fn agent(&self) -> &Agent {
        &self.me
    }

    fn agent_mut(&mut self) -> &mut Agent {
        &mut self.me
    }
}

impl Machine for Player {
    type Fact = PlayerFact;

    fn handle(&mut self, event: Event, now: Timestamp, out: &mut Out) {
        match event {
            Event::Called { request, call: Call::Letter(letter), .. } => {
                self.route(request, letter, now, out);
            }
            Event::Called { request, call: Call::Tool(tool, params), .. } => {
                self.use_tool(request, tool, &params, out);
            }
            Event::Answered { tag: Tag::Register, answer } => {
                if agent::answered(self, &answer, now, out) {
                    for (request, letter) in self.me.early.take() {
                        self.route(request, letter, now, out);
                    }
                }
            }
            Event::Undelivered { tag: Tag::Register, .. } => agent::undelivered(self, now, out),
            Event::Thought { number, answer } => self.thought(number, answer, now, out),
            Event::Posted { request, .. }
            | Event::Garbled { request, .. }
            | Event::Called { request, call: Call::Post(_), .. } => {
                out.refuse(request, gate::NO_LETTERS);
            }
            Event::Answered { .. } | Event::Undelivered { .. } | Event::Drawn(_) => {}
            Event::Noticed { .. } | Event::Dispatched(_) => {}
        }
    }

    fn tick(&mut self, Moment { now, .. }: Moment, out: &mut Out) {
        if self.me.is_due(now) {
            agent::ask(self, now, out);
        }
        // Whoever hears nothing more of a match leaves it.
        let given_up = self.games.extract_if(|_, game| game.until <= now);
        for (id, game) in given_up {
            self.left.insert(id, game.attempt);
            for asked in game.waiting {
                out.refuse(asked.request, Refusal::OutOfTurn("the match took too long"));
            }
        }
        self.leave(now, out);
    }

    fn deadline(&self) -> Option<Timestamp> {
        let game = self.games.values().map(|game| game.until).min();
        [game, self.me.deadline(), self.leaving].into_iter().flatten().min()
    }

    fn resume(&mut self, now: Timestamp, out: &mut Out) {
        agent::ask(self, now, out);
    }

    fn known(&self, question: &Question) -> Known<'_> {
        Known {
            player: self.id(),
            opponent: self.games.get(&question.match_id).map(|game| game.opponent),
            history: self.history.matches(),
            standings: Some(&self.standings),
            ..Known::default()
        }
    }

    fn apply(&mut self, fact: &PlayerFact) {
        match fact {
            PlayerFact::Agent(fact) => self.me.apply(fact),
            PlayerFact::Chosen { match_id, attempt, step, choice } => {
                let until = Timestamp::from_micros(i64::MAX);
                let unknown = || Game::new(*attempt, PlayerId::new(0), until);
                let game = self.games.entry(*match_id).or_insert_with(unknown);
                if game.attempt != *attempt {
                    *game = unknown();
                }
                game.go_on_to(*step);
                game.choice = Some(choice.clone());
            }
            PlayerFact::Over(played) => {
                self.games.remove(&played.match_id);
                self.history.add(*played);
            }
        }
    }
}

#[cfg(test)]
mod tests;
