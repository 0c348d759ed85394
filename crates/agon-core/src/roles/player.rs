//! The player: joins, answers each question once, and remembers.
//!
//! Every match has a controller, and the round lifecycle owns them. Where a question comes as a
//! call it is answered in the reply, where it comes as a letter it is acknowledged and the move is
//! a letter of its own. What is owed, to referees, to the manager and to whoever thinks for us,
//! follows from the state: after a restart it is done as if nothing had happened.
//!
//! Spec: docs/protocol/match.md

mod calls;
mod controller;
mod fact;
mod history;
mod league;
mod lifecycle;
mod moves;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use agon_proto::act::{StopReason, Worth};
use agon_proto::known::{GameStatus, PlayerContext, PlayerStandings};
use agon_proto::message::StandingsRow;
use agon_proto::{
    AgentId, AsPayload, AuthToken, Call, GameId, Listed, MatchId, PlayerId, Timestamp,
};

use crate::agent::{self, Agent, Member, Profile};
use crate::effect::{Alert, Effect, Effects, Event, Handling, Tag};
use crate::letterbox::ParcelId;
use crate::thinking::{Known, Question, Thinking, ThinkingTime};
use crate::{Machine, Moment, Refusal, first_of};
use history::Standings;

pub use controller::{Controller, GameParameters};
pub use fact::{AskedInLetter, Assignment, Heard, PlayerFact};
pub use history::{History, ended_for};
pub use lifecycle::RoundLifecycle;

/// What comes of an event.
type Out<'a> = Handling<'a, PlayerFact>;

/// How long a player waits, and how long it thinks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayerTimes {
    /// Whoever hears nothing more of a match leaves it.
    pub match_max: Duration,
    pub thinking: ThinkingTime,
    pub letters: LetterTimes,
}

/// The same by letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LetterTimes {
    /// How long after its deadline a letter to a referee may still be of use.
    pub grace: Duration,
    /// How long we stay after the end of the league for letters that are not taken.
    pub leaving_max: Duration,
    /// How long may be thought about warm-up, questions, guess and score where nobody names a
    /// deadline.
    pub callbacks: [Duration; 4],
    /// What is kept back from a deadline for the way to a referee that is written to.
    pub margin: Duration,
}

/// One thing that whoever thinks for us is thinking about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Thought {
    match_id: MatchId,
    attempt: u32,
    /// Which question of the match.
    turn: u32,
    /// Whether it was asked before and nothing came of it.
    second_try: bool,
}

/// A player.
#[derive(Debug)]
pub struct Player {
    me: Agent,
    times: PlayerTimes,
    rounds: RoundLifecycle,
    thinking: Thinking<Thought>,
    // By call.
    history: History,
    table: Listed<StandingsRow>,
    announced: bool,
    // By letter.
    standings: Standings,
    /// Scores that whoever thinks for us has not heard of yet.
    unheard: BTreeMap<MatchId, (GameId, Box<Worth>)>,
    /// Game letters that a restart found waiting during a pause. Of this process only.
    withheld: BTreeSet<ParcelId>,
    /// We have left a league that is complete.
    finished: bool,
}

impl Player {
    pub fn new(profile: Profile, times: PlayerTimes) -> Self {
        Self {
            me: Agent::new(profile),
            times,
            rounds: RoundLifecycle::default(),
            thinking: Thinking::default(),
            history: History::default(),
            table: Listed::default(),
            announced: false,
            standings: Standings::default(),
            unheard: BTreeMap::new(),
            withheld: BTreeSet::new(),
            finished: false,
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
        self.me.keys.shown = Some(token);
    }

    pub fn history(&self) -> &History {
        &self.history
    }

    /// The table, as it was last told by a call.
    pub fn table(&self) -> &Listed<StandingsRow> {
        &self.table
    }

    /// The round under way and its games.
    pub fn rounds(&self) -> &RoundLifecycle {
        &self.rounds
    }

    /// How we stand, for our program to use.
    pub fn player_standings(&self) -> PlayerStandings {
        self.standings.shown(self.me.season.id.as_ref(), self.rounds.current_round())
    }

    /// Games that stop before they are over come to nothing, whatever is said of them later.
    fn give_up_games(&mut self, reason: StopReason) {
        for live in self.rounds.under_way().filter_map(|live| live.parameters.as_deref()) {
            let row = &live.assignment;
            let place = (&row.game, row.match_id.round);
            self.standings.fail(place, GameStatus::Failed, reason.as_str());
        }
    }

    /// What happens to a player. Out of line, so that the short way stays short.
    #[inline(never)]
    fn happened(&mut self, event: Event, out: &mut Out) {
        match event {
            Event::Called { request, call, .. } => agent::called(self, request, call, out),
            Event::Posted { request, proof, at, letter, .. } => {
                agent::posted(self, request, (proof, letter), at, out);
            }
            Event::Garbled { request, proof, at, garbled } => {
                agent::garbled(self, request, (&proof, &garbled), at, out);
            }
            Event::Thought { number, answer } => {
                if let Some(thought) = self.thinking.end(number) {
                    self.thought(thought, answer, out);
                }
            }
            Event::Taken(parcel) => {
                let awaited = Some(parcel).filter(|it| self.me.letterbox.awaits(*it));
                agent::settle(self, awaited, out);
            }
            Event::Answered { tag: Tag::Register, answer } => agent::answered(self, &answer, out),
            Event::Undelivered { tag: Tag::Register, why, .. } => {
                agent::undelivered(&mut self.me, why, out);
            }
            Event::Answered { tag: Tag::Reach, answer } => self.me.told_of_reach(&answer, out),
            Event::Answered { .. } | Event::Undelivered { .. } => {}
            Event::Noticed { .. } | Event::Drawn { .. } | Event::Probed { .. } => {}
        }
        if self.me.speaks_by_letter() {
            self.go_on(out);
        }
    }
}

impl Machine for Player {
    type Fact = PlayerFact;

