//! How `league.v2` spells what is played. Even/Odd has messages and fields of its own; to everybody
//! else its moves, views and settings are payloads, as those of any game.
//!
//! Spec: docs/protocol/match.md

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::even_odd;
use super::message::{
    ChooseParityCall, ChooseParityResponse, EntryKind, GameMoveCall, GameMoveResponse, GameResult,
    MatchAssignment, MessageType, MoveData, MoveRequest, NotedMove, Parity, ParityContext,
    PlayedDetails, ReportDetails, ResultStatus, RoleInMatch, StatedParity, StepLimits,
    TranscriptEntry,
};
use crate::act::Act;
use crate::{
    ErrorCode, GameType, MatchId, Objection, Payload, PerPlayer, PlayerId, ShortText, Timestamp,
};

/// What a player is asked, whatever the game.
#[derive(Debug, Clone, PartialEq)]
pub struct AskedMove {
    /// The match.
    pub match_id: MatchId,
    /// Whom it meets, if the question says so.
    pub opponent: Option<PlayerId>,
    /// Which question of the match this is, counted from 1. A repeat has the same number.
    pub step: u32,
    /// What the game calls what is asked.
    pub kind: Cow<'static, str>,
    /// What the player sees.
    pub view: Payload,
    /// What it may choose among; empty where nobody says so.
    pub options: Cow<'static, [Payload]>,
    /// When the answer must be in.
    pub deadline: Timestamp,
}

impl AskedMove {
    /// What that message asks; `None` if it asks for no move.
    pub fn of(message: &Act) -> Option<Self> {
        let Act::MoveCall(asked) = message else { return None };
        let said = match asked {
            MoveCall::ChooseParityCall(said) => return Some(said.asked()),
            MoveCall::GameMoveCall(said) => said,
        };
        let GameMoveCall { match_id, move_request, deadline, .. } = &**said;
        let MoveRequest { move_type, context, valid_options, .. } = move_request;
        Some(Self {
            match_id: *match_id,
            opponent: None,
            step: context.step.max(1),
            kind: move_type.as_str().to_owned().into(),
            view: context.view.clone(),
            options: valid_options.clone().unwrap_or_default().into(),
            deadline: *deadline,
        })
    }
}

/// A question for a move, in the words that its game has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum MoveCall {
    /// Of Even/Odd.
    ChooseParityCall(ChooseParityCall),
    /// Of any other game.
    GameMoveCall(Box<GameMoveCall>),
}

impl MoveCall {
    /// The match.
    pub const fn match_id(&self) -> MatchId {
        match self {
            Self::ChooseParityCall(said) => said.match_id,
            Self::GameMoveCall(said) => said.match_id,
        }
    }
}

/// The answer to it, in the same words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum MoveResponse {
    /// Of Even/Odd.
    ChooseParityResponse(ChooseParityResponse),
    /// Of any other game.
    GameMoveResponse(Box<GameMoveResponse>),
}

/// The question for a move in that match, to one of its players. What the game asks is only looked
/// at where the question tells it.
pub fn question(
    assignment: &MatchAssignment,
    asked: RoleInMatch,
    deadline: Timestamp,
    request: impl FnOnce() -> MoveRequest,
) -> Act {
    let MatchAssignment { match_id, round_id, player_a_id: a, player_b_id: b, .. } = *assignment;
    let (player_id, opponent_id, your_standings) = match asked {
        RoleInMatch::PlayerA => (a, b, assignment.player_a_standings),
        RoleInMatch::PlayerB => (b, a, assignment.player_b_standings),
    };
    let game_type = assignment.game_type.clone();
    if even_odd::is_played(&game_type) {
        let context = ParityContext { opponent_id, round_id, your_standings };
        return ChooseParityCall { match_id, player_id, game_type, context, deadline }.into();
    }
    GameMoveCall { match_id, player_id, game_type, move_request: request(), deadline }.into()
}

