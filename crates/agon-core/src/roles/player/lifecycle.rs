//! The round lifecycle: owns the current round, its matches and the table.
//!
//! A round starts and stops as a whole. Where a table says what will be played, its matches begin
//! with their round; where nobody reads one, a match begins with the first that we hear of it.
//!
//! Spec: docs/protocol/match.md

use std::collections::{BTreeMap, BTreeSet};

use agon_proto::act::{StatusReport, StopReason};
use agon_proto::{
    Address, GameId, LeagueId, MatchId, Played, RoundId, SeasonId, Timestamp, WrittenLetter,
};
use rustc_hash::FxHashMap;

use super::controller::{Controller, GameParameters};
use super::fact::{Assignment, Heard};
use crate::Refusal;
use crate::agent::Agent;
use crate::effect::Proof;
use crate::gate::{self, Arrival, Doubt, Written};
use crate::moves_made::MovesMade;

/// Of a game whose score, like everything else, comes too late.
const PAST: &str = "the round of this game is over";

/// The round under way, and all that is known of the others.
#[derive(Debug, Default)]
pub struct RoundLifecycle {
    current_round: u32,
    /// The round, in the manager's words.
    pub(super) name: Option<Box<str>>,
    /// Who has checked in for it; `None` if nobody keeps that list.
    pub(super) present: Option<BTreeSet<Address>>,
    season: Option<SeasonId>,
    /// The season's table was here.
    pub(super) has_table: bool,
    assignments: BTreeMap<u32, Vec<Assignment>>,
    /// Its matches under way.
    pub(super) active: FxHashMap<MatchId, Controller>,
    /// Matches of the table whose round is over.
    past: BTreeMap<MatchId, Controller>,
    /// What we made of matches that are over, with the attempt, until a later round is.
    made: BTreeMap<MatchId, (u32, MovesMade)>,
    /// The newest round that is complete, as far as we were told.
    rounds_over: RoundId,
    /// The attempts that we heard nothing more of, by match. Nothing more is said in them.
    left: BTreeMap<MatchId, u32>,
}

impl RoundLifecycle {
    /// 0 before the first.
    pub fn current_round(&self) -> u32 {
        self.current_round
    }

    /// A game of the current round, or of an earlier one.
    pub fn game(&self, game: &GameId) -> Option<&Controller> {
        let match_id = self.match_of(game)?;
        self.active.get(&match_id).or_else(|| self.past.get(&match_id))
    }

    /// The games of the current round, in their order.
    pub fn games(&self) -> impl Iterator<Item = &Controller> {
        self.ordered().map(|(_, controller)| controller)
    }

    fn ordered(&self) -> impl Iterator<Item = (MatchId, &Controller)> {
        let mut all: Vec<_> = self.active.iter().map(|(id, live)| (*id, live)).collect();
        all.sort_unstable_by_key(|(id, _)| *id);
        all.into_iter()
    }

    /// The match that the table means by that.
    pub(super) fn match_of(&self, game: &GameId) -> Option<MatchId> {
        self.assignment(game).map(|row| row.match_id)
    }

    /// The games of the current round that are under way.
    pub fn under_way(&self) -> impl Iterator<Item = &Controller> {
        self.games().filter(|controller| !controller.is_over())
    }

    /// The row of a game, however its id is spelled.
    pub(super) fn assignment(&self, game: &GameId) -> Option<&Assignment> {
        let all = || self.assignments.values().flatten();
        let same = |row: &&Assignment| row.game.parts() == game.parts();
        all().find(|row| row.game == *game).or_else(|| game.parts().and_then(|_| all().find(same)))
    }

    /// All games of the season, by round.
    pub fn assignments(&self) -> impl Iterator<Item = &Assignment> {
        self.assignments.values().flatten()
    }

    /// Takes a table. Rounds that are over stay as they were played, and so does the current one,
    /// unless nothing of ours was in it: then the table came after the round began.
    pub(super) fn set_assignments(&mut self, season: Option<&SeasonId>, games: &[Assignment]) {
        let is_open = |round: u32| {
            round > self.current_round || (round == self.current_round && self.active.is_empty())
        };
        self.has_table = true;
        self.assignments.retain(|round, _| !is_open(*round));
        for row in games.iter().filter(|row| is_open(row.match_id.round)) {
            self.assignments.entry(row.match_id.round).or_default().push(row.clone());
        }
        if season.is_some() {
            self.season = season.cloned();
        }
        if self.current_round > 0 && self.active.is_empty() {
            self.active = self.fresh_games();
        }
    }

