//! The round lifecycle: owns the current round, its games and the table.
//!
//! A round starts and stops as a whole. A letter finds its game by the game's id; what belongs to
//! no game under way is turned away with the reason.
//!
//! Spec: docs/protocol/q21.md

use std::collections::BTreeMap;

use agon_proto::dialect::q21::{GameId, Letter, PlayerPhase, StopReason};
use agon_proto::{SeasonId, Timestamp};

use super::controller::Controller;
use super::fact::Heard;
use super::gprm::{Assignment, GameParameters, GameResult, GameStatus};
use super::termination::TerminationReport;
use super::thinking::Callback;
use crate::Refusal;

/// What to do about a referee's letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Route {
    /// It says something new.
    New,
    /// It says again what it said before.
    Repeat,
    /// The score of a game that we had to give up when its round ended.
    LateScore,
}

/// The round under way, and all that is known of the others.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct RoundLifecycle {
    current_round: u32,
    /// The round, in the manager's words.
    name: Option<Box<str>>,
    season: Option<SeasonId>,
    assignments: BTreeMap<u32, Vec<Assignment>>,
    active: BTreeMap<GameId, Controller>,
    past: BTreeMap<GameId, GameResult>,
}

impl RoundLifecycle {
    /// 0 before the first.
    pub fn current_round(&self) -> u32 {
        self.current_round
    }

    pub(super) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// A game of the current round.
    pub fn game(&self, game: &GameId) -> Option<&Controller> {
        self.active.get(game)
    }

    /// The games of the current round.
    pub fn games(&self) -> impl Iterator<Item = &Controller> {
        self.active.values()
    }

    /// The games of the current round that are under way.
    pub fn active_match_ids(&self) -> Vec<&GameId> {
        let live = self.active.iter().filter(|(_, controller)| !controller.is_over());
        live.map(|(game, _)| game).collect()
    }

    /// True, too, for a round without a game of ours.
    pub fn is_round_complete(&self) -> bool {
        self.active.values().all(Controller::is_over)
    }

    /// How far a game has come; `None` for one that has not begun.
    pub fn phase(&self, game: &GameId) -> Option<PlayerPhase> {
        let past = || {
            self.past.get(game).map(|result| match result.status {
                GameStatus::Completed => PlayerPhase::Completed,
                GameStatus::Terminated(_) => PlayerPhase::Terminated,
            })
        };
        self.active.get(game).map(Controller::phase).or_else(past)
    }

    /// What a game brought, once it is over.
    pub fn result(&self, game: &GameId) -> Option<GameResult> {
        let active = self.active.get(game).and_then(Controller::result);
        active.or_else(|| self.past.get(game).cloned())
    }

    /// The row of a game, however its id is spelled.
    pub(super) fn assignment(&self, game: &GameId) -> Option<&Assignment> {
        let all = || self.assignments.values().flatten();
        let same = |row: &&Assignment| row.game.parts() == game.parts();
        all().find(|row| row.game == *game).or_else(|| game.parts().and_then(|_| all().find(same)))
    }

    /// All games of the season, by round.
    pub(super) fn assignments(&self) -> impl Iterator<Item = &Assignment> {
        self.assignments.values().flatten()
    }

