//! How `league.v2` spells what is played. Even/Odd has messages and fields of its own; to everybody
//! else its moves, views and settings are payloads, as those of any game.
//!
//! Spec: docs/protocol/match.md

use std::borrow::Cow;
use std::fmt;
use std::sync::LazyLock;

use super::message::{
    ChooseParityCall, ChooseParityResponse, EntryKind, GameMoveCall, GameMoveResponse, GameResult,
    MatchAssignment, Message, MessageType, MoveData, MoveRequest, NotedMove, Parity, ParityContext,
    PlayedDetails, Record, ReportDetails, ResultStatus, StatedParity, StepLimits, TranscriptEntry,
};
use crate::{
    ErrorCode, GameType, MatchId, Objection, Payload, PerPlayer, PlayerId, RoundId, ShortText,
    Timestamp,
};

/// Whether a game has messages and fields of its own, whichever way its name is written.
fn is_parity(game: &GameType) -> bool {
    matches!(game.as_bytes(), b"even_odd" | b"even-odd")
}

/// A question to one player.
#[derive(Debug, Clone, PartialEq)]
pub struct Asking {
    /// The match.
    pub match_id: MatchId,
    /// What is played.
    pub game_type: GameType,
    /// Who is asked.
    pub player_id: PlayerId,
    /// Whom it meets.
    pub opponent_id: PlayerId,
    /// The round.
    pub round_id: RoundId,
    /// Its record so far.
    pub your_standings: Record,
    /// When the answer must be in.
    pub deadline: Timestamp,
}

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
    pub fn of(message: &Message) -> Option<Self> {
        #[expect(clippy::wildcard_enum_match_arm, reason = "two of 23 messages ask for a move")]
        match message {
            Message::ChooseParityCall(said) => Some(Self {
                match_id: said.match_id,
                opponent: Some(said.context.opponent_id),
                step: 1,
                kind: "choose_parity".into(),
                view: Payload::trusted("{\"drawn_number\":null,\"choices\":[null,null]}"),
                options: parities().into(),
                deadline: said.deadline,
            }),
            Message::GameMoveCall(said) => {
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
            _ => None,
        }
    }
}

/// Whether a message asks for a move.
pub const fn asks_for_move(message: &Message) -> bool {
    matches!(message, Message::ChooseParityCall(_) | Message::GameMoveCall(_))
}

fn parities() -> &'static [Payload] {
    static BOTH: LazyLock<[Payload; 2]> =
        LazyLock::new(|| [Parity::Even, Parity::Odd].map(Parity::payload));
    &*BOTH
}

/// The question for a move; `None` if nobody can say what is asked. That is only looked at where
/// the question tells it.
pub fn question(asking: Asking, request: impl FnOnce() -> Option<MoveRequest>) -> Option<Message> {
    let Asking { match_id, game_type, player_id, opponent_id, round_id, your_standings, deadline } =
        asking;
    if is_parity(&game_type) {
        let context = ParityContext { opponent_id, round_id, your_standings };
        return Some(ChooseParityCall { match_id, player_id, game_type, context, deadline }.into());
    }
    let move_request = request()?;
    Some(GameMoveCall { match_id, player_id, game_type, move_request, deadline }.into())
}

/// What answers a question for a move of that game.
pub fn answer_type(game: &GameType) -> MessageType {
    match is_parity(game) {
        true => MessageType::ChooseParityResponse,
        false => MessageType::GameMoveResponse,
    }
}

/// The move that a message makes, and in which match; or what is wrong with it. `None` if the
/// message is no move.
pub fn stated_move(message: &Message) -> Option<(MatchId, Result<Payload, Objection>)> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "two of 23 messages are moves")]
    match message {
        Message::ChooseParityResponse(said) => {
            let stated = match &said.parity_choice {
                StatedParity::Valid(parity) => Ok(parity.payload()),
                StatedParity::Invalid(word) => {
                    let problem = "CHOOSE_PARITY_RESPONSE: field parity_choice must be even or odd";
                    let code = ErrorCode::InvalidParityChoice;
                    Err(Objection::new(code, problem).to(word.as_bytes()))
                }
            };
            Some((said.match_id, stated))
        }
        Message::GameMoveResponse(said) => Some((said.match_id, Ok(said.move_data.choice.clone()))),
        _ => None,
    }
}

