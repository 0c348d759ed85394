//! One game under way: its state, and the moves that are sealed until all are in.
//!
//! Text comes in and goes out. It is bounded, read once, judged, and kept typed and unseen.

use std::fmt::Display;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::bounds::{self, PAYLOAD_MAX, VIEW_MAX};
use crate::{
    BadPayload, Example, Failing, Gains, Game, Mismatch, Options, Reason, Retraced, Seat, Seats,
    Step, Turn,
};

/// Why a move, a word or a number is not taken. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadMove {
    #[error(transparent)]
    Payload(#[from] BadPayload),
    #[error("it could not be read: {0}")]
    Unreadable(Box<str>),
    #[error("it is not legal: {0}")]
    Illegal(Reason),
    #[error("it is out of turn")]
    OutOfTurn,
}

/// What the failure of a seat means for the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failed {
    /// The match is over.
    Over,
    /// The others go on.
    GoesOn,
    /// A move was made in its place.
    Instead,
}

/// A step that was taken, as it is written down: nothing is left to be judged. Moves and words are
/// JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Taken<T> {
    /// This seat has chosen, unseen; or that was chosen in its place.
    Sealed(Seat, T),
    /// The moves of these seats were made.
    Revealed(Seats),
    Drawn(u32),
    /// The referee's own judgement has spoken, about one seat or the match.
    Word(Option<Seat>, T),
    /// This seat plays no more, and the others go on.
    Failed(Seat),
    /// Somebody failed where nobody goes on.
    Cut,
}

/// Why a public view shows no game of these rules.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadShown {
    #[error(transparent)]
    Unreadable(#[from] BadMove),
    #[error("{} contradicts {}", .0.said, .0.against)]
    Impossible(Mismatch),
}

/// A game under way.
#[derive(Debug, Clone, PartialEq)]
pub struct Play<G: Game> {
    state: G::State,
    sealed: [Option<G::Move>; 2],
    /// Somebody failed where nobody goes on.
    cut: bool,
}

impl<G: Game> Play<G> {
    pub fn open(game: &G) -> Self {
        Self::at(game.begin())
    }

    const fn at(state: G::State) -> Self {
        Self { state, sealed: [None, None], cut: false }
    }

    /// Whose turn it is. Who has sealed a move is not asked again.
    pub fn turn(&self, game: &G) -> Turn {
        if self.cut { Turn::Over } else { game.turn(&self.state) }
    }

    /// Which kind of question that seat is asked.
    pub fn kind(&self, game: &G, seat: Seat) -> u8 {
        game.kind(&self.state, seat)
    }

    /// Takes a move, which stays unseen until it is revealed.
    pub fn seal(&mut self, game: &G, seat: Seat, json: impl AsRef<[u8]>) -> Result<(), BadMove> {
        let json = json.as_ref();
        if !self.turn(game).asked().contains(seat) || self.sealed[seat.index()].is_some() {
            return Err(BadMove::OutOfTurn);
        }
        let known = G::moves().iter().find(|(text, _)| text.as_bytes() == json);
        let it = match known {
            Some((_, it)) => it.clone(),
            None => {
                let it = read(json)?;
                game.legal(&self.state, seat, &it).map_err(BadMove::Illegal)?;
                it
            }
        };
        self.sealed[seat.index()] = Some(it);
        Ok(())
    }

    /// The seats whose moves lie there unseen.
    pub fn sealed(&self) -> Seats {
        Seats::which(|seat| self.sealed[seat.index()].is_some())
    }

    /// The moves of these seats are made, as far as they have any.
    pub fn reveal(&mut self, game: &G, seats: Seats) {
        let moves =
            Seat::BOTH.map(|seat| self.sealed[seat.index()].take_if(|_| seats.contains(seat)));
        if moves.iter().any(Option::is_some) {
            game.apply(&mut self.state, Step::Moves(moves));
        }
    }

    /// A number was drawn, counted from 0.
    pub fn draw(&mut self, game: &G, number: u32) -> Result<(), BadMove> {
        match self.turn(game) {
            Turn::Chance(below) if number < below => {
                game.apply(&mut self.state, Step::Drawn(number));
                Ok(())
            }
            Turn::Chance(below) => {
                Err(BadMove::Illegal(format!("{number} is not below {below}").into()))
            }
            Turn::Together(_) | Turn::Apart { .. } | Turn::Oracle | Turn::Over => {
                Err(BadMove::OutOfTurn)
            }
        }
    }

