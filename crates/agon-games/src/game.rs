//! What a game is: the one trait that its author implements, and the words in it.
//!
//! A game is deterministic: the state is the fold of its steps. What a seat may know leaves only
//! through [`Game::view`].

use std::borrow::Cow;
use std::fmt::{Debug, Display};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::play::text;

/// A place at the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Seat {
    A,
    B,
}

impl Seat {
    pub const BOTH: [Self; 2] = [Self::A, Self::B];

    /// 0 for A, 1 for B.
    pub const fn index(self) -> usize {
        self as usize
    }

    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

/// Some of the seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Seats(u8);

impl Seats {
    pub const NONE: Self = Self(0);
    pub const BOTH: Self = Self(0b11);

    pub const fn only(seat: Seat) -> Self {
        Self(1 << seat as u8)
    }

    /// Those of which that is true.
    pub fn which(mut is: impl FnMut(Seat) -> bool) -> Self {
        let chosen = Seat::BOTH.into_iter().filter(|seat| is(*seat));
        chosen.fold(Self::NONE, Self::with)
    }

    #[must_use]
    pub const fn with(self, seat: Seat) -> Self {
        Self(self.0 | Self::only(seat).0)
    }

    pub const fn contains(self, seat: Seat) -> bool {
        self.0 & Self::only(seat).0 != 0
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn iter(self) -> impl Iterator<Item = Seat> {
        Seat::BOTH.into_iter().filter(move |seat| self.contains(*seat))
    }
}

/// Whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// Asked in the same instant; their answers are sealed until all are in.
    Together(Seats),
    /// Each goes on at its own pace: these are asked, about those the referee thinks.
    Apart {
        asked: Seats,
        judged: Seats,
    },
    /// A number below this one, each as likely as any other.
    Chance(u32),
    /// The referee's own judgement, about the whole match.
    Oracle,
    Over,
}

impl Turn {
    /// Whose moves are awaited.
    pub const fn asked(self) -> Seats {
        match self {
            Self::Together(seats) | Self::Apart { asked: seats, .. } => seats,
            Self::Chance(_) | Self::Oracle | Self::Over => Seats::NONE,
        }
    }
}

/// What happened. The state of a match is the fold of these.
#[derive(Debug, Clone, PartialEq)]
pub enum Step<M, W> {
    /// What these seats chose, seat by seat.
    Moves([Option<M>; 2]),
    /// The number that was drawn, counted from 0.
    Drawn(u32),
    /// What the referee's own judgement said, about one seat or the match.
    Word(Option<Seat>, W),
    /// This seat plays no more, and the others go on.
    Failed(Seat),
}

/// What each seat has got, as soon as that is certain.
pub type Gains = [Option<i32>; 2];

/// Why a move is not legal, in words for its author.
pub type Reason = Cow<'static, str>;

/// What a public view shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Retraced<S> {
    pub shown: S,
    /// Something is left out that must have happened before what is shown.
    pub gaps: bool,
}

/// What a public view says, and what in the rules it cannot come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    pub said: String,
    pub against: String,
}

/// What lists, configurations, prompts and formats need to know of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameInfo {
    /// As it is configured, and its `game_type` on the wire.
    pub name: &'static str,
    pub seats: u8,
    /// The rules, for whoever plays it.
    pub rules: &'static str,
    pub settings: &'static [Setting],
    /// The kinds of question: limits are set by them, and a move is named by them on the wire.
    pub asks: &'static [&'static str],
    /// Its first turn is the invitation: who fails there never came.
    pub greets: bool,
    pub failed: Failed,
    /// The kinds of question to the referee's own judgement; none where nobody asks it.
    pub judgements: &'static [&'static str],
    /// Seats swapped give swapped gains.
    pub symmetric: bool,
    /// What one gains the other loses.
    pub zero_sum: bool,
    pub can_draw: bool,
    /// Its public view tells at the end all that was played, so that nobody needs its acts.
    pub shows_all: bool,
}

impl GameInfo {
    /// A game like most: for two who choose and are judged alike, and nobody else judges. What is
    /// its own each game says itself.
    pub const USUAL: Self = Self {
        name: "",
        seats: 2,
        rules: "",
        settings: &[],
        asks: &[],
        greets: false,
        failed: Failed::Over,
        judgements: &[],
        symmetric: true,
        zero_sum: false,
        can_draw: true,
        shows_all: false,
    };

    /// Whether it asks for the referee's own judgement.
    pub const fn is_judged(&self) -> bool {
        !self.judgements.is_empty()
    }
}

/// What the failure of a seat means for the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failed {
    /// The match is over.
    Over,
    /// The others go on ([`Step::Failed`]).
    GoesOn,
}

/// Something that may be set: one number, or a table of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    pub name: &'static str,
    pub meaning: &'static str,
    pub min: i64,
    pub max: i64,
}

/// The word of an oracle in a game that asks none: there is no such word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoWord {}