/// The message that makes a move in answer to that question; `None` if it is none.
pub fn move_message(asked: &Message, player_id: PlayerId, made: &Payload) -> Option<Message> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "two of 23 messages ask for a move")]
    match asked {
        Message::ChooseParityCall(ChooseParityCall { match_id, .. }) => {
            let parity_choice = StatedParity::Valid(Parity::of_move(made)?);
            let match_id = *match_id;
            let said = ChooseParityResponse { match_id, player_id, parity_choice };
            Some(Message::ChooseParityResponse(said))
        }
        Message::GameMoveCall(said) => {
            let GameMoveCall { match_id, game_type, move_request, .. } = &**said;
            let move_type = move_request.move_type.clone();
            let (match_id, game_type) = (*match_id, game_type.clone());
            let move_data = MoveData { move_type, choice: made.clone() };
            Some(GameMoveResponse { match_id, player_id, game_type, move_data }.into())
        }
        _ => None,
    }
}

/// What is said of a move that the rules do not permit.
pub fn invalid_move(game: &GameType, made: &Payload, why: &str) -> Objection {
    let (field, code) = match is_parity(game) {
        true => ("parity_choice", ErrorCode::InvalidParityChoice),
        false => ("move_data.choice", ErrorCode::InvalidMessage),
    };
    let problem = format!("{}: field {field}: {why}", answer_type(game).name());
    Objection::new(code, &problem).to(made.as_bytes())
}

/// Whether the settings of a game stand in the limits of a match.
pub fn settings_in_limits(game: &GameType) -> bool {
    is_parity(game)
}

