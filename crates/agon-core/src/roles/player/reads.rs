//! What others may read off a player, and what it tells of itself: its state, its round, its
//! matches and its standings.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::Answer;
use agon_proto::dialect::q21::{Kind, PlayerPhase as Phase};
use agon_proto::tool::{PlayerPhase, PlayerState, Tool, ToolAnswer, ToolParams};

use super::controller::Controller;
use super::{Out, Player};
use crate::agent::Membership;
use crate::effect::RequestId;
use crate::{Refusal, TokenHash};

/// Where a player is in its season.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SeasonState {
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

impl SeasonState {
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

pub(super) fn use_tool(
    player: &Player,
    request: RequestId,
    tool: Tool,
    params: &ToolParams,
    out: &mut Out,
) {
    match tool {
        Tool::Ping => out.reply(request, Answer::Tool(ToolAnswer::Pong)),
        Tool::GetPlayerState => match own(player, params) {
            Ok(()) => {
                let state = Box::new(player.state());
                out.reply(request, Answer::Tool(ToolAnswer::Player(state)));
            }
            Err(refusal) => out.refuse(request, refusal),
        },
        Tool::GetStandings | Tool::GetLeagueState | Tool::GetMatchState | Tool::Command(_) => {
            out.refuse(request, Refusal::Unsupported("ask the league manager"));
        }
    }
}

/// A player's state is its own business.
fn own(player: &Player, params: &ToolParams) -> Result<(), Refusal> {
    let token = params.auth_token.as_ref().ok_or(Refusal::TokenMissing)?;
    let ours = player.me.credentials().and_then(|given| TokenHash::of(&given.token));
    match TokenHash::of(token) {
        Some(hash) if Some(hash) == ours => Ok(()),
        Some(_) | None => Err(Refusal::TokenInvalid(token.clone())),
    }
}

pub(super) fn state(player: &Player) -> PlayerState {
    let state = match (player.id(), player.rounds.is_idle(), player.announced) {
        (None, _, _) => PlayerPhase::Unregistered,
        (Some(_), false, _) => PlayerPhase::InGame,
        (Some(_), true, true) => PlayerPhase::WaitingForRound,
        (Some(_), true, false) => PlayerPhase::Registered,
    };
    PlayerState {
        player_id: player.id(),
        display_name: player.me.profile.name.clone(),
        state,
        lifecycle: player.me.lifecycle(),
        stats: player.history.record(),
        matches: player.history.matches().to_vec(),
    }
}

/// Where we are in the season.
pub(super) fn season_state(player: &Player) -> SeasonState {
    if player.me.season.paused_at.is_some() {
        return SeasonState::Paused;
    }
    if player.me.season.completed.is_some() {
        return SeasonState::SeasonCompleted;
    }
    let live = player.rounds.games().find(|controller| !controller.is_over());
    if let Some(controller) = live {
        return in_game(controller);
    }
    if player.rounds.games().next().is_some() {
        return SeasonState::MatchComplete;
    }
    if player.has_table {
        return SeasonState::AssignmentsReceived;
    }
    match (&player.me.season.membership, &player.me.season.id) {
        (Membership::Outside, None) => SeasonState::InitStart,
        (Membership::Outside, Some(_)) => SeasonState::RegistrationOpen,
        (Membership::Applying, _) => SeasonState::WaitingForConfirmation,
        (Membership::In, _) => SeasonState::AwaitingAssignment,
        (Membership::Rejected(_), _) => SeasonState::SeasonRejected,
    }
}

/// All of it in a line, for people.
pub(super) fn in_a_line(player: &Player) -> String {
    let mut parts = vec![player.season_state().as_str().to_owned()];
    if let Membership::Rejected(reason) = &player.me.season.membership {
        parts.push(format!("not admitted: {reason}"));
    }
    parts.extend(player.me.season.id.as_ref().map(|season| format!("season {season}")));
    if player.rounds.current_round() > 0 {
        parts.push(format!("round {}", player.rounds.current_round()));
    }
    for controller in player.rounds.games() {
        let Some(parameters) = controller.parameters() else { continue };
        let (game, phase) = (&parameters.assignment.game, controller.phase().as_str());
        parts.push(format!("{game} {phase}"));
    }
    let standings = player.player_standings();
    if standings.rank > 0 {
        parts.push(format!("rank {}", standings.rank));
    }
    if standings.games_played > 0 {
        let (points, played) = (standings.league_points, standings.games_played);
        parts.push(format!("{points} points from {played} games"));
    }
    parts.join(", ")
}

/// A game under way, in the words of a season's states.
fn in_game(controller: &Controller) -> SeasonState {
    let thinks_of = controller.last_actor() == agon_proto::dialect::q21::LastActor::Referee;
    let received = controller.last_received().filter(|_| thinks_of);
    match (controller.phase(), received) {
        (_, Some(Kind::RoundStart)) => SeasonState::Questioning,
        (_, Some(Kind::AnswersBatch)) => SeasonState::Guessing,
        (Phase::Initialized, None) => SeasonState::Invited,
        (Phase::Initialized | Phase::WarmupComplete, _) => SeasonState::Warmup,
        (Phase::QuestionsSent, _) => SeasonState::AwaitingAnswers,
        (Phase::GuessSubmitted, _) => SeasonState::InMatch,
        (Phase::Completed | Phase::Terminated, _) => SeasonState::MatchComplete,
    }
}
