//! Even/Odd: both name a parity at once, a number is drawn. Who named its parity alone wins.
//!
//! Spec: docs/protocol/match.md

use std::fmt::{Display, Write as _};

use serde::{Deserialize, Serialize};

use crate::{
    Gains, Game, GameInfo, Mismatch, NoWord, Reason, Retraced, Seat, Seats, Setting, Step, Turn,
};

// What stands around the number and the choices of a view.
const OPENING: &str = "{\"drawn_number\":";
const MIDDLE: &str = ",\"choices\":[";
const CLOSING: &str = "]}";

/// Its settings: the range of the draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvenOdd {
    pub draw_min: u32,
    pub draw_max: u32,
}

/// Even or odd.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Parity {
    /// 2, 4, 6 …
    Even,
    /// 1, 3, 5 …
    Odd,
}

impl Parity {
    /// The parity of a number.
    pub const fn of(number: u32) -> Self {
        if number.is_multiple_of(2) { Self::Even } else { Self::Odd }
    }

    /// In a word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Even => "even",
            Self::Odd => "odd",
        }
    }

    /// As a move.
    pub const fn json(self) -> &'static str {
        MOVES[self as usize].0
    }

    /// The parity that a move names.
    pub fn of_json(json: &[u8]) -> Option<Self> {
        MOVES.iter().find(|(text, _)| text.as_bytes() == json).map(|(_, named)| *named)
    }
}

/// Whatever can be drawn.
const NUMBER: Setting = Setting { name: "", meaning: "", min: 0, max: u32::MAX as i64 };

/// Each with its JSON, in their order.
const MOVES: [(&str, Parity); 2] = [("\"even\"", Parity::Even), ("\"odd\"", Parity::Odd)];

/// State and view are the same: what is chosen is public as soon as it is no longer sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EvenOddView {
    /// The number; null if none was drawn.
    pub drawn_number: Option<u32>,
    /// What A and B chose, as far as they did.
    pub choices: [Option<Parity>; 2],
}

impl Game for EvenOdd {
    type State = EvenOddView;
    type Move = Parity;
    type View = EvenOddView;
    type Word = NoWord;

    const INFO: GameInfo = GameInfo {
        name: "even_odd",
        rules: "Both players choose \"even\" or \"odd\" at the same time, and do not see what \
                the other chose. Then a number is drawn. If exactly one of them named its parity, \
                that player wins; otherwise it is a draw.",
        settings: &[
            Setting { name: "draw_min", meaning: "smallest number that can be drawn", ..NUMBER },
            Setting { name: "draw_max", meaning: "largest number that can be drawn", ..NUMBER },
        ],
        asks: &["choose_parity"],
        zero_sum: true,
        shows_all: true,
        ..GameInfo::USUAL
    };

    fn standard() -> Self {
        Self { draw_min: 1, draw_max: 10 }
    }

    fn check(&self) -> Result<(), Reason> {
        match self.draw_max.checked_sub(self.draw_min) {
            None => Err("draw_max is less than draw_min".into()),
            Some(u32::MAX) => Err("draw_min to draw_max is too wide".into()),
            Some(_) => Ok(()),
        }
    }

    fn acts_max(&self) -> u32 {
        3
    }

    fn begin(&self) -> EvenOddView {
        EvenOddView::default()
    }

    fn turn(&self, state: &EvenOddView) -> Turn {
        match (state.choices, state.drawn_number) {
            ([Some(_), Some(_)], Some(_)) => Turn::Over,
            ([Some(_), Some(_)], None) => Turn::Chance(self.draw_max - self.draw_min + 1),
            ([None, _] | [_, None], _) => {
                Turn::Together(Seats::which(|seat| state.choices[seat.index()].is_none()))
            }
        }
    }

