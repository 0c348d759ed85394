//! The player's side of a Q21 league: registers, plays its games and reports them.
//!
//! Every letter is judged by the gatekeeper, counts once and is answered exactly once. What is
//! owed, to the referees, to the manager and to our own program, follows from the state: after a
//! restart it is done as if nothing had happened.
//!
//! Spec: docs/protocol/q21.md

mod controller;
mod fact;
mod games;
mod gatekeeper;
mod gprm;
mod league;
mod letters;
mod lifecycle;
mod reads;
mod standings;
mod stopgap;
mod termination;
mod thinking;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use agon_proto::dialect::q21::{
    AsPayload, Context, GameId, Letter, PlayerContext, ScoreFeedback, StopReason,
};
use agon_proto::{Address, Timestamp};

use crate::agent::{self, Agent, AgentFact, Correspondent, Member, Profile, Status, Times};
use crate::effect::{Effect, Effects, Ending, Event, Proof};
use crate::gate::Doubt;
use crate::post::{ParcelId, PostFact};
use crate::thinking::{Known, Question, ThinkingTime};
use crate::{Machine, Moment, Refusal};
use gatekeeper::{Desk, Gatekeeper, Speaker};
use standings::Standings;
use thinking::Thinking;

pub use controller::Controller;
pub use fact::{Fact, Heard};
pub use gprm::{Assignment, GameParameters, GameResult, GameStatus};
pub use lifecycle::RoundLifecycle;
pub use reads::State;
pub use termination::TerminationReport;
pub use thinking::Callback;

type Out = Effects<Fact>;

/// What a player goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// How long after its deadline a letter to a referee may still be of use.
    pub grace: Duration,
    /// How long we stay after the end of the league for letters that are not taken.
    pub leaving_max: Duration,
    /// How long our program may think of warm-up, questions, guess and score where nobody names a
    /// deadline.
    pub callbacks: [Duration; 4],
    /// What is kept back from a deadline for the way to a referee that is called.
    pub margin: Duration,
    /// And to one that is written to.
    pub letter_margin: Duration,
}

/// A player of a Q21 league.
#[derive(Debug)]
pub struct Player {
    me: Agent,
    terms: Terms,
    /// The season's table was here.
    has_table: bool,
    gatekeeper: Gatekeeper,
    rounds: RoundLifecycle,
    standings: Standings,
    /// Scores that our program has not heard of yet.
    unheard: BTreeMap<GameId, ScoreFeedback>,
    // Of this process only: nobody remembers it after a restart.
    thinking: Thinking,
    /// Game letters that a restart found waiting during a pause.
    withheld: BTreeSet<ParcelId>,
    finished: bool,
}

impl Player {
    pub fn new(profile: Profile, terms: Terms) -> Self {
        Self {
            me: Agent::new(profile),
            terms,
            has_table: false,
            gatekeeper: Gatekeeper::default(),
            rounds: RoundLifecycle::default(),
            standings: Standings::default(),
            unheard: BTreeMap::new(),
            thinking: Thinking::default(),
            withheld: BTreeSet::new(),
            finished: false,
        }
    }

    fn record(&mut self, fact: Fact, out: &mut Out) {
        self.apply(&fact);
        out.facts.push(fact);
    }

    /// How long our program may think about that.
    fn thinking_time(&self, game: &GameId, callback: Callback) -> ThinkingTime {
        let referee = self.rounds.assignment(game).and_then(|row| row.referee.as_ref());
        let called = referee.is_some_and(Address::is_endpoint);
        let margin = if called { self.terms.margin } else { self.terms.letter_margin };
        ThinkingTime { usual: self.terms.callbacks[callback as usize], margin }
    }

    /// Does what is owed: asks our program, sends what it said, leaves a league that is complete.
    fn go_on(&mut self, now: Timestamp, out: &mut Out) {
        self.consult(now, out);
        if self.me.season.paused_at.is_none() {
            for (game, callback) in self.rounds.owed() {
                self.send(&game, callback, now, out);
            }
        }
        let is_idle = self.me.post.waiting().next().is_none() && self.unheard.is_empty();
        let leaves = self.leaving_at().is_some_and(|until| is_idle || until <= now);
        if leaves {
            self.finished = true;
            out.push(Effect::Finish(Ending::LeagueCompleted));
        }
    }

    /// Until when we stay at the latest, once the league is complete.
    fn leaving_at(&self) -> Option<Timestamp> {
        let since = self.me.season.completed.filter(|_| !self.finished)?;
        Some(since + self.terms.leaving_max)
    }

