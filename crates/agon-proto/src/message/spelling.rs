//! How `league.v2` spells what is played. Even/Odd has messages and fields of its own; to everybody
//! else its moves, views and settings are payloads, as those of any game.
//!
//! Spec: docs/protocol/match.md

use std::fmt;
use std::sync::LazyLock;

use super::{
    ChooseParityCall, ChooseParityResponse, EntryKind, GameResult, Message, MessageType, Parity,
    ParityContext, Record, ReportDetails, ResultStatus, StatedParity, StepLimits, TranscriptEntry,
};
use crate::{
    ErrorCode, GameType, MatchId, Objection, Payload, PerPlayer, PlayerId, RoundId, Timestamp,
};

/// A question to one player.
#[derive(Debug, Clone, PartialEq)]
pub struct Asking {
    /// The match.
    pub match_id: MatchId,
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

impl Asking {
    /// What the game calls what is asked.
    pub const KIND: &str = "choose_parity";
    /// What a player sees when it is asked.
    pub const VIEW: &str = "{\"drawn_number\":null,\"choices\":[null,null]}";

    /// What a player may choose among.
    pub fn options() -> &'static [Payload] {
        static BOTH: LazyLock<[Payload; 2]> =
            LazyLock::new(|| [Parity::Even, Parity::Odd].map(Parity::payload));
        &*BOTH
    }

    /// What a message asks, if it asks for a move.
    pub fn of(message: &Message) -> Option<Self> {
        let Message::ChooseParityCall(said) = message else {
            return None;
        };
        let ChooseParityCall { match_id, player_id, deadline, .. } = *said;
        let ParityContext { opponent_id, round_id, your_standings } = said.context;
        Some(Self { match_id, player_id, opponent_id, round_id, your_standings, deadline })
    }
}

impl From<Asking> for Message {
    fn from(asking: Asking) -> Self {
        let Asking { match_id, player_id, opponent_id, round_id, your_standings, deadline } =
            asking;
        Self::ChooseParityCall(ChooseParityCall {
            match_id,
            player_id,
            game_type: GameType::EvenOdd,
            context: ParityContext { opponent_id, round_id, your_standings },
            deadline,
        })
    }
}

/// What answers a question for a move.
pub const fn answer_type() -> MessageType {
    MessageType::ChooseParityResponse
}

/// The move that a message makes, and in which match; or what is wrong with it. `None` if the
/// message is no move.
pub fn stated_move(message: &Message) -> Option<(MatchId, Result<Payload, Objection>)> {
    let Message::ChooseParityResponse(said) = message else {
        return None;
    };
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

/// The message that makes a move; `None` if it is none.
pub fn move_message(match_id: MatchId, player_id: PlayerId, made: &Payload) -> Option<Message> {
    let parity_choice = StatedParity::Valid(Parity::of_move(made)?);
    let said = ChooseParityResponse { match_id, player_id, parity_choice };
    Some(Message::ChooseParityResponse(said))
}

/// The code of a move that cannot be made.
pub const INVALID_MOVE: ErrorCode = ErrorCode::InvalidParityChoice;

/// The settings of the game that is played under these limits.
pub fn game_settings(limits: &StepLimits) -> String {
    let StepLimits { draw_min, draw_max, .. } = limits;
    format!("{{\"draw_min\":{draw_min},\"draw_max\":{draw_max}}}")
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
    /// A question for a move, and the answer to it.
    pub const MOVE: [Self; 2] = [Self::ChooseParityCall, Self::ChooseParityResponse];

    /// Whether an ask came to nothing.
    pub const fn is_lapse(self) -> bool {
        matches!(self, Self::TimedOut | Self::Unreachable | Self::BadAnswer)
    }
}

impl GameResult {
    /// How a match ended whose public view is this, with the ids of the players in the order of
    /// their seats.
    pub fn of(
        shown: &Payload,
        players: [PlayerId; 2],
        status: ResultStatus,
        winner_player_id: Option<PlayerId>,
        reason: Box<str>,
    ) -> Self {
        let ReportDetails { drawn_number, choices } = ReportDetails::of(shown, players);
        let number_parity = drawn_number.map(Parity::of);
        Self { status, winner_player_id, drawn_number, number_parity, choices, reason }
    }
}

impl TranscriptEntry {
    /// The same line with the move that was made.
    #[must_use]
    pub fn with_move(self, made: &Payload) -> Self {
        Self { choice: Parity::of_move(made), ..self }
    }

    /// The same line with the public view after a number was drawn.
    #[must_use]
    pub fn with_view(self, shown: &Payload) -> Self {
        let drawn_number = read(shown).and_then(|(drawn, _)| drawn);
        Self { drawn_number, ..self }
    }
}

impl ReportDetails {
    /// A public view, with the ids of the players in the order of their seats.
    pub fn of(shown: &Payload, [a, b]: [PlayerId; 2]) -> Self {
        let (drawn_number, [of_a, of_b]) = read(shown).unwrap_or_default();
        let choices =
            PerPlayer::of([of_a.map(|choice| (a, choice)), of_b.map(|choice| (b, choice))]);
        Self { drawn_number, choices }
    }

    /// The public view, in which seats stand for players.
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
