//! The referee of a Q21 league: takes its games from the season's table, plays them round by round,
//! tells each player its score at once, and reports to the manager when both are through.
//!
//! The protocol tells a player its score as soon as it is there, so here the news comes before the
//! verdict. A player's score is final when it is told: only a winner may still change hands.
//!
//! A stranger's letter never hurts a game, a repeated one changes nothing, and a restart in the
//! middle of a game goes on where it was. The secret of a game is told to nobody.
//!
//! Spec: docs/protocol/q21.md

mod doorway;
mod fact;
mod held;
mod letters;
mod oracle;
mod play;
mod report;
mod season;
mod table;

use std::collections::BTreeMap;
use std::time::Duration;

use agon_proto::{Address, Timestamp};
use agon_proto::{AsPayload, Context, GameId, Letter};

use crate::agent::{self, Agent, Correspondent, Member, Membership, Profile, Status, Times};
use crate::effect::{Effect, Effects, Ending, Event, Proof};
use crate::gate::Doubt;
use crate::matches::{self, PlayedOnce};
use crate::post::Parcel;
use crate::thinking::{Known, Question};
use crate::verdict::Verdict;
use crate::{Machine, Moment, Refusal};
use doorway::Speaker;
use held::{Held, Stage};
use oracle::Thought;

pub use fact::{AbortReason, Entrant, Fact, Fixture, Round, Start};

type Out = Effects<Fact>;

/// How this referee works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    pub played: PlayedOnce,
    /// How long our program may think of a warm-up, a book, answers and a score.
    pub callbacks: [Duration; 4],
}

/// A referee.
#[derive(Debug)]
pub struct Referee {
    me: Agent,
    terms: Terms,
    league: League,
    games: BTreeMap<GameId, Held>,
    /// What our own program is thinking about. Not a fact: after a restart it is asked again.
    thoughts: BTreeMap<u64, Thought>,
    thoughts_begun: u64,
}

/// What it knows of the league.
#[derive(Debug, Default)]
struct League {
    fixtures: Vec<Fixture>,
    has_table: bool,
    round: Option<Round>,
    round_ended: bool,
}

impl Referee {
    pub fn new(profile: Profile, terms: Terms) -> Self {
        Self {
            me: Agent::new(profile),
            terms,
            league: League::default(),
            games: BTreeMap::new(),
            thoughts: BTreeMap::new(),
            thoughts_begun: 0,
        }
    }

    /// How many games it is playing.
    pub fn live(&self) -> usize {
        self.games.values().filter(|held| held.live().is_some()).count()
    }

    /// Where it stands in the season, in the words of the league.
    pub fn state(&self) -> &'static str {
        if self.me.season.paused_at.is_some() {
            return "PAUSED";
        }
        if self.me.season.completed.is_some() {
            return "COMPLETED";
        }
        if self.league.has_table {
            return if self.live() > 0 { "IN_GAME" } else { "RUNNING" };
        }
        match self.me.season.membership {
            Membership::In => "WAITING_FOR_ASSIGNMENT",
            Membership::Applying => "WAITING_FOR_CONFIRMATION",
            Membership::Outside | Membership::Rejected(_) => "INIT_START_STATE",
        }
    }

    /// How that game ended, if it has.
    pub fn verdict(&self, game: &GameId) -> Option<Verdict> {
        match &self.games.get(game)?.stage {
            Stage::Over(verdict) => Some(*verdict),
            Stage::Live(_) => None,
        }
    }

    fn record(&mut self, fact: Fact, out: &mut Out) -> Vec<matches::Effect> {
        let effects = self.take_in(&fact);
        out.facts.push(fact);
        effects
    }

    /// Records a fact about a game, and does what it leads to.
    fn play(&mut self, game: &GameId, fact: Fact, now: Timestamp, out: &mut Out) {
        let effects = self.record(fact, out);
        self.carry_out(game, effects, now, out);
    }

    /// The clock of all games: it stands still while the league is paused.
    fn clock(&self, now: Timestamp) -> Timestamp {
        self.me.season.paused_at.map_or(now, |paused| paused.min(now))
    }

    /// The season is over: nothing is left to do once every letter is taken.
    fn finish_if_done(&self, out: &mut Out) {
        if self.me.season.completed.is_some() && self.me.post.waiting().next().is_none() {
            out.push(Effect::Finish(Ending::LeagueCompleted));
        }
    }

    /// Changes the state, and says what it leads to in a game.
    fn take_in(&mut self, fact: &Fact) -> Vec<matches::Effect> {
        if let Fact::Started(start) = fact {
            let (held, effects) = Held::begin(start);
            self.games.insert(start.fixture.game.clone(), held);
            return effects;
        }
        if let Fact::Judged { game, verdict } = fact {
            if let Some(held) = self.games.get_mut(game) {
                held.stage = Stage::Over(*verdict);
            }
            return Vec::new();
        }
        let live = fact.game().and_then(|game| self.games.get_mut(game)?.live_mut());
        let Some(live) = live else {
            self.learn(fact);
            return Vec::new();
        };
        live.take_in(fact)
    }
}

