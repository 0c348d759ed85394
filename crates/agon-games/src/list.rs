//! The one list of games, and what everybody else holds of them: [`Rules`] and [`Position`].
//!
//! Neither tells which game it is. A game from outside will be one more variant.

use std::ops::{Deref, DerefMut};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::even_odd::EvenOdd;
use crate::matrix::{Hand, Matrix, Stance};
use crate::play::{self, Play, Playing};
use crate::q21::Q21;
use crate::{BadRules, BadShown, Game, GameInfo, Retraced, settings};

/// Makes the two enums of the list, what opens each, and the way from a game's own type to the
/// second.
macro_rules! games {
    ($d:tt $($Variant:ident($Game:ty)),+ $(,)?) => {
        #[derive(Debug, Clone, PartialEq, Eq, Serialize)]
        #[serde(tag = "game", content = "settings", rename_all = "snake_case")]
        enum AnyRules {
            $($Variant($Game),)+
        }

        #[derive(Debug, Clone, PartialEq)]
        enum AnyPosition {
            $($Variant(Play<$Game>),)+
        }

        const GAMES: &[GameInfo] = &[$(<$Game as Game>::INFO),+];

        fn read(name: &str, settings: &Map<String, Value>) -> Option<Result<AnyRules, BadRules>> {
            $(if same(<$Game as Game>::INFO.name, name) {
                return Some(settings::read(settings).map(AnyRules::$Variant));
            })+
            None
        }

        macro_rules! with {
            ($d rules:expr, |$d game:ident| $d body:expr) => {
                match $d rules {
                    $(AnyRules::$Variant($d game) => $d body,)+
                }
            };
        }

        $(impl From<Play<$Game>> for Position {
            fn from(play: Play<$Game>) -> Self {
                Self(AnyPosition::$Variant(play))
            }
        })+

        impl Deref for Position {
            type Target = dyn Playing;

            fn deref(&self) -> &Self::Target {
                match &self.0 {
                    $(AnyPosition::$Variant(play) => play,)+
                }
            }
        }

        impl DerefMut for Position {
            fn deref_mut(&mut self) -> &mut Self::Target {
                match &mut self.0 {
                    $(AnyPosition::$Variant(play) => play,)+
                }
            }
        }
    };
}

games! { $
    EvenOdd(EvenOdd),
    Q21(Q21),
    RockPaperScissors(Matrix<Hand>),
    PrisonersDilemma(Matrix<Stance>),
}

/// What is known of every game, in the order of the list.
pub fn games() -> &'static [GameInfo] {
    GAMES
}

/// A game with its settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rules(AnyRules);

/// A game under way: what can be done with it stands in [`Playing`].
#[derive(Debug, Clone, PartialEq)]
pub struct Position(AnyPosition);

/// One is held for each match.
const _: () = assert!(size_of::<Position>() <= 96);

/// Whoever wants to know which game it is: tests, and strategies that play one game only.
pub trait Visitor {
    type Output;
    fn visit<G: Game>(self, game: &G) -> Self::Output;
}

impl Rules {
    /// The game of that name; `-` and `_` are the same in it. Settings are a JSON object, and
    /// whatever it leaves out is as usual.
    pub fn new(name: &str, settings: &str) -> Result<Self, BadRules> {
        let settings: Map<String, Value> = serde_json::from_str(settings).map_err(|error| {
            let info = GAMES.iter().find(|info| same(info.name, name));
            info.map_or_else(
                || unknown(name),
                |info| BadRules::Unfit { game: info.name, why: error.to_string().into() },
            )
        })?;
        Self::with(name, &settings)
    }

    fn with(name: &str, settings: &Map<String, Value>) -> Result<Self, BadRules> {
        read(name, settings).unwrap_or_else(|| Err(unknown(name))).map(Self)
    }

    /// Its settings, all of them, as a JSON object.
    pub fn settings(&self) -> String {
        with!(&self.0, |game| play::text(game))
    }

    /// What a move looks like, as a JSON Schema, where all moves that there ever are can be listed.
    pub fn move_schema(&self) -> Option<String> {
        with!(&self.0, |game| moves_of(game))
    }

    pub fn info(&self) -> &'static GameInfo {
        with!(&self.0, |game| info_of(game))
    }

    /// The most acts that a match can have.
    pub fn acts_max(&self) -> u32 {
        with!(&self.0, |game| game.acts_max())
    }

    /// An answer to a question of that kind that will do for a rehearsal, where answers cannot be
    /// listed. The same seed makes the same of it; what of it nobody may see holds `secret`.
    pub fn example(&self, kind: &str, seed: u64, secret: &str) -> Option<String> {
        with!(&self.0, |game| game.example(kind, seed, secret))
    }

    /// The first position of a match.
    pub fn open(&self) -> Position {
        with!(&self.0, |game| Play::open(game).into())
    }

    /// The position that a public view shows; `None` if the views of this game do not tell so much.
    pub fn retrace(&self, shown: &[u8]) -> Result<Option<Retraced<Position>>, BadShown> {
        with!(&self.0, |game| {
            let retraced = Play::retrace(game, shown)?;
            Ok(retraced.map(|Retraced { shown, gaps }| Retraced { shown: shown.into(), gaps }))
        })
    }

    /// What a player says that sees that, when whoever thinks for it has failed for good.
    pub fn move_instead(&self, kind: u8, view: &[u8]) -> Option<String> {
        with!(&self.0, |game| {
            let said = game.move_instead(kind, &play::read(view).ok()?)?;
            Some(play::text(&said))
        })
    }

    pub fn visit<V: Visitor>(&self, visitor: V) -> V::Output {
        with!(&self.0, |game| visitor.visit(game))
    }
}

/// What is played where nothing is said: the first of the list, as usual.
impl Default for Rules {
    fn default() -> Self {
        Self::with(GAMES[0].name, &Map::new()).expect("every game can be played as usual")
    }
}

/// Rules as they are written down.
#[derive(Deserialize)]
struct Written {
    game: Box<str>,
    settings: Map<String, Value>,
}

impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Written { game, settings } = Written::deserialize(deserializer)?;
        Self::with(&game, &settings).map_err(D::Error::custom)
    }
}

const fn info_of<G: Game>(_: &G) -> &'static GameInfo {
    const { &G::INFO }
}

fn moves_of<G: Game>(_: &G) -> Option<String> {
    let moves: Vec<&str> = G::moves().iter().map(|(json, _)| *json).collect();
    (!moves.is_empty()).then(|| format!("{{\"enum\":[{}]}}", moves.join(",")))
}

fn unknown(name: &str) -> BadRules {
    let known: Vec<&str> = GAMES.iter().map(|info| info.name).collect();
    let given = name.chars().take(40).collect();
    BadRules::UnknownGame { given, known: known.join(", ") }
}

/// Whether two names are the same but for `-` and `_`.
fn same(name: &str, given: &str) -> bool {
    let plain = |byte: u8| if byte == b'-' { b'_' } else { byte };
    name.len() == given.len() && name.bytes().eq(given.bytes().map(plain))
}
