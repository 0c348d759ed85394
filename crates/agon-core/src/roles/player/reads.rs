//! What others may read off a player, and what it tells of itself: its state, its round, its
//! matches and its standings.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::act::{ActKind, LastActor, Progress, SeasonState};
use agon_proto::tool::{PlayerPhase, PlayerState, Tool, ToolAnswer, ToolParams};

use super::Player;
use super::controller::Controller;
use crate::agent::Membership;
use crate::{Refusal, TokenHash};

pub(super) fn read(
    player: &Player,
    tool: Tool,
    params: &ToolParams,
) -> Result<ToolAnswer, Refusal> {
    match tool {
        Tool::Ping => Ok(ToolAnswer::Pong),
        Tool::GetPlayerState => {
            own(player, params)?;
            Ok(ToolAnswer::Player(Box::new(player.state())))
        }
        Tool::GetStandings | Tool::GetLeagueState | Tool::GetMatchState | Tool::Command(_) => {
            Err(Refusal::Unsupported("ask the league manager"))
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
    if let Some(controller) = player.rounds.under_way().next() {
        return in_game(controller);
    }
    if player.rounds.games().next().is_some() {
        return SeasonState::MatchComplete;
    }
    if player.rounds.has_table {
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
    let mut parts = vec![player.season_state().name().to_owned()];
    if let Membership::Rejected(reason) = &player.me.season.membership {
        parts.push(format!("not admitted: {reason}"));
    }
    parts.extend(player.me.season.id.as_ref().map(|season| format!("season {season}")));
    if player.rounds.current_round() > 0 {
        parts.push(format!("round {}", player.rounds.current_round()));
    }
    for controller in player.rounds.games() {
        let Some(parameters) = &controller.parameters else { continue };
        let (game, phase) = (&parameters.assignment.game, controller.phase().name());
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

/// A match under way, as a state of the season.
fn in_game(controller: &Controller) -> SeasonState {
    let thinks_of = controller.last_actor() == LastActor::Referee;
    let received = controller.last_received().filter(|_| thinks_of);
    match (controller.phase(), received) {
        (Progress::Answered(0), None) => SeasonState::Invited,
        (Progress::Answered(0), Some(ActKind::Ask(number))) => SeasonState::Asked(number),
        (_, Some(ActKind::Ask(number))) if number > 0 => SeasonState::Asked(number),
        (Progress::Answered(count), _) => SeasonState::Answered(count),
        (Progress::Completed | Progress::Terminated, _) => SeasonState::MatchComplete,
    }
}