/// What answers a question for a move of that game.
pub fn answer_type(game: &GameType) -> MessageType {
    match even_odd::is_played(game) {
        true => MessageType::ChooseParityResponse,
        false => MessageType::GameMoveResponse,
    }
}

/// The move that a message makes, and in which match; or what is wrong with it. `None` if the
/// message is no move.
pub fn stated_move(message: &Act) -> Option<(MatchId, Result<Payload, Objection>)> {
    let Act::MoveResponse(made) = message else { return None };
    Some(match made {
        MoveResponse::ChooseParityResponse(said) => (said.match_id, said.stated()),
        MoveResponse::GameMoveResponse(said) => (said.match_id, Ok(said.move_data.choice.clone())),
    })
}

/// Whose answer a message says it is, if it says so in its own fields.
pub fn stated_player(message: &Act) -> Option<PlayerId> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "three of 23 messages answer a referee")]
    match message {
        Act::GameJoinAck(said) => said.player_id,
        Act::MoveResponse(MoveResponse::ChooseParityResponse(said)) => said.player_id,
        Act::MoveResponse(MoveResponse::GameMoveResponse(said)) => said.player_id,
        _ => None,
    }
}

/// The message that makes a move in answer to that question; `None` if it is none.
pub fn move_message(asked: &Act, player_id: PlayerId, made: &Payload) -> Option<Act> {
    let Act::MoveCall(asked) = asked else { return None };
    let (match_id, player_id) = (asked.match_id(), Some(player_id));
    Some(match asked {
        MoveCall::ChooseParityCall(_) => {
            let parity_choice = StatedParity::Valid(Parity::of_json(made.as_bytes())?);
            ChooseParityResponse { match_id, player_id, parity_choice }.into()
        }
        MoveCall::GameMoveCall(said) => {
            let game_type = said.game_type.clone();
            let move_type = said.move_request.move_type.clone();
            let move_data = MoveData { move_type, choice: made.clone() };
            GameMoveResponse { match_id, player_id, game_type, move_data }.into()
        }
    })
}

/// Puts something that no game has in place of the move that is stated: for rehearsals.
pub fn misstate(message: &mut Act) {
    let Act::MoveResponse(made) = message else { return };
    match made {
        MoveResponse::ChooseParityResponse(said) => {
            said.parity_choice = StatedParity::Invalid("seven".into());
        }
        MoveResponse::GameMoveResponse(said) => said.move_data.choice = Payload::trusted("7"),
    }
}

/// What is said of a move that the rules do not permit.
pub fn invalid_move(game: &GameType, made: &Payload, why: &str) -> Objection {
    let (field, code) = match even_odd::is_played(game) {
        true => (even_odd::CHOICE_FIELD, ErrorCode::InvalidChoice),
        false => ("move_data.choice", ErrorCode::InvalidMessage),
    };
    let problem = format!("{}: field {field}: {why}", answer_type(game).name());
    Objection::new(code, &problem).to(made.as_bytes())
}

/// Whether the settings of a game stand in the limits of a match.
pub fn settings_in_limits(game: &GameType) -> bool {
    even_odd::is_played(game)
}

/// The settings of a game that stand in the limits of a match; `None` if they do not.
pub fn game_settings_of(game: &GameType, drawn: (u32, u32)) -> Option<String> {
    settings_in_limits(game).then(|| even_odd::settings(drawn))
}

/// The settings of the game that is played in that match.
pub fn game_settings(assignment: &MatchAssignment) -> String {
    let MatchAssignment { game_type, game_settings, limits, .. } = assignment;
    let StepLimits { draw_min, draw_max, .. } = *limits;
    match (game_settings, game_settings_of(game_type, (draw_min, draw_max))) {
        (Some(settings), _) => settings.as_str().to_owned(),
        (None, Some(settings)) => settings,
        (None, None) => "{}".to_owned(),
    }
}

