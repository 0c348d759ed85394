//! One game under way: its state, and the moves that are sealed until all are in.
//!
//! Text comes in and goes out. It is bounded (whoever sends more is refused before anything is
//! built of it), read once, judged, and kept typed and unseen.

use std::fmt::Display;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{BadShown, Failed, Gains, Game, Reason, Retraced, Seat, Seats, Step, Turn};

/// Longest move, word or view that is read, in bytes.
pub const PAYLOAD_MAX: usize = 64 * 1024;
/// Deepest of them, in brackets.
pub const DEPTH_MAX: usize = 16;
/// Longest view that is shown, in bytes.
pub const VIEW_MAX: usize = 8 * 1024;

/// Why a payload is not even looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum BadPayload {
    #[error("it has {bytes} bytes, {max} is the most")]
    TooLong { bytes: usize, max: usize },
    #[error("it is nested deeper than {DEPTH_MAX}")]
    TooDeep,
}

/// Why a move, a word or a number is not taken. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadMove {
    #[error(transparent)]
    Payload(#[from] BadPayload),
    #[error("it could not be read: {0}")]
    Unreadable(Box<str>),
    /// What else there is, in words.
    #[error("it must be {0}")]
    NotAnOption(Box<str>),
    #[error("it is not legal: {0}")]
    Illegal(Reason),
    #[error("it is out of turn")]
    OutOfTurn,
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

impl<T: AsRef<[u8]>> Taken<T> {
    /// The same, with JSON that is only looked at.
    pub fn as_bytes(&self) -> Taken<&[u8]> {
        match self {
            Self::Sealed(seat, json) => Taken::Sealed(*seat, json.as_ref()),
            Self::Revealed(seats) => Taken::Revealed(*seats),
            Self::Drawn(number) => Taken::Drawn(*number),
            Self::Word(about, json) => Taken::Word(*about, json.as_ref()),
            Self::Failed(seat) => Taken::Failed(*seat),
            Self::Cut => Taken::Cut,
        }
    }
}

/// A game under way, with the rules that opened it.
#[derive(Debug, Clone)]
pub struct Play<G: Game> {
    game: G,
    state: G::State,
    /// What was chosen and nobody has seen yet, seat by seat.
    pub sealed: [Option<G::Move>; 2],
    /// Somebody failed where nobody goes on.
    cut: bool,
}

/// Two are the same if they stand the same, by whatever settings they were opened.
impl<G: Game> PartialEq for Play<G> {
    fn eq(&self, other: &Self) -> bool {
        (&self.state, &self.sealed, self.cut) == (&other.state, &other.sealed, other.cut)
    }
}

impl<G: Game> Play<G> {
    pub fn open(game: &G) -> Self {
        Self::at(game, game.begin())
    }

    fn at(game: &G, state: G::State) -> Self {
        Self { game: game.clone(), state, sealed: [None, None], cut: false }
    }

    /// The game as a public view shows it; `None` if its views do not tell so much.
    pub(crate) fn retrace<P: From<Self>>(
        game: &G,
        shown: &[u8],
    ) -> Result<Option<Retraced<P>>, BadShown> {
        let shown: G::View = match G::read_view(shown) {
            Some(view) => view,
            None => read(shown)?,
        };
        let retraced = game.retrace(&shown).map_err(BadShown::Impossible)?;
        Ok(retraced.map(|it| Retraced { shown: Self::at(game, it.shown).into(), gaps: it.gaps }))
    }
}

/// What can be done with a game under way, whichever it is.
pub trait Playing {
    /// Whose turn it is. Who has sealed a move is not asked again.
    fn turn(&self) -> Turn;

    /// Which of [`GameInfo::asks`](crate::GameInfo::asks) that seat is asked.
    fn kind(&self, seat: Seat) -> u8;

    /// Takes a move, which stays unseen until it is revealed.
    fn seal(&mut self, seat: Seat, json: &[u8]) -> Result<(), BadMove>;

    /// The moves of these seats are made, as far as they have any.
    fn reveal(&mut self, seats: Seats);

    /// A number was drawn, counted from 0.
    fn draw(&mut self, number: u32) -> Result<(), BadMove>;

    /// The referee's own judgement has spoken, about one seat or the match.
    fn word(&mut self, about: Option<Seat>, json: &[u8]) -> Result<(), BadMove>;

    /// Which of [`GameInfo::judgements`](crate::GameInfo::judgements) the referee's own judgement
    /// is asked.
    fn judgement(&self, about: Option<Seat>) -> u8;

    /// What counts where the referee's own judgement has failed for good, as JSON; `None` if the
    /// match cannot go on then.
    fn word_instead(&self, about: Option<Seat>, seed: u64) -> Option<String>;

    /// This seat has failed for good.
    fn fail(&mut self, seat: Seat) -> Failed;

    /// Takes a step once more that was taken before. Whether it was legal was judged then.
    fn retake(&mut self, taken: Taken<&[u8]>);

    /// What that seat may know now, as JSON; without a seat, what everybody may.
    fn view(&self, seat: Option<Seat>) -> Result<String, BadPayload>;

    /// What the referee's own judgement is told, as JSON.
    fn prompt(&self, about: Option<Seat>) -> String;

    /// What that seat may choose, as JSON; `None` if the rules judge whatever comes.
    fn options(&self, seat: Seat) -> Option<Vec<String>>;

    fn gains(&self) -> Gains;

    /// How it ended, in a sentence.
    fn tell(&self, names: [&dyn Display; 2]) -> String;

    /// Whether it may end so, however it goes on from here. Yes, too, if that would take too long
    /// to find out.
    fn may_end(&self, fits: &mut dyn FnMut(Gains) -> bool) -> bool;
}

impl<G: Game> Playing for Play<G> {
    fn turn(&self) -> Turn {
        if self.cut { Turn::Over } else { self.game.turn(&self.state) }
    }

    fn kind(&self, seat: Seat) -> u8 {
        self.game.kind(&self.state, seat)
    }

    fn seal(&mut self, seat: Seat, json: &[u8]) -> Result<(), BadMove> {
        if !self.turn().asked().contains(seat) || self.sealed[seat.index()].is_some() {
            return Err(BadMove::OutOfTurn);
        }
        let known = G::moves().iter().find(|(text, _)| text.as_bytes() == json);
        let it = match known {
            Some((_, it)) => it.clone(),
            None => {
                let it = read(json).map_err(|why| self.instead(seat, why))?;
                let legal = self.game.legal(&self.state, seat, &it).map_err(BadMove::Illegal);
                legal.map_err(|why| self.instead(seat, why))?;
                it
            }
        };
        self.sealed[seat.index()] = Some(it);
        Ok(())
    }

    fn reveal(&mut self, seats: Seats) {
        let moves =
            Seat::BOTH.map(|seat| self.sealed[seat.index()].take_if(|_| seats.contains(seat)));
        if moves.iter().any(Option::is_some) {
            self.game.apply(&mut self.state, Step::Moves(moves));
        }
    }

    fn draw(&mut self, number: u32) -> Result<(), BadMove> {
        match self.turn() {
            Turn::Chance(below) if number < below => {
                self.game.apply(&mut self.state, Step::Drawn(number));
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

    fn word(&mut self, about: Option<Seat>, json: &[u8]) -> Result<(), BadMove> {
        let awaited = match (self.turn(), about) {
            (Turn::Oracle, None) => true,
            (Turn::Apart { judged, .. }, Some(seat)) => judged.contains(seat),
            (_, None | Some(_)) => false,
        };
        if !awaited {
            return Err(BadMove::OutOfTurn);
        }
        let word = read(json)?;
        self.game.legal_word(&self.state, about, &word).map_err(BadMove::Illegal)?;
        self.game.apply(&mut self.state, Step::Word(about, word));
        Ok(())
    }

    fn judgement(&self, about: Option<Seat>) -> u8 {
        self.game.judgement(&self.state, about)
    }

    fn word_instead(&self, about: Option<Seat>, seed: u64) -> Option<String> {
        self.game.word_instead(&self.state, about, seed).map(|word| text(&word))
    }

    fn fail(&mut self, seat: Seat) -> Failed {
        match G::INFO.failed {
            Failed::Over => self.retake(Taken::Cut),
            Failed::GoesOn => self.retake(Taken::Failed(seat)),
        }
        G::INFO.failed
    }

    fn retake(&mut self, taken: Taken<&[u8]>) {
        match taken {
            Taken::Sealed(seat, json) => self.sealed[seat.index()] = read(json).ok(),
            Taken::Revealed(seats) => self.reveal(seats),
            Taken::Drawn(number) => self.game.apply(&mut self.state, Step::Drawn(number)),
            Taken::Word(about, json) => {
                if let Ok(word) = read(json) {
                    self.game.apply(&mut self.state, Step::Word(about, word));
                }
            }
            Taken::Failed(seat) => {
                self.sealed[seat.index()] = None;
                self.game.apply(&mut self.state, Step::Failed(seat));
            }
            Taken::Cut => self.cut = true,
        }
    }

    fn view(&self, seat: Option<Seat>) -> Result<String, BadPayload> {
        let view = self.game.write_view(&self.game.view(&self.state, seat));
        match view.len() {
            ..=VIEW_MAX => Ok(view),
            bytes => Err(BadPayload::TooLong { bytes, max: VIEW_MAX }),
        }
    }

    fn prompt(&self, about: Option<Seat>) -> String {
        self.game.prompt(&self.state, about)
    }

    fn options(&self, seat: Seat) -> Option<Vec<String>> {
        let listed = self.game.options(&self.state, seat)?;
        Some(listed.iter().map(text).collect())
    }

    fn gains(&self) -> Gains {
        self.game.gains(&self.state)
    }

    fn tell(&self, names: [&dyn Display; 2]) -> String {
        self.game.tell(&self.state, names)
    }

    fn may_end(&self, fits: &mut dyn FnMut(Gains) -> bool) -> bool {
        search(&self.game, &self.state, fits, &mut ENDS_MAX.clone())
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
            let choices = Seat::BOTH.map(|seat| match game.options(state, seat) {
                _ if !seats.contains(seat) => Some(vec![None]),
                listed => listed.map(|listed| listed.into_iter().map(Some).collect()),
            });
            let [Some(of_a), Some(of_b)] = choices else { return true };
            let mut pairs = of_a.iter().flat_map(|a| of_b.iter().map(move |b| [a, b]));
            pairs.any(|moves| after(Step::Moves(moves.map(Clone::clone)), left))
        }
        // What free text and an oracle would say nobody knows.
        Turn::Together(_) | Turn::Apart { .. } | Turn::Oracle => true,
    }
}

/// Most options that are named to whoever chose something else.
const NAMED_MAX: usize = 8;

impl<G: Game> Play<G> {
    /// What could have been chosen, if that is a few words; or else why that could not.
    fn instead(&self, seat: Seat, why: BadMove) -> BadMove {
        let is_word = !matches!(why, BadMove::Payload(_));
        let few = |all: &Vec<String>| is_word && (1..=NAMED_MAX).contains(&all.len());
        let Some(options) = self.options(seat).filter(few) else { return why };
        let words: Vec<_> = options.iter().map(|text| text.trim_matches('"')).collect();
        let (last, others) = words.split_last().expect("there is one at least");
        let before = others.join(", ");
        let or = if others.is_empty() { "" } else { " or " };
        BadMove::NotAnOption(format!("{before}{or}{last}").into())
    }
}

/// Reads what came from outside, if it is short and flat enough.
pub(crate) fn read<T: DeserializeOwned>(json: &[u8]) -> Result<T, BadMove> {
    read_borrowed(json)
}

/// The same, of something that keeps parts of the text.
pub(crate) fn read_borrowed<'a, T: Deserialize<'a>>(json: &'a [u8]) -> Result<T, BadMove> {
    if json.len() > PAYLOAD_MAX {
        return Err(BadPayload::TooLong { bytes: json.len(), max: PAYLOAD_MAX }.into());
    }
    if depth(json) > DEPTH_MAX {
        return Err(BadPayload::TooDeep.into());
    }
    serde_json::from_slice(json).map_err(|error| BadMove::Unreadable(flaw(&error).into()))
}

/// What is wrong with it, without what stands there: whoever reads this may be an opponent.
fn flaw(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(", expected ") {
        Some((_, wanted)) if error.is_data() => format!("expected {wanted}"),
        Some(_) | None if !error.is_data() || text.starts_with("missing field") => text,
        Some(_) | None => "it does not fit".to_owned(),
    }
}

/// How deep the brackets of a JSON text go. Those in strings do not count.
pub fn depth(json: &[u8]) -> usize {
    let (mut open, mut deepest) = (0_usize, 0);
    let (mut quoted, mut escaped) = (false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => {
                open += 1;
                deepest = deepest.max(open);
            }
            b']' | b'}' if !quoted => open = open.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// The JSON of a value.
pub(crate) fn text<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("a derived value can be written to memory")
}