    fn moves() -> &'static [(&'static str, Parity)] {
        &MOVES
    }

    fn apply(&self, state: &mut EvenOddView, step: Step<Parity, NoWord>) {
        match step {
            Step::Moves([a, b]) => {
                let [of_a, of_b] = &mut state.choices;
                *of_a = a.or(*of_a);
                *of_b = b.or(*of_b);
            }
            Step::Drawn(number) => state.drawn_number = Some(self.draw_min + number),
            Step::Word(_, never) => match never {},
            Step::Failed(_) => {}
        }
    }

    fn view(&self, state: &EvenOddView, _seat: Option<Seat>) -> EvenOddView {
        *state
    }

    fn write_view(&self, view: &EvenOddView) -> String {
        let mut out = String::with_capacity(64);
        out.push_str(OPENING);
        match view.drawn_number {
            Some(number) => push_number(number, &mut out),
            None => out.push_str("null"),
        }
        let [a, b] = view.choices.map(|choice| choice.map_or("null", Parity::json));
        for part in [MIDDLE, a, ",", b, CLOSING] {
            out.push_str(part);
        }
        out
    }

    fn read_view(json: &[u8]) -> Option<EvenOddView> {
        let rest = json.strip_prefix(OPENING.as_bytes())?;
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (drawn_number, rest) = match rest.split_at(digits) {
            ([], rest) => (None, rest.strip_prefix(b"null")?),
            ([digit], rest) => (Some(u32::from(digit - b'0')), rest),
            (number, rest) => (Some(std::str::from_utf8(number).ok()?.parse().ok()?), rest),
        };
        let (a, rest) = read_choice(rest.strip_prefix(MIDDLE.as_bytes())?)?;
        let (b, rest) = read_choice(rest.strip_prefix(b",")?)?;
        let choices = [a, b];
        (rest == CLOSING.as_bytes()).then_some(EvenOddView { drawn_number, choices })
    }

    fn gains(&self, state: &EvenOddView) -> Gains {
        let Some(parity) = state.drawn_number.map(Parity::of) else {
            return [None, None];
        };
        match state.choices.map(|choice| choice == Some(parity)) {
            [true, false] => [Some(1), Some(-1)],
            [false, true] => [Some(-1), Some(1)],
            [true, true] | [false, false] => [Some(0), Some(0)],
        }
    }

    fn only_move(&self, state: &EvenOddView, seat: Seat) -> Option<Parity> {
        state.choices[seat.index()]
    }

    fn tell(&self, state: &EvenOddView, names: [&dyn Display; 2]) -> String {
        let Some(number) = state.drawn_number else {
            return "no number was drawn".to_owned();
        };
        let parity = Parity::of(number).as_str();
        let winner = Seat::BOTH.into_iter().find(|seat| self.gains(state)[seat.index()] == Some(1));
        // Told after each match: a formatter would take longer than all the rules above.
        let mut told = String::with_capacity(48);
        match winner.map(|seat| names[seat.index()]) {
            Some(name) => {
                write!(told, "{name}").expect("a string takes what is written to it");
                told.push_str(" chose ");
                told.push_str(parity);
            }
            None => told.push_str("both chose the same"),
        }
        told.push_str(", number was ");
        push_number(number, &mut told);
        for part in [" (", parity, ")"] {
            told.push_str(part);
        }
        told
    }

    fn retrace(&self, shown: &EvenOddView) -> Result<Option<Retraced<EvenOddView>>, Mismatch> {
        let Self { draw_min, draw_max } = self;
        match shown.drawn_number {
            Some(number) if !(draw_min..=draw_max).contains(&&number) => Err(Mismatch {
                said: format!("`drawn_number` {number}"),
                against: format!("the league's range {draw_min} to {draw_max}"),
            }),
            drawn => {
                let gaps = drawn.is_some() && shown.choices.contains(&None);
                Ok(Some(Retraced { shown: *shown, gaps }))
            }
        }
    }
}

/// The choice that a text begins with, and what comes after it.
fn read_choice(text: &[u8]) -> Option<(Option<Parity>, &[u8])> {
    let chosen =
        MOVES.iter().find_map(|(json, it)| Some((*it, text.strip_prefix(json.as_bytes())?)));
    match chosen {
        Some((it, rest)) => Some((Some(it), rest)),
        None => Some((None, text.strip_prefix(b"null")?)),
    }
}

fn push_number(number: u32, out: &mut String) {
    match number {
        0..10 => out.push(char::from(b'0' + number as u8)),
        _ => out.push_str(&number.to_string()),
    }
}