impl EntryKind {
    /// A question for a move of that game, and the answer to it.
    pub fn of_move(game: &GameType) -> [Self; 2] {
        match even_odd::is_played(game) {
            true => [Self::ChooseParityCall, Self::ChooseParityResponse],
            false => [Self::GameMoveCall, Self::GameMoveResponse],
        }
    }
}

/// What was played, and by whom.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    /// The public view.
    pub view: &'a Payload,
    /// The players in the order of their seats.
    pub players: [PlayerId; 2],
    /// What it was worth to them.
    pub gains: Option<[i32; 2]>,
}

impl GameResult {
    /// How a match of that game ended.
    pub fn of(
        game: &GameType,
        shown: Shown<'_>,
        status: ResultStatus,
        winner_player_id: Option<PlayerId>,
        reason: Box<str>,
    ) -> Self {
        let ReportDetails { drawn_number, choices, played: details } =
            ReportDetails::spelled(game, shown, &Payload::default());
        let number_parity = drawn_number.map(Parity::of);
        Self { status, winner_player_id, drawn_number, number_parity, choices, details, reason }
    }
}

impl From<&Payload> for NotedMove {
    fn from(made: &Payload) -> Self {
        let parity = Parity::of_json(made.as_bytes()).map(Self::Parity);
        parity.unwrap_or_else(|| Self::Other(Box::new(made.clone())))
    }
}

impl TranscriptEntry {
    /// The same line with the move that was made.
    #[must_use]
    pub fn with_move(self, made: &Payload) -> Self {
        Self { choice: Some(made.into()), ..self }
    }
}

/// The number that was drawn, if that public view says so.
pub fn drawn_number(shown: &Payload) -> Option<u32> {
    even_odd::read(shown).and_then(|view| view.drawn_number)
}

impl ReportDetails {
    /// As a report of that game spells it, with all that was played, in order; null where nobody
    /// needs that.
    pub fn spelled(
        game: &GameType,
        Shown { view, players, gains }: Shown<'_>,
        acts: &Payload,
    ) -> Self {
        if even_odd::is_played(game) {
            return Self::of(view, players);
        }
        let gains = gains.map(|[a, b]| PerPlayer::both((players[0], a), (players[1], b)));
        let (view, gains) = (view.clone(), gains.unwrap_or_default());
        let acts = Some(acts.clone()).filter(|acts| !acts.is_null());
        let played = PlayedDetails { view, gains, acts };
        Self { played: Some(played.into()), ..Self::default() }
    }

    /// All that was played, in order, as far as a report says it.
    pub fn acts(&self) -> Option<&Payload> {
        self.played.as_ref()?.acts.as_ref()
    }

    /// A public view that says nothing of a number and choices, because it is of another game.
    pub fn told_apart(shown: &Payload) -> Option<Payload> {
        let apart = !shown.is_null() && even_odd::read(shown).is_none();
        apart.then(|| shown.clone())
    }

    /// The public view of a match of that game; null if nothing is said of it.
    pub fn shown(&self, game: &GameType, players: [PlayerId; 2]) -> Payload {
        match &self.played {
            _ if even_odd::is_played(game) => self.view(players),
            Some(played) => played.view.clone(),
            None => Payload::default(),
        }
    }
}

/// What was chosen, and which number was drawn, as a contradiction quotes them.
impl fmt::Display for ReportDetails {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(played) = &self.played {
            return write!(f, "`view` {}", ShortText::new(played.view.as_str()));
        }
        let mut before = "`choices` ";
        for (player, choice) in self.choices.iter() {
            write!(f, "{before}{player} {}", choice.as_str())?;
            before = ", ";
        }
        match (self.choices.is_empty(), self.drawn_number) {
            (true, None) => f.write_str("nothing"),
            (true, Some(number)) => write!(f, "`drawn_number` {number}"),
            (false, None) => Ok(()),
            (false, Some(number)) => write!(f, " with `drawn_number` {number}"),
        }
    }
}
