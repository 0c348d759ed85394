//! The player's side of a Q21 league: registers, plays its games and reports them.
//!
//! Every letter is judged by the gatekeeper, counts once and is answered exactly once. What is
//! owed, to the referees, to the manager and to our own program, follows from the state: after a
//! restart it is done as if nothing had happened.
//!
//! Spec: docs/protocol/q21.md

mod controller;
mod errands;
mod fact;
mod games;
mod gatekeeper;
mod gprm;
mod kept;
mod league;
mod letters;
mod lifecycle;
mod reads;
mod season;
mod standings;
mod stopgap;
mod termination;
mod thinking;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use agon_proto::dialect::q21::{AsPayload, Body, GameId, Letter, PlayerContext, ScoreFeedback};
use agon_proto::{Address, Timestamp};

use super::Passport;
use crate::effect::{Effect, Effects, Ending, Event, Proof, RequestId};
use crate::post::{Letterbox, ParcelId, PostFact};
use crate::thinking::{Known, Question, ThinkingTime};
use crate::{Machine, Moment, Refusal};
use gatekeeper::{Desk, Gatekeeper, Objection, Speaker};
use kept::Kept;
use season::{League, Registration};
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
    /// By mail: nobody may know of us, so we ask to be told of seasons.
    pub introduces: bool,
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
    me: Passport,
    terms: Terms,
    post: Letterbox,
    league: League,
    gatekeeper: Gatekeeper,
    rounds: RoundLifecycle,
    standings: Standings,
    /// Scores that our program has not heard of yet.
    unheard: BTreeMap<GameId, ScoreFeedback>,
    kept: Vec<Kept>,
    // Of this process only: nobody remembers it after a restart.
    thinking: Thinking,
    /// Game letters that a restart found waiting during a pause.
    withheld: BTreeSet<ParcelId>,
    finished: bool,
    /// We have asked to be told of seasons.
    introduced: bool,
}

