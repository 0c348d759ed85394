//! The one list of games, and what everybody else holds of them: [`Rules`] and [`Position`].
//!
//! Neither tells which game it is. A game from outside will be one more variant.

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::acts;
use crate::even_odd::EvenOdd;
use crate::matrix::{Hand, Matrix, Stance};
use crate::play::{self, Play, Playing};
use crate::q21::Q21;
use crate::{BadShown, Game, GameInfo, Reason, Retraced, Seat, Setting};

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

        fn read(name: &str, settings: &str) -> Result<AnyRules, BadRules> {
            $(if same(<$Game as Game>::INFO.name, name) {
                return set(settings).map(AnyRules::$Variant);
            })+
            Err(unknown(name))
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
        read(name, settings).map(Self)
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

    /// An answer to a question of that kind that will do for a rehearsal, where answers cannot be
    /// listed. The same seed makes the same of it; what of it nobody may see holds `secret`.
    pub fn example(&self, kind: &str, seed: u64, secret: &str) -> Option<String> {
        with!(&self.0, |game| game.example(kind, seed, secret))
    }

    /// The first position of a match.
    pub fn open(&self) -> Position {
        with!(&self.0, |game| Play::open(game).into())
    }

    /// The move of that seat by this public view, as JSON, in a game in which each makes one and
    /// the view tells all; `None` in any other.
    pub fn only_move(&self, shown: &[u8], seat: Seat) -> Option<String> {
        with!(&self.0, |game| only_move_of(game, shown, seat))
    }

    /// The position that a public view shows; `None` if the views of this game do not tell so much.
    pub fn retrace(&self, shown: &[u8]) -> Result<Option<Retraced<Position>>, BadShown> {
        with!(&self.0, |game| Play::retrace(game, shown))
    }

    /// The position that these acts lead to ([`write_acts`](crate::write_acts)), each of them
    /// judged, which is the one that a public view shows.
    pub fn replay(&self, acts: &[u8], shown: &[u8]) -> Result<Position, BadShown> {
        with!(&self.0, |game| acts::replay(game, acts, shown).map(Position::from))
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

/// Why there are no such rules.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadRules {
    #[error("there is no game {given}; there are {known}")]
    UnknownGame { given: String, known: String },
    #[error("{game} has no setting {given}; it has {known}")]
    UnknownSetting { game: &'static str, given: String, known: String },
    #[error("{game}: {setting} is {given}; it must be {min} to {max}")]
    OutOfBounds { game: &'static str, setting: &'static str, given: String, min: i64, max: i64 },
    #[error("{game}: {why}")]
    Unfit { game: &'static str, why: Reason },
}

/// What is played where nothing is said: the first of the list, as usual.
impl Default for Rules {
    fn default() -> Self {
        Self::new(GAMES[0].name, "{}").expect("every game can be played as usual")
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
        Self::new(&game, &Value::Object(settings).to_string()).map_err(serde::de::Error::custom)
    }
}

fn only_move_of<G: Game>(game: &G, shown: &[u8], seat: Seat) -> Option<String> {
    let shown = game.retrace(&play::read(shown).ok()?).ok()??.shown;
    Some(play::text(&game.only_move(&shown, seat)?))
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

/// The game with these settings, a JSON object; whatever is left out is as usual.
fn set<G: Game>(settings: &str) -> Result<G, BadRules> {
    let GameInfo { name: game, settings: known, .. } = G::INFO;
    let unfit = |why: String| BadRules::Unfit { game, why: why.into() };
    let settings: Map<String, Value> =
        serde_json::from_str(settings).map_err(|error| unfit(error.to_string()))?;
    for (given, value) in &settings {
        let Some(setting) = known.iter().find(|setting| setting.name == given) else {
            let names: Vec<&str> = known.iter().map(|setting| setting.name).collect();
            let (given, known) = (given.clone(), names.join(", "));
            return Err(BadRules::UnknownSetting { game, given, known });
        };
        check_bounds(game, setting, value)?;
    }
    let standard = serde_json::to_value(G::standard()).map_err(|error| unfit(error.to_string()))?;
    let Value::Object(mut whole) = standard else {
        return Err(unfit("its settings are no object".to_owned()));
    };
    whole.extend(settings);
    let rules: G = serde_json::from_value(Value::Object(whole))
        .map_err(|error| unfit(format!("its settings could not be read: {error}")))?;
    rules.check().map_err(|why| BadRules::Unfit { game, why })?;
    Ok(rules)
}

/// Every number of a setting is within its bounds, and there is nothing but numbers in it.
fn check_bounds(game: &'static str, setting: &Setting, value: &Value) -> Result<(), BadRules> {
    let Setting { name, min, max, .. } = *setting;
    match value {
        Value::Array(values) => {
            values.iter().try_for_each(|value| check_bounds(game, setting, value))
        }
        Value::Number(number) if number.as_i64().is_some_and(|it| (min..=max).contains(&it)) => {
            Ok(())
        }
        Value::Number(_) | Value::Null | Value::Bool(_) | Value::String(_) | Value::Object(_) => {
            let given = value.to_string().chars().take(40).collect();
            Err(BadRules::OutOfBounds { game, setting: name, given, min, max })
        }
    }
}