    /// The referee's own judgement has spoken, about one seat or the match.
    pub fn word(
        &mut self,
        game: &G,
        about: Option<Seat>,
        json: impl AsRef<[u8]>,
    ) -> Result<(), BadMove> {
        let awaited = match (self.turn(game), about) {
            (Turn::Oracle, None) => true,
            (Turn::Apart { judged, .. }, Some(seat)) => judged.contains(seat),
            (_, None | Some(_)) => false,
        };
        if !awaited {
            return Err(BadMove::OutOfTurn);
        }
        let word = read(json.as_ref())?;
        game.legal_word(&self.state, about, &word).map_err(BadMove::Illegal)?;
        game.apply(&mut self.state, Step::Word(about, word));
        Ok(())
    }

    /// Which kind of question the referee's own judgement is asked.
    pub fn judgement(&self, game: &G, about: Option<Seat>) -> u8 {
        game.judgement(&self.state, about)
    }

    /// What counts where the referee's own judgement has failed for good, as JSON.
    pub fn word_instead(&self, game: &G, about: Option<Seat>, seed: u64) -> Option<String> {
        let word = game.word_instead(&self.state, about, seed)?;
        let mut text = String::new();
        write(&word, &mut text);
        Some(text)
    }

    /// This seat has failed for good.
    pub fn fail(&mut self, game: &G, seat: Seat) -> Failed {
        match game.failing(&self.state, seat) {
            Failing::Over => {
                self.cut = true;
                Failed::Over
            }
            Failing::GoesOn => {
                self.sealed[seat.index()] = None;
                game.apply(&mut self.state, Step::Failed(seat));
                Failed::GoesOn
            }
            Failing::Instead(it) => {
                self.sealed[seat.index()] = Some(it);
                Failed::Instead
            }
        }
    }

    /// What that seat has chosen, unseen, as JSON.
    pub fn sealed_text(&self, seat: Seat) -> Option<String> {
        let mut text = String::new();
        write(self.sealed[seat.index()].as_ref()?, &mut text);
        Some(text)
    }

    /// Takes a step once more that was taken before. Whether it was legal was judged then.
    pub fn retake(&mut self, game: &G, taken: &Taken<impl AsRef<[u8]>>) {
        match taken {
            Taken::Sealed(seat, json) => self.sealed[seat.index()] = read(json.as_ref()).ok(),
            Taken::Revealed(seats) => self.reveal(game, *seats),
            Taken::Drawn(number) => game.apply(&mut self.state, Step::Drawn(*number)),
            Taken::Word(about, json) => {
                if let Ok(word) = read(json.as_ref()) {
                    game.apply(&mut self.state, Step::Word(*about, word));
                }
            }
            Taken::Failed(seat) => {
                self.sealed[seat.index()] = None;
                game.apply(&mut self.state, Step::Failed(*seat));
            }
            Taken::Cut => self.cut = true,
        }
    }

    /// Writes what that seat may know now; without a seat, what everybody may.
    pub fn view(&self, game: &G, seat: Option<Seat>, out: &mut String) -> Result<(), BadPayload> {
        let begin = out.len();
        let view = game.view(&self.state, seat);
        if !game.write_view(&view, out) {
            write(&view, out);
        }
        let bytes = out.len() - begin;
        if bytes <= VIEW_MAX {
            return Ok(());
        }
        out.truncate(begin);
        Err(BadPayload::TooLong { bytes, max: VIEW_MAX })
    }

    /// Writes what the referee's own judgement is told.
    pub fn prompt(&self, game: &G, about: Option<Seat>, out: &mut String) {
        game.prompt(&self.state, about, out);
    }

    /// What that seat may choose, as JSON; `None` if the rules judge whatever comes.
    pub fn options(&self, game: &G, seat: Seat) -> Option<Vec<String>> {
        match game.options(&self.state, seat) {
            Options::Any => None,
            Options::Listed(listed) => {
                let text = |it| {
                    let mut text = String::new();
                    write(it, &mut text);
                    text
                };
                Some(listed.iter().map(text).collect())
            }
        }
    }

