//! What others may read off a player: its state, its round, its games and its standings.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::Address;
use agon_proto::dialect::q21::{GameId, Kind, PlayerPhase, PlayerStandings};

use super::Player;
use super::controller::Controller;
use super::gprm::{Assignment, GameResult};
use super::lifecycle::RoundLifecycle;
use crate::agent::Membership;

/// Where a player is in its season.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// No season is open.
    InitStart,
    /// A season is open, and we have not asked yet.
    RegistrationOpen,
    /// We have asked.
    WaitingForConfirmation,
    /// We are not in.
    SeasonRejected,
    /// We are in, and there is no table yet.
    AwaitingAssignment,
    /// The table is here, and no game of ours is under way.
    AssignmentsReceived,
    /// A game of ours is under way, and its referee has said nothing yet.
    Invited,
    /// The warm-up.
    Warmup,
    /// Our program thinks of questions.
    Questioning,
    /// The questions are sent.
    AwaitingAnswers,
    /// Our program thinks of a guess.
    Guessing,
    /// The guess is sent.
    InMatch,
    /// All our games of this round are over.
    MatchComplete,
    /// Game letters are held back.
    Paused,
    /// The season is over.
    SeasonCompleted,
}

impl State {
    /// As it is sent.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InitStart => "INIT_START_STATE",
            Self::RegistrationOpen => "REGISTRATION_OPEN",
            Self::WaitingForConfirmation => "WAITING_FOR_CONFIRMATION",
            Self::SeasonRejected => "SEASON_REJECTED",
            Self::AwaitingAssignment => "AWAITING_ASSIGNMENT",
            Self::AssignmentsReceived => "ASSIGNMENTS_RECEIVED",
            Self::Invited => "INVITED",
            Self::Warmup => "WARMUP",
            Self::Questioning => "QUESTIONING",
            Self::AwaitingAnswers => "AWAITING_ANSWERS",
            Self::Guessing => "GUESSING",
            Self::InMatch => "IN_MATCH",
            Self::MatchComplete => "MATCH_COMPLETE",
            Self::Paused => "PAUSED",
            Self::SeasonCompleted => "SEASON_COMPLETED",
        }
    }
}

impl Player {
    pub fn address(&self) -> &Address {
        &self.me.address
    }

    /// The round under way and its games.
    pub fn rounds(&self) -> &RoundLifecycle {
        &self.rounds
    }

    /// 0 before the first.
    pub fn current_round(&self) -> u32 {
        self.rounds.current_round()
    }

    /// How far a game has come; `None` for one that has not begun.
    pub fn phase(&self, game: &GameId) -> Option<PlayerPhase> {
        self.rounds.phase(game)
    }

    /// What a game brought, once it is over.
    pub fn result(&self, game: &GameId) -> Option<GameResult> {
        self.rounds.result(game)
    }

    /// All our games, as the table has them.
    pub fn assignments(&self) -> impl Iterator<Item = &Assignment> {
        self.rounds.assignments()
    }

    /// Whether somebody has checked in for this round; `None` if nobody keeps that list.
    pub fn is_present(&self, address: &Address) -> Option<bool> {
        self.gatekeeper.is_present(address)
    }

    /// How we stand, for our program to use.
    pub fn standings(&self) -> PlayerStandings {
        self.standings.shown(self.me.season.id.as_ref(), self.rounds.current_round())
    }

    /// Where we are in the season.
    pub fn state(&self) -> State {
        if self.me.season.paused_at.is_some() {
            return State::Paused;
        }
        if self.me.season.completed.is_some() {
            return State::SeasonCompleted;
        }
        let live = self.rounds.games().find(|controller| !controller.is_over());
        if let Some(controller) = live {
            return in_game(controller);
        }
        if self.rounds.games().next().is_some() {
            return State::MatchComplete;
        }
        if self.has_table {
            return State::AssignmentsReceived;
        }
        match (&self.me.season.membership, &self.me.season.id) {
            (Membership::Outside, None) => State::InitStart,
            (Membership::Outside, Some(_)) => State::RegistrationOpen,
            (Membership::Applying, _) => State::WaitingForConfirmation,
            (Membership::In, _) => State::AwaitingAssignment,
            (Membership::Rejected(_), _) => State::SeasonRejected,
        }
    }

    /// All of it in a line, for people.
    pub fn in_a_line(&self) -> String {
        let mut parts = vec![self.state().as_str().to_owned()];
        if let Membership::Rejected(reason) = &self.me.season.membership {
            parts.push(format!("not admitted: {reason}"));
        }
        parts.extend(self.me.season.id.as_ref().map(|season| format!("season {season}")));
        if self.rounds.current_round() > 0 {
            parts.push(format!("round {}", self.rounds.current_round()));
        }
        for controller in self.rounds.games() {
            let game = &controller.parameters().assignment.game;
            parts.push(format!("{game} {}", controller.phase().as_str()));
        }
        let standings = self.standings();
        if standings.rank > 0 {
            parts.push(format!("rank {}", standings.rank));
        }
        if standings.games_played > 0 {
            let (points, played) = (standings.league_points, standings.games_played);
            parts.push(format!("{points} points from {played} games"));
        }
        parts.join(", ")
    }
}

/// A game under way, in the words of a season's states.
fn in_game(controller: &Controller) -> State {
    let thinks_of = controller.last_actor() == agon_proto::dialect::q21::LastActor::Referee;
    let received = controller.last_received().filter(|_| thinks_of);
    match (controller.phase(), received) {
        (_, Some(Kind::RoundStart)) => State::Questioning,
        (_, Some(Kind::AnswersBatch)) => State::Guessing,
        (PlayerPhase::Initialized, None) => State::Invited,
        (PlayerPhase::Initialized | PlayerPhase::WarmupComplete, _) => State::Warmup,
        (PlayerPhase::QuestionsSent, _) => State::AwaitingAnswers,
        (PlayerPhase::GuessSubmitted, _) => State::InMatch,
        (PlayerPhase::Completed | PlayerPhase::Terminated, _) => State::MatchComplete,
    }
}