    fn handle(&mut self, event: Event, now: Timestamp, out: &mut Effects<PlayerFact>) {
        let out = &mut Handling { now, out };
        if !self.me.speaks_by_letter()
            && let Event::Called { request, call: Call::Message(letter), .. } = event
        {
            // The short way for what nearly always happens.
            self.route(request, letter, out);
        } else {
            self.happened(event, out);
        }
    }

    fn tick(&mut self, Moment { now, heard }: Moment, out: &mut Effects<PlayerFact>) {
        let out = &mut Handling { now, out };
        agent::ask_again(self, out);
        for match_id in self.rounds.silent(now) {
            out.push(Effect::Alert(Alert::RefereeSilent { match_id }));
        }
        for mut passed in self.rounds.give_up(now) {
            let late = Refusal::OutOfTurn("the match took too long");
            moves::send_away(&mut passed, &late, out);
        }
        agent::drop_expired(self, heard, out);
        self.go_on(out);
    }

    fn deadline(&self) -> Option<Timestamp> {
        first_of([self.rounds.deadline(), self.me.deadline(), self.leaving_at()])
    }

    fn resume(&mut self, now: Timestamp, out: &mut Effects<PlayerFact>) {
        let out = &mut Handling { now, out };
        for parcel in self.me.letterbox.waiting() {
            if self.me.season.paused_at.is_some() && parcel.letter.kind.is_of_match() {
                self.withheld.insert(parcel.id);
            } else {
                out.push(Effect::SendLetter(parcel.clone()));
            }
        }
        agent::resume(self, out);
        self.go_on(out);
    }

    fn known(&self, question: &Question) -> Known<'_> {
        let match_id = question.match_id;
        let live = self.rounds.active.get(&match_id).filter(|live| live.parameters.is_none());
        let row = self.rounds.assignments().find(|row| row.match_id == match_id);
        let unheard = || Some(self.unheard.get(&match_id)?.0.clone());
        let game = row.map(|row| row.game.clone()).or_else(unheard);
        let context = game.map(|game| PlayerContext { game, standings: self.player_standings() });
        Known {
            player: self.id(),
            opponent: live.map(|live| live.opponent.unwrap_or(PlayerId::new(0))),
            history: self.history.matches(),
            standings: Some(&self.table),
            context: context.as_ref().map(AsPayload::payload).unwrap_or_default(),
        }
    }

    fn apply(&mut self, fact: &PlayerFact) {
        match fact {
            PlayerFact::Agent(fact) => self.apply_to_agent(fact),
            PlayerFact::Assigned { season, games } => {
                self.me.season.name(season.as_ref());
                self.rounds.set_assignments(season.as_ref(), games);
            }
            PlayerFact::RoundStarted { round, name, present, .. } => {
                // What is reported about the games that stop was posted beside this fact.
                self.give_up_games(StopReason::NewRoundStarted);
                self.rounds.start_round(*round, (name.as_deref(), present.as_deref()));
            }
            PlayerFact::RoundStopped { reason, .. } => {
                self.give_up_games(*reason);
                self.rounds.stop_current_round(*reason);
            }
            PlayerFact::Received { game, message, heard, shown } => {
                let match_id = self.rounds.match_of(game).or_else(|| game.match_id());
                let Some(match_id) = match_id else { return };
                if let Heard::Score(score) = &**heard {
                    self.standings.add(game, match_id.round, score);
                    self.unheard.insert(match_id, (game.clone(), score.clone()));
                }
                if let Some(controller) = self.rounds.active.get_mut(&match_id) {
                    controller.receive(message, heard, shown.as_ref());
                }
            }
            PlayerFact::Chosen { match_id, attempt, step, choice, at, .. } => {
                self.rounds.known(*match_id, *attempt).say(*step, *at, choice);
            }
            PlayerFact::Failed { game, status, error } => {
                let match_id = self.rounds.match_of(game).or_else(|| game.match_id());
                let round = match_id.map_or(0, |match_id| match_id.round);
                self.standings.fail((game, round), *status, error);
            }
            PlayerFact::Noted(match_id) => {
                self.unheard.remove(match_id);
            }
            PlayerFact::Ranked { round, row, winners } => {
                self.standings.rank(*round, row.as_ref());
                self.standings.win(&self.me, winners);
            }
            PlayerFact::Over(played) => {
                self.rounds.end(played.match_id);
                self.history.add(*played);
            }
        }
    }
}

#[cfg(test)]
mod tests;