    /// Takes a table. Rounds that are over stay as they were played, and so does the current one,
    /// unless nothing of ours was in it: then the table came after the round began.
    pub(super) fn set_assignments(&mut self, season: Option<&SeasonId>, games: &[Assignment]) {
        let is_open = |round: u32| {
            round > self.current_round || (round == self.current_round && self.active.is_empty())
        };
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

    /// Stops the round under way and starts another: its games, and reports of those that were not
    /// over.
    pub(super) fn start_round(
        &mut self,
        round: u32,
        name: Option<&str>,
        at: Timestamp,
    ) -> (Vec<GameParameters>, Vec<TerminationReport>) {
        let reports = self.stop_current_round(StopReason::NewRoundStarted, at);
        self.current_round = round;
        self.name = name.map(Into::into);
        self.active = self.fresh_games();
        let parameters = self.active.values().map(|game| game.parameters().clone());
        (parameters.collect(), reports)
    }

    /// Gives up every game that is not over, and reports it.
    pub(super) fn stop_current_round(
        &mut self,
        reason: StopReason,
        at: Timestamp,
    ) -> Vec<TerminationReport> {
        let reports = self.reports(reason, at);
        for (game, mut controller) in std::mem::take(&mut self.active) {
            let result = controller.result().unwrap_or_else(|| {
                controller.terminate();
                let round = controller.parameters().round_number();
                GameResult::terminated(&game, round, reason)
            });
            self.past.insert(game, result);
        }
        reports
    }

    /// What would be reported if the round stopped now.
    pub(super) fn reports(&self, reason: StopReason, at: Timestamp) -> Vec<TerminationReport> {
        let open = self.active.values().filter(|controller| !controller.is_over());
        open.map(|controller| controller.termination_report(reason, at)).collect()
    }

    fn fresh_games(&self) -> BTreeMap<GameId, Controller> {
        let rows = self.assignments.get(&self.current_round).into_iter().flatten();
        let unplayed = rows.filter(|row| !self.past.contains_key(&row.game));
        let fresh = unplayed.map(|row| {
            let parameters = GameParameters::new(row.clone(), self.season.clone());
            (row.game.clone(), Controller::new(parameters))
        });
        fresh.collect()
    }

    /// Finds the game that a referee's letter belongs to, and says what it means there.
    pub(super) fn route(&self, game: &GameId, heard: &Heard) -> Result<Route, Refusal> {
        let is_score = matches!(heard, Heard::Score(_));
        let Some(controller) = self.active.get(game) else {
            return match self.past.get(game).map(|result| result.status) {
                Some(GameStatus::Terminated(_)) if is_score => Ok(Route::LateScore),
                Some(_) => Err(Refusal::OutOfTurn("the round of this game is over")),
                None if self.assignment(game).is_some() => {
                    Err(Refusal::OutOfTurn("this game is not of the current round"))
                }
                None => Err(Refusal::NoSuchMatch),
            };
        };
        if controller.is_over() {
            return Err(Refusal::OutOfTurn("this game is over"));
        }
        Ok(if controller.has_heard(heard.callback()) { Route::Repeat } else { Route::New })
    }

    /// A game of the current round, to be changed by `apply`.
    pub(super) fn game_mut(&mut self, game: &GameId) -> Option<&mut Controller> {
        self.active.get_mut(game)
    }

    /// The score of a game came when its round was over: it stays a game that we had to give up.
    /// Called from `apply`.
    pub(super) fn score_late(&mut self, score: GameResult) {
        if let Some(past) = self.past.get_mut(&score.game) {
            *past = GameResult { status: past.status, ..score };
        }
    }

    /// A letter of ours is on its way. Called from `apply`.
    pub(super) fn sent(&mut self, letter: &Letter) {
        let game = letter.context.game.as_ref().and_then(|game| self.active.get_mut(game));
        if let Some(controller) = game {
            controller.sent(letter.body.kind());
        }
    }

    /// What our program must be asked now.
    pub(super) fn wanted(&self) -> Vec<(GameId, Callback)> {
        let of = |(game, controller): (&GameId, &Controller)| {
            controller.wanted().map(|callback| (game.clone(), callback)).collect::<Vec<_>>()
        };
        self.active.iter().flat_map(of).collect()
    }

    /// What was said and not sent yet.
    pub(super) fn owed(&self) -> Vec<(GameId, Callback)> {
        let of = |(game, controller): (&GameId, &Controller)| {
            controller.owed().map(|callback| (game.clone(), callback)).collect::<Vec<_>>()
        };
        self.active.iter().flat_map(of).collect()
    }
}

#[cfg(test)]
mod tests;