/// The settings of a game that stand in the limits of a match; `None` if they do not.
pub fn game_settings_of(game: &GameType, (min, max): (u32, u32)) -> Option<String> {
    settings_in_limits(game).then(|| format!("{{\"draw_min\":{min},\"draw_max\":{max}}}"))
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

impl Parity {
    /// The move that it is.
    pub fn payload(self) -> Payload {
        Payload::trusted(quoted(Some(self)))
    }

    /// The parity that a move is.
    pub fn of_move(payload: &Payload) -> Option<Self> {
        let (choice, rest) = read_choice(payload.as_bytes())?;
        choice.filter(|_| rest.is_empty())
    }
}

impl EntryKind {
    /// A question for a move of that game, and the answer to it.
    pub fn of_move(game: &GameType) -> [Self; 2] {
        match is_parity(game) {
            true => [Self::ChooseParityCall, Self::ChooseParityResponse],
            false => [Self::GameMoveCall, Self::GameMoveResponse],
        }
    }

    /// Whether a line of this kind says to which question of its match it belongs.
    const fn has_step(self) -> bool {
        matches!(self, Self::GameMoveCall | Self::GameMoveResponse)
    }

    /// Whether an ask came to nothing.
    pub const fn is_lapse(self) -> bool {
        matches!(self, Self::TimedOut | Self::Unreachable | Self::BadAnswer)
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
            ReportDetails::spelled(game, shown);
        let number_parity = drawn_number.map(Parity::of);
        Self { status, winner_player_id, drawn_number, number_parity, choices, details, reason }
    }
}

impl From<&Payload> for NotedMove {
    fn from(made: &Payload) -> Self {
        let parity = Parity::of_move(made).map(Self::Parity);
        parity.unwrap_or_else(|| Self::Other(Box::new(made.clone())))
    }
}

impl TranscriptEntry {
    /// The same line with the move that was made.
    #[must_use]
    pub fn with_move(self, made: &Payload) -> Self {
        Self { choice: Some(made.into()), ..self }
    }

    /// The same line with the question that it belongs to.
    #[must_use]
    pub fn with_step(self, step: u16) -> Self {
        Self { step: Some(step).filter(|_| self.message_type.has_step()), ..self }
    }

    /// The same line with the public view after a number was drawn.
    #[must_use]
    pub fn with_view(self, shown: &Payload) -> Self {
        let drawn_number = read(shown).and_then(|(drawn, _)| drawn);
        Self { drawn_number, ..self }
    }
}

impl ReportDetails {
    /// As a report of that game spells it.
    pub fn spelled(game: &GameType, Shown { view, players, gains }: Shown<'_>) -> Self {
        if is_parity(game) {
            return Self::of(view, players);
        }
        let gains = gains.map(|[a, b]| PerPlayer::both((players[0], a), (players[1], b)));
        let played = PlayedDetails { view: view.clone(), gains: gains.unwrap_or_default() };
        Self { played: Some(played.into()), ..Self::default() }
    }

    /// What a public view says of the number and the choices, with the ids of the players in the
    /// order of their seats; nothing, if it is not one of Even/Odd.
    pub fn of(shown: &Payload, [a, b]: [PlayerId; 2]) -> Self {
        let (drawn_number, [of_a, of_b]) = read(shown).unwrap_or_default();
        let choices =
            PerPlayer::of([of_a.map(|choice| (a, choice)), of_b.map(|choice| (b, choice))]);
        Self { drawn_number, choices, played: None }
    }

    /// A public view that says nothing of a number and choices, because it is of another game.
    pub fn told_apart(shown: &Payload) -> Option<Payload> {
        let apart = !shown.is_null() && read(shown).is_none();
        apart.then(|| shown.clone())
    }

    /// The public view of a match of that game; null if nothing is said of it.
    pub fn shown(&self, game: &GameType, players: [PlayerId; 2]) -> Payload {
        match &self.played {
            _ if is_parity(game) => self.view(players),
            Some(played) => played.view.clone(),
            None => Payload::default(),
        }
    }

    /// The public view of Even/Odd, in which seats stand for players.
    pub fn view(&self, players: [PlayerId; 2]) -> Payload {
        let [a, b] = players.map(|player| quoted(self.choices.get(player)));
        let mut text = String::with_capacity(64);
        text.push_str("{\"drawn_number\":");
        match self.drawn_number {
            Some(number @ 0..10) => text.push(char::from(b'0' + number as u8)),
            Some(number) => text.push_str(&number.to_string()),
            None => text.push_str("null"),
        }
        for part in [",\"choices\":[", a, ",", b, "]}"] {
            text.push_str(part);
        }
        Payload::trusted(&text)
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
            write!(f, "{before}{player} {choice}")?;
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

/// A choice as it stands in a view.
const fn quoted(choice: Option<Parity>) -> &'static str {
    match choice {
        Some(Parity::Even) => "\"even\"",
        Some(Parity::Odd) => "\"odd\"",
        None => "null",
    }
}

/// Reads a view as the game writes it, without a parser: it is read once for each match.
fn read(view: &Payload) -> Option<(Option<u32>, [Option<Parity>; 2])> {
    let rest = view.as_bytes().strip_prefix(b"{\"drawn_number\":")?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (drawn, rest) = match rest.split_at(digits) {
        ([], rest) => (None, rest.strip_prefix(b"null")?),
        ([digit], rest) => (Some(u32::from(digit - b'0')), rest),
        (number, rest) => (Some(std::str::from_utf8(number).ok()?.parse().ok()?), rest),
    };
    let (a, rest) = read_choice(rest.strip_prefix(b",\"choices\":[")?)?;
    let (b, rest) = read_choice(rest.strip_prefix(b",")?)?;
    (rest == b"]}").then_some((drawn, [a, b]))
}

/// The choice that a text begins with, and what comes after it.
fn read_choice(text: &[u8]) -> Option<(Option<Parity>, &[u8])> {
    if let Some(rest) = text.strip_prefix(b"\"even\"") {
        Some((Some(Parity::Even), rest))
    } else if let Some(rest) = text.strip_prefix(b"\"odd\"") {
        Some((Some(Parity::Odd), rest))
    } else {
        Some((None, text.strip_prefix(b"null")?))
    }
}

#[cfg(test)]
mod tests;