    /// What every agent learns, and what a player makes of it.
    fn apply_to_agent(&mut self, fact: &AgentFact) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "the others concern the agent alone")]
        match fact {
            AgentFact::Post(PostFact::Queued(parcel)) => self.rounds.sent(&parcel.letter),
            AgentFact::SeasonOpened { season, .. } if self.me.season.is_another(season) => {
                self.forget();
            }
            AgentFact::Reset => self.forget(),
            _ => {}
        }
        self.me.apply(fact);
    }

    /// Everything of a season but the letters is forgotten.
    fn forget(&mut self) {
        self.rounds = RoundLifecycle::default();
        self.standings = Standings::default();
        self.gatekeeper = Gatekeeper::default();
        self.unheard.clear();
        self.has_table = false;
        self.finished = false;
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

impl Correspondent for Player {
    type Speaker = Speaker;

    fn admit(&self, proof: &Proof, letter: &Letter) -> Result<Speaker, Doubt> {
        let desk = Desk { me: &self.me, has_table: self.has_table, rounds: &self.rounds };
        self.gatekeeper.admit(&desk, proof, letter)
    }

    fn address_of(&self, speaker: &Speaker) -> Address {
        match speaker {
            Speaker::Manager(_) => self.me.manager.clone(),
            Speaker::Referee(proved) => proved.get().1.clone(),
        }
    }

    fn hear(
        &mut self,
        speaker: Speaker,
        letter: &Letter,
        Times { now, .. }: Times,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        match speaker {
            Speaker::Manager(proved) => self.hear_manager(&proved, letter, now, out),
            Speaker::Referee(proved) => self.hear_referee(&proved, letter, now, out),
        }
    }

    /// As far as we know.
    fn context(&self, answered: Option<&Letter>) -> Context {
        let told = answered.map(|letter| letter.context.clone()).unwrap_or_default();
        Context {
            league: told.league.or_else(|| self.me.season.league.clone()),
            season: self.me.season.id.clone().or(told.season),
            round: told.round.or_else(|| self.rounds.name().map(Into::into)),
            game: told.game,
            broadcast: told.broadcast,
        }
    }

    fn status(&self) -> Status {
        let game = self.rounds.active_match_ids().first().map(|game| GameId::clone(game));
        Status { state: self.state().as_str(), game, text: self.in_a_line().into() }
    }

    fn takes_part(&self) -> bool {
        self.rounds.assignments().next().is_some()
    }

    fn stop(&mut self, now: Timestamp, out: &mut Out) {
        self.stop_round(StopReason::LeagueCompleted, now, out);
    }

    /// Lets go what a restart found waiting while games were paused.
    fn released(&mut self, out: &mut Out) {
        let withheld = std::mem::take(&mut self.withheld);
        let parcels = self.me.post.waiting().filter(|parcel| withheld.contains(&parcel.id));
        out.effects.extend(parcels.cloned().map(Effect::Post));
    }
}

impl Machine for Player {
    type Fact = Fact;

    fn handle(&mut self, event: Event, now: Timestamp, out: &mut Out) {
        match event {
            Event::Posted { request, proof, at, letter, .. } => {
                let times = Times { arrived: at, now };
                agent::open(self, request, (proof, letter), times, out);
            }
            Event::Garbled { request, .. } => {
                out.refuse(request, Refusal::BadValue("the letter cannot be read"));
            }
            Event::Dispatched(parcel) => {
                let awaited = self.me.post.awaits(parcel);
                agent::settle(self, awaited.then_some(parcel).into_iter().collect(), out);
            }
            Event::Thought { number, answer } => self.thought(number, answer, now, out),
            Event::Called { request, .. } => {
                out.refuse(request, Refusal::Unsupported("this player is reached by letters"));
            }
            Event::Answered { .. } | Event::Undelivered { .. } | Event::Noticed { .. } => {}
            Event::Drawn(_) => {}
        }
        self.go_on(now, out);
    }

    fn tick(&mut self, Moment { now, heard }: Moment, out: &mut Out) {
        let expired = self.me.post.expired(heard);
        agent::settle(self, expired, out);
        self.go_on(now, out);
    }

    fn deadline(&self) -> Option<Timestamp> {
        [self.me.post.deadline(), self.leaving_at()].into_iter().flatten().min()
    }

    fn resume(&mut self, now: Timestamp, out: &mut Out) {
        for parcel in self.me.post.waiting() {
            if self.me.season.paused_at.is_some() && parcel.letter.body.kind().is_of_game() {
                self.withheld.insert(parcel.id);
            } else {
                out.push(Effect::Post(parcel.clone()));
            }
        }
        agent::resume(self, now, out);
        self.go_on(now, out);
    }

    fn known(&self, question: &Question) -> Known<'_> {
        let game = self.thinking.game(question.number).cloned();
        let context = game.map(|game| PlayerContext { game, standings: self.standings() });
        let context = context.as_ref().map(AsPayload::payload).unwrap_or_default();
        Known { context, ..Known::default() }
    }

    fn apply(&mut self, fact: &Fact) {
        match fact {
            Fact::Agent(fact) => self.apply_to_agent(fact),
            Fact::Assigned { season, games } => {
                self.has_table = true;
                self.me.season.name(season.as_ref());
                self.rounds.set_assignments(season.as_ref(), games);
            }
            Fact::RoundStarted { round, name, present, at } => {
                self.gatekeeper.update(present.as_deref());
                // What is reported about the games that stop was posted beside this fact.
                self.rounds.start_round(*round, name.as_deref(), *at);
            }
            Fact::RoundStopped { reason, at } => {
                self.rounds.stop_current_round(*reason, *at);
            }
            Fact::Received { game, message, heard, shown } => {
                self.received(game, message, heard, shown.as_ref());
            }
            Fact::Said { game, said, at, .. } => {
                if let Some(controller) = self.rounds.game_mut(game) {
                    controller.say(*at, said);
                }
            }
            Fact::Noted(game) => {
                self.unheard.remove(game);
            }
            Fact::Ranked { round, row, winners } => {
                self.standings.rank(*round, row.as_ref());
                self.standings.win(&self.me, winners);
            }
        }
    }
}

#[cfg(test)]
mod tests;