    /// Stops the round under way and starts another.
    pub(super) fn start_round(
        &mut self,
        round: u32,
        (name, present): (Option<&str>, Option<&[Address]>),
    ) {
        self.stop_current_round(StopReason::NewRoundStarted);
        self.current_round = round;
        self.name = name.map(Into::into);
        self.present = present.map(|addresses| addresses.iter().cloned().collect());
        self.active = self.fresh_games();
    }

    /// Gives up every game that is not over.
    pub(super) fn stop_current_round(&mut self, reason: StopReason) {
        for (match_id, mut controller) in std::mem::take(&mut self.active) {
            if controller.parameters.is_some() {
                controller.terminate(reason);
                self.past.insert(match_id, controller);
            }
        }
    }

    /// What is to be reported, before the round stops.
    pub(super) fn reports(
        &self,
        reporter: &Address,
        reason: StopReason,
        at: Timestamp,
    ) -> Vec<StatusReport> {
        self.under_way().filter_map(|live| live.report(reporter, reason, at)).collect()
    }

    fn fresh_games(&self) -> FxHashMap<MatchId, Controller> {
        let rows = self.assignments.get(&self.current_round).into_iter().flatten();
        let unplayed = rows.filter(|row| !self.past.contains_key(&row.match_id));
        let fresh = unplayed.map(|row| {
            let parameters = GameParameters::new(row.clone(), self.season.clone());
            (row.match_id, Controller::by_letter(parameters))
        });
        fresh.collect()
    }

    /// Whether what a referee says is new in the game that it belongs to.
    pub(super) fn is_new(&self, game: &GameId, heard: &Heard) -> Result<bool, Refusal> {
        let match_id = self.match_of(game).ok_or(Refusal::NoSuchMatch)?;
        let Some(controller) = self.active.get(&match_id) else {
            let over = self.past.contains_key(&match_id);
            let why = if over { PAST } else { "this game is not of the current round" };
            return Err(Refusal::OutOfTurn(why));
        };
        if controller.is_over() {
            return Err(Refusal::OutOfTurn("this game is over"));
        }
        Ok(!controller.has_heard(heard))
    }

    /// Whether the referee of the game that a letter is about wrote it. Who that is stands in the
    /// table; who has checked in, in the list that comes with each round.
    pub(super) fn prove_referee(&self, me: &Agent, came: Arrival) -> Written {
        let Some(named) = gate::game_of(came.letter) else {
            return Err(Doubt::Never(Refusal::BadValue("the letter names no game")));
        };
        let Some(row) = self.assignment(named) else {
            let unknown = Refusal::NoSuchMatch;
            return Err(if self.has_table { Doubt::Never } else { Doubt::Early }(unknown));
        };
        let Some(address) = &row.referee else {
            let why = "the table names no address of this game's referee";
            return Err(Doubt::Never(Refusal::NotPermitted(why)));
        };
        let is_present = |from| self.present.as_ref().is_some_and(|it| it.contains(from));
        let why = match came.proof {
            Proof::Vouched(from) if is_present(from) => {
                "the sender has checked in, but this game has another referee"
            }
            Proof::Vouched(_) | Proof::Token => "only the referee of this game may say this",
        };
        let proved = gate::referee(me, came, (&row.game, address), why)?;
        if row.match_id.round > self.current_round {
            let early = Refusal::OutOfTurn("the round of this game has not begun");
            return Err(Doubt::Early(early));
        }
        Ok(proved)
    }

    /// A letter of ours is on its way. Called from `apply`.
    pub(super) fn sent(&mut self, letter: &WrittenLetter) {
        let match_id = letter.head.context.game.as_ref().and_then(|game| self.match_of(game));
        if let Some(controller) = match_id.and_then(|id| self.active.get_mut(&id)) {
            controller.sent(letter.kind);
        }
    }

    /// What must be thought about now, by the numbers of the questions.
    pub(super) fn wanted(&self) -> Vec<(MatchId, u32)> {
        let of = |(id, live): (MatchId, _)| Controller::wanted(live).map(move |turn| (id, turn));
        self.ordered().flat_map(of).collect()
    }