/// What has a JSON Schema, where schemas are built.
#[cfg(feature = "schema")]
pub use schemars::JsonSchema as Described;
/// What has a JSON Schema, where schemas are built.
#[cfg(not(feature = "schema"))]
pub trait Described {}
#[cfg(not(feature = "schema"))]
impl<T> Described for T {}

/// A game; `self` is its settings. What it is called and what may be set stands in its
/// [`GameInfo`].
pub trait Game:
    Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static
{
    type State: Clone + Debug + PartialEq + Send + Sync;
    type Move: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Described + Send + Sync;
    type View: Serialize + DeserializeOwned + Described;
    /// What the referee's own judgement says; [`NoWord`] where nobody asks it.
    type Word: Serialize + DeserializeOwned;

    const INFO: GameInfo;

    /// As it is played where nothing is set.
    fn standard() -> Self;

    /// Why these settings do not fit together, although each is within its bounds.
    fn check(&self) -> Result<(), Reason> {
        Ok(())
    }

    /// The most acts that a match can have: moves, numbers, words and failures.
    fn acts_max(&self) -> u32;

    fn begin(&self) -> Self::State;

    fn turn(&self, state: &Self::State) -> Turn;

    /// Which of [`GameInfo::asks`] this seat is asked.
    fn kind(&self, _state: &Self::State, _seat: Seat) -> u8 {
        0
    }

    /// All moves that there ever are, with their JSON, where that never changes.
    fn moves() -> &'static [(&'static str, Self::Move)] {
        &[]
    }

    /// What a seat may choose; `None` where [`Game::legal`] judges whatever comes.
    fn options(&self, _state: &Self::State, _seat: Seat) -> Option<Vec<Self::Move>> {
        let moves = Self::moves();
        (!moves.is_empty()).then(|| moves.iter().map(|(_, it)| it.clone()).collect())
    }

    /// Only asked about a seat whose turn it is.
    fn legal(&self, state: &Self::State, seat: Seat, it: &Self::Move) -> Result<(), Reason> {
        match self.options(state, seat) {
            Some(listed) if !listed.contains(it) => Err("it is not an option".into()),
            Some(_) | None => Ok(()),
        }
    }

    /// Why the referee's own judgement may not say this now.
    fn legal_word(
        &self,
        _state: &Self::State,
        _about: Option<Seat>,
        _word: &Self::Word,
    ) -> Result<(), Reason> {
        Ok(())
    }

    /// Which of [`GameInfo::judgements`] the referee's own judgement is asked, about one seat or
    /// the match.
    fn judgement(&self, _state: &Self::State, _about: Option<Seat>) -> u8 {
        0
    }

    /// What counts where the referee's own judgement has failed for good; `None` if the match
    /// cannot go on then. The same seed makes the same of it.
    fn word_instead(
        &self,
        _state: &Self::State,
        _about: Option<Seat>,
        _seed: u64,
    ) -> Option<Self::Word> {
        None
    }

    /// What a player says that sees that, when whoever thinks for it has failed for good; `None` if
    /// it keeps silent then.
    fn move_instead(&self, _kind: u8, _view: &Self::View) -> Option<Self::Move> {
        None
    }

    /// The JSON of an answer to a question of that kind ([`GameInfo::asks`],
    /// [`GameInfo::judgements`]) that will do for a rehearsal, where answers cannot be listed. The
    /// same seed makes the same of it, and whatever of it nobody may see holds `secret`.
    fn example(&self, _kind: &str, _seed: u64, _secret: &str) -> Option<String> {
        None
    }

    /// Takes a step that [`Game::turn`] asked for and that is legal.
    fn apply(&self, state: &mut Self::State, step: Step<Self::Move, Self::Word>);

    /// What that seat may know now; without a seat, what everybody may. No growing history.
    fn view(&self, state: &Self::State, seat: Option<Seat>) -> Self::View;

    /// The JSON of a view; without a serializer, where speed matters.
    fn write_view(&self, view: &Self::View) -> String {
        text(view)
    }

    /// Reads a view as [`Game::write_view`] writes it, without a parser; `None` if it is not so.
    fn read_view(_json: &[u8]) -> Option<Self::View> {
        None
    }

    /// What the referee's own judgement is told, as JSON: everything. Never sent to a player.
    fn prompt(&self, _state: &Self::State, _about: Option<Seat>) -> String {
        String::new()
    }

    fn gains(&self, state: &Self::State) -> Gains;

    /// The move of that seat, in a game in which each makes one and [`GameInfo::shows_all`].
    fn only_move(&self, _state: &Self::State, _seat: Seat) -> Option<Self::Move> {
        None
    }

    /// How it ended, in a sentence, with the players' names.
    fn tell(&self, state: &Self::State, names: [&dyn Display; 2]) -> String;

    /// The state that this public view shows, over or not; `None` if views do not tell so much.
    fn retrace(&self, _shown: &Self::View) -> Result<Option<Retraced<Self::State>>, Mismatch> {
        Ok(None)
    }
}