impl Member for Referee {
    fn agent(&self) -> &Agent {
        &self.me
    }

    fn agent_mut(&mut self) -> &mut Agent {
        &mut self.me
    }
}

impl Correspondent for Referee {
    type Speaker = Speaker;

    fn admit(&self, proof: &Proof, letter: &Letter) -> Result<Speaker, Doubt> {
        self.speaker(proof, letter)
    }

    fn address_of(&self, speaker: &Speaker) -> Address {
        match speaker {
            Speaker::Manager(_) => self.me.manager.clone(),
            Speaker::Player(game, seat) => match self.games.get(game) {
                Some(held) => held.fixture.players[seat.get().index()].address.clone(),
                None => self.me.address.clone(),
            },
        }
    }

    fn hear(
        &mut self,
        speaker: Speaker,
        letter: &Letter,
        times: Times,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        match speaker {
            Speaker::Manager(proved) => {
                self.manager_said(&proved, letter, times.now, out);
                Ok(())
            }
            Speaker::Player(game, seat) => {
                self.player_said(&game, *seat.get(), letter.clone(), times, out)
            }
        }
    }

    fn context(&self, answered: Option<&Letter>) -> Context {
        Context {
            league: self.me.season.league.clone(),
            season: self.me.season.id.clone(),
            broadcast: answered.and_then(|letter| letter.context.broadcast.clone()),
            ..Context::default()
        }
    }

    fn status(&self) -> Status {
        let playing = self.games.iter().find(|(_, held)| held.live().is_some());
        let game = playing.map(|(game, _)| game.clone());
        Status { state: self.state(), game, text: Box::default() }
    }

    fn takes_part(&self) -> bool {
        !self.league.fixtures.is_empty()
    }

    fn stop(&mut self, now: Timestamp, out: &mut Out) {
        self.abort_all(AbortReason::NewSeason, now, out);
    }
}

impl Machine for Referee {
    type Fact = Fact;

    fn handle(&mut self, event: Event, now: Timestamp, out: &mut Out) {
        match event {
            Event::Posted { request, proof, at, letter, .. } => {
                let known = out.facts.len();
                agent::open(self, request, (proof, letter), Times { arrived: at, now }, out);
                // A letter that changes nothing is no reason to leave once more.
                if out.facts.len() > known {
                    self.finish_if_done(out);
                }
            }
            Event::Garbled { request, proof, at, garbled } => {
                self.garbled(request, (&proof, None), &garbled, Times { arrived: at, now }, out);
            }
            Event::Dispatched(parcel) => self.dispatched(parcel, now, out),
            Event::Thought { number, answer } => self.thought(number, answer, now, out),
            Event::Called { request, .. } => {
                let what = "this referee takes letters of a Q21 league only";
                out.refuse(request, Refusal::Unsupported(what));
            }
            Event::Answered { .. }
            | Event::Undelivered { .. }
            | Event::Noticed { .. }
            | Event::Drawn(_) => {}
        }
    }

    fn tick(&mut self, Moment { now, heard }: Moment, out: &mut Out) {
        while let Some(game) = self.due(heard) {
            self.time_out(&game, now, out);
        }
        let expired = self.me.post.expired(heard);
        if !expired.is_empty() {
            agent::settle(self, expired, out);
            self.finish_if_done(out);
        }
    }

    fn deadline(&self) -> Option<Timestamp> {
        let games = match self.me.season.paused_at {
            Some(_) => None,
            None => self.games.values().filter_map(|held| held.live()?.play.deadline()).min(),
        };
        [games, self.me.post.deadline()].into_iter().flatten().min()
    }

    /// Everything that is owed: letters that nobody took yet, and what our program was thinking
    /// about. Where letters travel by call, players could not answer while we were away.
    fn resume(&mut self, now: Timestamp, out: &mut Out) {
        self.thoughts.clear();
        let waiting: Vec<Parcel> = self.me.post.waiting().cloned().collect();
        self.ask_all_again(now, out);
        agent::resume(self, now, out);
        // What was asked again is in the post already, in a newer letter.
        let still = waiting.into_iter().filter(|parcel| self.me.post.awaits(parcel.id));
        out.effects.extend(still.map(Effect::Post));
        let live = self.games.iter().filter_map(|(game, held)| Some((game, held.live()?)));
        let owed: Vec<_> = live
            .flat_map(|(game, live)| live.play.consulting().map(|owed| (game.clone(), owed)))
            .collect();
        for (game, owed) in owed {
            self.consult(&game, owed, 1, now, out);
        }
        self.finish_if_done(out);
    }

    fn known(&self, question: &Question) -> Known<'_> {
        let context = self.told_besides(question.number);
        let context = context.as_ref().map(AsPayload::payload).unwrap_or_default();
        Known { context, ..Known::default() }
    }

    fn apply(&mut self, fact: &Fact) {
        // What it leads to was carried out, or is owed, when it was new.
        self.take_in(fact);
    }
}

#[cfg(test)]
mod tests;
