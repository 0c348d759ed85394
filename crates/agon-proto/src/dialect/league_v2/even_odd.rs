//! Even/Odd in `league.v2`, which has messages and fields of its own for it: CHOOSE_PARITY_CALL and
//! its answer, `drawn_number` and `choices`. To everybody else its moves and views are payloads.
//!
//! Spec: docs/protocol/match.md

use std::sync::LazyLock;

use agon_games::Game;
use agon_games::even_odd::{EvenOdd, EvenOddView};

use super::message::{AskedMove, Record, ReportDetails};
use crate::json::{objects, texts};
use crate::text::{NAME_MAX, marked};
use crate::{
    ErrorCode, GameType, MatchId, Objection, Payload, PerPlayer, PlayerId, RoundId, Timestamp,
};

pub use agon_games::even_odd::Parity;

/// Whether it is played, whichever way its name is written.
pub(super) fn is_played(game: &GameType) -> bool {
    matches!(game.as_bytes(), b"even_odd" | b"even-odd")
}

/// The field that an answer states its choice in.
pub(super) const CHOICE_FIELD: &str = "parity_choice";

/// Its settings, which stand in the limits of a match.
pub(super) fn settings((min, max): (u32, u32)) -> String {
    format!("{{\"draw_min\":{min},\"draw_max\":{max}}}")
}

objects! {
    /// CHOOSE_PARITY_CALL.
    pub struct ChooseParityCall {
        /// The match.
        required match_id: MatchId,
        /// Who is asked.
        required player_id: PlayerId,
        /// What is played.
        required game_type: GameType,
        /// What a player may want to know.
        required context: ParityContext => ParityContext,
        /// When the answer must be in. Whole seconds, and kept to.
        required deadline: Timestamp,
    }

    /// What a player may want to know before it chooses.
    #[derive(Copy, Eq)]
    pub struct ParityContext {
        /// Whom it meets.
        required opponent_id: PlayerId,
        /// The round.
        required round_id: RoundId,
        /// Its record so far.
        defaulted your_standings: Record => Record,
    }

    /// CHOOSE_PARITY_RESPONSE.
    pub struct ChooseParityResponse {
        /// The match.
        required match_id: MatchId,
        /// Who answers. Who was asked is known, and nobody believes anything else.
        optional player_id: Option<PlayerId>,
        /// Its choice, or whatever it sent instead.
        required parity_choice: StatedParity,
    }
}

impl ChooseParityCall {
    /// What is asked.
    pub(super) fn asked(&self) -> AskedMove {
        static OPTIONS: LazyLock<[Payload; 2]> =
            LazyLock::new(|| [Parity::Even, Parity::Odd].map(made));
        AskedMove {
            match_id: self.match_id,
            opponent: Some(self.context.opponent_id),
            step: 1,
            kind: "choose_parity".into(),
            view: Payload::trusted("{\"drawn_number\":null,\"choices\":[null,null]}"),
            options: OPTIONS.as_slice().into(),
            deadline: self.deadline,
        }
    }
}
impl ChooseParityResponse {
    /// The move that it states, or what is wrong with it.
    pub(super) fn stated(&self) -> Result<Payload, Objection> {
        match &self.parity_choice {
            StatedParity::Valid(parity) => Ok(made(*parity)),
            StatedParity::Invalid(word) => {
                let problem = "CHOOSE_PARITY_RESPONSE: field parity_choice must be even or odd";
                Err(Objection::new(ErrorCode::InvalidChoice, problem).to(word.as_bytes()))
            }
        }
    }
}

/// The move that names a parity.
fn made(parity: Parity) -> Payload {
    Payload::trusted(parity.json())
}

/// What a player said when it was asked for a parity. Judging a bad one is the referee's business.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatedParity {
    /// Even or odd, after trimming and lower-casing.
    Valid(Parity),
    /// Something else, cut to a harmless length, with a mark where something was left out.
    Invalid(Box<str>),
}

impl From<&str> for StatedParity {
    fn from(text: &str) -> Self {
        let word = text.trim();
        if word.eq_ignore_ascii_case("even") {
            Self::Valid(Parity::Even)
        } else if word.eq_ignore_ascii_case("odd") {
            Self::Valid(Parity::Odd)
        } else {
            Self::Invalid(marked(word, NAME_MAX).into())
        }
    }
}

impl StatedParity {
    fn as_str(&self) -> &str {
        match self {
            Self::Valid(parity) => parity.as_str(),
            Self::Invalid(text) => text,
        }
    }
}

texts! {
    StatedParity by serialize_str(as_str): "\"even\" or \"odd\"",
        |text| Some(text.into()),
        { "enum": ["even", "odd"] };
}

impl ReportDetails {
    /// What a public view says of the number and the choices, with the ids of the players in the
    /// order of their seats; nothing, if it is not one of Even/Odd.
    pub fn of(shown: &Payload, [a, b]: [PlayerId; 2]) -> Self {
        let EvenOddView { drawn_number, choices: [of_a, of_b] } = read(shown).unwrap_or_default();
        let entry = |player, choice: Option<Parity>| Some((player, choice?));
        let choices = PerPlayer::of([entry(a, of_a), entry(b, of_b)]);
        Self { drawn_number, choices, played: None }
    }

    /// The public view of Even/Odd, in which seats stand for players.
    pub fn view(&self, players: [PlayerId; 2]) -> Payload {
        let choices = players.map(|player| self.choices.get(player));
        let view = EvenOddView { drawn_number: self.drawn_number, choices };
        Payload::trusted(&EvenOdd::standard().write_view(&view))
    }
}

/// What a public view says, if it is one of Even/Odd.
pub(super) fn read(view: &Payload) -> Option<EvenOddView> {
    EvenOdd::read_view(view.as_bytes())
}

#[cfg(test)]
mod tests;