impl Player {
    pub fn new(passport: Passport, terms: Terms) -> Self {
        Self {
            me: passport,
            terms,
            post: Letterbox::default(),
            league: League::default(),
            gatekeeper: Gatekeeper::default(),
            rounds: RoundLifecycle::default(),
            standings: Standings::default(),
            unheard: BTreeMap::new(),
            kept: Vec::new(),
            thinking: Thinking::default(),
            withheld: BTreeSet::new(),
            finished: false,
            introduced: false,
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

    /// A letter came: exactly one answer goes back.
    fn open(
        &mut self,
        request: RequestId,
        proof: Proof,
        letter: Box<Letter>,
        now: Timestamp,
        out: &mut Out,
    ) {
        let answer = match self.consider(&proof, &letter, now, out) {
            Ok(()) => Ok(()),
            Err(Objection::Refused(refusal)) => Err(refusal),
            Err(Objection::TooEarly(refusal)) => self.keep(proof, letter, refusal, out),
        };
        match answer {
            Ok(()) => out.acknowledge(request),
            Err(refusal) => out.refuse(request, refusal),
        }
    }

    /// Judges a letter and does what it asks for, once.
    fn consider(
        &mut self,
        proof: &Proof,
        letter: &Letter,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Objection> {
        let desk = Desk { me: &self.me, league: &self.league, rounds: &self.rounds };
        let speaker = self.gatekeeper.admit(&desk, proof, letter)?;
        let from = match &speaker {
            Speaker::Manager => self.me.manager.clone(),
            Speaker::Referee { address, .. } => address.clone(),
        };
        let id = letter.id.clone();
        if !id.is_empty() && self.post.knows(&from, &id) {
            return Ok(());
        }
        let done = match speaker {
            Speaker::Manager => self.hear_manager(letter, now, out),
            Speaker::Referee { game, .. } => self.hear_referee(game, proof, letter, now, out),
        };
        done.map_err(Objection::Refused)?;
        self.record(Fact::Post(PostFact::Handled { from, id }), out);
        Ok(())
    }

    /// Does what is owed: asks our program, sends what it said, leaves a league that is complete.
    fn go_on(&mut self, now: Timestamp, out: &mut Out) {
        self.consult(now, out);
        if !self.league.paused {
            for (game, callback) in self.rounds.owed() {
                self.send(&game, callback, now, out);
            }
        }
        let is_idle = self.post.waiting().next().is_none() && self.unheard.is_empty();
        let leaves = self.leaving_at().is_some_and(|until| is_idle || until <= now);
        if leaves {
            self.finished = true;
            out.push(Effect::Finish(Ending::LeagueCompleted));
        }
    }

    /// Until when we stay at the latest, once the league is complete.
    fn leaving_at(&self) -> Option<Timestamp> {
        let since = self.league.completed.filter(|_| !self.finished)?;
        Some(since + self.terms.leaving_max)
    }

    /// Everything of a season but the letters is forgotten.
    fn forget(&mut self) {
        self.rounds = RoundLifecycle::default();
        self.standings = Standings::default();
        self.gatekeeper = Gatekeeper::default();
        self.unheard.clear();
        self.kept.clear();
        self.finished = false;
    }
}

impl Machine for Player {
    type Fact = Fact;

    fn handle(&mut self, event: Event, now: Timestamp, out: &mut Out) {
        match event {
            Event::Posted { request, proof, letter, .. } => {
                self.open(request, proof, letter, now, out);
            }
            Event::Garbled { request, .. } => {
                out.refuse(request, Refusal::BadValue("the letter cannot be read"));
            }
            Event::Dispatched(parcel) => {
                let awaited = self.post.awaits(parcel);
                self.settle(awaited.then_some(parcel).into_iter().collect(), out);
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
        let expired = self.post.expired(heard);
        self.settle(expired, out);
        self.go_on(now, out);
    }

    fn deadline(&self) -> Option<Timestamp> {
        [self.post.deadline(), self.leaving_at()].into_iter().flatten().min()
    }

    fn resume(&mut self, now: Timestamp, out: &mut Out) {
        for parcel in self.post.waiting() {
            if self.league.paused && parcel.letter.body.kind().is_of_game() {
                self.withheld.insert(parcel.id);
            } else {
                out.push(Effect::Post(parcel.clone()));
            }
        }
        let asks = |letter: &Letter| matches!(letter.body, Body::RegistrationRequest(_));
        let is_asking = self.post.waiting().any(|parcel| asks(&parcel.letter));
        // Whoever was rejected tries again: somebody has started us again.
        let is_in = self.league.registration == Registration::Confirmed;
        if self.me.is_called() && self.me.visa.is_none() && !is_in && !is_asking {
            self.register(None, now, out);
        }
        if self.terms.introduces && !self.introduced && self.league.season.is_none() {
            self.introduce(now, out);
        }
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
            Fact::Post(fact) => {
                self.post.apply(fact);
                if let PostFact::Queued(parcel) = fact {
                    self.rounds.sent(&parcel.letter);
                    if let Body::RegistrationRequest(_) = parcel.letter.body {
                        self.league.requested(&parcel.letter.id);
                    }
                    self.introduced |= matches!(parcel.letter.body, Body::LeagueRegistration(_));
                }
            }
            Fact::SeasonOpened { season, league } => {
                if self.league.is_another(season) {
                    self.forget();
                }
                self.league.open(season, league.as_ref());
            }
            Fact::Confirmed { season, league, visa } => {
                self.league.confirm(season.as_ref(), league.as_ref());
                self.me.visa = visa.clone().or_else(|| self.me.visa.take());
            }
            Fact::Rejected { reason } => {
                self.league.registration = Registration::Rejected(reason.clone());
            }
            Fact::Assigned { season, games } => {
                self.league.has_table = true;
                if let (None, Some(season)) = (&self.league.season, season) {
                    self.league.season = Some(season.clone());
                }
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
            Fact::Paused => self.league.paused = true,
            Fact::Continued => self.league.paused = false,
            Fact::Reset => {
                self.forget();
                self.league.forget();
            }
            Fact::VisaExpired => self.me.visa = None,
            Fact::Completed { at } => self.league.completed = self.league.completed.or(Some(*at)),
            Fact::Kept { from, letter } => {
                self.kept.push(Kept { from: from.clone(), letter: letter.clone() });
            }
            Fact::Reconsidered => self.kept.clear(),
        }
    }
}

#[cfg(test)]
mod tests;