    /// What was said and not sent yet.
    pub(super) fn owed(&self) -> Vec<(MatchId, u32)> {
        let of = |(id, live): (MatchId, _)| Controller::owed(live).map(move |turn| (id, turn));
        self.ordered().flat_map(of).collect()
    }

    /// The controller of that attempt, which is made if there is none, or of an older one. `over`
    /// is the last attempt whose end is known.
    pub(super) fn enter(
        &mut self,
        (match_id, attempt): (MatchId, u32),
        over: Option<u32>,
        fresh: impl FnOnce() -> Controller,
    ) -> Result<&mut Controller, Refusal> {
        // Who never heard of a match of a round that is complete missed its first attempt at
        // least; a higher one is played again.
        let missed = (match_id.round <= self.rounds_over).then_some(1);
        let past = over.max(missed).max(self.left.get(&match_id).copied());
        // A question that is asked again after the end must not be thought about anew.
        if let Some(current) = past.filter(|past| attempt <= *past) {
            return Err(Refusal::StaleAttempt { current });
        }
        let live = self.active.entry(match_id).or_insert_with(fresh);
        if attempt < live.attempt {
            return Err(Refusal::StaleAttempt { current: live.attempt });
        }
        Ok(live)
    }

    /// The controller of that attempt, known from a fact. Called from `apply`.
    pub(super) fn known(&mut self, match_id: MatchId, attempt: u32) -> &mut Controller {
        let unknown = || Controller::called(attempt, None, None);
        let live = self.active.entry(match_id).or_insert_with(unknown);
        if live.attempt != attempt {
            *live = unknown();
        }
        live
    }

    /// Every match of that round has its result. The news of the last ones may still be on its
    /// way, so only older matches are forgotten, and handed out.
    pub(super) fn complete(&mut self, round: RoundId) -> Vec<Controller> {
        self.rounds_over = self.rounds_over.max(round);
        self.made.retain(|id, _| id.round >= round);
        self.forget(|id, _| id.round < round)
    }

    /// The match is over. What we made of it may be asked for yet. Called from `apply`.
    pub(super) fn end(&mut self, match_id: MatchId) {
        if let Some(live) = self.active.remove(&match_id)
            && let Some(made) = live.moves_made()
        {
            self.made.insert(match_id, (live.attempt, made));
        }
    }

    /// What we played in that round, which is over.
    pub(super) fn played_in(&self, round: RoundId, league: &LeagueId) -> Option<Played> {
        let live = self.ordered().filter(|(id, _)| id.round == round);
        let mut live = live.filter_map(|(id, live)| Some((id, (live.attempt, live.moves_made()?))));
        let over = || self.made.iter().find(|(id, _)| id.round == round);
        let known = live.next().or_else(|| over().map(|(id, made)| (*id, made.clone())));
        known.map(|(id, (attempt, made))| made.of(league, (id, attempt)))
    }

    /// Of which matches nothing more was heard in all their time.
    pub(super) fn silent(&self, now: Timestamp) -> impl Iterator<Item = MatchId> {
        let silent = move |live: &Controller| live.until.is_some_and(|until| until <= now);
        self.active.iter().filter(move |(_, live)| silent(live)).map(|(id, _)| *id)
    }

    /// Whoever hears nothing more of a match leaves it.
    pub(super) fn give_up(&mut self, now: Timestamp) -> Vec<Controller> {
        if self.deadline().is_none_or(|until| now < until) {
            return Vec::new();
        }
        self.forget(|_, live| live.until.is_some_and(|until| until <= now))
    }

    fn forget(&mut self, is_over: impl Fn(&MatchId, &Controller) -> bool) -> Vec<Controller> {
        let over = self.active.extract_if(|id, live| is_over(id, live));
        let mut forgotten = Vec::new();
        for (id, live) in over {
            self.left.insert(id, live.attempt);
            forgotten.push(live);
        }
        forgotten
    }

    /// When we give up hearing of the next one.
    pub(super) fn deadline(&self) -> Option<Timestamp> {
        self.active.values().filter_map(|live| live.until).min()
    }
}

#[cfg(test)]
mod tests;