    pub fn gains(&self, game: &G) -> Gains {
        game.gains(&self.state)
    }

    pub fn tell(&self, game: &G, names: [&dyn Display; 2]) -> String {
        game.tell(&self.state, names)
    }

    /// The game as a public view shows it; `None` if its views do not tell so much.
    pub(crate) fn retrace(game: &G, shown: &[u8]) -> Result<Option<Retraced<Self>>, BadShown> {
        let shown: G::View = match G::read_view(shown) {
            Some(view) => view,
            None => read(shown)?,
        };
        let retraced = game.retrace(&shown).map_err(BadShown::Impossible)?;
        Ok(retraced.map(|Retraced { shown, gaps }| Retraced { shown: Self::at(shown), gaps }))
    }

    /// Whether it may end so, however it goes on from here. Yes, too, if that would take too long
    /// to find out.
    pub fn may_end(&self, game: &G, fits: &mut dyn FnMut(Gains) -> bool) -> bool {
        search(game, &self.state, fits, &mut ENDS_MAX.clone())
    }
}

/// So many positions are looked at before we give up.
const ENDS_MAX: u32 = 4096;

/// Looks for an end that fits, through every move and every number from here on.
fn search<G: Game>(
    game: &G,
    state: &G::State,
    fits: &mut dyn FnMut(Gains) -> bool,
    left: &mut u32,
) -> bool {
    if *left == 0 {
        return true;
    }
    *left -= 1;
    let mut after = |step: Step<G::Move, G::Word>, left: &mut u32| {
        let mut next = state.clone();
        game.apply(&mut next, step);
        search(game, &next, fits, left)
    };
    match game.turn(state) {
        Turn::Over => fits(game.gains(state)),
        Turn::Chance(below) => (0..below).any(|number| after(Step::Drawn(number), left)),
        Turn::Together(seats) if !seats.is_empty() => {
            let mut choices = Seat::BOTH.map(|seat| match game.options(state, seat) {
                _ if !seats.contains(seat) => Some(vec![None]),
                Options::Listed(listed) => Some(listed.into_iter().map(Some).collect()),
                Options::Any => None,
            });
            let [Some(of_a), Some(of_b)] = choices.each_mut().map(Option::take) else {
                return true;
            };
            let mut pairs = of_a.iter().flat_map(|a| of_b.iter().map(move |b| [a, b]));
            pairs.any(|moves| after(Step::Moves(moves.map(Clone::clone)), left))
        }
        // What free text and an oracle would say nobody knows.
        Turn::Together(_) | Turn::Apart { .. } | Turn::Oracle => true,
    }
}

/// A move in the place of whoever sees that, as text.
pub(crate) fn move_instead<G: Game>(game: &G, kind: u8, view: &[u8]) -> Option<String> {
    let said = game.move_instead(kind, &read(view).ok()?)?;
    let mut json = String::new();
    write(&said, &mut json);
    Some(json)
}

/// Reads what came from outside.
fn read<T: serde::de::DeserializeOwned>(json: &[u8]) -> Result<T, BadMove> {
    bounds::check(json, PAYLOAD_MAX)?;
    serde_json::from_slice(json).map_err(|error| BadMove::Unreadable(error.to_string().into()))
}

/// An answer that will do for a rehearsal, as JSON.
pub(crate) fn example<G: Game>(game: &G, kind: &str, seed: u64, secret: &str) -> Option<String> {
    let mut text = String::new();
    match game.example(kind, seed, secret)? {
        Example::Move(it) => write(&it, &mut text),
        Example::Word(word) => write(&word, &mut text),
    }
    Some(text)
}

/// Appends the JSON of a value, without an allocation where there is room.
pub(crate) fn write<T: Serialize>(value: &T, out: &mut String) {
    let mut bytes = std::mem::take(out).into_bytes();
    serde_json::to_writer(&mut bytes, value).expect("a derived value can be written to memory");
    *out = String::from_utf8(bytes).expect("JSON is UTF-8");
}
